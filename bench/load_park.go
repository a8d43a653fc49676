package bench

import (
	"fmt"
	"runtime"
)

// idlePasses is how many passes with nothing startable are averaged.
const idlePasses = 200

// wakeups is how many wakes are averaged, fewer when there are few keys.
const wakeups = 20_000

// parkLoad is the headline: every peer but one is full, and only the farthest key has that one. Build, the forced pass
// that parks all others, the peak memory of both, passes with nothing to start, wakes, and dropping it all.
func parkLoad(r *run) error {
	w := newWorld(r.c, 0)
	built, err := w.fillUp()
	if err != nil {
		return err
	}
	r.add(built)
	s, err := w.forcedPass()
	if err != nil {
		return err
	}
	r.add(s)
	if !w.finish(w.starts[0].Attempt) {
		return fmt.Errorf("bench: the attempt at the open peer did not end")
	}
	if err := w.idle(r, "idle-pass", idlePasses); err != nil {
		return err
	}
	if err := w.wakes(r, "wake", wakeups); err != nil {
		return err
	}
	r.add(drop(w))
	return nil
}

// idleLoad is a queue in which nothing at all can start: the first pass over keys that no pass has looked at, and the wakes
// after it, to which an implementation may have put off work.
func idleLoad(r *run) error {
	w := newWorld(r.c, 0)
	w.full = append(w.full, w.open)
	if _, err := w.fillUp(); err != nil {
		return err
	}
	if err := w.idle(r, "idle-first-pass", 1); err != nil {
		return err
	}
	if parked := w.m.Snapshot(now).Parked; parked != w.c.Keys {
		return fmt.Errorf("bench: the pass left %d keys parked, not %d", parked, w.c.Keys)
	}
	return w.wakes(r, "wake-after-idle", wakeups/10)
}

// fillUp makes the machine, holds the shares of its peers, and queues the case's keys, the last of them the farthest:
// the machine is at its bound, one slot is free, and only the farthest key can start. It
// returns what queueing them cost.
func (w *world) fillUp() (built Sample, err error) {
	w.cfg.Slots = w.cfg.Share*(len(w.pool)+len(w.full)) + 1
	w.cfg.MaxQueued, w.cfg.MaxPending = w.c.Keys+w.cfg.Share, w.c.Keys+w.cfg.Share
	w.cfg.ContactTable = max(w.cfg.ContactTable, w.cfg.Slots)
	if err = w.boot(); err != nil {
		return built, err
	}
	if err = w.hold(w.pool); err != nil {
		return built, err
	}
	if err = w.hold(w.full); err != nil {
		return built, err
	}
	if built, err = w.build(w.c.Keys - 1); err != nil {
		return built, err
	}
	return built, w.queueFarthest()
}

// idle measures passes in which nothing can start.
func (w *world) idle(r *run, op string, n int) error {
	r.add(measure(op, n, func() {
		for range n {
			w.starts = w.m.Fill(now, w.starts[:0])
		}
	}))
	if len(w.starts) > 0 {
		return fmt.Errorf("bench: a pass with nothing startable started %d attempts", len(w.starts))
	}
	return nil
}

// wakes ends attempts at held peers one after the other, each followed by the pass that starts the nearest key parked
// under the peer. The first wake of each peer is among them, for it can cost more than the later ones.
func (w *world) wakes(r *run, op string, n int) error {
	n = min(n, w.c.Keys/4)
	var most, all uint64
	one, failed := newSingles(), 0
	s := measure(op, n, func() {
		for i := range n {
			a := &w.flights[i%len(w.flights)]
			before := w.touched()
			one.time(func() {
				w.finish(*a)
				w.starts = w.m.Fill(now, w.starts[:0])
			})
			looked := w.touched() - before
			most = max(most, looked)
			all += looked
			if len(w.starts) != 1 {
				failed++
				continue
			}
			*a = w.starts[0].Attempt
		}
	})
	if failed > n/20 {
		return fmt.Errorf("bench: %d of %d wakes started nothing", failed, n)
	}
	s = one.into(s)
	s.Touched, s.Most = float64(all)/float64(n), float64(most)
	r.add(s)
	return nil
}

// drop measures giving the machine up, with the collection that frees it, and what is in use after that: the world's own
// tables, and whatever outlives its machine. One collection before it leaves nothing else to free.
func drop(w *world) Sample {
	runtime.GC()
	s := measure("drop", 1, func() {
		w.m = nil
		runtime.GC()
	})
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	s.Left = float64(m.HeapAlloc)
	return s
}
