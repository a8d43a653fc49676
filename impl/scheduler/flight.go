package scheduler

import "math/bits"

// flight is one attempt in flight.
type flight struct {
	place    Place // its request place, which is its id
	given    Place // of its answer, if one arrived (SEQ-1)
	started  Time
	key      uint32
	source   uint32
	tracked  bool // its source was, when it started (CON-9)
	answered bool // an answer of it was applied (CON-5)
	busy     bool // that was a busy (BSY-1)
}

// attemptTable finds the flight of an attempt id by open addressing, and keeps
// the free flights.
type attemptTable struct {
	slots []attemptSlot
	n     int
	free  []uint32
}

type attemptSlot struct {
	place  Place // 0 is an empty slot
	flight uint32
}

// home is where an attempt belongs; ids come in sequence, so the golden ratio
// spreads them.
func (t *attemptTable) home(place Place) uint64 {
	return place * 0x9e3779b97f4a7c15 >> (65 - bits.Len(uint(len(t.slots))))
}

// find returns the flight of an attempt, or none.
func (t *attemptTable) find(place Place) uint32 {
	if len(t.slots) == 0 {
		return none
	}
	mask := uint64(len(t.slots) - 1)
	for i := t.home(place); t.slots[i].place != 0; i = (i + 1) & mask {
		if t.slots[i].place == place {
			return t.slots[i].flight
		}
	}
	return none
}

func (t *attemptTable) insert(place Place, f uint32) {
	if 2*(t.n+1) > len(t.slots) {
		old := t.slots
		t.slots = make([]attemptSlot, max(8, 2*len(old)))
		for _, e := range old {
			if e.place != 0 {
				t.put(e)
			}
		}
	}
	t.put(attemptSlot{place, f})
	t.n++
}

func (t *attemptTable) put(e attemptSlot) {
	mask := uint64(len(t.slots) - 1)
	i := t.home(e.place)
	for t.slots[i].place != 0 {
		i = (i + 1) & mask
	}
	t.slots[i] = e
}

// remove takes out an attempt that is in the table.
func (t *attemptTable) remove(place Place) {
	mask := uint64(len(t.slots) - 1)
	hole := t.home(place)
	for t.slots[hole].place != place {
		hole = next(hole, mask)
	}
	for i := next(hole, mask); t.slots[i].place != 0; i = next(i, mask) {
		if (i-t.home(t.slots[i].place))&mask >= (i-hole)&mask {
			t.slots[hole] = t.slots[i]
			hole = i
		}
	}
	t.slots[hole] = attemptSlot{}
	t.n--
}

// newFlight files a flight and returns its number.
func (s *Scheduler) newFlight(f flight) uint32 {
	n := uint32(len(s.flights))
	if last := len(s.attempts.free) - 1; last >= 0 {
		n = s.attempts.free[last]
		s.attempts.free = s.attempts.free[:last]
		s.flights[n] = f
	} else {
		s.flights = append(s.flights, f)
	}
	s.attempts.insert(f.place, n)
	return n
}

// endFlight forgets a flight.
func (s *Scheduler) endFlight(n uint32) {
	s.attempts.remove(s.flights[n].place)
	s.attempts.free = append(s.attempts.free, n)
	s.flights[n] = flight{}
}

// findFlight returns the flight of an attempt, or nil: it is not in flight any
// more, or never was (SEQ-2). The pointer is good until the next start.
func (s *Scheduler) findFlight(attempt Place) (*flight, uint32) {
	n := s.attempts.find(attempt)
	if n == none {
		return nil, n
	}
	return &s.flights[n], n
}
