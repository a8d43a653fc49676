package props

import (
	"fmt"
	"slices"

	"fetchproof/ops"
)

var queryProperties = []*Property{
	{
		Name: "clock", Rules: []string{"DET-3"}, Needs: ops.FieldClock,
		Text:  "the clock is the latest now of any operation; queries and arrivals do not move it",
		check: clock,
	},
	{
		Name: "refused-unchanged", Rules: []string{"DET-4", "SEQ-2", "PND-3", "PND-4"}, Needs: ops.SchedulerFields,
		Text:  "an operation that is stale, invalid or refused, and every query, changes nothing but what the clock alone changes",
		check: refusedUnchanged,
	},
	{
		Name: "stale-judged", Rules: []string{"SEQ-2", "DET-4"}, Needs: ops.FieldInFlight,
		Text:  "a report is stale exactly if its attempt is not in flight",
		check: staleJudged,
	},
	{
		Name: "drained-judged", Rules: []string{"BOOT-1"}, Needs: stageFields,
		Text:  "a set of keys is drained exactly if none of them is in any stage",
		check: drainedJudged,
	},
	{
		Name: "ready-judged", Rules: []string{"PND-10"}, Needs: ops.FieldPending | ops.FieldClock,
		Text:  "the ready keys are the first pending ones in key order whose verification is due",
		check: readyJudged,
	},
}

func clock(v *view) error {
	want := v.before.Clock
	if v.Op.Kind.Timed() && !v.Op.Kind.IsQuery() {
		want = max(want, v.Op.Now)
	}
	if v.after.Clock != want {
		return fmt.Errorf("the clock is at %s after %s, want %s", v.after.Clock, v.Op.Kind, want)
	}
	return nil
}

// byClock are the fields that time alone moves: marks and the window end, expired marks are counted.
const byClock = ops.FieldClock | ops.FieldContact | ops.FieldOverflow | ops.FieldCounters

func refusedUnchanged(v *view) error {
	switch v.Result.Code {
	case ops.Stale, ops.Invalid, ops.CapacityRejected, ops.Present, ops.NotPending, ops.NoSource, ops.QueueFull:
	default:
		if !v.Op.Kind.IsQuery() {
			return nil
		}
	}
	if diff := v.Before.Differs(v.After) &^ byClock; diff != 0 {
		return fmt.Errorf("%s (%s) changed %s", v.Op.Kind, v.Result.Code, diff)
	}
	return nil
}

func staleJudged(v *view) error {
	switch v.Op.Kind {
	case ops.Arrive, ops.Answer, ops.BusyReply, ops.Outcome:
		if inFlight := v.attempt() != nil; inFlight == (v.Result.Code == ops.Stale) {
			return fmt.Errorf("#%d in flight: %t, and its report is answered %s", v.Op.Ref.N, inFlight, v.Result.Code)
		}
	}
	return nil
}

func drainedJudged(v *view) error {
	if v.Op.Kind != ops.Drained {
		return nil
	}
	busy := slices.ContainsFunc(v.Op.Keys, func(k ops.Key) bool { return v.after.Has(k) })
	if busy == v.Result.Drained {
		return fmt.Errorf("drained is %t, and one of the keys is in a stage: %t", v.Result.Drained, busy)
	}
	return nil
}

func readyJudged(v *view) error {
	if v.Op.Kind != ops.Ready {
		return nil
	}
	n := 0
	for i := range v.after.Pending {
		p := &v.after.Pending[i]
		if int64(n) >= v.Op.Limit {
			break
		}
		if p.Entry.NextVerify > v.now() {
			continue
		}
		if n >= len(v.Result.Keys) || v.Result.Keys[n] != p.Key {
			return fmt.Errorf("%s is due at %s and is not the ready key %d", p.Key, p.Entry.NextVerify, n+1)
		}
		n++
	}
	if n != len(v.Result.Keys) {
		return fmt.Errorf("%d ready keys, want %d", len(v.Result.Keys), n)
	}
	return nil
}
