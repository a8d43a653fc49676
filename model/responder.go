package model

import (
	"slices"

	"fetchproof/ops"
)

// Responder is the reference of section 16: the admission and the busy limiter. Outstanding requests are counted by scanning
// the tickets, busy replies by scanning the sends.
type Responder struct {
	cfg ops.ResponderConfig

	clock      ops.Time // the latest now seen (DET-3)
	lastTicket uint64   // tickets and sends count from 1, each on its own
	lastSend   uint64
	tickets    []ticket     // outstanding requests, by number
	sends      []ops.Send   // busy replies being sent, by number
	remembered []remembered // the peers that the limiter remembers, by peer (RSP-7)
	global     bucket       // RSP-5

	seen Situations
}

// ticket is an admitted request that holds its place (RSP-1).
type ticket struct {
	id    uint64
	peer  ops.Peer
	since ops.Time
	taken bool // by a worker (RSP-2)
}

// NewResponder is a responder to which nothing has happened yet. The configuration must be valid.
func NewResponder(cfg ops.ResponderConfig) *Responder { return &Responder{cfg: cfg} }

// Situations implements [Machine].
func (r *Responder) Situations() *Situations { return &r.seen }

// Apply implements [Machine].
func (r *Responder) Apply(op *ops.Op, res *ops.Result) {
	res.Reset()
	switch op.Kind {
	case ops.StateQuery:
	case ops.Request:
		r.request(op.Peer, op.AsksBusy, r.advance(op.Now), res)
	case ops.Take:
		r.take(op.Ref.N, r.advance(op.Now), res)
	case ops.Release:
		r.advance(op.Now)
		r.release(op.Ref.N, res)
	case ops.SendDone:
		r.advance(op.Now)
		r.sendDone(op.Ref.N, res)
	default:
		res.Code = ops.Unsupported
	}
}

// advance moves the clock to now, never back, and returns it (DET-3).
func (r *Responder) advance(now ops.Time) ops.Time {
	r.sawIf(now < r.clock, rsDet3Earlier)
	r.clock = max(r.clock, now)
	return r.clock
}

// request is RSP-1: a peer asks for a record. A refusal has a reason, peer share first (RSP-3), and the peer gets Busy or
// silence (RSP-4).
func (r *Responder) request(peer ops.Peer, asksBusy bool, now ops.Time, res *ops.Result) {
	switch {
	case r.outstanding(peer) >= r.cfg.PeerShare:
		res.Reason = ops.RefusedPeerShare
	case int64(len(r.tickets)) >= r.cfg.Pool:
		res.Reason = ops.RefusedPool
	default:
		r.lastTicket++
		r.tickets = append(r.tickets, ticket{id: r.lastTicket, peer: peer, since: now})
		r.noteAdmitted(peer)
		res.Code, res.Ticket = ops.Admitted, r.lastTicket
		return
	}
	r.noteRefusal(res.Reason, asksBusy)
	res.Code = ops.Silent
	if asksBusy {
		r.replyBusy(peer, now, res)
	}
}

// replyBusy gives a refused request Busy if the limiter allows it, else silence and the bound that denied (RSP-4, RSP-5).
func (r *Responder) replyBusy(peer ops.Peer, now ops.Time, res *ops.Result) {
	if bound := r.deniedBy(peer, now); bound != ops.NoBound {
		r.noteDenied(bound, peer, now)
		res.Limiter = bound
		return
	}
	r.noteAllowed(peer, now)
	r.spend(peer, now)
	r.lastSend++
	r.sends = append(r.sends, ops.Send{ID: r.lastSend, Peer: peer})
	res.Code, res.Send = ops.Busy, r.lastSend
}

// outstanding is how many admitted requests of a peer hold their places.
func (r *Responder) outstanding(peer ops.Peer) int64 {
	n := int64(0)
	for i := range r.tickets {
		if r.tickets[i].peer == peer {
			n++
		}
	}
	return n
}

func (r *Responder) ticketAt(id uint64) int {
	return slices.IndexFunc(r.tickets, func(t ticket) bool { return t.id == id })
}

// take is RSP-2: a worker takes a request, and sheds it if it waited FetchTimeout or longer. A request can be taken once.
func (r *Responder) take(id uint64, now ops.Time, res *ops.Result) {
	i := r.ticketAt(id)
	switch {
	case i < 0 || r.tickets[i].taken:
		r.noteStaleTake(id, i)
		res.Code = ops.Stale
	case since(r.tickets[i].since, now) >= r.cfg.FetchTimeout:
		r.noteShed(since(r.tickets[i].since, now))
		r.tickets = slices.Delete(r.tickets, i, i+1)
		res.Code = ops.Shed
	default:
		r.saw(rsp2Served)
		r.tickets[i].taken = true
		res.Code = ops.Serve
	}
}

// release is RSP-1: the reply of a request is sent, or sending failed, or it was given up before a worker took it. Its place
// is released, once (RSP-2).
func (r *Responder) release(id uint64, res *ops.Result) {
	i := r.ticketAt(id)
	if i < 0 {
		r.noteStaleRelease(id)
		res.Code = ops.Stale
		return
	}
	r.noteRelease(i)
	r.tickets = slices.Delete(r.tickets, i, i+1)
	res.Code = ops.OK
}

// sendDone is RSP-6: a busy send ended, in whatever way, and frees its permit, once. The deadline is the caller's to keep.
func (r *Responder) sendDone(id uint64, res *ops.Result) {
	i := slices.IndexFunc(r.sends, func(s ops.Send) bool { return s.ID == id })
	if i < 0 {
		r.noteStaleSend(id)
		res.Code = ops.Stale
		return
	}
	r.noteSendDone()
	r.sends = slices.Delete(r.sends, i, i+1)
	res.Code = ops.OK
}
