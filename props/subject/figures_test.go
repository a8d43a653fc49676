package subject_test

import (
	"fmt"
	"testing"
	"time"

	"fetchproof/impl/scheduler"
	"fetchproof/ops"
	"fetchproof/props/campaign"
	"fetchproof/props/subject"
)

// watched is the production scheduler whose figures, which no operation of the language reads, are compared with its state
// whenever that is observed. Half of its advertisements come as a batch of one.
type watched struct {
	*scheduler.Scheduler
	since   map[scheduler.Key]scheduler.Time // each parked key: since when
	adds    int
	results []scheduler.AddResult
	parked  *int
	scratch scheduler.State
}

// Fill and Outcome park, and while a program lays in its stock nobody observes the state after them.
func (w *watched) Fill(now scheduler.Time, dst []scheduler.Start) []scheduler.Start {
	dst = w.Scheduler.Fill(now, dst)
	w.note(now)
	return dst
}

func (w *watched) Outcome(now scheduler.Time, attempt scheduler.Place, kind scheduler.OutcomeKind, place scheduler.Place, hasPlace bool) (scheduler.OutcomeReport, scheduler.Verdict) {
	report, verdict := w.Scheduler.Outcome(now, attempt, kind, place, hasPlace)
	w.note(now)
	return report, verdict
}

func (w *watched) note(now scheduler.Time) {
	w.Scheduler.Observe(now, &w.scratch)
	w.notice(&w.scratch)
}

// notice keeps since when each parked key has been parked.
func (w *watched) notice(st *scheduler.State) {
	since := make(map[scheduler.Key]scheduler.Time, len(st.Parked))
	for _, k := range st.Parked {
		at, was := w.since[k]
		if !was {
			at = st.Clock
		}
		since[k] = at
	}
	w.since = since
}

func (w *watched) Add(now scheduler.Time, key scheduler.Key, hints []scheduler.Hint) scheduler.AddResult {
	if w.adds++; w.adds%2 == 0 {
		return w.Scheduler.Add(now, key, hints)
	}
	w.results = w.AddBatch(now, []scheduler.Advertisement{{Key: key, Hints: hints}}, w.results[:0])
	return w.results[0]
}

// Observe is called after every operation. What differs is a panic, which is a failure like any other.
func (w *watched) Observe(now scheduler.Time, st *scheduler.State) {
	w.Scheduler.Observe(now, st)
	cfg := w.Config()
	if got, want := w.Snapshot(now), figures(&cfg, st); got != want {
		panic(fmt.Sprintf("the snapshot at %d is\n%+v\nthe state says\n%+v", now, got, want))
	}
	w.notice(st)
	oldest, some := st.Clock, len(st.Parked) > 0
	for _, at := range w.since {
		oldest = min(oldest, at)
	}
	*w.parked += len(w.since)
	age, any := w.OldestParked(now)
	if want := time.Duration(max(now, st.Clock) - oldest); any != some || some && age != want {
		panic(fmt.Sprintf("the oldest parked key is %v old (%v), by the states it is %v (%v)", age, any, want, some))
	}
}

// figures are what Snapshot says of a state (SUM-2).
func figures(cfg *scheduler.Config, st *scheduler.State) scheduler.Snapshot {
	p := scheduler.Snapshot{
		Queued: len(st.Queued), Parked: len(st.Parked), InFlight: len(st.InFlight), Pending: len(st.Pending), Reserved: st.Reserved,
		OverflowOpen: st.OverflowUntil != 0, ContactTracked: len(st.Contact), BusyTracked: len(st.Busy), Stopped: st.Stopped,
		Counters: st.Counters,
	}
	for i := range st.Index {
		p.IndexAssociations += len(st.Index[i].Keys)
	}
	load := map[scheduler.Peer]int{}
	for i := range st.InFlight {
		source := st.InFlight[i].Source
		if load[source]++; load[source] == cfg.Share {
			p.SourcesAtLimit++
		}
	}
	for i := range st.Contact {
		if st.Contact[i].MarkedUntil != 0 {
			p.Silent++
		}
	}
	return p
}

// What the node reads of its scheduler beside the operations agrees with the state after every step of drawn programs, and a
// batch is as good as an addition.
func TestFiguresInPrograms(t *testing.T) {
	parked := 0
	create := func(c scheduler.Config) (subject.SchedulerMachine, error) {
		s, err := scheduler.New(c)
		return &watched{Scheduler: s, parked: &parked}, err
	}
	steps := int64(300_000)
	if testing.Short() {
		steps = 60_000
	}
	report := run(t, campaign.Options{
		Seed: 31, Steps: steps, Machines: []ops.Machine{ops.SchedulerMachine},
		Subject: func() (subject.Subject, error) { return subject.NewSchedulerLike(create), nil },
	})
	if report.Found != nil {
		t.Fatalf("%s\n%s", report.Found.Failure.Text(), report.Found.Program.Scenario())
	}
	if report.Steps < steps || parked < int(steps)/20 {
		t.Errorf("%d steps with %d parked keys", report.Steps, parked)
	}
}
