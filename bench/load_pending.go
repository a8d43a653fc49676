package bench

import (
	"fmt"
	"math"

	"fetchproof/impl/scheduler"
)

// pendingLoad fills the pending table and empties it: admissions, promotions of a quarter, removals of a quarter, an
// eviction that finds nothing old, and one that takes the rest.
func pendingLoad(r *run) error {
	w := newWorld(r.c, 1)
	if err := w.boot(); err != nil {
		return err
	}
	if err := w.admitAll(r); err != nil {
		return err
	}
	quarter := w.c.Keys / 4
	stride := coprime(quarter)
	if err := w.promote(r, quarter); err != nil {
		return err
	}
	wrong := 0
	r.add(chunks("remove", quarter, func(from, to int) {
		for i := from; i < to; i++ {
			w.keys[i-from] = key(quarter + i*stride%quarter)
		}
	}, func(from, to int) {
		for i := range to - from {
			if _, res := w.m.Remove(now, w.keys[i]); res != scheduler.Removed {
				wrong++
			}
		}
	}))
	r.add(measure("evict-none", 1, func() { w.events = w.m.Evict(now, math.MaxInt64, w.events[:0]) }))
	wrong += len(w.events)
	rest := w.c.Keys - 2*quarter
	r.add(measure("evict", rest, func() { w.events = w.m.Evict(now, 0, w.events[:0]) }))
	if wrong > 0 || len(w.events) != rest {
		return fmt.Errorf("bench: %d removals or evictions went wrong, %d keys of %d were evicted", wrong, len(w.events), rest)
	}
	return nil
}

// admitAll adds every key with as many hint sources as it has sources, at most the bound.
func (w *world) admitAll(r *run) error {
	wrong := 0
	var hints [chunk][]scheduler.Hint
	for i := range hints {
		hints[i] = make([]scheduler.Hint, 0, w.cfg.MaxHintSources)
	}
	r.add(chunks("add", w.c.Keys, func(from, to int) {
		w.prepare(from, to)
		for i := range to - from {
			hints[i] = hints[i][:0]
			for j, p := range w.sources[i][:min(w.c.Sources, w.cfg.MaxHintSources)] {
				hints[i] = append(hints[i], scheduler.Hint{Peer: p, Claimant: j%2 == 0})
			}
		}
	}, func(from, to int) {
		for i := range to - from {
			if w.m.Add(now, w.keys[i], hints[i]) != scheduler.Admitted {
				wrong++
			}
		}
	}))
	if wrong > 0 {
		return fmt.Errorf("bench: %d keys were not admitted", wrong)
	}
	return nil
}

// promote promotes the first n keys.
func (w *world) promote(r *run, n int) error {
	wrong := 0
	r.add(chunks("promote", n, w.prepare, func(from, to int) {
		for i := range to - from {
			if w.m.Promote(now, w.keys[i], scheduler.Distance(w.keys[i]), w.sources[i]) != scheduler.Queued {
				wrong++
			}
		}
	}))
	if wrong > 0 {
		return fmt.Errorf("bench: %d keys were not promoted", wrong)
	}
	return nil
}
