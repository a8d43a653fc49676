package props

import (
	"fmt"
	"slices"

	"fetchproof/ops"
)

var counterProperties = []*Property{
	{
		Name: "counters-recounted", Rules: []string{"SUM-1"}, Needs: stageFields | ops.FieldCounters | ops.FieldContact,
		Text:  "counters only grow, and by what this step did: starts, parks, outcomes, unanswered ones, busy reports",
		check: countersRecounted,
	},
	{
		Name: "contact-counted", Rules: []string{"SUM-1", "CON-1", "CON-3"}, Needs: courseFields | ops.FieldCounters,
		Text:  "starts that overflow left untracked and marks set, refreshed and cleared are counted as this step made them",
		check: contactCounted,
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
	if err := v.grewBy(ops.BusyReports, boolToInt(v.applied(ops.BusyReply))); err != nil {
		return err
	}
	if err := v.grewBy(ops.Unanswered, boolToInt(v.unanswered())); err != nil {
		return err
	}
	for k := range ops.NumOutcomes {
		if err := v.grewBy(ops.OutcomeCounter+ops.Counter(k), boolToInt(v.applied(ops.Outcome) && v.Op.Outcome == k)); err != nil {
			return err
		}
	}
	if err := v.grewBy(ops.Parked, v.parks()); err != nil {
		return err
	}
	return v.grewBy(ops.Started, v.countEvents(ops.Start))
}

// parks is how many keys the operation parked: those that it left parked, and those that a pass parked on its way and then
// started, once the window had opened (CON-8).
func (v *view) parks() int {
	if v.Op.Kind != ops.Fill {
		return v.countEvents(ops.Park)
	}
	n := len(v.after.Parked)
	was := v.before.Parked
	for _, k := range v.after.Parked {
		if i := slices.Index(was, k); i >= 0 {
			was = was[i+1:]
			n--
		}
	}
	var farthest *ops.QueuedKey
	for e := range v.events(ops.Start) {
		q := v.before.FindQueued(e.Key)
		if q == nil {
			continue
		}
		if farthest == nil || nearer(farthest, q) {
			farthest = q
		} else if slices.Contains(v.before.Heap, q.Key) {
			n++
		}
	}
	return n
}

func (v *view) grewBy(c ops.Counter, want int) error {
	if n := v.grew(c); n != uint64(want) {
		return fmt.Errorf("the counter %s grew by %d, want %d", c, n, want)
	}
	return nil
}

func contactCounted(v *view) error {
	c := v.follow()
	if !c.complete() {
		return nil
	}
	for _, k := range []ops.Counter{ops.Overflows, ops.MarksSet, ops.MarksRefreshed, ops.MarksCleared} {
		if err := v.grewBy(k, int(c.grew[k])); err != nil {
			return err
		}
	}
	return nil
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
