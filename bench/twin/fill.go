package twin

import (
	"slices"

	"fetchproof/impl/scheduler"
)

// Fill hands out the free slots, each to the nearest key that can start, and appends what it started to dst (FIL-1 to
// FIL-4).
func (s *Scheduler) Fill(now Time, dst []scheduler.Start) []scheduler.Start {
	s.begin(now)
	for !s.stopped && len(s.attempts) < s.cfg.Slots {
		r := s.takeNearest()
		if r == nil {
			break
		}
		a := s.start(r, s.choose(r))
		dst = append(dst, scheduler.Start{Key: r.key, Source: a.source.name, Attempt: a.place})
	}
	return dst
}

// takeNearest takes the nearest key that can start out of its queue, or returns nil. The heap keys passed over on the
// way to it are parked (FIL-2, FIL-3); none of them can start, so they do not change which parked key is nearest.
func (s *Scheduler) takeNearest() *record {
	best := s.nearestParked()
	for {
		top := s.heap.top()
		if top == nil || best != nil && nearer(best, top) {
			if best != nil {
				s.unqueue(best)
			}
			return best
		}
		s.touched++
		s.heap.remove(top)
		if slices.ContainsFunc(top.untried, s.canStart) {
			return top
		}
		s.park(top)
	}
}

// choose returns the position of the untried source to use (SRC-2), or -1 if none can start.
func (s *Scheduler) choose(r *record) int {
	best, least := -1, 0
	for i, p := range r.untried {
		if !s.canStart(p) {
			continue
		}
		rank := 0
		if s.cooling(p) {
			rank += 2
		}
		if s.silent(p) {
			rank++
		}
		if best < 0 || rank < least {
			best, least = i, rank
		}
	}
	return best
}

// start starts an attempt at the i-th untried source of a key that is in no queue.
func (s *Scheduler) start(r *record, i int) *attempt {
	p := r.untried[i]
	r.untried = slices.Delete(r.untried, i, i+1)
	r.tried = append(r.tried, p)
	r.stage = stageInFlight
	r.attempt = &attempt{place: s.next, record: r, source: p, started: s.clock, tracked: s.track(p)}
	s.attempts[s.next] = r.attempt
	s.next++
	p.inFlight++
	s.counters.Started++
	return r.attempt
}
