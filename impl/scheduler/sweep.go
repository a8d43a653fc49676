package scheduler

// A pass in which few keys can start is likely to examine most of a large backlog
// before it finds one. It examines the nearest keys one by one, as any pass does,
// and files them. After a part of the backlog it sweeps: it reads all keys in the
// order of memory, which is many times faster, for the nearest that can start, and
// files none of those before it: a later pass that reaches them does. So one such
// pass costs a fraction of filing everything, and all together about twice that.

const (
	// sweepOpen is up to how many open associations are few, see openAssoc.
	sweepOpen = 16
	// sweepShare: one in so many keys of the backlog is filed before each sweep.
	sweepShare = 16
)

// sweepPays reports whether the pass should go on by a sweep.
func (s *Scheduler) sweepPays() bool {
	n := s.backlog.size()
	return s.openAssoc <= sweepOpen && s.examined > n/sweepShare && n >= s.idCount()/sweepShare
}

// sweep does at once what takeNearest does key by key, but files nothing: it
// returns the nearest key that can start, taken off the backlog, and parks the
// nearer backlog keys singly. filed is the nearest filed key that can start, or
// none.
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
