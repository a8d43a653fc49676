package trace

import (
	"fetchproof/impl/node/serve"
	"fetchproof/impl/responder"
	"fetchproof/ops"
	"fetchproof/props/terms"
)

// Serves writes the trace of a node's responder.
type Serves struct{ *Writer }

var _ serve.Recorder = Serves{}

// Init writes the configuration.
func (s Serves) Init(c responder.Config) {
	op, res := s.begin(ops.Init, 0)
	op.Config = &ops.Config{Machine: ops.ResponderMachine, Responder: ops.ResponderConfig{
		PeerShare: int64(c.PeerShare), Pool: int64(c.Pool), FetchTimeout: ops.Duration(c.FetchTimeout),
		BusySendPermits: int64(c.BusySendPermits), BusyPeerBurst: int64(c.BusyPeerBurst), BusyPeerRate: int64(c.BusyPeerRate),
		BusyPeerInFlight: int64(c.BusyPeerInFlight), BusyGlobalBurst: int64(c.BusyGlobalBurst), BusyGlobalRate: int64(c.BusyGlobalRate),
		BusySendDeadline: ops.Duration(c.BusySendDeadline), BusyPeerTable: int64(c.BusyPeerTable), Workers: int64(c.Workers),
	}}
	res.Code = ops.OK
	s.end()
}

// Request writes a request and what became of it.
func (s Serves) Request(now int64, peer responder.Peer, asksBusy bool, d *responder.Decision) {
	op, res := s.begin(ops.Request, ops.Time(now))
	op.Peer, op.AsksBusy = ops.Peer(peer), asksBusy
	terms.Decided(res, d)
	s.end()
}

// Take writes that a worker took a request.
func (s Serves) Take(now int64, t responder.Ticket, r responder.Taken) {
	op, res := s.begin(ops.Take, ops.Time(now))
	op.Ref.N, res.Code = uint64(t), terms.Taken(r)
	s.end()
}

// Release writes that a place was given back.
func (s Serves) Release(now int64, t responder.Ticket, ok bool) {
	op, res := s.begin(ops.Release, ops.Time(now))
	op.Ref.N, res.Code = uint64(t), terms.Freed(ok)
	s.end()
}

// SendDone writes that a busy send ended.
func (s Serves) SendDone(now int64, send responder.Send, ok bool) {
	op, res := s.begin(ops.SendDone, ops.Time(now))
	op.Ref.N, res.Code = uint64(send), terms.Freed(ok)
	s.end()
}
