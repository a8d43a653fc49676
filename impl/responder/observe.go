package responder

import (
	"bytes"
	"cmp"
	"slices"
)

// State is everything that the rules mention of a responder, and nothing that
// depends on how it is kept. Counters stand apart: no rule reads them.
type State struct {
	Clock       int64         // the latest now seen, 0 before the first
	Outstanding int           // places taken
	Peers       []PeerState   // peers that hold a place, in order
	Tickets     []TicketState // places taken, in order
	Sends       []SendState   // busy replies being sent, in order
	Limiter     []LimitState  // peers that the limiter remembers, in order

	// GlobalFullAt is the shared bucket's full-at time; see LimitState.FullAt.
	GlobalFullAt int64
}

// PeerState is how many places a peer holds: 1 to Config.PeerShare.
type PeerState struct {
	Peer        Peer
	Outstanding int
}

// TicketState is a place that is taken.
type TicketState struct {
	Ticket Ticket
	Peer   Peer
	Since  int64 // when it was admitted
	Taken  bool  // whether a worker took it
}

// SendState is a busy reply that is being sent.
type SendState struct {
	Send Send
	Peer Peer
}

// LimitState is what the limiter remembers of a peer.
type LimitState struct {
	Peer    Peer
	Sending int // busy replies being sent to it

	// FullAt is the smallest whole nanosecond at which its bucket is or was full
	// with nothing spent since, at most 2^63-1.
	FullAt int64
}

// Observe writes the whole state into dst, reusing its slices. It is a query:
// it takes a now like every operation and does not move the clock (DET-3).
// Nothing in the state depends on now.
func (r *Responder) Observe(_ int64, dst *State) {
	r.gather(dst)
	dst.sort()
}

// gather copies the state in no order, so that it is sorted without the lock.
func (r *Responder) gather(dst *State) {
	r.mu.Lock()
	defer r.mu.Unlock()
	dst.Clock = r.clock
	dst.Outstanding = len(r.admission.places)
	dst.GlobalFullAt = r.limiter.global.fullAt.observed()
	r.admission.gather(dst)
	r.limiter.gather(dst)
}

func (a *admission) gather(dst *State) {
	dst.Peers, dst.Tickets = dst.Peers[:0], dst.Tickets[:0]
	for peer, n := range a.peers {
		dst.Peers = append(dst.Peers, PeerState{Peer: peer, Outstanding: n})
	}
	for t, p := range a.places {
		dst.Tickets = append(dst.Tickets, TicketState{Ticket: t, Peer: p.peer, Since: p.since, Taken: p.taken})
	}
}

func (l *limiter) gather(dst *State) {
	dst.Sends, dst.Limiter = dst.Sends[:0], dst.Limiter[:0]
	for s, n := range l.sends {
		dst.Sends = append(dst.Sends, SendState{Send: s, Peer: l.table[n].peer})
	}
	for i := range l.table {
		p := &l.table[i]
		dst.Limiter = append(dst.Limiter, LimitState{
			Peer:    p.peer,
			Sending: int(p.sending),
			FullAt:  p.bucket.fullAt.observed(),
		})
	}
}

func (s *State) sort() {
	slices.SortFunc(s.Peers, func(a, b PeerState) int { return bytes.Compare(a.Peer[:], b.Peer[:]) })
	slices.SortFunc(s.Tickets, func(a, b TicketState) int { return cmp.Compare(a.Ticket, b.Ticket) })
	slices.SortFunc(s.Sends, func(a, b SendState) int { return cmp.Compare(a.Send, b.Send) })
	slices.SortFunc(s.Limiter, func(a, b LimitState) int { return bytes.Compare(a.Peer[:], b.Peer[:]) })
}
