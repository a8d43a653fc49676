// Package terms puts what the production machines answer into the language of operations: for the code that drives them
// (package subject) and for the traces that nodes record of them (package trace).
package terms

import (
	"fetchproof/impl/scheduler"
	"fetchproof/ops"
)

var addCodes = [...]ops.Code{
	scheduler.Admitted: ops.Admitted, scheduler.AlreadyPresent: ops.AlreadyPresent,
	scheduler.CapacityRejected: ops.CapacityRejected, scheduler.AddInvalid: ops.Invalid,
}

// Added is the result of an advertisement.
func Added(r scheduler.AddResult) ops.Code { return addCodes[r] }

var enqueueCodes = [...]ops.Code{
	scheduler.Queued: ops.Queued, scheduler.NotPending: ops.NotPending, scheduler.Present: ops.Present,
	scheduler.NoSource: ops.NoSource, scheduler.QueueFull: ops.QueueFull,
}

// Queued is the result of a promotion or an enqueue.
func Queued(r scheduler.EnqueueResult) ops.Code { return enqueueCodes[r] }

var verdictCodes = [...]ops.Code{scheduler.OK: ops.OK, scheduler.Stale: ops.Stale, scheduler.Invalid: ops.Invalid}

// Judge gives res the verdict on a report.
func Judge(res *ops.Result, v scheduler.Verdict) {
	if res.Code = verdictCodes[v.Result]; res.Code == ops.Invalid {
		res.Why = v.Why.String()
	}
}

// Busy gives res the answer to a busy report.
func Busy(res *ops.Result, r scheduler.BusyReply, v scheduler.Verdict) {
	res.Cooldown, res.Due = ops.Duration(r.Cooldown), ops.Time(r.Due)
	Judge(res, v)
}

// Ended gives res the answer to an outcome.
func Ended(res *ops.Result, r scheduler.OutcomeReport, v scheduler.Verdict) {
	if Judge(res, v); v.OK() {
		res.Events = append(res.Events, event(&r.Event))
		res.Charge = ops.Charge(r.Charge)
	}
}

// Removed gives res the answer to a removal.
func Removed(res *ops.Result, e scheduler.Event, r scheduler.RemoveResult) {
	res.Code = ops.NotPending
	if r == scheduler.Removed {
		res.Code = ops.OK
		res.Events = append(res.Events, event(&e))
	}
}

// Started gives res the starts of a fill pass.
func Started(res *ops.Result, starts []scheduler.Start) {
	for _, s := range starts {
		res.Events = append(res.Events, ops.Event{Kind: ops.Start, Key: ops.Key(s.Key), Source: ops.Peer(s.Source), Attempt: s.Attempt})
	}
}

// Happened gives res the events of a departure or an eviction.
func Happened(res *ops.Result, events []scheduler.Event) {
	for i := range events {
		res.Events = append(res.Events, event(&events[i]))
	}
}

func event(e *scheduler.Event) ops.Event {
	return ops.Event{
		Kind: ops.EventKind(e.Kind - scheduler.EventStart), Reason: ops.Reason(e.Reason), Key: ops.Key(e.Key),
		Source: ops.Peer(e.Source), Attempt: e.Attempt,
	}
}

// The two lists of outcomes stand in the order of section 9, the scheduler's from 1.

// Outcome is an outcome of the scheduler's.
func Outcome(k scheduler.OutcomeKind) ops.OutcomeKind {
	return ops.OutcomeKind(k - scheduler.OutcomeStored)
}

// ForScheduler is an outcome as the scheduler takes it; an unknown one stays one.
func ForScheduler(k ops.OutcomeKind) scheduler.OutcomeKind {
	if k >= ops.NumOutcomes {
		return scheduler.OutcomePanicked + 1
	}
	return scheduler.OutcomeKind(k) + scheduler.OutcomeStored
}
