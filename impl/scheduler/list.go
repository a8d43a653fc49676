package scheduler

// list names the keys filed under one source. In ids, [:head] is used up,
// [head:sorted] is a run with the nearest first, [sorted:heaped] a binary heap by
// nearness, and the rest was added since the source could last start and is put
// in order when it can again.
//
// An entry whose key is not filed any more is dead. It goes when it comes to the
// front, or when the dead outnumber the living.
type list struct {
	ids    []uint32
	head   int32
	sorted int32
	heaped int32
}

// sortList is how many unordered entries a list may have before they are sorted
// into the run. Above it they must be a fair part of the list, so that each is
// sorted a bounded number of times on average.
const sortList = 32

// size is how many entries there are, dead ones included.
func (l *list) size() int { return len(l.ids) - int(l.head) }

// listFront returns the nearest live entry of a list that has one.
func (s *Scheduler) listFront(l *list) uint32 {
	if int(l.heaped) < len(l.ids) {
		s.listOrder(l)
	}
	for {
		var id uint32
		run := l.head < l.sorted && (l.sorted == l.heaped || s.nearer(l.ids[l.head], l.ids[l.sorted]))
		if run {
			id = l.ids[l.head]
		} else {
			id = l.ids[l.sorted]
		}
		if s.keys[id].filed {
			return id
		}
		if run {
			l.head++
		} else {
			s.listPop(l)
		}
		s.unlist(id)
		if l.head > sortList && int(l.head) > len(l.ids)/2 {
			l.reclaim()
		}
	}
}

// reclaim closes the gap that the used-up part of the run has left.
func (l *list) reclaim() {
	n := copy(l.ids, l.ids[l.head:])
	l.ids = l.ids[:n]
	l.sorted -= l.head
	l.heaped -= l.head
	l.head = 0
}

// listOrder puts what was added in order: into the heap, or, if there is much of
// it, into the run together with the heap.
func (s *Scheduler) listOrder(l *list) {
	if loose, run := len(l.ids)-int(l.sorted), int(l.sorted-l.head); loose > sortList && loose > run/4 {
		s.sortNearest(l.ids[l.head:])
		l.sorted, l.heaped = int32(len(l.ids)), int32(len(l.ids))
		return
	}
	heap := l.ids[l.sorted:]
	for n := int(l.heaped - l.sorted); n < len(heap); n++ {
		id, i := heap[n], n
		for i > 0 {
			up := (i - 1) / 2
			if !s.nearer(id, heap[up]) {
				break
			}
			heap[i] = heap[up]
			i = up
		}
		heap[i] = id
	}
	l.heaped = int32(len(l.ids))
}

// listPop takes the top off the heap, which is all that follows the run.
func (s *Scheduler) listPop(l *list) {
	last := len(l.ids) - 1
	id := l.ids[last]
	l.ids = l.ids[:last]
	l.heaped--
	heap := l.ids[l.sorted:]
	if len(heap) == 0 {
		return
	}
	i := 0
	for {
		down := 2*i + 1
		if down >= len(heap) {
			break
		}
		if down+1 < len(heap) && s.nearer(heap[down+1], heap[down]) {
			down++
		}
		if !s.nearer(heap[down], id) {
			break
		}
		heap[i] = heap[down]
		i = down
	}
	heap[i] = id
}

// listCompact drops the dead entries. The run stays one.
func (s *Scheduler) listCompact(l *list) {
	kept := l.ids[:0]
	for _, id := range l.ids[l.head:l.sorted] {
		kept = s.keepLive(kept, id)
	}
	run := int32(len(kept))
	for _, id := range l.ids[l.sorted:] {
		kept = s.keepLive(kept, id)
	}
	l.ids, l.head, l.sorted, l.heaped = kept, 0, run, run
}

func (s *Scheduler) keepLive(kept []uint32, id uint32) []uint32 {
	if s.keys[id].filed {
		return append(kept, id)
	}
	s.unlist(id)
	return kept
}

// listClear forgets all entries.
func (s *Scheduler) listClear(l *list) {
	for _, id := range l.ids[l.head:] {
		s.unlist(id)
	}
	l.ids, l.head, l.sorted, l.heaped = l.ids[:0], 0, 0, 0
}

// copyLists copies lists deeply, reusing dst's memory.
func copyLists(dst, src []list) []list {
	for len(dst) < len(src) {
		dst = addList(dst)
	}
	dst = dst[:len(src)]
	for i := range src {
		ids := append(dst[i].ids[:0], src[i].ids...)
		dst[i] = src[i]
		dst[i].ids = ids
	}
	return dst
}

// addList adds an empty list, reusing the memory of one that was cut off.
func addList(lists []list) []list {
	if n := len(lists); n < cap(lists) {
		lists = lists[:n+1]
		lists[n] = list{ids: lists[n].ids[:0]}
		return lists
	}
	return append(lists, list{})
}
