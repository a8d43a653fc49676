package props

import (
	"fmt"

	"fetchproof/ops"
)

var counterProperties = []*Property{
	{
		Name: "counters-recounted", Rules: []string{"SUM-1"}, Needs: stageFields | ops.FieldCounters | ops.FieldContact,
		Text:  "counters only grow, and by what this step did: starts, outcomes, unanswered ones, busy reports",
		check: countersRecounted,
	},
	{
		Name: "marks-balance", Rules: []string{"SUM-1", "CON-3", "CON-6"}, Needs: ops.FieldCounters | ops.FieldContact | ops.FieldClock,
		Text:  "marks set are the marks cleared, expired and standing",
		check: marksBalance,
	},
	{
		Name: "attempts-balance", Rules: []string{"SUM-1", "OUT-7", "SEQ-1"}, Needs: ops.FieldCounters | ops.FieldInFlight,
		Text:  "attempts started are those in flight and those whose outcome was applied",
		check: attemptsBalance,
	},
}

func (v *view) grew(c ops.Counter) uint64 { return v.after.Counters[c] - v.before.Counters[c] }

func countersRecounted(v *view) error {
	for c := range ops.NumCounters {
		if v.after.Counters[c] < v.before.Counters[c] {
			return fmt.Errorf("the counter %s went from %d to %d", c, v.before.Counters[c], v.after.Counters[c])
		}
	}
	applied := v.Op.Kind == ops.Outcome && v.Result.Code == ops.OK
	unanswered := applied && (v.Op.Outcome == ops.Timeout || v.Op.Outcome == ops.Unreachable) && !v.wasAnswered()
	if err := v.grewBy(ops.BusyReports, v.Op.Kind == ops.BusyReply && v.Result.Code == ops.OK); err != nil {
		return err
	}
	if err := v.grewBy(ops.Unanswered, unanswered); err != nil {
		return err
	}
	for k := range ops.NumOutcomes {
		if err := v.grewBy(ops.OutcomeCounter+ops.Counter(k), applied && v.Op.Outcome == k); err != nil {
			return err
		}
	}
	if n := v.countEvents(ops.Start); v.grew(ops.Started) != uint64(n) {
		return fmt.Errorf("the counter started grew by %d, %d attempts started", v.grew(ops.Started), n)
	}
	return nil
}

func (v *view) grewBy(c ops.Counter, once bool) error {
	if n := v.grew(c); n != uint64(boolToInt(once)) {
		return fmt.Errorf("the counter %s grew by %d, want %d", c, n, boolToInt(once))
	}
	return nil
}

// wasAnswered reports whether an answer of the reported attempt had been applied before the operation.
func (v *view) wasAnswered() bool {
	f := v.attempt()
	return f != nil && f.Answered
}

func boolToInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

func marksBalance(v *view) error {
	// A query at a later now sees marks as ended that no operation has counted yet (DET-3).
	if v.now() != v.after.Clock {
		return nil
	}
	silent := uint64(0)
	for i := range v.after.Contact {
		silent += uint64(boolToInt(v.after.Contact[i].MarkedUntil > v.after.Clock))
	}
	c := &v.after.Counters
	if c[ops.MarksSet] != c[ops.MarksCleared]+c[ops.MarksExpired]+silent {
		return fmt.Errorf("%d marks set, %d cleared, %d expired, %d standing", c[ops.MarksSet], c[ops.MarksCleared], c[ops.MarksExpired], silent)
	}
	return nil
}

func attemptsBalance(v *view) error {
	ended := uint64(0)
	for k := range ops.NumOutcomes {
		ended += v.after.Counters[ops.OutcomeCounter+ops.Counter(k)]
	}
	if started := v.after.Counters[ops.Started]; started != ended+uint64(len(v.after.InFlight)) {
		return fmt.Errorf("%d attempts started, %d ended, %d are in flight", started, ended, len(v.after.InFlight))
	}
	return nil
}
