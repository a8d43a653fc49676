package props

import (
	"fmt"

	"fetchproof/ops"
)

var conservationProperties = []*Property{
	{
		Name: "conserved", Rules: []string{"OUT-7", "OUT-4"}, Needs: stageFields,
		Text:  "every key that leaves the pipeline is reported once, with a reason; every key reported is gone; none appears from nowhere",
		check: conserved,
	},
	{
		Name: "returned-whole", Rules: []string{"OUT-5", "PND-6", "PND-9"}, Needs: stageFields | ops.FieldClock,
		Text:  "a key that returns to pending is there with the entry it carried, its age, and a whole retry delay",
		check: returnedWhole,
	},
	{
		Name: "reason-fits", Rules: []string{"OUT-7", "PND-9", "DEP-1", "DEP-3"},
		Text:  "a key leaves with a reason that its operation can give",
		check: reasonFits,
	},
	{
		Name: "evicted-exactly", Rules: []string{"PND-9"}, Needs: stageFields | ops.FieldClock,
		Text:  "an eviction drops exactly the pending keys that are maxAge old or older and reports them in key order; a removal drops its key",
		check: evictedExactly,
	},
	{
		Name: "untouched", Rules: []string{"PND-1", "ADV-4", "PRK-2", "PRK-5", "DEP-4", "SEQ-2"}, Needs: stageFields,
		Text:  "a key changes its stage only as the result says, and one that the operation does not speak of keeps all that it has",
		check: untouched,
	},
}

func conserved(v *view) error {
	left := 0
	for e := range v.events(ops.Left) {
		left++
		if !v.before.Has(e.Key) {
			return fmt.Errorf("%s left and was not there", e.Key)
		}
		if v.after.Has(e.Key) {
			return fmt.Errorf("%s left and is still there", e.Key)
		}
	}
	size := func(st *ops.SchedulerState) int { return len(st.Pending) + len(st.Queued) + len(st.InFlight) }
	joined := 0
	if v.Result.Code == ops.Admitted || v.Op.Kind == ops.Enqueue && v.Result.Code == ops.Queued {
		joined = 1
		if v.before.Has(v.Op.Key) || !v.after.Has(v.Op.Key) {
			return fmt.Errorf("%s joined: it should be new, and there", v.Op.Key)
		}
	}
	if want := size(v.before) + joined - left; size(v.after) != want {
		return fmt.Errorf("%d keys in the pipeline, %d joined, %d left, and %d are there", size(v.before), joined, left, size(v.after))
	}
	return nil
}

func returnedWhole(v *view) error {
	for e := range v.events(ops.ToPending) {
		p, was := v.after.FindPending(e.Key), findEntry(v.before, e.Key)
		switch {
		case p == nil:
			return fmt.Errorf("%s returned to pending and is not there", e.Key)
		case was == nil:
			return fmt.Errorf("%s returned to pending without a retry entry", e.Key)
		case p.Entry.Created != was.Created:
			return fmt.Errorf("%s returned with the creation time %s, it had %s", e.Key, p.Entry.Created, was.Created)
		case p.Entry.NextVerify != after(v.after.Clock, v.cfg.VerifyRetryDelay):
			return fmt.Errorf("%s returned to be verified at %s, a retry delay from %s is due", e.Key, p.Entry.NextVerify, v.after.Clock)
		case v.Op.Kind == ops.Depart:
			continue // departed-exactly
		}
		want := *was
		want.NextVerify = p.Entry.NextVerify
		if !sameEntry(&p.Entry, &want) {
			return fmt.Errorf("%s returned with the entry %s, it carried %s", e.Key, entryText(&p.Entry), entryText(was))
		}
	}
	return nil
}

func reasonFits(v *view) error {
	for i := range v.Result.Events {
		e := &v.Result.Events[i]
		fits := true
		switch {
		case e.Kind != ops.Left:
		case v.Op.Kind == ops.Remove:
			fits = e.Reason == ops.LeftRemoved
		case v.Op.Kind == ops.Evict:
			fits = e.Reason == ops.LeftEvicted
		case v.Op.Kind == ops.Depart:
			fits = e.Reason == ops.LeftOrphaned
		case v.Op.Kind == ops.Outcome && done(v.Op.Outcome) != ops.NoReason:
			fits = e.Reason == done(v.Op.Outcome)
		default:
			fits = v.Op.Kind == ops.Outcome && e.Reason == ops.LeftDropped
		}
		if !fits {
			return fmt.Errorf("%s makes %s leave as %s", v.Op.Kind, e.Key, e.Reason)
		}
	}
	return nil
}

func evictedExactly(v *view) error {
	switch {
	case v.Op.Kind == ops.Evict:
		n := 0
		for i := range v.before.Pending {
			p := &v.before.Pending[i]
			if age := ops.Duration(v.at - p.Entry.Created); age < max(v.Op.MaxAge, 0) {
				continue
			}
			if n >= len(v.Result.Events) || v.Result.Events[n].Kind != ops.Left || v.Result.Events[n].Key != p.Key {
				return fmt.Errorf("%s was made at %s, is to be evicted at %s, and is not the key %d that was", p.Key, p.Entry.Created, v.at, n+1)
			}
			n++
		}
		if n != len(v.Result.Events) {
			return fmt.Errorf("%d keys were evicted, want %d", len(v.Result.Events), n)
		}
	case v.applied(ops.Remove):
		if e := v.Result.Events; len(e) != 1 || e[0].Kind != ops.Left || e[0].Key != v.Op.Key {
			return fmt.Errorf("the removal of %s reports %d events, want that it left", v.Op.Key, len(e))
		}
	}
	return nil
}

// subject is the key that the operation speaks of; the operation's own properties judge whether it may change.
func (v *view) subject() ops.Key {
	if f := v.attempt(); f != nil {
		return f.Key
	}
	return v.Op.Key
}

func untouched(v *view) error {
	if v.Op.Kind == ops.Depart {
		return nil // departed-exactly
	}
	k := v.subject()
	if err := walk(v.before.Pending, v.after.Pending, pendingName, v.stageOf(ops.Admitted, ops.ToPending), func(was, is *ops.PendingKey) string {
		if was.Key == k || sameEntry(&was.Entry, &is.Entry) {
			return ""
		}
		return "entry"
	}); err != nil {
		return err
	}
	if err := walk(v.before.Queued, v.after.Queued, queuedName, v.stageOf(ops.Queued, ops.Park), func(was, is *ops.QueuedKey) string {
		if was.Key == k {
			return ""
		}
		return workOf(is).differs(workOf(was))
	}); err != nil {
		return err
	}
	return walk(v.before.InFlight, v.after.InFlight, flightName, v.stageOf(ops.None, ops.Start), func(was, is *ops.Flight) string {
		switch own := was.Key == k; {
		case own && v.Op.Kind != ops.Add:
			return "" // start-booked and report-booked
		case !sameAttempt(was, is) || !sameReports(was, is):
			return "attempt"
		case own:
			return ""
		}
		return flightWork(is).differs(flightWork(was))
	})
}

func pendingName(p *ops.PendingKey) *ops.Key { return &p.Key }
func queuedName(q *ops.QueuedKey) *ops.Key   { return &q.Key }
func flightName(f *ops.Flight) *ops.Key      { return &f.Key }

// stageOf tells whether the result says, by its code or an event, that a key came into a stage, or that it left: another code
// or event then says where to, which conserved and one-stage check.
func (v *view) stageOf(code ops.Code, event ops.EventKind) func(k ops.Key, came bool) bool {
	return func(k ops.Key, came bool) bool {
		if k == v.Op.Key && (v.Result.Code == ops.Admitted || v.Result.Code == ops.Queued) {
			return came == (v.Result.Code == code)
		}
		for i := range v.Result.Events {
			if e := &v.Result.Events[i]; e.Key == k {
				return came == (e.Kind == event)
			}
		}
		return false
	}
}

// walk goes through a stage before and after, both by key.
func walk[T any](before, after []T, name func(*T) *ops.Key, moved func(k ops.Key, came bool) bool, changed func(was, is *T) string) error {
	for len(before)+len(after) > 0 {
		order := 0
		switch {
		case len(before) == 0:
			order = 1
		case len(after) == 0:
			order = -1
		default:
			order = ops.CompareIDs(name(&before[0]), name(&after[0]))
		}
		switch {
		case order < 0:
			if k := *name(&before[0]); !moved(k, false) {
				return fmt.Errorf("%s is gone from its stage, and the result does not say so", k)
			}
			before = before[1:]
		case order > 0:
			if k := *name(&after[0]); !moved(k, true) {
				return fmt.Errorf("%s came into a stage, and the result does not say so", k)
			}
			after = after[1:]
		default:
			if what := changed(&before[0], &after[0]); what != "" {
				return fmt.Errorf("the operation is not about %s and changed its %s", *name(&after[0]), what)
			}
			before, after = before[1:], after[1:]
		}
	}
	return nil
}
