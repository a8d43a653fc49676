package explore

import (
	"slices"

	"fetchproof/ops"
)

// responderForm is what the canonical form has of a responder: its open tickets, which nothing orders (RSP-1, RSP-2), each
// with how long it has waited unless it was taken, up to the time at which it is shed; how many replies are being sent to a
// peer, since it does not matter which of them ends (RSP-6); when buckets are full, as seen from now. A full bucket is no more
// than full, unless the table can be full too (RSP-7): then the order in which buckets filled is kept, by whole nanoseconds.
// Fractions of a nanosecond follow from the rest: see [Scope.validateResponder].
type responderForm struct {
	tickets []ticketForm
	peer    [maxPeers]limiterForm
	global  uint8
}

type ticketForm struct{ peer, taken, age uint8 }

type limiterForm struct{ sending, full uint8 }

func (c *canon) normalizeResponder(st *ops.ResponderState) {
	r := &c.responder
	r.tickets, r.peer = r.tickets[:0], [maxPeers]limiterForm{}
	for i := range st.Tickets {
		t := &st.Tickets[i]
		f := ticketForm{peer: c.index(t.Peer), taken: 1}
		if !t.Taken {
			f.taken, f.age = 0, clamp(st.Clock-t.Since, ops.Time(c.scope.Config.Responder.FetchTimeout))
		}
		r.tickets = append(r.tickets, f)
	}
	c.ended = c.ended[:0]
	for i := range st.Limiter {
		if full := st.Limiter[i].FullAt; full <= st.Clock && !slices.Contains(c.ended, full) {
			c.ended = append(c.ended, full)
		}
	}
	slices.Sort(c.ended)
	mayBeFull := c.scope.Config.Responder.BusyPeerTable < int64(len(c.scope.Peers))
	for i := range st.Limiter {
		l := &st.Limiter[i]
		f := &r.peer[c.index(l.Peer)]
		f.sending = uint8(l.Sending)
		switch {
		case l.FullAt > st.Clock:
			f.full = 128 + clamp(l.FullAt-st.Clock, 127)
		case mayBeFull:
			f.full = 1 + uint8(slices.Index(c.ended, l.FullAt))
		}
	}
	r.global = clamp(st.GlobalFullAt-st.Clock, farthest)
}

func (c *canon) encodeResponder(b []byte, p *permutation) []byte {
	r := &c.responder
	b = append(b, uint8(len(r.tickets)))
	start := len(b)
	for i := range r.tickets {
		t := r.tickets[i]
		t.peer = p.to[t.peer]
		b = append(b, t.peer, t.taken, t.age)
		for at := len(b) - 3; at > start && slices.Compare(b[at:at+3], b[at-3:at]) < 0; at -= 3 { // sorted as they come
			for j := range 3 {
				b[at+j], b[at-3+j] = b[at-3+j], b[at+j]
			}
		}
	}
	for i := range c.scope.Peers {
		x := &r.peer[p.from[i]]
		b = append(b, x.sending, x.full)
	}
	return append(b, r.global)
}
