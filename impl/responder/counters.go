package responder

import "iter"

// Names that a counter has in the metrics and in the warning of RSP-3.
const (
	nameRefusedPeerShare = "refused_peer_share"
	nameRefusedPool      = "refused_pool"
	nameSendPoolFull     = "fetch_busy_reply_send_pool_full"
)

// Counters count what a responder did since New; they only grow. No operation
// depends on them. Requests sum up as Admitted + RefusedPeerShare +
// RefusedPool; Admitted as Shed + Released + the places held now; BusyReplied
// as SendsDone + the sends under way.
//
// There is no count of bytes: what a node serves is what it sends under a
// Ticket. A busy reply has a Send and never a Ticket, so its bytes are not
// among them (RSP-8).
type Counters struct {
	Admitted         uint64 // requests that got a place (RSP-1)
	Shed             uint64 // places released because they waited too long (RSP-2)
	Released         uint64 // places released by Release (RSP-1)
	RefusedPeerShare uint64 // requests refused at the peer's share (RSP-3)
	RefusedPool      uint64 // requests refused at the pool (RSP-3)

	BusyReplied uint64 // refusals that got a busy reply (RSP-4)
	SendsDone   uint64 // busy sends that ended (RSP-6)

	// Busy replies that were asked for and denied, by the bound that denied
	// them (RSP-5). The first is exported as fetch_busy_reply_send_pool_full.
	DeniedSendPermits  uint64
	DeniedPeerTable    uint64
	DeniedPeerInFlight uint64
	DeniedPeerRate     uint64
	DeniedGlobalRate   uint64
}

// All yields every counter with its name, for metrics, always in the same
// order.
func (c Counters) All() iter.Seq2[string, uint64] {
	return func(yield func(string, uint64) bool) {
		_ = yield("admitted", c.Admitted) &&
			yield("shed", c.Shed) &&
			yield("released", c.Released) &&
			yield(nameRefusedPeerShare, c.RefusedPeerShare) &&
			yield(nameRefusedPool, c.RefusedPool) &&
			yield("busy_replied", c.BusyReplied) &&
			yield("busy_sends_done", c.SendsDone) &&
			yield(nameSendPoolFull, c.DeniedSendPermits) &&
			yield("busy_denied_peer_table", c.DeniedPeerTable) &&
			yield("busy_denied_peer_in_flight", c.DeniedPeerInFlight) &&
			yield("busy_denied_peer_rate", c.DeniedPeerRate) &&
			yield("busy_denied_global_rate", c.DeniedGlobalRate)
	}
}

// tally is how the counters are kept: by index where the rules have an order.
type tally struct {
	admitted, shed, released uint64
	busyReplied, sendsDone   uint64
	refused                  [Pool + 1]uint64
	denied                   [bounds]uint64
}

func (t *tally) counters() Counters {
	return Counters{
		Admitted:           t.admitted,
		Shed:               t.shed,
		Released:           t.released,
		RefusedPeerShare:   t.refused[PeerShare],
		RefusedPool:        t.refused[Pool],
		BusyReplied:        t.busyReplied,
		SendsDone:          t.sendsDone,
		DeniedSendPermits:  t.denied[SendPermits],
		DeniedPeerTable:    t.denied[PeerTable],
		DeniedPeerInFlight: t.denied[PeerInFlight],
		DeniedPeerRate:     t.denied[PeerRate],
		DeniedGlobalRate:   t.denied[GlobalRate],
	}
}
