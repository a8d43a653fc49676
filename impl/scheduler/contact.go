package scheduler

// markOrder orders silent peers by the end of their marks.
type markOrder struct{ s *Scheduler }

func (o markOrder) before(a, b uint32) bool {
	return o.s.peers[a].markedUntil < o.s.peers[b].markedUntil
}
func (o markOrder) moved(p uint32, pos int32) { o.s.peers[p].markPos = pos }

// silent is the verdict on a peer (CON-1, CON-8). The clock has ended every mark
// and the window that time has ended, and with Silence off neither exists.
func (s *Scheduler) silent(p uint32) bool {
	rec := &s.peers[p]
	if rec.tracked {
		return rec.markPos >= 0
	}
	return s.overflowUntil != 0
}

// answered applies an answer at place a (CON-2), if its source is tracked
// (CON-9).
func (s *Scheduler) answered(p uint32, a Place) {
	rec := &s.peers[p]
	if !rec.tracked || a <= rec.lastAnswer {
		return
	}
	rec.lastAnswer = a
	if rec.markPos >= 0 && rec.lastUnanswered <= a {
		s.unmark(p)
		s.counters.MarksCleared++
	}
}

// unanswered applies the failure of a tracked attempt with request place r
// (CON-3).
func (s *Scheduler) unanswered(p uint32, r Place) {
	rec := &s.peers[p]
	if r <= rec.lastUnanswered {
		return
	}
	rec.lastUnanswered = r
	until := after(s.clock, s.cfg.MarkLifetime)
	if r <= rec.lastAnswer || !s.cfg.Silence || until == s.clock {
		return // at the end of time a mark ends before it begins
	}
	rec.markedUntil = until
	if rec.markPos >= 0 {
		heapFix(markOrder{s}, s.marks, int(rec.markPos))
		s.counters.MarksRefreshed++
		return
	}
	s.marks = heapPush(markOrder{s}, s.marks, p)
	s.counters.MarksSet++
	s.settle(p)
}

// unmark ends a mark.
func (s *Scheduler) unmark(p uint32) {
	s.marks = heapRemove(markOrder{s}, s.marks, int(s.peers[p].markPos))
	s.settle(p)
}

// track takes a source into the contact table at the start of an attempt
// (CON-7), and reports whether it is in there; the start settles it. If there is
// no room and none can be made, the overflow window opens or is extended (CON-8).
func (s *Scheduler) track(p uint32) bool {
	rec := &s.peers[p]
	if rec.tracked {
		return true
	}
	if s.tracked >= s.cfg.ContactTable {
		s.dropIdle()
	}
	if s.tracked < s.cfg.ContactTable {
		rec.tracked = true
		rec.lastAnswer, rec.lastUnanswered = 0, 0
		s.hot[p].refs++
		s.tracked++
		return true
	}
	if s.cfg.Silence {
		s.counters.Overflows++
		if until := after(s.clock, s.cfg.MarkLifetime); until > s.clock {
			s.overflowUntil = until
			s.windowMoved()
		}
	}
	return false
}

// dropIdle drops every contact entry that is not silent and has no attempt in
// flight.
func (s *Scheduler) dropIdle() {
	for n := len(s.idle); n > 0; n = len(s.idle) {
		p := s.idle[n-1]
		s.peers[p].tracked = false
		s.tracked--
		s.settle(p)
		s.unref(p)
	}
}

// windowMoved settles the peers whose verdict the overflow window decides and
// matters: one with room can start either way.
func (s *Scheduler) windowMoved() {
	for _, p := range s.fullUntracked {
		s.settle(p)
	}
}

// settle brings what depends on a peer's verdict and load up to date: whether it
// can start, with the counts and the ready heap that follow from it, and the
// sets that the contact table works on.
func (s *Scheduler) settle(p uint32) {
	rec, hot := &s.peers[p], &s.hot[p]
	full := int(hot.inFlight) >= s.cfg.Share
	if idle := rec.tracked && rec.markPos < 0 && hot.inFlight == 0; idle != (rec.idlePos >= 0) {
		s.setIdle(p, idle)
	}
	if exposed := full && !rec.tracked; exposed != (rec.fullPos >= 0) {
		s.setFullUntracked(p, exposed)
	}
	can := !full || s.silent(p)
	if can == hot.can {
		return
	}
	hot.can = can
	if hot.live > 0 {
		by := -1
		if can {
			by = 1
		}
		s.startable += by
		s.openAssoc += by * int(hot.live-hot.filed)
	}
	s.settleReady(p)
}

func (s *Scheduler) setIdle(p uint32, in bool) {
	if in {
		s.peers[p].idlePos = int32(len(s.idle))
		s.idle = append(s.idle, p)
		return
	}
	i, last := s.peers[p].idlePos, len(s.idle)-1
	s.idle[i] = s.idle[last]
	s.peers[s.idle[i]].idlePos = i
	s.idle = s.idle[:last]
	s.peers[p].idlePos = -1
}

func (s *Scheduler) setFullUntracked(p uint32, in bool) {
	if in {
		s.peers[p].fullPos = int32(len(s.fullUntracked))
		s.fullUntracked = append(s.fullUntracked, p)
		return
	}
	i, last := s.peers[p].fullPos, len(s.fullUntracked)-1
	s.fullUntracked[i] = s.fullUntracked[last]
	s.peers[s.fullUntracked[i]].fullPos = i
	s.fullUntracked = s.fullUntracked[:last]
	s.peers[p].fullPos = -1
}

// load changes how many attempts at a peer are in flight by one.
func (s *Scheduler) load(p uint32, by int32) {
	hot := &s.hot[p]
	before := int(hot.inFlight) >= s.cfg.Share
	hot.inFlight += by
	if at := int(hot.inFlight) >= s.cfg.Share; at != before {
		s.atLimit += int(by)
	}
	s.settle(p)
}
