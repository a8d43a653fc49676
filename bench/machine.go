package bench

import (
	"fmt"
	"time"

	"fetchproof/bench/twin"
	"fetchproof/impl/scheduler"
)

// The machines that the benchmark compares.
const (
	Production = "scheduler" // impl/scheduler
	Twin       = "twin"      // bench/twin
)

// machine is what the benchmark asks of a scheduler; both have it.
type machine interface {
	Add(now scheduler.Time, key scheduler.Key, hints []scheduler.Hint) scheduler.AddResult
	AddBatch(now scheduler.Time, ads []scheduler.Advertisement, dst []scheduler.AddResult) []scheduler.AddResult
	Promote(now scheduler.Time, key scheduler.Key, distance scheduler.Distance, sources []scheduler.Peer) scheduler.EnqueueResult
	Enqueue(now scheduler.Time, key scheduler.Key, distance scheduler.Distance, sources []scheduler.Peer) scheduler.EnqueueResult
	Fill(now scheduler.Time, dst []scheduler.Start) []scheduler.Start
	Arrive(attempt scheduler.Place) (scheduler.Place, scheduler.Verdict)
	Outcome(now scheduler.Time, attempt scheduler.Place, kind scheduler.OutcomeKind, place scheduler.Place, hasPlace bool) (scheduler.OutcomeReport, scheduler.Verdict)
	Depart(now scheduler.Time, peer scheduler.Peer, dst []scheduler.Event) []scheduler.Event
	Remove(now scheduler.Time, key scheduler.Key) (scheduler.Event, scheduler.RemoveResult)
	Evict(now scheduler.Time, maxAge time.Duration, dst []scheduler.Event) []scheduler.Event
	Snapshot(now scheduler.Time) scheduler.Snapshot
}

var (
	_ machine = (*scheduler.Scheduler)(nil)
	_ machine = (*twin.Scheduler)(nil)
)

// toucher is a machine that counts the keys and index entries that its fill passes look at.
type toucher interface{ Touched() uint64 }

func newMachine(name string, cfg scheduler.Config) (machine, error) {
	switch name {
	case Production:
		return scheduler.New(cfg)
	case Twin:
		return twin.New(cfg)
	}
	return nil, fmt.Errorf("bench: no machine is named %q", name)
}
