package scheduler

// The source lists. An entry is dead when its key is not filed any more; see
// park.go.

const (
	// firstShare: a source list has room at first for one in so many of the source's
	// queued keys, a few more than a pass that sweeps files.
	firstShare = 12
	// slabWords is how many keys a slab has room for, at most, and slabRoom how many
	// a list that is cut from one.
	slabWords = 1 << 16
	slabRoom  = 1 << 12
)

// listRoom returns memory for n keys of a source list. All source lists grow
// together when a pass files many keys, so it is cut from a slab that has room for
// more of the same.
func (s *Scheduler) listRoom(n int) []uint32 {
	if n > slabRoom {
		return make([]uint32, 0, n)
	}
	if len(s.slab) < n {
		s.slab = make([]uint32, min(n*len(s.lists), slabWords))
	}
	room := s.slab[:0:n]
	s.slab = s.slab[n:]
	return room
}

// cleanFront drops the dead entries nearer than a source's nearest filed key, and
// makes that the front.
func (s *Scheduler) cleanFront(p uint32) {
	l, hot := &s.lists[p], &s.hot[p]
	for {
		s.touched++
		id := s.listFirst(l)
		if s.key(id).filed {
			s.peers[p].front = id
			return
		}
		s.listDrop(l, id)
		hot.entries--
		s.unlist(id)
	}
}

// dropDead drops the dead entries of a source list.
func (s *Scheduler) dropDead(p uint32) {
	s.listFilter(&s.lists[p], s.keepFiled)
	s.hot[p].entries = s.hot[p].filed
}

// keepFiled reports whether an entry's key is filed, and unlists a dead entry.
func (s *Scheduler) keepFiled(id uint32) bool {
	if s.key(id).filed {
		return true
	}
	s.unlist(id)
	return false
}

// dropList empties the list of a source that is not in ready.
func (s *Scheduler) dropList(p uint32) {
	l := &s.lists[p]
	for _, id := range l.all() {
		s.unlist(id)
	}
	l.clear()
	s.hot[p].entries = 0
}

// copyLists copies lists deeply, reusing dst's memory.
func copyLists(dst, src []list) []list {
	for len(dst) < len(src) {
		dst = addList(dst)
	}
	dst = dst[:len(src)]
	for i := range src {
		dst[i].copyFrom(&src[i])
	}
	return dst
}

// addList adds an empty list, reusing the memory of one that was cut off.
func addList(lists []list) []list {
	if n := len(lists); n < cap(lists) {
		lists = lists[:n+1]
		lists[n].clear()
		return lists
	}
	return append(lists, list{})
}
