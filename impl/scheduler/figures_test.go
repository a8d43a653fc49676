package scheduler

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

// watcher knows since when each key has been parked, by looking at the state
// after every operation.
type watcher struct {
	state State
	since map[Key]Time
}

// look is called after every operation, at the clock's time.
func (w *watcher) look(s *Scheduler) {
	s.Observe(0, &w.state)
	since := make(map[Key]Time, len(w.state.Parked))
	for _, k := range w.state.Parked {
		at, parked := w.since[k]
		if !parked {
			at = w.state.Clock
		}
		since[k] = at
	}
	w.since = since
}

// oldest is what OldestParked says at now.
func (w *watcher) oldest(now Time) (age time.Duration, some bool) {
	for _, at := range w.since {
		age, some = max(age, time.Duration(max(now, w.state.Clock)-at)), true
	}
	return age, some
}

// snapshotOf is what Snapshot says where Observe says st.
func snapshotOf(cfg *Config, st *State) Snapshot {
	p := Snapshot{
		Queued: len(st.Queued), Parked: len(st.Parked), InFlight: len(st.InFlight), Pending: len(st.Pending),
		Reserved: st.Reserved, OverflowOpen: st.OverflowUntil != 0, ContactTracked: len(st.Contact),
		BusyTracked: len(st.Busy), Stopped: st.Stopped, Counters: st.Counters,
	}
	for _, e := range st.Index {
		p.IndexAssociations += len(e.Keys)
	}
	for _, c := range st.Contact {
		if c.MarkedUntil != 0 {
			p.Silent++
		}
	}
	load := map[Peer]int{}
	for _, f := range st.InFlight {
		if load[f.Source]++; load[f.Source] == cfg.Share {
			p.SourcesAtLimit++
		}
	}
	return p
}

// figures compares Snapshot and OldestParked with what the state says, at now.
func (w *watcher) figures(t *testing.T, s *Scheduler, now Time) Snapshot {
	t.Helper()
	var st State
	s.Observe(now, &st)
	cfg := s.Config()
	got, want := s.Snapshot(now), snapshotOf(&cfg, &st)
	if got != want {
		t.Fatalf("at %d, clock %d: snapshot\n%+v, the state says\n%+v", now, st.Clock, got, want)
	}
	age, some := s.OldestParked(now)
	if want, any := w.oldest(now); age != want || some != any {
		t.Fatalf("at %d, clock %d: oldest parked %v %v, want %v %v", now, st.Clock, age, some, want, any)
	}
	return got
}

// deadlines are the times around which a query's answer changes.
func (w *watcher) deadlines(dst []Time) []Time {
	for _, c := range w.state.Contact {
		if c.MarkedUntil != 0 {
			dst = append(dst, c.MarkedUntil)
		}
	}
	if w.state.OverflowUntil != 0 {
		dst = append(dst, w.state.OverflowUntil)
	}
	return append(dst, w.state.Clock)
}

// newLine is a driver of few sources, all full almost always, so that backlogs are
// parked as a whole, time and again, and seldom examined.
func newLine(t testing.TB, seed uint64, share int) *driver {
	cfg := Defaults()
	cfg.Slots, cfg.Share, cfg.MaxQueued, cfg.Silence = 20, share, 10, false
	return newDriver(t, seed, cfg, 40, 3)
}

// line is a step of it: mostly a key that joins the queue and a pass that parks
// it with those that wait, now and then an attempt that ends and a pass that
// starts the nearest.
func (d *driver) line() {
	d.now += Time(d.rng.IntN(3))
	switch n := d.rng.IntN(12); {
	case n < 7:
		from := []Peer{peerN(d.rng.IntN(2)), peerN(d.rng.IntN(2))}
		d.s.Enqueue(d.now, d.key(), distN(d.rng.IntN(64)), from)
	case n < 10:
		var flying []Place
		for _, f := range d.s.flights {
			if f.place != 0 {
				flying = append(flying, f.place)
			}
		}
		if len(flying) > 0 {
			d.end(flying[d.rng.IntN(len(flying))])
		}
	case n < 11:
		d.events = d.s.Depart(d.now, peerN(d.rng.IntN(40)), d.events[:0])
	}
	d.starts = d.s.Fill(d.now, d.starts[:0])
}

// TestParkedAges follows the age of the key that has been parked for longest
// (SUM-2) while backlogs are parked again and again: what is kept to tell the ages
// is dropped when no key needs it, and not before.
func TestParkedAges(t *testing.T) {
	programs := 40
	if testing.Short() {
		programs = 10
	}
	parked, old := uint64(0), 0
	for seed := range uint64(programs) {
		d := newLine(t, seed, 1+int(seed%2))
		var w watcher
		for range 500 {
			d.line()
			w.look(d.s)
			w.figures(t, d.s, d.now+Time(d.rng.IntN(3)))
			if len(w.since) > 1 {
				old++
			}
			if n := len(d.s.epochs); n > 2*d.s.cfg.MaxQueued+20 {
				t.Fatalf("seed %d: %d times are kept for %d keys", seed, n, len(w.since))
			}
		}
		parked += w.state.Counters.Parked
	}
	if parked < 50*uint64(programs) || old < 100*programs {
		t.Fatalf("%d keys were parked, %d times more than one", parked, old)
	}
}

// press is a step that fills the queue and lets passes find nothing, so that
// backlogs are parked as a whole again and again, for as long as it goes on.
func (d *driver) press() {
	if d.now < math.MaxInt64-10 {
		d.now += Time(d.rng.IntN(3))
	}
	switch n := d.rng.IntN(20); {
	case n < 8:
		d.s.Enqueue(d.now, d.key(), distN(d.rng.IntN(64)), d.sources())
	case n < 17:
		d.starts = d.s.Fill(d.now, d.starts[:0])
		for _, st := range d.starts {
			d.attempts = append(d.attempts, st.Attempt)
		}
	case n < 18:
		d.events = d.s.Depart(d.now, peerN(d.rng.IntN(d.peers)), d.events[:0])
	default:
		d.step()
	}
}

// TestFigures compares what the summary reads of a scheduler (SUM-2) with the
// whole state, after every operation of drawn programs, at the clock's time and
// around every deadline. Queries change nothing (DET-3).
func TestFigures(t *testing.T) {
	programs := 90
	if testing.Short() {
		programs = 30
	}
	open, ended, silent, oldest := 0, 0, 0, 0
	for seed := range uint64(programs) {
		rng := rand.New(rand.NewPCG(seed, 21))
		d := newDriver(t, seed, smallConfig(rng), 3+rng.IntN(12), 2+rng.IntN(6))
		if seed%16 == 0 {
			d.now = math.MaxInt64 - 300
		}
		step, steps := d.step, 250
		if seed%3 == 0 {
			step, steps = d.press, 500
		}
		var w watcher
		var times []Time
		for range steps {
			step()
			w.look(d.s)
			w.figures(t, d.s, d.now)
			if rng.IntN(4) > 0 {
				continue
			}
			times = w.deadlines(times[:0])
			for _, end := range times {
				for _, at := range []Time{end - 1, end, min(end, math.MaxInt64-1) + 1} {
					p := w.figures(t, d.s, at)
					silent += p.Silent
					if p.OverflowOpen {
						open++
					} else if at == w.state.OverflowUntil && at != 0 {
						ended++
					}
					if p.Parked > 0 {
						oldest++
					}
				}
			}
			var again State
			d.s.Observe(0, &again)
			if !sameState(&w.state, &again) {
				t.Fatalf("seed %d: a query changed the state", seed)
			}
		}
	}
	t.Logf("window open %d times, just ended %d; %d silent sources, %d times a key parked", open, ended, silent, oldest)
	if open < 100 || ended < 50 || silent < 100 || oldest < 1000 {
		t.Fatal("the programs hardly exercise the figures")
	}
}
