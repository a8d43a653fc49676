package props

import (
	"fmt"
	"slices"

	"fetchproof/ops"
)

var moveProperties = []*Property{
	{
		Name: "moves-on", Rules: []string{"OUT-1", "OUT-2", "OUT-3", "OUT-4", "OUT-8", "PRK-3", "SRC-4"}, Needs: courseFields | ops.FieldStopped,
		Text:  "the key of an outcome does the one thing that section 9 says: done, start, park, return or leave, in that order of preference",
		check: movesOn,
	},
	{
		Name: "charged-rightly", Rules: []string{"OUT-6", "CON-5"}, Needs: ops.FieldInFlight,
		Text:  "an outcome charges its holder as the table of section 9 says, and never for an attempt whose answer was applied",
		check: chargedRightly,
	},
	{
		Name: "parked-whole", Rules: []string{"PRK-5", "OUT-3", "PND-6"}, Needs: stageFields,
		Text:  "a key that an outcome parks keeps its distance, its tried and untried sources and its retry entry",
		check: parkedWhole,
	},
}

// done is why a key leaves when an outcome settles it.
func done(k ops.OutcomeKind) ops.Reason {
	switch k {
	case ops.Stored:
		return ops.LeftStored
	case ops.Declined:
		return ops.LeftDeclined
	}
	return ops.NoReason
}

func movesOn(v *view) error {
	f, c := v.attempt(), v.follow()
	if !v.applied(ops.Outcome) || f == nil || c == nil {
		return nil
	}
	want := ops.Event{Kind: ops.Left, Key: f.Key, Reason: done(v.Op.Outcome)}
	gaveUp := v.Op.Outcome == ops.Cancelled || v.Op.Outcome == ops.Panicked || v.before.Stopped
	switch {
	case want.Reason != ops.NoReason:
	case !gaveUp && c.movesOn:
		want = ops.Event{Kind: ops.Start, Key: f.Key, Source: c.movesTo}
	case !gaveUp && len(f.Untried) > 0 && int64(len(v.before.Queued)) < v.cfg.MaxQueued:
		want.Kind = ops.Park
	case f.HasRetry:
		want.Kind = ops.ToPending
	default:
		want.Reason = ops.LeftDropped
	}
	if len(v.Result.Events) != 1 {
		return fmt.Errorf("%s ended as %s with %d events, want one", f.Key, v.Op.Outcome, len(v.Result.Events))
	}
	is := v.Result.Events[0]
	is.Attempt = 0 // start-booked
	if is != want {
		return fmt.Errorf("%s ended as %s: %s, want %s", f.Key, v.Op.Outcome, eventText(is), eventText(want))
	}
	return nil
}

func eventText(e ops.Event) string {
	switch e.Kind {
	case ops.Start:
		return fmt.Sprintf("start %s at %s", e.Key, e.Source)
	case ops.Left:
		return fmt.Sprintf("%s left, %s", e.Key, e.Reason)
	}
	return fmt.Sprintf("%s %s", e.Kind, e.Key)
}

func chargedRightly(v *view) error {
	f := v.attempt()
	if !v.applied(ops.Outcome) || f == nil {
		return nil
	}
	want := ops.NoCharge
	switch v.Op.Outcome {
	case ops.NotFound, ops.ErrorReply:
		want = ops.ApplicationFailure
	case ops.InvalidRecord:
		want = ops.Malformed
	case ops.Timeout, ops.Unreachable:
		if !f.Answered {
			want = ops.ConnectionTimeout
		}
	}
	if v.Result.Charge != want {
		return fmt.Errorf("%s of #%d, answered: %t, charges %q, want %q", v.Op.Outcome, f.Attempt, f.Answered, v.Result.Charge, want)
	}
	return nil
}

func parkedWhole(v *view) error {
	for e := range v.events(ops.Park) {
		f, q := v.before.FindFlight(e.Key), v.after.FindQueued(e.Key)
		if f == nil || q == nil || !slices.Contains(v.after.Parked, e.Key) {
			return fmt.Errorf("%s is reported as parked; it was in flight: %t, it is parked: %t", e.Key, f != nil, slices.Contains(v.after.Parked, e.Key))
		}
		if what := workOf(q).differs(flightWork(f)); what != "" {
			return fmt.Errorf("%s was parked with another %s", e.Key, what)
		}
	}
	return nil
}
