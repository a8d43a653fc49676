package scheduler

import (
	"fmt"
	"testing"
)

// TestSpellings: every value of every enumeration is spelled as the protocol and
// section 9 spell it, and a number that is none says so.
func TestSpellings(t *testing.T) {
	for _, c := range []struct {
		value fmt.Stringer
		want  string
	}{
		{Admitted, "admitted"},
		{AlreadyPresent, "already-present"},
		{CapacityRejected, "capacity-rejected"},
		{AddInvalid, "invalid"},
		{AddResult(4), "unknown(4)"},

		{Queued, "queued"},
		{NotPending, "not-pending"},
		{Present, "present"},
		{NoSource, "no-source"},
		{QueueFull, "queue-full"},
		{EnqueueResult(5), "unknown(5)"},

		{Removed, "ok"},
		{RemoveNotPending, "not-pending"},
		{RemoveResult(2), "unknown(2)"},

		{OK, "ok"},
		{Stale, "stale"},
		{Invalid, "invalid"},
		{Result(255), "unknown(255)"},

		{WhyNotInFlight, "the attempt is not in flight"},
		{WhyHasPlace, "the attempt was given an answer place already"},
		{WhyPlaceNotGiven, "the attempt was not given that answer place"},
		{WhyAnswered, "an answer of the attempt was applied already"},
		{WhyWaitRange, "the wait is outside its range"},
		{WhyKind, "no such outcome"},
		{WhyPlaceUnwanted, "that outcome brings no answer place"},
		{WhyNeedsAnswer, "that outcome needs an answer"},
		{WhyNeedsBusy, "that outcome needs a busy report"},
		{WhyAfterBusy, "that outcome cannot follow a busy report"},
		{WhyAfterAnswer, "that outcome cannot follow an applied answer"},
		{Why(12), "unknown(12)"},

		{OutcomeStored, "Stored"},
		{OutcomeDeclined, "Declined"},
		{OutcomeStoreFailed, "StoreFailed"},
		{OutcomeNotFound, "NotFound"},
		{OutcomeErrorReply, "ErrorReply"},
		{OutcomeInvalid, "Invalid"},
		{OutcomeBusy, "Busy"},
		{OutcomeTimeout, "Timeout"},
		{OutcomeUnreachable, "Unreachable"},
		{OutcomeSendFailed, "SendFailed"},
		{OutcomeCancelled, "Cancelled"},
		{OutcomePanicked, "Panicked"},
		{OutcomeKind(0), "unknown(0)"},
		{OutcomeKind(outcomeKinds), "unknown(13)"},

		{ChargeNone, ""},
		{ChargeApplicationFailure, "application-failure"},
		{ChargeMalformed, "malformed"},
		{ChargeConnectionTimeout, "connection-timeout"},
		{Charge(4), "unknown(4)"},

		{EventStart, "start"},
		{EventPark, "park"},
		{EventPending, "pending"},
		{EventLeft, "left"},
		{EventKind(0), "unknown(0)"},
		{EventKind(5), "unknown(5)"},

		{ReasonNone, ""},
		{ReasonStored, "stored"},
		{ReasonDeclined, "declined"},
		{ReasonDropped, "dropped"},
		{ReasonRemoved, "removed"},
		{ReasonEvicted, "evicted"},
		{ReasonOrphaned, "orphaned"},
		{Reason(7), "unknown(7)"},
	} {
		if got := c.value.String(); got != c.want {
			t.Errorf("%T is spelled %q, want %q", c.value, got, c.want)
		}
	}
}

// TestParseOutcome: the name of every outcome of section 9 is read back as it, and
// nothing else is an outcome.
func TestParseOutcome(t *testing.T) {
	for k := OutcomeStored; int(k) < outcomeKinds; k++ {
		if got, ok := ParseOutcome(k.String()); got != k || !ok {
			t.Errorf("%q is read as %v, %v", k, got, ok)
		}
	}
	for _, s := range []string{"", "stored", "Stored ", "unknown(0)", "Left"} {
		if got, ok := ParseOutcome(s); got != 0 || ok {
			t.Errorf("%q is read as %v, %v", s, got, ok)
		}
	}
}
