package model

import (
	"slices"

	"fetchproof/ops"
)

// State implements [Machine]. Nothing of it depends on now.
func (r *Responder) State(_ ops.Time, dst *ops.State) {
	dst.Reset(ops.ResponderMachine)
	d := &dst.Responder
	d.Clock, d.Outstanding, d.GlobalFullAt = r.clock, uint64(len(r.tickets)), r.global.fullAt()
	for i := range r.tickets {
		t := &r.tickets[i]
		d.Tickets = append(d.Tickets, ops.Ticket{ID: t.id, Peer: t.peer, Since: t.since, Taken: t.taken})
		countPeer(d, t.peer)
	}
	d.Sends = append(d.Sends, r.sends...)
	for i := range r.remembered {
		p := &r.remembered[i]
		d.Limiter = append(d.Limiter, ops.LimiterPeer{
			Peer: p.peer, Sending: uint64(r.sendingTo(p.peer)), FullAt: p.bucket.fullAt(),
		})
	}
}

// CopyFrom implements [Machine].
func (r *Responder) CopyFrom(src Machine) {
	o := src.(*Responder)
	r.cfg, r.clock, r.lastTicket, r.lastSend, r.global = o.cfg, o.clock, o.lastTicket, o.lastSend, o.global
	r.tickets = append(r.tickets[:0], o.tickets...)
	r.sends = append(r.sends[:0], o.sends...)
	r.remembered = append(r.remembered[:0], o.remembered...)
}

// countPeer adds one to the outstanding requests of peer, where it stands by peer.
func countPeer(d *ops.ResponderState, peer ops.Peer) {
	i := 0
	for i < len(d.Peers) && d.Peers[i].Peer.Compare(peer) < 0 {
		i++
	}
	if i == len(d.Peers) || d.Peers[i].Peer != peer {
		d.Peers = slices.Insert(d.Peers, i, ops.PeerOutstanding{Peer: peer})
	}
	d.Peers[i].Outstanding++
}
