package scheduler

// Examining a large backlog key by key, nearest first, touches memory in random
// order. When few of its keys can start, the nearest of those is likely to have a
// large part of the backlog before it, and two scans in memory order are cheaper:
// one finds that key, one files all that are nearer.

const (
	bulkKeys = 1024 // backlogs smaller than this are walked
	bulkOpen = 16   // with more startable associations than this, too
)

// bulkPays reports whether to examine the backlog by scanning all keys: few of it
// can start, and it is a fair part of all keys.
func (s *Scheduler) bulkPays() bool {
	n := s.backlog.len()
	return n >= bulkKeys && s.openAssoc <= bulkOpen && n >= len(s.keys)/8
}

// examineAll does at once what takeNearest does key by key: it files and parks
// the backlog keys nearer than the nearest that can start. limit is the nearest
// filed key that can start, or none: what is not nearer is left alone (FIL-3).
func (s *Scheduler) examineAll(limit uint32) {
	nearest := s.nearestOpen(limit)
	s.reserveLists()
	for id := range s.keys {
		k := &s.keys[id]
		if k.stage == stageQueued && !k.filed && s.nearer(uint32(id), nearest) {
			s.parkExamined(uint32(id))
		}
	}
	s.backlogFilter()
}

// nearestOpen returns the nearest of limit, which may be none, and the backlog
// keys that can start. There is one.
func (s *Scheduler) nearestOpen(limit uint32) uint32 {
	if s.openAssoc == 0 {
		return limit
	}
	nearest := limit
	for id := range s.keys {
		k := &s.keys[id]
		if k.stage != stageQueued || k.filed || !s.canStart(uint32(id)) {
			continue
		}
		if nearest == none || s.nearer(uint32(id), nearest) {
			nearest = uint32(id)
		}
	}
	return nearest
}

// reserveLists makes room in the lists for the whole backlog, in one piece of
// memory.
func (s *Scheduler) reserveLists() {
	total := 0
	for p := range s.hot {
		if need := s.listNeed(p); need > cap(s.lists[p].ids) {
			total += need
		}
	}
	slab := make([]uint32, total)
	for p := range s.hot {
		if need := s.listNeed(p); need > cap(s.lists[p].ids) {
			n := copy(slab, s.lists[p].ids)
			s.lists[p].ids = slab[:n:need]
			slab = slab[need:]
		}
	}
}

// listNeed is how long a list is with all the backlog in it.
func (s *Scheduler) listNeed(p int) int {
	return len(s.lists[p].ids) + int(s.hot[p].live-s.hot[p].indexed)
}
