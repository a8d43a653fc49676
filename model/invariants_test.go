package model

import (
	"slices"
	"testing"

	"fetchproof/ops"
)

// What must hold of the scheduler whatever happens, over random programs.
func TestInvariants(t *testing.T) {
	for seed := range uint64(150) {
		p := newProgram(seed+1000, ops.SchedulerMachine)
		s := NewScheduler(p.cfg.Scheduler)
		var op ops.Op
		var res ops.Result
		for i := range 300 {
			p.step(s, &op)
			before := present(s)
			s.Apply(&op, &res)
			var problems []string
			check := func(ok bool, what string) {
				if !ok {
					problems = append(problems, what)
				}
			}
			checkBounds(s, check)
			checkEntries(s, check)
			checkSources(s, check)
			checkStays(before, s, &op, &res, check)
			if op.Kind == ops.Fill && !s.stopped && s.slotFree() {
				_, ok := s.nearestThatCanStart(s.clock)
				check(!ok, "LIV-1: a slot is free and a key can start")
				check(!anyInHeap(s.queued), "FIL-3: a slot is free and the heap is not empty")
			}
			if len(problems) > 0 {
				t.Fatalf("seed %d, step %d, %v: %v", seed, i, op.Kind, problems)
			}
		}
	}
}

func checkBounds(s *Scheduler, check func(bool, string)) {
	within := func(n int, bound int64, what string) { check(int64(n) <= bound, what) }
	within(len(s.flights), s.cfg.Slots, "more flights than slots")
	within(len(s.queued), s.cfg.MaxQueued, "PRK-3: more keys queued than MaxQueued")
	within(len(s.pending)+int(s.reserved()), s.cfg.MaxPending, "PND-7: more pending and reserved than MaxPending")
	within(len(s.contact), s.cfg.ContactTable, "CON-7: more sources tracked than ContactTable")
	within(len(s.busy), s.cfg.BusyTable, "BSY-6: more cooldowns than BusyTable")
	for i := range s.flights {
		_, tracked := s.contactAt(s.flights[i].source)
		check(tracked || !s.flights[i].tracked, "CON-7: an attempt in flight does not guard its source")
	}
}

func checkEntries(s *Scheduler, check func(bool, string)) {
	entry := func(e *entry, has bool) {
		if !has {
			check(len(e.hints) == 0, "hint sources without an entry")
			return
		}
		check(int64(len(e.hints)) <= s.cfg.MaxHintSources, "ADV-1: more hint sources than MaxHintSources")
		check(slices.IsSortedFunc(e.hints, func(a, b ops.Hint) int { return a.Peer.Compare(b.Peer) }), "hints not by peer")
		_, owned := hintAt(e.hints, e.owner)
		check(owned, "PND-8: the owner is no hint source")
	}
	for i := range s.pending {
		entry(&s.pending[i].entry, true)
	}
	for i := range s.queued {
		entry(&s.queued[i].retry, s.queued[i].hasRetry)
	}
	for i := range s.flights {
		entry(&s.flights[i].retry, s.flights[i].hasRetry)
	}
}

func checkSources(s *Scheduler, check func(bool, string)) {
	sources := func(w *work) {
		all := slices.Concat(w.untried, w.tried)
		slices.SortFunc(all, ops.Peer.Compare)
		check(int64(len(all)) <= s.cfg.SourceCap, "ADV-2: more sources than SourceCap")
		check(len(slices.Compact(all)) == len(w.untried)+len(w.tried), "ADV-2: a source twice")
		check(slices.IsSortedFunc(w.tried, ops.Peer.Compare), "tried not by peer")
	}
	for i := range s.queued {
		sources(&s.queued[i].work)
		check(len(s.queued[i].untried) > 0, "DEP-3: queued without an untried source")
		check(i == 0 || s.queued[i-1].nearerThan(&s.queued[i].work), "queue not by nearness")
	}
	for i := range s.flights {
		sources(&s.flights[i].work)
		check(slices.Contains(s.flights[i].tried, s.flights[i].source), "the source of an attempt is not tried")
	}
}

// present is the keys in any stage, sorted.
func present(s *Scheduler) []ops.Key {
	var keys []ops.Key
	for i := range s.pending {
		keys = append(keys, s.pending[i].key)
	}
	for i := range s.queued {
		keys = append(keys, s.queued[i].key)
	}
	for i := range s.flights {
		keys = append(keys, s.flights[i].key)
	}
	slices.SortFunc(keys, ops.Key.Compare)
	return keys
}

// checkStays is PND-1 and OUT-7: a key is in one stage at most, a stay ends with one event, and begins only when asked for.
func checkStays(before []ops.Key, s *Scheduler, op *ops.Op, res *ops.Result, check func(bool, string)) {
	want := slices.Clone(before)
	if res.Code == ops.Admitted || op.Kind == ops.Enqueue && res.Code == ops.Queued {
		want = append(want, op.Key)
		slices.SortFunc(want, ops.Key.Compare)
	}
	for _, e := range res.Events {
		if e.Kind == ops.Left {
			i := slices.Index(want, e.Key)
			check(i >= 0, "OUT-7: a key left that was not there")
			want = slices.Delete(want, max(i, 0), max(i, 0)+1)
		}
	}
	after := present(s)
	check(slices.Equal(after, want), "OUT-7: a key came or went unreported")
	check(len(slices.Compact(slices.Clone(after))) == len(after), "PND-1: a key in two stages")
}
