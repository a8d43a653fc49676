package props

import (
	"fmt"
	"math/bits"

	"fetchproof/ops"
)

const placeFields = ops.FieldOutstanding | ops.FieldPeers | ops.FieldTickets

var responderProperties = []*Property{
	{
		Name: "places-recounted", Machine: ops.ResponderMachine, Rules: []string{"RSP-1", "RSP-2"}, Needs: placeFields,
		Text:  "outstanding requests, recounted from the tickets, stay within share and pool",
		check: placesRecounted,
	},
	{
		Name: "refusal-founded", Machine: ops.ResponderMachine, Rules: []string{"RSP-1", "RSP-3"}, Needs: placeFields,
		Text:  "a request is admitted exactly if peer and pool have room, and refused for the peer's share first",
		check: refusalFounded,
	},
	{
		Name: "sends-recounted", Machine: ops.ResponderMachine, Rules: []string{"RSP-5", "RSP-6", "RSP-7"}, Needs: ops.FieldSends | ops.FieldLimiter,
		Text:  "busy replies being sent, recounted, stay within the permits and the peer's bound, and to remembered peers only",
		check: sendsRecounted,
	},
	{
		Name: "busy-only-asked", Machine: ops.ResponderMachine, Rules: []string{"RSP-4", "RSP-8"},
		Text:  "busy is only told to a refused request that asked",
		check: busyOnlyAsked,
	},
	{
		Name: "denial-free", Machine: ops.ResponderMachine, Rules: []string{"RSP-5"}, Needs: ops.ResponderFields,
		Text:  "a refusal that ends in silence spends, remembers and replaces nothing",
		check: denialFree,
	},
	{
		Name: "window", Machine: ops.ResponderMachine, Rules: []string{"RSP-5"}, Needs: ops.FieldClock,
		Text:  "no window of any length sees more busy replies than burst + rate times length, overall or to one peer",
		check: window,
	},
	{
		Name: "responder-clock", Machine: ops.ResponderMachine, Rules: []string{"DET-3"}, Needs: ops.FieldClock,
		Text:  "the responder's clock is the latest now of any operation",
		check: responderClock,
	},
}

func outstandingOf(st *ops.ResponderState, p ops.Peer) uint64 {
	for i := range st.Peers {
		if st.Peers[i].Peer == p {
			return st.Peers[i].Outstanding
		}
	}
	return 0
}

func placesRecounted(v *view) error {
	st, cfg := &v.After.Responder, &v.Config.Responder
	if st.Outstanding != uint64(len(st.Tickets)) {
		return fmt.Errorf("%d outstanding, %d tickets", st.Outstanding, len(st.Tickets))
	}
	if st.Outstanding > uint64(cfg.Pool) {
		return fmt.Errorf("%d outstanding in a pool of %d", st.Outstanding, cfg.Pool)
	}
	sum := uint64(0)
	for i := range st.Peers {
		p := &st.Peers[i]
		n := uint64(0)
		for j := range st.Tickets {
			n += uint64(boolToInt(st.Tickets[j].Peer == p.Peer))
		}
		if n != p.Outstanding || n == 0 || n > uint64(cfg.PeerShare) {
			return fmt.Errorf("%s has %d outstanding, %d tickets, a share of %d", p.Peer, p.Outstanding, n, cfg.PeerShare)
		}
		sum += n
	}
	if sum != st.Outstanding {
		return fmt.Errorf("the peers have %d outstanding, all together %d", sum, st.Outstanding)
	}
	return nil
}

func refusalFounded(v *view) error {
	if v.Op.Kind != ops.Request {
		return nil
	}
	st, cfg := &v.Before.Responder, &v.Config.Responder
	reason := ops.NoRefusal
	if st.Outstanding >= uint64(cfg.Pool) {
		reason = ops.RefusedPool
	}
	if outstandingOf(st, v.Op.Peer) >= uint64(cfg.PeerShare) {
		reason = ops.RefusedPeerShare
	}
	if v.Result.Reason != reason || (v.Result.Code == ops.Admitted) != (reason == ops.NoRefusal) {
		return fmt.Errorf("%s has %d of %d, the pool %d of %d: answered %s %s", v.Op.Peer, outstandingOf(st, v.Op.Peer), cfg.PeerShare,
			st.Outstanding, cfg.Pool, v.Result.Code, v.Result.Reason)
	}
	return nil
}

func sendsRecounted(v *view) error {
	st, cfg := &v.After.Responder, &v.Config.Responder
	if n := int64(len(st.Sends)); n > cfg.BusySendPermits {
		return fmt.Errorf("%d busy replies being sent, %d permits", n, cfg.BusySendPermits)
	}
	if n := int64(len(st.Limiter)); n > cfg.BusyPeerTable {
		return fmt.Errorf("%d peers remembered, at most %d allowed", n, cfg.BusyPeerTable)
	}
	sum := uint64(0)
	for i := range st.Limiter {
		p := &st.Limiter[i]
		n := uint64(0)
		for j := range st.Sends {
			n += uint64(boolToInt(st.Sends[j].Peer == p.Peer))
		}
		if n != p.Sending || n > uint64(cfg.BusyPeerInFlight) {
			return fmt.Errorf("%s is sent %d, %d recounted, at most %d allowed", p.Peer, p.Sending, n, cfg.BusyPeerInFlight)
		}
		sum += n
	}
	if sum != uint64(len(st.Sends)) {
		return fmt.Errorf("%d busy replies being sent, %d of them to remembered peers", len(st.Sends), sum)
	}
	return nil
}

func busyOnlyAsked(v *view) error {
	switch {
	case v.Op.Kind != ops.Request:
	case v.Result.Code == ops.Busy && (!v.Op.AsksBusy || v.Result.Reason == ops.NoRefusal):
		return fmt.Errorf("busy for a request that asked: %t, refused: %s", v.Op.AsksBusy, v.Result.Reason)
	case v.Result.Code == ops.Silent && v.Op.AsksBusy == (v.Result.Limiter == ops.NoBound):
		return fmt.Errorf("silence for a request that asked: %t, denied by: %s", v.Op.AsksBusy, v.Result.Limiter)
	}
	return nil
}

func denialFree(v *view) error {
	if v.Result.Code != ops.Silent && v.Result.Code != ops.Stale {
		return nil
	}
	if diff := v.Before.Differs(v.After) &^ ops.FieldClock; diff != 0 {
		return fmt.Errorf("%s (%s) changed %s", v.Op.Kind, v.Result.Code, diff)
	}
	return nil
}

func responderClock(v *view) error {
	want := v.Before.Responder.Clock
	if !v.Op.Kind.IsQuery() {
		want = max(want, v.Op.Now)
	}
	if v.After.Responder.Clock != want {
		return fmt.Errorf("the clock is at %s after %s, want %s", v.After.Responder.Clock, v.Op.Kind, want)
	}
	return nil
}

// busyReply is one that was sent, kept for the window property.
type busyReply struct {
	at   ops.Time
	peer ops.Peer
}

// windowKept bounds how many replies back windows are measured: the earliest of more can only make a window longer.
const windowKept = 64

func window(v *view) error {
	if v.Op.Kind != ops.Request || v.Result.Code != ops.Busy {
		return nil
	}
	cfg := &v.Config.Responder
	now := v.After.Responder.Clock
	if len(v.replies) == windowKept {
		v.replies = append(v.replies[:0], v.replies[1:]...)
	}
	v.replies = append(v.replies, busyReply{now, v.Op.Peer})
	all, own := int64(0), int64(0)
	for i := len(v.replies) - 1; i >= 0; i-- {
		r := &v.replies[i]
		length := uint64(now - r.at)
		all++
		if exceeds(all, cfg.BusyGlobalBurst, cfg.BusyGlobalRate, length) {
			return fmt.Errorf("%d busy replies within %s", all, ops.Duration(length))
		}
		if r.peer != v.Op.Peer {
			continue
		}
		own++
		if exceeds(own, cfg.BusyPeerBurst, cfg.BusyPeerRate, length) {
			return fmt.Errorf("%d busy replies to %s within %s", own, r.peer, ops.Duration(length))
		}
	}
	return nil
}

// exceeds reports whether n > burst + rate × length, exactly.
func exceeds(n, burst, rate int64, length uint64) bool {
	if n <= burst {
		return false
	}
	hi, lo := bits.Mul64(uint64(rate), length)
	return hi == 0 && lo < uint64(n-burst)*uint64(ops.Second)
}
