package scheduler

// Fill is the fill pass: it hands out the free slots, each to the nearest key
// that can start, and appends what it started to dst (FIL-1 to FIL-4). After Stop
// it does nothing (OUT-8).
func (s *Scheduler) Fill(now Time, dst []Start) []Start {
	s.advance(now)
	if s.stopped {
		return dst
	}
	for s.attempts.n < s.cfg.Slots {
		if s.startable == 0 {
			s.parkBacklog()
			break
		}
		id := s.takeNearest()
		pos := s.choose(id)
		s.unqueue(id)
		dst = append(dst, s.start(id, pos))
	}
	return dst
}

// takeNearest returns the nearest queued key that can start; there is one. The
// heap keys nearer than it are parked on the way (FIL-2, FIL-3). If the key was
// in the backlog it is taken off.
func (s *Scheduler) takeNearest() uint32 {
	b, filed := &s.backlog, s.readyTop()
	for n := 1; ; n++ {
		s.touched++
		near := s.listFirst(b)
		if near == none || filed != none && s.nearer(filed, near) {
			return filed
		}
		if s.canStart(s.key(near)) {
			s.listDrop(b, near)
			return near
		}
		if s.sweepPays() {
			return s.sweep(filed)
		}
		s.listDrop(b, near)
		s.parkExamined(near)
		s.examined++
		if n%warmAhead == 0 {
			s.warmSources(b.ids[b.head:min(b.run, b.head+warmAhead)])
		}
	}
}

// canStart reports whether one of a key's untried sources can start.
func (s *Scheduler) canStart(k *keyRec) bool {
	for _, p := range s.untried(k) {
		if s.hot[p].can {
			return true
		}
	}
	return false
}

// choose returns the position of the untried source to use (SRC-2), or -1: the
// first of the least by (cooling, silent) among those that can start.
func (s *Scheduler) choose(id uint32) int {
	best, least := -1, 4
	for i, p := range s.untried(s.key(id)) {
		if !s.hot[p].can {
			continue
		}
		rank := 0
		if s.cooling(p) {
			rank = 2
		}
		if s.silent(p) {
			rank++
		}
		if rank < least {
			best, least = i, rank
		}
		if least == 0 {
			break
		}
	}
	return best
}

// start starts an attempt at the untried source at pos of a key that is in no
// queue.
func (s *Scheduler) start(id uint32, pos int) Start {
	k := s.key(id)
	words := s.untried(k)
	p := words[pos]
	copy(words[pos:], words[pos+1:])
	words[len(words)-1] = p
	k.untried--
	k.tried++
	place := s.next
	s.next++
	tracked := s.track(p)
	m := s.detail(id)
	m.pos = s.newFlight(flight{place: place, key: id, source: p, started: s.clock, tracked: tracked})
	s.load(p, 1)
	s.counters.Started++
	return Start{Key: m.name, Source: s.peers[p].name, Attempt: place}
}
