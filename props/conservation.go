package props

import (
	"fmt"

	"fetchproof/ops"
)

var conservationProperties = []*Property{
	{
		Name: "conserved", Rules: []string{"OUT-7", "OUT-4", "OUT-5", "PND-9", "DEP-3"}, Needs: stageFields,
		Text:  "every key that leaves the pipeline is reported once, with a reason; every key reported is gone; none appears from nowhere",
		check: conserved,
	},
	{
		Name: "returned-whole", Rules: []string{"OUT-5", "PND-6", "PND-9"}, Needs: stageFields,
		Text:  "a key that returns to pending is there with the entry it carried, its age, and a whole retry delay",
		check: returnedWhole,
	},
	{
		Name: "reason-fits", Rules: []string{"OUT-7", "PND-9", "DEP-1", "DEP-3"},
		Text:  "a key leaves with a reason that its operation can give",
		check: reasonFits,
	},
}

func present(st *ops.SchedulerState, k ops.Key) bool {
	return findPending(st, k) != nil || findQueued(st, k) != nil || findFlight(st, k) != nil
}

func conserved(v *view) error {
	left := 0
	for i := range v.Result.Events {
		e := &v.Result.Events[i]
		if e.Kind != ops.Left {
			continue
		}
		left++
		if !present(v.before, e.Key) {
			return fmt.Errorf("%s left and was not there", e.Key)
		}
		if present(v.after, e.Key) {
			return fmt.Errorf("%s left and is still there", e.Key)
		}
	}
	size := func(st *ops.SchedulerState) int { return len(st.Pending) + len(st.Queued) + len(st.InFlight) }
	joined := 0
	if v.Result.Code == ops.Admitted || v.Op.Kind == ops.Enqueue && v.Result.Code == ops.Queued {
		joined = 1
		if present(v.before, v.Op.Key) || !present(v.after, v.Op.Key) {
			return fmt.Errorf("%s joined: it should be new, and there", v.Op.Key)
		}
	}
	if want := size(v.before) + joined - left; size(v.after) != want {
		return fmt.Errorf("%d keys in the pipeline, %d joined, %d left, and %d are there", size(v.before), joined, left, size(v.after))
	}
	return nil
}

func returnedWhole(v *view) error {
	for i := range v.Result.Events {
		e := &v.Result.Events[i]
		if e.Kind != ops.ToPending {
			continue
		}
		p, was := findPending(v.after, e.Key), findEntry(v.before, e.Key)
		switch {
		case p == nil:
			return fmt.Errorf("%s returned to pending and is not there", e.Key)
		case was == nil:
			return fmt.Errorf("%s returned to pending without a retry entry", e.Key)
		case p.Entry.Created != was.Created:
			return fmt.Errorf("%s returned with the creation time %s, it had %s", e.Key, p.Entry.Created, was.Created)
		case p.Entry.NextVerify != after(v.after.Clock, v.cfg.VerifyRetryDelay):
			return fmt.Errorf("%s returned to be verified at %s, a retry delay from %s is due", e.Key, p.Entry.NextVerify, v.after.Clock)
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
		case v.Op.Kind == ops.Outcome && v.Op.Outcome == ops.Stored:
			fits = e.Reason == ops.LeftStored
		case v.Op.Kind == ops.Outcome && v.Op.Outcome == ops.Declined:
			fits = e.Reason == ops.LeftDeclined
		default:
			fits = v.Op.Kind == ops.Outcome && e.Reason == ops.LeftDropped
		}
		if !fits {
			return fmt.Errorf("%s makes %s leave as %s", v.Op.Kind, e.Key, e.Reason)
		}
	}
	return nil
}
