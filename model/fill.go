package model

import "fetchproof/ops"

// fill is a fill pass: it hands out free slots one at a time, each to the nearest key that can start as the state stands
// then (FIL-1), and ends when no slot is free or no key can start (FIL-3). The starts are reported in order (FIL-4). After
// a stop nothing starts or parks (OUT-8).
func (s *Scheduler) fill(now ops.Time, res *ops.Result) {
	s.noteFill(now)
	for s.slotFree() && !s.stopped {
		next, ok := s.nearestThatCanStart(now)
		if !ok {
			s.noteNothingStarts()
			s.parkNearerThan(len(s.queued))
			break
		}
		s.noteNext(next, now)
		s.parkNearerThan(next)
		q := s.takeQueued(next)
		source, _ := s.choose(q.untried, now)
		s.start(q.work, source, now, res)
	}
	s.noteFilled(res)
}

// slotFree reports whether fewer than Slots attempts are in flight.
func (s *Scheduler) slotFree() bool { return int64(len(s.flights)) < s.cfg.Slots }

// nearestThatCanStart is the position in the queue, nearest first, of the nearest key that can start, over the heap and
// the parked set alike (FIL-1). Every queued key is decided anew each time: so the next pass sees whatever made a parked key
// startable (PRK-2), and no slot stays free while a key can start (LIV-1).
func (s *Scheduler) nearestThatCanStart(now ops.Time) (int, bool) {
	for i := range s.queued {
		if _, ok := s.choose(s.queued[i].untried, now); ok {
			return i, true
		}
	}
	return 0, false
}

// parkNearerThan parks the heap keys among the first n of the queue (FIL-2): those that cannot start and stand before the
// key that takes the slot (FIL-3). Parking keeps all that a key carries (PRK-5), and indexes it under its untried sources
// (PRK-1): State finds the index by scanning the parked keys. Here parked is a flag; how to keep it is the implementation's
// affair (PRK-6).
func (s *Scheduler) parkNearerThan(n int) {
	for i := range s.queued[:n] {
		if q := &s.queued[i]; !q.parked {
			q.parked = true
			s.counters[ops.Parked]++ // SUM-1
			s.notePark(&q.work)
		}
	}
}
