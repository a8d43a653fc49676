package worker

import (
	"time"

	"fetchproof/impl/scheduler"
)

// Recorder is told every operation on the scheduler with its now, its arguments
// and its results, in the order in which the lock was held (WRK-5). It is called
// under that lock, never twice at once, and must not call the worker. Slices are
// on loan until the method returns.
type Recorder interface {
	Init(cfg scheduler.Config)
	Add(now scheduler.Time, key scheduler.Key, hints []scheduler.Hint, r scheduler.AddResult)
	Promote(now scheduler.Time, key scheduler.Key, d scheduler.Distance, sources []scheduler.Peer, r scheduler.EnqueueResult)
	Enqueue(now scheduler.Time, key scheduler.Key, d scheduler.Distance, sources []scheduler.Peer, r scheduler.EnqueueResult)
	Fill(now scheduler.Time, starts []scheduler.Start)
	Arrive(attempt, place scheduler.Place, v scheduler.Verdict)
	Answer(now scheduler.Time, attempt, place scheduler.Place, v scheduler.Verdict)
	Busy(now scheduler.Time, attempt, place scheduler.Place, wait time.Duration, r scheduler.BusyReply, v scheduler.Verdict)
	// Outcome: place is 0 if the outcome brings none.
	Outcome(now scheduler.Time, attempt scheduler.Place, kind scheduler.OutcomeKind, place scheduler.Place, r scheduler.OutcomeReport, v scheduler.Verdict)
	Depart(now scheduler.Time, peer scheduler.Peer, events []scheduler.Event)
	// Remove: the event is meaningful with scheduler.Removed.
	Remove(now scheduler.Time, key scheduler.Key, e scheduler.Event, r scheduler.RemoveResult)
	Evict(now scheduler.Time, maxAge time.Duration, events []scheduler.Event)
	Stop(now scheduler.Time)
	Ready(now scheduler.Time, limit int, keys []scheduler.Key)
	Drained(now scheduler.Time, keys []scheduler.Key, drained bool)
}
