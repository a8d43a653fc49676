package model

import "fetchproof/ops"

// Situations of section 16: time, admission, refusals.
const (
	rsDet3Earlier SituationID = endDepart + iota
	rsDet4NeverGiven
	rsp1FillsShare
	rsp1FillsPool
	rsp1Released
	rsp2Served
	rsp2Shed
	rsp2ShedExactly
	rsp2TakenTwice
	rsp2TakenLate
	rsp2ReleasedTwice
	rsp2ReleasedUntaken
	rsp3PeerShare
	rsp3Pool
	rsp3Both
	rsp4NotAsked
	rsp4Busy
	rsp4Denied
	rsp6Done
	rsp6FreesPermit
	rsp6DoneTwice
	endResponder
)

var responderSituations = []Situation{
	{rsDet3Earlier, "DET-3", "an operation on the responder brings a time earlier than the latest seen"},
	{rsDet4NeverGiven, "DET-4", "a call names a ticket or a send that was never handed out"},
	{rsp1FillsShare, "RSP-1", "a request is admitted that brings its peer to its share"},
	{rsp1FillsPool, "RSP-1", "a request is admitted that fills the pool"},
	{rsp1Released, "RSP-1", "a served request's place is released"},
	{rsp2Served, "RSP-2", "a worker takes a request that waited less than the timeout"},
	{rsp2Shed, "RSP-2", "a worker takes a request that waited longer than the timeout, and sheds it"},
	{rsp2ShedExactly, "RSP-2", "a worker takes a request that waited exactly the timeout, and sheds it"},
	{rsp2TakenTwice, "RSP-2", "a request is taken that a worker has"},
	{rsp2TakenLate, "RSP-2", "a request is taken whose place was released"},
	{rsp2ReleasedTwice, "RSP-2", "a place is released again"},
	{rsp2ReleasedUntaken, "RSP-2", "a place is released before a worker took the request"},
	{rsp3PeerShare, "RSP-3", "a request is refused for the peer's share alone"},
	{rsp3Pool, "RSP-3", "a request is refused for the pool alone"},
	{rsp3Both, "RSP-3", "a request is refused for the peer's share while the pool is full too"},
	{rsp4NotAsked, "RSP-4", "a refused request without the capability gets silence"},
	{rsp4Busy, "RSP-4", "a refused request with the capability gets Busy"},
	{rsp4Denied, "RSP-4", "a refused request with the capability gets silence, as the limiter denies"},
	{rsp6Done, "RSP-6", "a busy send ends"},
	{rsp6FreesPermit, "RSP-6", "a busy send ends while no permit is left"},
	{rsp6DoneTwice, "RSP-6", "a busy send ends again"},
}

func (r *Responder) saw(id SituationID) { r.seen[id]++ }

func (r *Responder) sawIf(occurred bool, id SituationID) {
	if occurred {
		r.seen[id]++
	}
}

// noteAdmitted looks at a request that was just admitted.
func (r *Responder) noteAdmitted(peer ops.Peer) {
	r.sawIf(r.outstanding(peer) == r.cfg.PeerShare, rsp1FillsShare)
	r.sawIf(int64(len(r.tickets)) == r.cfg.Pool, rsp1FillsPool)
}

func (r *Responder) noteRefusal(reason ops.RefusalReason, asksBusy bool) {
	poolFull := int64(len(r.tickets)) >= r.cfg.Pool
	r.sawIf(reason == ops.RefusedPeerShare && !poolFull, rsp3PeerShare)
	r.sawIf(reason == ops.RefusedPeerShare && poolFull, rsp3Both)
	r.sawIf(reason == ops.RefusedPool, rsp3Pool)
	r.sawIf(!asksBusy, rsp4NotAsked)
}

// noteStaleTake looks at a stale take; the ticket, if outstanding, is the i-th.
func (r *Responder) noteStaleTake(id uint64, i int) {
	switch {
	case i >= 0:
		r.saw(rsp2TakenTwice)
	case 0 < id && id <= r.lastTicket:
		r.saw(rsp2TakenLate)
	default:
		r.saw(rsDet4NeverGiven)
	}
}

func (r *Responder) noteShed(waited ops.Duration) {
	r.sawIf(waited == r.cfg.FetchTimeout, rsp2ShedExactly)
	r.sawIf(waited > r.cfg.FetchTimeout, rsp2Shed)
}

func (r *Responder) noteRelease(i int) {
	r.sawIf(r.tickets[i].taken, rsp1Released)
	r.sawIf(!r.tickets[i].taken, rsp2ReleasedUntaken)
}

func (r *Responder) noteStaleRelease(id uint64) {
	r.sawIf(0 < id && id <= r.lastTicket, rsp2ReleasedTwice)
	r.sawIf(id == 0 || id > r.lastTicket, rsDet4NeverGiven)
}

func (r *Responder) noteSendDone() {
	r.saw(rsp6Done)
	r.sawIf(r.permitsOut(), rsp6FreesPermit)
}

func (r *Responder) noteStaleSend(id uint64) {
	r.sawIf(0 < id && id <= r.lastSend, rsp6DoneTwice)
	r.sawIf(id == 0 || id > r.lastSend, rsDet4NeverGiven)
}
