package ops

import "slices"

// Code is the `result` of an operation, in the protocol's words.
type Code uint8

// The results. docs/PROTOCOL.md says which of them an operation can have.
const (
	None Code = iota // the operation has no result of its own: fill, depart, evict and the queries
	OK
	Stale
	Invalid
	Unsupported
	Admitted
	AlreadyPresent
	CapacityRejected
	Queued
	Present
	NotPending
	NoSource
	QueueFull
	Busy
	Silent
	Serve
	Shed
)

var codeNames = [...]string{
	"", "ok", "stale", "invalid", "unsupported", "admitted", "already-present", "capacity-rejected", "queued", "present",
	"not-pending", "no-source", "queue-full", "busy", "silent", "serve", "shed",
}

// String is the protocol's word; that of None is empty.
func (c Code) String() string { return codeNames[c] }

// OutcomeKind is how an attempt ended: a row of the table in section 9 of the rules.
type OutcomeKind uint8

// The outcomes, in the order of the table.
const (
	Stored OutcomeKind = iota
	Declined
	StoreFailed
	NotFound
	ErrorReply
	InvalidRecord // written Invalid
	BusyEnd       // written Busy
	Timeout
	Unreachable
	SendFailed
	Cancelled
	Panicked
	NumOutcomes // not an outcome; an operation that carries it or more is answered invalid (DET-4)
)

var outcomeNames = [...]string{
	"Stored", "Declined", "StoreFailed", "NotFound", "ErrorReply", "Invalid", "Busy", "Timeout", "Unreachable", "SendFailed",
	"Cancelled", "Panicked", "Unknown",
}

// String is the name in the table; Unknown for what is not an outcome.
func (k OutcomeKind) String() string { return outcomeNames[min(k, NumOutcomes)] }

// Charge is what the holder is charged with for an outcome (section 9).
type Charge uint8

// The charges.
const (
	NoCharge Charge = iota
	ApplicationFailure
	Malformed
	ConnectionTimeout
)

var chargeNames = [...]string{"", "application-failure", "malformed", "connection-timeout"}

// String is the protocol's word; that of NoCharge is empty.
func (c Charge) String() string { return chargeNames[c] }

// EventKind says what happened to a key.
type EventKind uint8

// The kinds of events.
const (
	Start     EventKind = iota // an attempt started
	Park                       // the key was parked by an outcome; parks of a fill pass show in the state
	ToPending                  // the key returned to pending (OUT-5)
	Left                       // the key left the pipeline, with a reason (OUT-7)
)

var eventNames = [...]string{"start", "park", "pending", "left"}

// String is the protocol's word.
func (k EventKind) String() string { return eventNames[k] }

// Reason is why a key's stay in the pipeline ended (OUT-7).
type Reason uint8

// The reasons for leaving.
const (
	NoReason Reason = iota
	LeftStored
	LeftDeclined
	LeftDropped
	LeftRemoved
	LeftEvicted
	LeftOrphaned
)

var reasonNames = [...]string{"", "stored", "declined", "dropped", "removed", "evicted", "orphaned"}

// String is the protocol's word; that of NoReason is empty.
func (r Reason) String() string { return reasonNames[r] }

// Event is one thing that happened to a key, in the order in which it happened.
type Event struct {
	Kind    EventKind
	Reason  Reason // of Left
	Key     Key
	Source  Peer   // of Start
	Attempt uint64 // of Start
}

// RefusalReason is why the responder refused a request (RSP-3).
type RefusalReason uint8

// The reasons for a refusal.
const (
	NoRefusal RefusalReason = iota
	RefusedPeerShare
	RefusedPool
)

var refusalNames = [...]string{"", "peer_share", "pool"}

// String is the protocol's word; that of NoRefusal is empty.
func (r RefusalReason) String() string { return refusalNames[r] }

// LimiterBound is the first bound that denied a busy reply (RSP-5).
type LimiterBound uint8

// The bounds, in the order in which they are looked at (RSP-5).
const (
	NoBound LimiterBound = iota
	SendPermits
	PeerTable
	PeerInFlight
	PeerRate
	GlobalRate
)

var boundNames = [...]string{"", "send_permits", "peer_table", "peer_in_flight", "peer_rate", "global_rate"}

// String is the protocol's word; that of NoBound is empty.
func (b LimiterBound) String() string { return boundNames[b] }

// Result is what one operation answered. The operation's row in the protocol says which fields apply; the others are
// zero. A Result is reused from step to step: Reset keeps its buffers.
type Result struct {
	Code     Code
	Why      string        // with Invalid: for people, never compared
	Place    uint64        // arrive: the place that the answer took
	Cooldown Duration      // busy: what is left of the cooldown in force (BSY-3)
	Due      Time          // busy: when the attempt should end (BSY-1)
	Charge   Charge        // outcome
	Events   []Event       // fill, outcome, depart, remove, evict
	Keys     []Key         // ready
	Drained  bool          // drained
	Ticket   uint64        // request, admitted
	Send     uint64        // request, busy
	Reason   RefusalReason // request, refused
	Limiter  LimiterBound  // request, silent because the limiter denied
}

// Reset empties the result and keeps its buffers.
func (r *Result) Reset() {
	r.Code, r.Why, r.Place, r.Cooldown, r.Due, r.Charge = None, "", 0, 0, 0, NoCharge
	r.Events, r.Keys, r.Drained = r.Events[:0], r.Keys[:0], false
	r.Ticket, r.Send, r.Reason, r.Limiter = 0, 0, NoRefusal, NoBound
}

// Equal compares everything but Why.
func (r *Result) Equal(o *Result) bool {
	return r.Code == o.Code && r.Place == o.Place && r.Cooldown == o.Cooldown && r.Due == o.Due && r.Charge == o.Charge &&
		r.Drained == o.Drained && r.Ticket == o.Ticket && r.Send == o.Send && r.Reason == o.Reason && r.Limiter == o.Limiter &&
		slices.Equal(r.Events, o.Events) && slices.Equal(r.Keys, o.Keys)
}

// Clone is a copy that shares no buffer with r.
func (r *Result) Clone() Result {
	c := *r
	c.Events, c.Keys = slices.Clone(r.Events), slices.Clone(r.Keys)
	return c
}
