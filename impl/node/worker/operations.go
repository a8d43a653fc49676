package worker

import (
	"time"

	"fetchproof/impl/scheduler"
)

// Item is a key to be queued with its verified sources, in preference order.
type Item struct {
	Key      scheduler.Key
	Distance scheduler.Distance
	Sources  []scheduler.Peer
}

// Add takes an advertisement of a key (PND-2, ADV-1). A claimant merged into a
// parked key can make it startable (PRK-2), hence the pass.
func (w *Worker) Add(key scheduler.Key, hints []scheduler.Hint) scheduler.AddResult {
	o := w.enter()
	defer o.leave()
	r := w.sched.Add(o.now, key, hints)
	if rec := w.ports.Recorder; rec != nil {
		rec.Add(o.now, key, hints, r)
	}
	if r == scheduler.AlreadyPresent {
		o.fill()
	}
	return r
}

// Promote queues a pending key with its verified sources (PND-4).
func (w *Worker) Promote(it Item) scheduler.EnqueueResult {
	o := w.enter()
	defer o.leave()
	r := w.sched.Promote(o.now, it.Key, it.Distance, it.Sources)
	if rec := w.ports.Recorder; rec != nil {
		rec.Promote(o.now, it.Key, it.Distance, it.Sources, r)
	}
	if r == scheduler.Queued {
		o.fill()
	}
	return r
}

// Enqueue queues keys that are in no stage (PND-5), then runs one pass over all of
// them, so that the nearest start first whatever their order here. The results are
// in the order of the items.
func (w *Worker) Enqueue(items ...Item) []scheduler.EnqueueResult {
	results := make([]scheduler.EnqueueResult, len(items))
	o := w.enter()
	defer o.leave()
	queued := false
	for i, it := range items {
		r := w.sched.Enqueue(o.now, it.Key, it.Distance, it.Sources)
		if rec := w.ports.Recorder; rec != nil {
			rec.Enqueue(o.now, it.Key, it.Distance, it.Sources, r)
		}
		queued = queued || r == scheduler.Queued
		results[i] = r
	}
	if queued {
		o.fill()
	}
	return results
}

// Depart takes a peer that left the network out of everything that could still
// lead to it (section 13). Running attempts at it go on (DEP-4). It frees nothing,
// so no pass follows.
func (w *Worker) Depart(peer scheduler.Peer) {
	o := w.enter()
	defer o.leave()
	o.events = w.sched.Depart(o.now, peer, o.events)
	if rec := w.ports.Recorder; rec != nil {
		rec.Depart(o.now, peer, o.events)
	}
}

// Remove drops a pending key (PND-9).
func (w *Worker) Remove(key scheduler.Key) scheduler.RemoveResult {
	o := w.enter()
	defer o.leave()
	e, r := w.sched.Remove(o.now, key)
	if rec := w.ports.Recorder; rec != nil {
		rec.Remove(o.now, key, e, r)
	}
	if r == scheduler.Removed {
		o.events = append(o.events, e)
	}
	return r
}

// Evict drops the pending keys that are maxAge old or older, and returns how many
// (PND-9).
func (w *Worker) Evict(maxAge time.Duration) int {
	o := w.enter()
	defer o.leave()
	o.events = w.sched.Evict(o.now, maxAge, o.events)
	if rec := w.ports.Recorder; rec != nil {
		rec.Evict(o.now, maxAge, o.events)
	}
	return len(o.events)
}

// Ready appends to dst the pending keys whose verification is due, at most limit,
// in key order (PND-10).
func (w *Worker) Ready(limit int, dst []scheduler.Key) []scheduler.Key {
	w.mu.Lock()
	defer w.mu.Unlock()
	now := w.ports.Clock.Now()
	from := len(dst)
	dst = w.sched.Ready(now, limit, dst)
	if rec := w.ports.Recorder; rec != nil {
		rec.Ready(now, limit, dst[from:])
	}
	return dst
}

// Drained reports whether none of the keys is in any stage (BOOT-1).
func (w *Worker) Drained(keys []scheduler.Key) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.drained(keys)
}

func (w *Worker) drained(keys []scheduler.Key) bool {
	r := w.sched.Drained(keys)
	if rec := w.ports.Recorder; rec != nil {
		rec.Drained(w.ports.Clock.Now(), keys, r)
	}
	return r
}

// undrained returns nil if the keys are drained, else a channel that is closed
// when it is time to ask again, both under one lock, so that no key leaves unseen
// in between. rest are the keys not yet seen drained: they are asked about one by
// one, and all keys together, as the rule wants it, only when none is left.
func (w *Worker) undrained(keys []scheduler.Key, rest *[]scheduler.Key) <-chan struct{} {
	w.mu.Lock()
	defer w.mu.Unlock()
	for len(*rest) > 0 && w.drained((*rest)[:1]) {
		*rest = (*rest)[1:]
	}
	if len(*rest) == 0 {
		if w.drained(keys) {
			return nil
		}
		*rest = keys
	}
	if w.moved == nil {
		w.moved = make(chan struct{})
	}
	return w.moved
}

// stop stops the scheduler, and reports whether it was the first to do so.
func (w *Worker) stop() bool {
	o := w.enter()
	defer o.leave()
	if w.stopping {
		return false
	}
	w.stopping = true
	w.sched.Stop(o.now)
	if rec := w.ports.Recorder; rec != nil {
		rec.Stop(o.now)
	}
	return true
}
