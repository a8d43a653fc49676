package bench

import (
	"fmt"
	"slices"

	"fetchproof/impl/scheduler"
)

// dispatches is how many steady-state rounds are measured.
const dispatches = 20_000

// dispatchFreeLoad is a steady state in which most sources have room: slots are scarce.
func dispatchFreeLoad(r *run) error {
	w := newWorld(r.c, r.c.Slots)
	if err := w.boot(); err != nil {
		return err
	}
	if err := w.dispatch(r); err != nil {
		return err
	}
	if full := w.m.Snapshot(now).SourcesAtLimit; full > len(w.pool)/2 {
		return fmt.Errorf("bench: %d sources of %d are full, most should be free", full, len(w.pool))
	}
	return nil
}

// dispatchFullLoad is a steady state in which every source is full: a few come and go, so few that their shares are
// half of the slots, and the others are held. Each outcome frees the one source that can start anything.
func dispatchFullLoad(r *run) error {
	w := newWorld(r.c, 0)
	busy := max(1, r.c.Slots/2/w.cfg.Share)
	if busy >= len(w.pool) {
		return fmt.Errorf("bench: %d peers are too few for %d slots to keep full", len(w.pool), r.c.Slots)
	}
	lively := make([]scheduler.Peer, busy)
	copy(lively, w.pool)
	w.extra = func(i int, sources []scheduler.Peer) {
		p := lively[i%busy]
		for j := range sources {
			if sources[j] == p {
				return
			}
		}
		sources[len(sources)-1] = p
	}
	w.cfg.Slots = w.cfg.Share*(len(w.pool)-busy) + r.c.Slots
	w.cfg.MaxQueued += w.cfg.Slots
	w.cfg.ContactTable = max(w.cfg.ContactTable, w.cfg.Slots)
	if err := w.boot(); err != nil {
		return err
	}
	if err := w.hold(w.pool[busy:]); err != nil {
		return err
	}
	w.head = len(w.flights)
	if err := w.dispatch(r); err != nil {
		return err
	}
	if full := w.m.Snapshot(now).SourcesAtLimit; full != len(w.pool) {
		return fmt.Errorf("bench: %d sources of %d are full, all should be", full, len(w.pool))
	}
	return nil
}

// dispatch builds the queue, fills the slots, and then ends the oldest attempt, queues a new key and fills, over and
// over.
func (w *world) dispatch(r *run) error {
	if _, err := w.build(w.c.Keys); err != nil {
		return err
	}
	w.starts = w.m.Fill(now, w.starts[:0])
	w.takeStarts()
	w.flights = slices.Grow(w.flights, r.c.Slots+2*chunk)
	started := 0
	total := min(dispatches, w.c.Keys)
	r.add(chunks(fmt.Sprintf("%s@%d", r.c.Load, r.c.Slots), total, func(from, to int) {
		w.prepare(w.c.Keys+from, w.c.Keys+to)
		w.flights = append(w.flights[:0], w.flights[w.head:]...)
		w.head = 0
	}, func(from, to int) {
		for i := range to - from {
			if w.head < len(w.flights) {
				w.finish(w.flights[w.head])
				w.head++
			}
			w.m.Enqueue(now, w.keys[i], scheduler.Distance(w.keys[i]), w.sources[i])
			w.starts = w.m.Fill(now, w.starts[:0])
			w.takeStarts()
			started += len(w.starts)
		}
	}))
	if started < total-w.c.Slots {
		return fmt.Errorf("bench: %d rounds started only %d attempts: this is no steady state", total, started)
	}
	return nil
}
