package props

import (
	"fmt"

	"fetchproof/ops"
)

var reportProperties = []*Property{
	{
		Name: "sense-judged", Rules: []string{"SEQ-3", "DET-4", "BSY-1"}, Needs: ops.FieldInFlight,
		Text: "a report on an attempt in flight is invalid exactly if its place is not the one that the attempt's answer took, an answer of it was " +
			"applied before, its wait is out of range, or its outcome does not go with what was reported before",
		check: senseJudged,
	},
	{
		Name: "place-given", Rules: []string{"SEQ-1"}, Needs: ops.FieldInFlight | ops.FieldNextPlace,
		Text:  "an answer takes the next place when it arrives, which its attempt keeps",
		check: placeGiven,
	},
	{
		Name: "report-booked", Rules: []string{"SEQ-1", "SEQ-3", "CON-5", "BSY-1"}, Needs: stageFields,
		Text:  "an arrival, an answer and a busy reply note themselves in their attempt, which stays in flight with all else that it has",
		check: reportBooked,
	},
}

func senseJudged(v *view) error {
	f := v.attempt()
	if f == nil {
		return nil
	}
	why := ""
	switch v.Op.Kind {
	case ops.Arrive:
		if f.Given != 0 {
			why = "its answer has a place"
		}
	case ops.Answer:
		why = v.badAnswer(f)
	case ops.BusyReply:
		if why = v.badAnswer(f); v.Op.Wait < v.cfg.BusyWaitMin || v.Op.Wait > v.cfg.BusyWaitMax {
			why = "the wait is out of range"
		}
	case ops.Outcome:
		why = v.badOutcome(f)
	default:
		return nil
	}
	switch {
	case why != "" && v.Result.Code != ops.Invalid:
		return fmt.Errorf("%s of #%d makes no sense (%s) and is answered %s", v.Op.Kind, f.Attempt, why, v.Result.Code)
	case why == "" && v.Result.Code != ops.OK:
		return fmt.Errorf("%s of #%d makes sense and is answered %s", v.Op.Kind, f.Attempt, v.Result.Code)
	}
	return nil
}

func (v *view) badAnswer(f *ops.Flight) string {
	switch {
	case f.Answered:
		return "an answer was applied"
	case v.Op.PlaceArg == ops.NoPlace || f.Given == 0 || v.Op.Place != f.Given:
		return "its answer has another place"
	}
	return ""
}

// badOutcome is SEQ-3 over the table of section 9.
func (v *view) badOutcome(f *ops.Flight) string {
	brings := v.Op.PlaceArg != ops.NoPlace
	mayBring, must := false, false
	switch v.Op.Outcome {
	case ops.Stored, ops.StoreFailed, ops.NotFound, ops.ErrorReply, ops.InvalidRecord:
		if f.Busy {
			return "it was busy"
		}
		mayBring, must = true, true
	case ops.Declined:
		mayBring = true
	case ops.BusyEnd:
		if !f.Busy {
			return "it was not busy"
		}
	case ops.Timeout, ops.Unreachable:
		if f.Busy {
			return "it was busy"
		}
	case ops.SendFailed:
		if f.Answered {
			return "it was answered"
		}
	case ops.Cancelled, ops.Panicked:
	default:
		return "an unknown outcome"
	}
	switch {
	case brings && !mayBring:
		return "this outcome brings no answer"
	case brings:
		return v.badAnswer(f)
	case must && !f.Answered:
		return "this outcome needs an answer"
	}
	return ""
}

func placeGiven(v *view) error {
	if !v.applied(ops.Arrive) {
		return nil
	}
	if v.Result.Place != v.before.NextPlace {
		return fmt.Errorf("the answer of #%d took the place #%d, the next was #%d", v.Op.Ref.N, v.Result.Place, v.before.NextPlace)
	}
	return nil
}

func reportBooked(v *view) error {
	was := v.attempt()
	if was == nil || v.Op.Kind == ops.Outcome {
		return nil
	}
	is := v.after.FindFlight(was.Key)
	if is == nil {
		return fmt.Errorf("#%d is not in flight any more", was.Attempt)
	}
	want := *was
	if v.Result.Code == ops.OK {
		switch v.Op.Kind {
		case ops.Arrive:
			want.Given = v.Result.Place
		case ops.BusyReply:
			want.Answered, want.Busy = true, true
		case ops.Answer:
			want.Answered = true
		}
	}
	if !sameAttempt(is, &want) || !sameReports(is, &want) {
		return fmt.Errorf("after %s (%s) #%d has its answer at #%d, applied: %t, busy: %t; want #%d, %t, %t", v.Op.Kind, v.Result.Code, was.Attempt,
			is.Given, is.Answered, is.Busy, want.Given, want.Answered, want.Busy)
	}
	if what := flightWork(is).differs(flightWork(was)); what != "" {
		return fmt.Errorf("%s changed the %s of %s", v.Op.Kind, what, was.Key)
	}
	return nil
}
