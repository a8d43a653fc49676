package scheduler

import "strconv"

// name returns names[i], or the number when it has none.
func name(names []string, i uint8) string {
	if int(i) < len(names) && names[i] != "" {
		return names[i]
	}
	return "unknown(" + strconv.Itoa(int(i)) + ")"
}

// AddResult is the result of Add (PND-2, PND-3, ADV-4).
type AddResult uint8

// The results of Add.
const (
	Admitted         AddResult = iota // a new pending key
	AlreadyPresent                    // merged into a key in some stage
	CapacityRejected                  // no room: work still owed
	AddInvalid                        // no hint source
)

// String gives the protocol's spelling.
func (r AddResult) String() string {
	return name([]string{"admitted", "already-present", "capacity-rejected", "invalid"}, uint8(r))
}

// EnqueueResult is the result of Promote and Enqueue (PND-4, PND-5).
type EnqueueResult uint8

// The results of Promote and Enqueue; NotPending is Promote's, Present Enqueue's.
const (
	Queued EnqueueResult = iota
	NotPending
	Present
	NoSource
	QueueFull
)

// String gives the protocol's spelling.
func (r EnqueueResult) String() string {
	return name([]string{"queued", "not-pending", "present", "no-source", "queue-full"}, uint8(r))
}

// RemoveResult is the result of Remove (PND-9).
type RemoveResult uint8

// The results of Remove.
const (
	Removed RemoveResult = iota
	RemoveNotPending
)

// String gives the protocol's spelling.
func (r RemoveResult) String() string { return name([]string{"ok", "not-pending"}, uint8(r)) }

// Result says whether a report was applied, came too late, or made no sense.
type Result uint8

// The results of a report.
const (
	OK      Result = iota
	Stale          // SEQ-2: its attempt is not in flight
	Invalid        // DET-4, SEQ-3: it makes no sense
)

// String gives the protocol's spelling.
func (r Result) String() string { return name([]string{"ok", "stale", "invalid"}, uint8(r)) }

// Why says what was wrong with a stale or invalid report, for people.
type Why uint8

// The reasons for a verdict that is not OK.
const (
	WhyNone Why = iota
	WhyNotInFlight
	WhyHasPlace
	WhyPlaceNotGiven
	WhyAnswered
	WhyWaitRange
	WhyKind
	WhyPlaceUnwanted
	WhyNeedsAnswer
	WhyNeedsBusy
	WhyAfterBusy
	WhyAfterAnswer
)

// String says it in a few words.
func (w Why) String() string {
	return name([]string{
		"",
		"the attempt is not in flight",
		"the attempt was given an answer place already",
		"the attempt was not given that answer place",
		"an answer of the attempt was applied already",
		"the wait is outside its range",
		"no such outcome",
		"that outcome brings no answer place",
		"that outcome needs an answer",
		"that outcome needs a busy report",
		"that outcome cannot follow a busy report",
		"that outcome cannot follow an applied answer",
	}, uint8(w))
}

// OutcomeKind is how an attempt ended (section 9). The zero value is no outcome.
type OutcomeKind uint8

// The outcomes.
const (
	OutcomeStored OutcomeKind = iota + 1
	OutcomeDeclined
	OutcomeStoreFailed
	OutcomeNotFound
	OutcomeErrorReply
	OutcomeInvalid
	OutcomeBusy
	OutcomeTimeout
	OutcomeUnreachable
	OutcomeSendFailed
	OutcomeCancelled
	OutcomePanicked

	outcomeKinds = int(OutcomePanicked) + 1
)

var outcomeNames = []string{
	"", "Stored", "Declined", "StoreFailed", "NotFound", "ErrorReply", "Invalid",
	"Busy", "Timeout", "Unreachable", "SendFailed", "Cancelled", "Panicked",
}

// String gives the name in section 9.
func (k OutcomeKind) String() string { return name(outcomeNames, uint8(k)) }

// ParseOutcome returns the outcome of that name in section 9, or false.
func ParseOutcome(s string) (OutcomeKind, bool) {
	for i, n := range outcomeNames {
		if n == s && i > 0 {
			return OutcomeKind(i), true
		}
	}
	return 0, false
}

// Charge is what a holder is charged with by an outcome (section 9).
type Charge uint8

// The charges.
const (
	ChargeNone Charge = iota
	ChargeApplicationFailure
	ChargeMalformed
	ChargeConnectionTimeout
)

// String gives the protocol's spelling; ChargeNone is empty.
func (c Charge) String() string {
	if c == ChargeNone {
		return ""
	}
	return name([]string{"", "application-failure", "malformed", "connection-timeout"}, uint8(c))
}

// EventKind is what happened to a key.
type EventKind uint8

// The kinds of events.
const (
	EventStart   EventKind = iota + 1 // an attempt started
	EventPark                         // parked by an outcome
	EventPending                      // returned to pending
	EventLeft                         // its stay ended, with a Reason
)

// String gives the protocol's spelling.
func (k EventKind) String() string {
	return name([]string{"", "start", "park", "pending", "left"}, uint8(k))
}

// Reason is why a key's stay ended (OUT-7).
type Reason uint8

// The reasons for leaving.
const (
	ReasonNone Reason = iota
	ReasonStored
	ReasonDeclined
	ReasonDropped
	ReasonRemoved
	ReasonEvicted
	ReasonOrphaned
)

// String gives the protocol's spelling; ReasonNone is empty.
func (r Reason) String() string {
	if r == ReasonNone {
		return ""
	}
	return name([]string{"", "stored", "declined", "dropped", "removed", "evicted", "orphaned"}, uint8(r))
}
