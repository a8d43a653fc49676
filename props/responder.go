package props

import (
	"fmt"
	"slices"

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
		Name: "places-moved", Machine: ops.ResponderMachine, Rules: []string{"RSP-1", "RSP-2"}, Needs: placeFields | ops.FieldClock,
		Text: "an admission takes a place for its peer from now on; a worker takes a place once, or sheds it after FetchTimeout; a release gives " +
			"one back; no place moves else",
		check: placesMoved,
	},
	{
		Name: "refusal-founded", Machine: ops.ResponderMachine, Rules: []string{"RSP-1", "RSP-3"}, Needs: placeFields,
		Text:  "a request is admitted exactly if peer and pool have room, and refused for the peer's share first",
		check: refusalFounded,
	},
	{
		Name: "busy-only-asked", Machine: ops.ResponderMachine, Rules: []string{"RSP-4"},
		Text:  "busy is only told to a refused request that asked",
		check: busyOnlyAsked,
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

func ticketAt(st *ops.ResponderState, id uint64) int {
	return slices.IndexFunc(st.Tickets, func(t ops.Ticket) bool { return t.ID == id })
}

func placesMoved(v *view) error {
	was, is := v.Before.Responder.Tickets, v.After.Responder.Tickets
	clock := v.After.Responder.Clock
	at := ticketAt(&v.Before.Responder, v.Op.Ref.N)
	code, gone, taken := v.Result.Code, -1, -1
	switch v.Op.Kind {
	case ops.Request:
		if code == ops.Admitted {
			last := len(is) - 1
			if last < 0 || is[last] != (ops.Ticket{ID: v.Result.Ticket, Peer: v.Op.Peer, Since: clock}) || last > 0 && is[last-1].ID >= is[last].ID {
				return fmt.Errorf("the ticket %d of %s, admitted at %s, is not there as the last one", v.Result.Ticket, v.Op.Peer, clock)
			}
			is = is[:last]
		}
	case ops.Take:
		want := ops.Stale
		if at >= 0 && !was[at].Taken {
			want, taken = ops.Serve, at
			if ops.Duration(clock-was[at].Since) >= v.Config.Responder.FetchTimeout {
				want, gone, taken = ops.Shed, at, -1
			}
		}
		if code != want {
			return fmt.Errorf("a worker takes the ticket %d: %s, want %s", v.Op.Ref.N, code, want)
		}
	case ops.Release:
		if gone = at; (at >= 0) != (code == ops.OK) {
			return fmt.Errorf("the ticket %d holds a place: %t, and its release is answered %s", v.Op.Ref.N, at >= 0, code)
		}
	}
	for i := range was {
		if i == gone {
			continue
		}
		want := was[i]
		want.Taken = want.Taken || i == taken
		if len(is) == 0 || is[0] != want {
			return fmt.Errorf("the place of the ticket %d, taken by a worker: %t, is not there any more or has changed", want.ID, want.Taken)
		}
		is = is[1:]
	}
	if len(is) > 0 {
		return fmt.Errorf("the ticket %d holds a place that nobody gave it", is[0].ID)
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
