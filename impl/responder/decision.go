package responder

// Peer names a node. Peers compare as bytes.
type Peer [32]byte

// Ticket names an admitted request. Tickets count from 1; no other number is
// one.
type Ticket int64

// Send names a busy reply that is being sent. Sends count from 1, apart from
// tickets; no other number is one.
type Send int64

// Result is what becomes of a request (RSP-1, RSP-4).
type Result uint8

// The results of Request.
const (
	Admitted Result = iota // it holds a place
	Busy                   // refused, and a busy reply is to be sent
	Silent                 // refused, and nothing is to be sent
)

// String is the result's name: admitted, busy or silent.
func (r Result) String() string { return name(int(r), "admitted", "busy", "silent") }

// Reason is why a request was refused (RSP-3).
type Reason uint8

// The reasons of a refusal, in the order in which they are judged.
const (
	NoReason  Reason = iota // not refused
	PeerShare               // the peer is at its share
	Pool                    // every place is taken
)

// String is the reason's name: empty, peer_share or pool.
func (r Reason) String() string { return name(int(r), "", "peer_share", "pool") }

// Bound is what denied a busy reply (RSP-5).
type Bound uint8

// The bounds of the limiter, in the order in which they are judged.
const (
	NoBound      Bound = iota // allowed, or not asked
	SendPermits               // every permit is taken
	PeerTable                 // the peer is new and no remembered one gives way
	PeerInFlight              // too many being sent to the peer
	PeerRate                  // the peer's bucket has no token
	GlobalRate                // the shared bucket has no token
	bounds                    // how many there are
)

// String is the bound's name: empty, send_permits, peer_table, peer_in_flight,
// peer_rate or global_rate.
func (b Bound) String() string {
	return name(int(b), "", "send_permits", "peer_table", "peer_in_flight", "peer_rate", "global_rate")
}

// Taken is what a worker is to do with a ticket (RSP-2).
type Taken uint8

// The results of Take.
const (
	Serve     Taken = iota // serve it, then Release
	Shed                   // it waited too long: no reply, its place is released
	TakeStale              // it holds no place, or was taken before
)

// String is the result's name: serve, shed or stale.
func (t Taken) String() string { return name(int(t), "serve", "shed", "stale") }

// Decision answers a request.
type Decision struct {
	Result  Result
	Ticket  Ticket  // of an Admitted request, else 0
	Send    Send    // of a Busy reply, else 0
	Reason  Reason  // of a refusal, else NoReason
	Limiter Bound   // what denied the busy reply that was asked for, else NoBound
	Refusal Refusal // what is to be logged; zero if Admitted
}

func name(i int, names ...string) string {
	if i < len(names) {
		return names[i]
	}
	return "unknown"
}
