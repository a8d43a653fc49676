package subject

import (
	"fmt"
	"time"

	"fetchproof/impl/responder"
	"fetchproof/ops"
	"fetchproof/props/terms"
)

// Responder drives the production responder through the language of operations.
type Responder struct {
	machine *responder.Responder
	state   responder.State
}

// NewResponder is the production responder as a subject.
func NewResponder() *Responder { return &Responder{} }

// Init makes a new responder.
func (r *Responder) Init(config *ops.Config) (err error) {
	if config.Machine != ops.ResponderMachine {
		return fmt.Errorf("a responder is no %s", config.Machine)
	}
	seed, err := hashSeed(config)
	if err != nil {
		return err
	}
	c := &config.Responder
	r.machine, err = responder.New(responder.Config{
		PeerShare: int(c.PeerShare), Pool: int(c.Pool), FetchTimeout: time.Duration(c.FetchTimeout),
		BusySendPermits: int(c.BusySendPermits), BusyPeerInFlight: int(c.BusyPeerInFlight), BusyPeerBurst: int(c.BusyPeerBurst),
		BusyPeerRate: int(c.BusyPeerRate), BusyGlobalBurst: int(c.BusyGlobalBurst), BusyGlobalRate: int(c.BusyGlobalRate),
		BusyPeerTable: int(c.BusyPeerTable), BusySendDeadline: time.Duration(c.BusySendDeadline), Workers: int(c.Workers),
		HashSeed: seed,
	})
	return err
}

// CopyFrom makes the responder a copy of src's.
func (r *Responder) CopyFrom(src Forker) { r.machine.CopyFrom(src.(*Responder).machine) }

// Apply carries out one operation.
func (r *Responder) Apply(op *ops.Op, res *ops.Result) error {
	res.Reset()
	now := int64(op.Now)
	switch op.Kind {
	case ops.Request:
		d := r.machine.Request(now, responder.Peer(op.Peer), op.AsksBusy)
		terms.Decided(res, &d)
	case ops.Take:
		res.Code = terms.Taken(r.machine.Take(now, responder.Ticket(op.Ref.N)))
	case ops.Release:
		res.Code = terms.Freed(r.machine.Release(now, responder.Ticket(op.Ref.N)))
	case ops.SendDone:
		res.Code = terms.Freed(r.machine.SendDone(now, responder.Send(op.Ref.N)))
	case ops.StateQuery:
	default:
		res.Code = ops.Unsupported
	}
	return nil
}

// State observes the whole state.
func (r *Responder) State(now ops.Time, st *ops.State) error {
	from := &r.state
	r.machine.Observe(int64(now), from)
	st.Reset(ops.ResponderMachine)
	to := &st.Responder
	to.Clock, to.Outstanding, to.GlobalFullAt = ops.Time(from.Clock), uint64(from.Outstanding), ops.Time(from.GlobalFullAt)
	for _, p := range from.Peers {
		to.Peers = append(to.Peers, ops.PeerOutstanding{Peer: ops.Peer(p.Peer), Outstanding: uint64(p.Outstanding)})
	}
	for _, t := range from.Tickets {
		to.Tickets = append(to.Tickets, ops.Ticket{ID: uint64(t.Ticket), Peer: ops.Peer(t.Peer), Since: ops.Time(t.Since), Taken: t.Taken})
	}
	for _, x := range from.Sends {
		to.Sends = append(to.Sends, ops.Send{ID: uint64(x.Send), Peer: ops.Peer(x.Peer)})
	}
	for _, l := range from.Limiter {
		to.Limiter = append(to.Limiter, ops.LimiterPeer{Peer: ops.Peer(l.Peer), Sending: uint64(l.Sending), FullAt: ops.Time(l.FullAt)})
	}
	return nil
}
