package twin

import (
	"slices"

	"fetchproof/impl/scheduler"
)

// Promote moves a pending key to the heap with its verified sources (PND-4).
func (s *Scheduler) Promote(now Time, key Key, distance Distance, sources []Peer) scheduler.EnqueueResult {
	s.begin(now)
	r := s.pending[key]
	switch {
	case r == nil:
		return scheduler.NotPending
	case len(sources) == 0:
		return scheduler.NoSource
	case s.queued() >= s.cfg.MaxQueued:
		return scheduler.QueueFull
	}
	delete(s.pending, key)
	s.reserved++
	s.push(r, distance, sources)
	return scheduler.Queued
}

// Enqueue puts a key that is in no stage straight into the heap, without an entry (PND-5).
func (s *Scheduler) Enqueue(now Time, key Key, distance Distance, sources []Peer) scheduler.EnqueueResult {
	s.begin(now)
	switch {
	case s.active[key] != nil || s.pending[key] != nil:
		return scheduler.Present
	case len(sources) == 0:
		return scheduler.NoSource
	case s.queued() >= s.cfg.MaxQueued:
		return scheduler.QueueFull
	}
	s.push(&record{key: key}, distance, sources)
	return scheduler.Queued
}

// push puts a key into the heap with the first SourceCap of its sources, duplicates dropped.
func (s *Scheduler) push(r *record, distance Distance, sources []Peer) {
	r.distance = distance
	r.untried = make([]*peer, 0, min(len(sources), s.cfg.SourceCap))
	for _, name := range sources {
		if len(r.untried) == s.cfg.SourceCap {
			break
		}
		if p := s.peer(name); !slices.Contains(r.untried, p) {
			r.untried = append(r.untried, p)
		}
	}
	r.stage = stageHeap
	s.heap.push(r)
	s.active[r.key] = r
}

// unqueue takes a queued key out of the heap or the parked set.
func (s *Scheduler) unqueue(r *record) {
	if r.stage == stageHeap {
		s.heap.remove(r)
		return
	}
	s.parked--
	for _, p := range r.untried {
		s.unindex(p, r)
	}
}

// park indexes a key that is in no queue under its untried sources (PRK-1).
func (s *Scheduler) park(r *record) {
	r.stage = stageParked
	s.parked++
	s.counters.Parked++
	for _, p := range r.untried {
		s.index(p, r)
	}
}

func (s *Scheduler) index(p *peer, r *record) {
	if p.parked.n == 0 {
		p.indexAt = len(s.indexed)
		s.indexed = append(s.indexed, p)
	}
	p.parked.insert(r)
}

func (s *Scheduler) unindex(p *peer, r *record) {
	p.parked.remove(r)
	if p.parked.n > 0 {
		return
	}
	last := len(s.indexed) - 1
	moved := s.indexed[last]
	s.indexed[p.indexAt], moved.indexAt = moved, p.indexAt
	s.indexed[last] = nil
	s.indexed = s.indexed[:last]
}

// nearestParked returns the nearest parked key that can start, or nil: the nearest of the first keys of all sources
// that can start.
func (s *Scheduler) nearestParked() *record {
	var best *record
	s.touched += uint64(len(s.indexed))
	for _, p := range s.indexed {
		if s.canStart(p) && (best == nil || nearer(p.parked.first, best)) {
			best = p.parked.first
		}
	}
	return best
}
