package scheduler

// The pending keys stand in two heaps: due by their bytes, if their verification
// is due at the clock's time, else waiting by when it is. So who asks for the few
// keys that are ready never pays for those that are not (PND-10).

// dueOrder orders the keys that are due.
type dueOrder struct{ s *Scheduler }

func (o dueOrder) before(a, b uint32) bool    { return o.s.keyLess(a, b) }
func (o dueOrder) moved(id uint32, pos int32) { o.s.detail(id).pos = uint32(pos) }

// waitOrder orders the others.
type waitOrder struct{ s *Scheduler }

func (o waitOrder) before(a, b uint32) bool {
	return o.s.entry(a).nextVerify < o.s.entry(b).nextVerify
}
func (o waitOrder) moved(id uint32, pos int32) { o.s.detail(id).pos = uint32(pos) }

// pendingCount is how many keys are pending.
func (s *Scheduler) pendingCount() int { return len(s.due) + len(s.waiting) }

// joinPending makes a key with an entry pending.
func (s *Scheduler) joinPending(id uint32) {
	s.key(id).stage = stagePending
	if s.entry(id).nextVerify > s.clock {
		s.waiting = heapPush(waitOrder{s}, s.waiting, id)
		return
	}
	s.setPrefix(id, prefixOf((*[32]byte)(&s.detail(id).name)))
	s.due = heapPush(dueOrder{s}, s.due, id)
}

// leavePending takes a pending key out of the heap that it is in.
func (s *Scheduler) leavePending(id uint32) {
	pos := int(s.detail(id).pos)
	if s.entry(id).nextVerify > s.clock {
		s.waiting = heapRemove(waitOrder{s}, s.waiting, pos)
	} else {
		s.due = heapRemove(dueOrder{s}, s.due, pos)
	}
}

// fallDue moves the pending keys that the clock has reached.
func (s *Scheduler) fallDue() {
	for len(s.waiting) > 0 {
		id := s.waiting[0]
		if s.entry(id).nextVerify > s.clock {
			return
		}
		s.waiting = heapRemove(waitOrder{s}, s.waiting, 0)
		s.setPrefix(id, prefixOf((*[32]byte)(&s.detail(id).name)))
		s.due = heapPush(dueOrder{s}, s.due, id)
	}
}

// Ready appends to dst the pending keys whose verification is due at now, in key
// order, at most limit (PND-10). It is a query: it changes nothing. It looks at
// what it returns, and at the keys that fall due between the clock's time and
// now.
func (s *Scheduler) Ready(now Time, limit int, dst []Key) []Key {
	limit = max(limit, 0)
	s.picks = s.firstDue(limit, s.picks[:0])
	first := len(s.picks)
	if s.picks = s.dueBy(now, 0, s.picks); len(s.picks) > first {
		s.sortNames(s.picks)
	}
	for _, id := range s.picks[:min(limit, len(s.picks))] {
		dst = append(dst, s.detail(id).name)
	}
	return dst
}

// frontier orders positions in due by their keys.
type frontier struct{ s *Scheduler }

func (o frontier) before(a, b uint32) bool { return o.s.keyLess(o.s.due[a], o.s.due[b]) }
func (o frontier) moved(uint32, int32)     {}

// firstDue appends the first of the keys that are due to dst, at most limit, in
// order: each is the least of those whose parents in the heap came before.
func (s *Scheduler) firstDue(limit int, dst []uint32) []uint32 {
	open := s.listed[:0]
	if len(s.due) > 0 {
		open = append(open, 0)
	}
	for len(open) > 0 && len(dst) < limit {
		at := open[0]
		dst = append(dst, s.due[at])
		open = heapRemove(frontier{s}, open, 0)
		for down := 2*at + 1; down <= 2*at+2 && int(down) < len(s.due); down++ {
			open = heapPush(frontier{s}, open, down)
		}
	}
	s.listed = open
	return dst
}

// dueBy appends the waiting keys that are due by now to dst, from position at of
// the heap down.
func (s *Scheduler) dueBy(now Time, at int, dst []uint32) []uint32 {
	if at >= len(s.waiting) || s.entry(s.waiting[at]).nextVerify > now {
		return dst
	}
	dst = append(dst, s.waiting[at])
	return s.dueBy(now, 2*at+2, s.dueBy(now, 2*at+1, dst))
}
