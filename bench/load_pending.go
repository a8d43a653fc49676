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
	r.add(measure("remove", quarter, func() {
		for i := range quarter {
			if _, res := w.m.Remove(now, key(quarter+i*stride%quarter)); res != scheduler.Removed {
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
	var m meter
	wrong := 0
	hints := make([][]scheduler.Hint, chunk)
	w.eachChunk(w.c.Keys, func(from, to int) {
		for i := range to - from {
			hints[i] = hints[i][:0]
			for j, p := range w.sources[i][:min(w.c.Sources, w.cfg.MaxHintSources)] {
				hints[i] = append(hints[i], scheduler.Hint{Peer: p, Claimant: j%2 == 0})
			}
		}
		m.start()
		for i := range to - from {
			if w.m.Add(now, w.keys[i], hints[i]) != scheduler.Admitted {
				wrong++
			}
		}
		m.stop()
	})
	if wrong > 0 {
		return fmt.Errorf("bench: %d keys were not admitted", wrong)
	}
	r.add(m.sample("add", w.c.Keys))
	return nil
}

// promote promotes the first n keys.
func (w *world) promote(r *run, n int) error {
	var m meter
	wrong := 0
	w.eachChunk(n, func(from, to int) {
		m.start()
		for i := range to - from {
			if w.m.Promote(now, w.keys[i], scheduler.Distance(w.keys[i]), w.sources[i]) != scheduler.Queued {
				wrong++
			}
		}
		m.stop()
	})
	if wrong > 0 {
		return fmt.Errorf("bench: %d keys were not promoted", wrong)
	}
	r.add(m.sample("promote", n))
	return nil
}
