package props

import (
	"fmt"
	"math"
	"math/bits"
	"slices"

	"fetchproof/ops"
)

const limiterFields = ops.FieldSends | ops.FieldLimiter | ops.FieldGlobalFullAt | ops.FieldClock

var limiterProperties = []*Property{
	{
		Name: "sends-recounted", Machine: ops.ResponderMachine, Rules: []string{"RSP-5", "RSP-6", "RSP-7"}, Needs: ops.FieldSends | ops.FieldLimiter,
		Text:  "busy replies being sent, recounted, stay within the permits and the peer's bound, and to remembered peers only",
		check: sendsRecounted,
	},
	{
		Name: "sends-moved", Machine: ops.ResponderMachine, Rules: []string{"RSP-6"}, Needs: ops.FieldSends,
		Text:  "a busy reply takes a permit, its end frees that permit once, and no permit moves otherwise",
		check: sendsMoved,
	},
	{
		Name: "denial-free", Machine: ops.ResponderMachine, Rules: []string{"RSP-5"}, Needs: ops.ResponderFields,
		Text:  "a refusal that ends in silence spends, remembers and replaces nothing",
		check: denialFree,
	},
	{
		Name: "denial-founded", Machine: ops.ResponderMachine, Rules: []string{"RSP-4", "RSP-5", "RSP-7"}, Needs: limiterFields,
		Text:  "a busy reply is denied exactly by the first bound that denies it; the fraction of a nanosecond that no state shows is left open",
		check: denialFounded,
	},
	{
		Name: "spent-exactly", Machine: ops.ResponderMachine, Rules: []string{"RSP-5", "RSP-7", "DET-4"}, Needs: limiterFields,
		Text: "a busy reply takes a token of its peer and one of all, to the nanosecond, and is remembered, in the place of the peer full for " +
			"longest if there is no room; nothing else is spent, refilled or forgotten",
		check: spentExactly,
	},
	{
		Name: "window", Machine: ops.ResponderMachine, Rules: []string{"RSP-5"}, Needs: ops.FieldClock,
		Text:  "no window of any length sees more busy replies than burst + rate times length, overall or to one peer",
		check: window,
	},
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

func sendsMoved(v *view) error {
	was, is := v.Before.Responder.Sends, v.After.Responder.Sends
	gone := -1
	switch {
	case v.Op.Kind == ops.Request && v.Result.Code == ops.Busy:
		last := len(is) - 1
		if last < 0 || is[last] != (ops.Send{ID: v.Result.Send, Peer: v.Op.Peer}) || last > 0 && is[last-1].ID >= is[last].ID {
			return fmt.Errorf("the busy reply %d to %s is not being sent as the last one", v.Result.Send, v.Op.Peer)
		}
		is = is[:last]
	case v.Op.Kind == ops.SendDone:
		gone = slices.IndexFunc(was, func(s ops.Send) bool { return s.ID == v.Op.Ref.N })
		if (gone >= 0) != (v.Result.Code == ops.OK) {
			return fmt.Errorf("the busy reply %d is being sent: %t, and its end is answered %s", v.Op.Ref.N, gone >= 0, v.Result.Code)
		}
	}
	for i := range was {
		if i == gone {
			continue
		}
		if len(is) == 0 || is[0] != was[i] {
			return fmt.Errorf("the busy reply %d to %s is not being sent any more", was[i].ID, was[i].Peer)
		}
		is = is[1:]
	}
	if len(is) > 0 {
		return fmt.Errorf("the busy reply %d is being sent and nobody asked for it", is[0].ID)
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

// largest is the largest time: a bucket that is full later shows it (DET-4).
const largest = ops.Time(math.MaxInt64)

// What a bucket lacks at now, in billionths of a token, is rate times the time until it is full. The state rounds that instant
// up to a whole nanosecond, so up to a nanosecond's worth is unknown; at the largest time, any amount is.

// mayHaveToken reports whether there may be a token in the bucket, by what the state shows of it.
func mayHaveToken(fullAt, now ops.Time, burst, rate int64) bool {
	return fullAt <= now || parts(fullAt-now-1, rate) < uint64(burst-1)*uint64(ops.Second)
}

// mayLackToken reports whether the bucket may lack one.
func mayLackToken(fullAt, now ops.Time, burst, rate int64) bool {
	return fullAt == largest || fullAt > now && parts(fullAt-now, rate) > uint64(burst-1)*uint64(ops.Second)
}

func parts(d ops.Time, rate int64) uint64 {
	if high, low := bits.Mul64(uint64(d), uint64(rate)); high == 0 {
		return low
	}
	return math.MaxUint64
}

// replaceable is the remembered peer that gives way (RSP-7), or nil. open says that the state does not show whether one does:
// at the largest time a full bucket and one that is not full can look the same.
func replaceable(st *ops.ResponderState, now ops.Time) (out *ops.LimiterPeer, open bool) {
	for i := range st.Limiter {
		p := &st.Limiter[i]
		if p.Sending > 0 || p.FullAt > now {
			continue
		}
		open = open || p.FullAt == largest
		if out == nil || p.FullAt < out.FullAt {
			out = p
		}
	}
	return out, open && out.FullAt == largest
}

// gaveWay is the peer that is gone, where any peer whose bucket shows as full at the largest time may have given way, or
// otherwise if all of them stayed.
func gaveWay(was, is *ops.ResponderState, otherwise *ops.LimiterPeer) *ops.LimiterPeer {
	for i := range was.Limiter {
		if p := &was.Limiter[i]; p.Sending == 0 && p.FullAt == largest && is.FindLimited(p.Peer) == nil {
			return p
		}
	}
	return otherwise
}

// denialFounded checks that the bound that denied could, and that no bound before it had to.
func denialFounded(v *view) error {
	if v.Op.Kind != ops.Request || !v.Op.AsksBusy || v.Result.Reason == ops.NoRefusal {
		return nil
	}
	st, cfg, now := &v.Before.Responder, &v.Config.Responder, v.After.Responder.Clock
	peer := st.FindLimited(v.Op.Peer)
	fullAt, sending := ops.Time(0), uint64(0)
	if peer != nil {
		fullAt, sending = peer.FullAt, peer.Sending
	}
	out, open := replaceable(st, now)
	full := peer == nil && int64(len(st.Limiter)) >= cfg.BusyPeerTable
	for _, b := range []struct {
		bound        ops.LimiterBound
		denies, open bool
	}{
		{ops.SendPermits, int64(len(st.Sends)) >= cfg.BusySendPermits, false},
		{ops.PeerTable, full && out == nil, full && open},
		{ops.PeerInFlight, sending >= uint64(cfg.BusyPeerInFlight), false},
		{
			ops.PeerRate, !mayHaveToken(fullAt, now, cfg.BusyPeerBurst, cfg.BusyPeerRate),
			mayLackToken(fullAt, now, cfg.BusyPeerBurst, cfg.BusyPeerRate),
		},
		{
			ops.GlobalRate, !mayHaveToken(st.GlobalFullAt, now, cfg.BusyGlobalBurst, cfg.BusyGlobalRate),
			mayLackToken(st.GlobalFullAt, now, cfg.BusyGlobalBurst, cfg.BusyGlobalRate),
		},
	} {
		switch {
		case v.Result.Limiter == b.bound && !b.denies && !b.open:
			return fmt.Errorf("busy was denied by %s, which allows it", b.bound)
		case v.Result.Limiter == b.bound:
			return nil
		case b.denies:
			return fmt.Errorf("busy was answered %s %s, want a denial by %s", v.Result.Code, v.Result.Limiter, b.bound)
		}
	}
	return nil
}

func spentExactly(v *view) error {
	was, is := &v.Before.Responder, &v.After.Responder
	if v.Op.Kind != ops.Request || v.Result.Code != ops.Busy {
		return v.nothingSpent()
	}
	cfg, now := &v.Config.Responder, is.Clock
	if !spent(was.GlobalFullAt, is.GlobalFullAt, now, cfg.BusyGlobalRate) {
		return fmt.Errorf("the bucket of all is full at %s, was at %s, and one token was spent at %s", is.GlobalFullAt, was.GlobalFullAt, now)
	}
	peer, fullAt := is.FindLimited(v.Op.Peer), ops.Time(0)
	old := was.FindLimited(v.Op.Peer)
	if old != nil {
		fullAt = old.FullAt
	}
	if peer == nil || !spent(fullAt, peer.FullAt, now, cfg.BusyPeerRate) {
		return fmt.Errorf("the bucket of %s was full at %s, and one token was spent at %s: %+v", v.Op.Peer, fullAt, now, peer)
	}
	var out *ops.LimiterPeer
	if old == nil && int64(len(was.Limiter)) >= cfg.BusyPeerTable {
		var open bool
		if out, open = replaceable(was, now); open {
			out = gaveWay(was, is, out)
		}
	}
	for i := range was.Limiter {
		p := &was.Limiter[i]
		q := is.FindLimited(p.Peer)
		switch {
		case p == out && q != nil:
			return fmt.Errorf("%s did not give way to %s, though it is the one full for longest", p.Peer, v.Op.Peer)
		case p != out && q == nil:
			return fmt.Errorf("%s was forgotten to make room for %s", p.Peer, v.Op.Peer)
		case p != out && p.Peer != v.Op.Peer && q.FullAt != p.FullAt:
			return fmt.Errorf("the bucket of %s moved from %s to %s by a reply to %s", p.Peer, p.FullAt, q.FullAt, v.Op.Peer)
		}
	}
	if want := len(was.Limiter) + boolToInt(old == nil) - boolToInt(out != nil); len(is.Limiter) != want {
		return fmt.Errorf("%d peers are remembered, want %d", len(is.Limiter), want)
	}
	return nil
}

func (v *view) nothingSpent() error {
	was, is := &v.Before.Responder, &v.After.Responder
	if was.GlobalFullAt != is.GlobalFullAt {
		return fmt.Errorf("%s moved the bucket of all from %s to %s", v.Op.Kind, was.GlobalFullAt, is.GlobalFullAt)
	}
	if !slices.EqualFunc(was.Limiter, is.Limiter, func(a, b ops.LimiterPeer) bool { return a.Peer == b.Peer && a.FullAt == b.FullAt }) {
		return fmt.Errorf("%s changed what the limiter remembers of a peer", v.Op.Kind)
	}
	return nil
}

// spent reports whether a bucket is full when it should be after a token was spent at now. A token takes 10^9 / rate nanoseconds,
// of which the states show whole ones: one more or less where the rate does not divide and the bucket was not full.
func spent(was, is, now ops.Time, rate int64) bool {
	token, part := uint64(ops.Second)/uint64(rate), uint64(ops.Second)%uint64(rate) > 0
	least := uint64(max(was, now)) + token
	most := least
	if part {
		most++
		if was <= now {
			least++
		}
	}
	if is == largest || was == largest {
		return is == largest && (was == largest || most >= uint64(largest))
	}
	return least <= uint64(is) && uint64(is) <= most
}

// busyReply is one that was sent, kept for the window property.
type busyReply struct {
	at   ops.Time
	peer ops.Peer
}

// windowKept is how many replies the longest window measured has: one with more can only be longer.
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
