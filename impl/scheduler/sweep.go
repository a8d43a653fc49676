package scheduler

// A pass in which few keys can start is likely to look far for one, through most
// of a large backlog. It files the nearest keys one by one, as any pass does. After
// a part of them it looks for the one that can start in the order of memory, which
// is many times faster, and files none on the way: a later pass that reaches them
// does. So one such pass costs a fraction of what filing everything would, and all
// of them together about twice as much as that.

const (
	// sweepOpen is how many startable associations are few.
	sweepOpen = 16
	// sweepShare is the part of the backlog, one in so many keys, that is filed
	// before each sweep.
	sweepShare = 16
)

// sweepPays reports whether to go on by a sweep.
func (s *Scheduler) sweepPays() bool {
	n := s.backlog.size()
	return s.openAssoc <= sweepOpen && s.examined > n/sweepShare && n >= s.idCount()/sweepShare
}

// sweep does at once what takeNearest does key by key, but for filing: it parks
// the backlog keys nearer than the nearest that can start, and returns that one,
// off the backlog. filed is the nearest filed key that can start, or none.
func (s *Scheduler) sweep(filed uint32) uint32 {
	s.examined = 0
	s.touched += uint64(s.idCount())
	first := filed
	for id, k := range s.allKeys() {
		if k.waits() && (first == none || s.nearer(id, first)) && s.canStart(k) {
			first = id
		}
	}
	for id, k := range s.allKeys() {
		if k.waits() && s.nearer(id, first) {
			s.noteParked(k)
		}
	}
	s.listFilter(&s.backlog, func(id uint32) bool { return id != first })
	return first
}
