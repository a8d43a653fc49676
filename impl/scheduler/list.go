package scheduler

import "slices"

// list holds key ids, its entries, in order only as far as the nearest was asked
// for: ids[:head] is used up, the run ids[head:run] has the nearest first,
// ids[run:near] is a binary heap of keys that came later, and the rest, ids[near:],
// has no order. Run and heap have prefixes below limit, the rest has none: so a
// far key is added by appending it, and a list that is never asked for its nearest
// costs no comparison.
//
// The backlog is such a list, and so are the source lists.
type list struct {
	ids   []uint32
	limit uint64
	head  int32
	run   int32
	near  int32
}

const (
	// firstListed is how many keys a list has room for at first.
	firstListed = 4
	// sortWhole is up to how many keys are sorted as a whole.
	sortWhole = 64
	// nearShare: about one in so many keys of the rest is sorted at a time, so that
	// the cost of scanning the rest is spread over many keys.
	nearShare = 4
	// splitSample is how many keys are sampled to find that part of the rest.
	splitSample = 8 * nearShare
)

// size is how many keys there are.
func (l *list) size() int { return len(l.ids) - int(l.head) }

// all are the keys, in no order.
func (l *list) all() []uint32 { return l.ids[l.head:] }

// clear forgets all keys.
func (l *list) clear() { *l = list{ids: l.ids[:0]} }

// listPush adds a key.
func (s *Scheduler) listPush(l *list, id uint32) {
	if l.outgrown() {
		l.moveTo(make([]uint32, 0, max(firstListed, 2*len(l.ids))))
	}
	l.ids = append(l.ids, id)
	if s.prefix(id) >= l.limit {
		return
	}
	l.toNear(len(l.ids) - 1)
	heap := l.ids[l.run:l.near]
	s.listUp(heap, len(heap)-1)
	if len(heap) > sortWhole && len(heap) > l.size()/nearShare {
		l.mix()
	}
}

// listPushNext adds a key that is likely to be farther than all others. As long
// as each one is, the list is one run.
func (s *Scheduler) listPushNext(l *list, id uint32) {
	s.listPush(l, id)
	if last := int32(len(l.ids)) - 1; l.run == last && l.near == last {
		l.run, l.near, l.limit = last+1, last+1, s.prefix(id)+1
	}
}

// outgrown reports whether a list needs more memory to grow. If its memory is full
// and the used-up part is large, it closes that gap instead.
func (l *list) outgrown() bool {
	if len(l.ids) < cap(l.ids) {
		return false
	}
	if int(l.head) <= len(l.ids)/nearShare {
		return true
	}
	l.ids = l.ids[:copy(l.ids, l.ids[l.head:])]
	l.run -= l.head
	l.near -= l.head
	l.head = 0
	return false
}

// moveTo moves a list to new memory. Callers mostly double it: append would add a
// quarter at a time, which touches far more fresh memory while a list grows.
func (l *list) moveTo(room []uint32) { l.ids = append(room, l.ids...) }

// mix gives up the order: all keys become the rest. That pays when the heap has
// grown to a fair part of the list.
func (l *list) mix() { l.run, l.near, l.limit = l.head, l.head, 0 }

// listFirst returns the nearest entry, or none.
func (s *Scheduler) listFirst(l *list) uint32 {
	if l.head == l.near {
		if l.size() == 0 {
			l.clear()
			return none
		}
		s.listSplit(l)
	}
	switch {
	case l.head == l.run:
		return l.ids[l.run]
	case l.run == l.near || s.nearer(l.ids[l.head], l.ids[l.run]):
		return l.ids[l.head]
	}
	return l.ids[l.run]
}

// listDrop takes out the entry that listFirst returned.
func (s *Scheduler) listDrop(l *list, id uint32) {
	if l.head < l.run && l.ids[l.head] == id {
		l.head++
		return
	}
	l.near--
	moved, last := l.ids[l.near], len(l.ids)-1
	l.ids[l.near] = l.ids[last] // the rest has no order
	l.ids = l.ids[:last]
	if heap := l.ids[l.run:l.near]; len(heap) > 0 {
		s.listDown(heap, 0, moved)
	}
}

// listSplit sorts the nearest part of the rest, which is all there is, into the
// run. A sample tells that part; if it turns out small against the rest, more is
// taken, so that a scan is never spread over few keys.
func (s *Scheduler) listSplit(l *list) {
	n := l.size()
	s.touched += uint64(n)
	if n <= sortWhole {
		s.listTake(l, prefixEnd)
	} else {
		sample, least := s.samplePrefixes(l.all()), l.head+int32(n/(4*nearShare))
		for rank := splitSample / nearShare; rank < splitSample && l.near < least; rank *= 2 {
			s.listTake(l, sample[rank]+1)
		}
		if l.near < least {
			s.listTake(l, prefixEnd)
		}
	}
	s.sortNearest(l.ids[l.head:l.near])
	l.run = l.near
	l.limit = s.prefix(l.ids[l.run-1]) + 1
}

// samplePrefixes returns prefixes of keys spread over ids, the least first.
func (s *Scheduler) samplePrefixes(ids []uint32) (sample [splitSample]uint64) {
	for n := range sample {
		sample[n] = s.prefix(ids[n*len(ids)/splitSample])
	}
	slices.Sort(sample[:])
	return sample
}

// listTake moves the keys with prefixes below limit from the rest to the part
// before it.
func (s *Scheduler) listTake(l *list, limit uint64) {
	for i := int(l.near); i < len(l.ids); i++ {
		if s.prefix(l.ids[i]) < limit {
			l.toNear(i)
		}
	}
}

// toNear moves the entry at i, of the rest, to the end of the part before it.
func (l *list) toNear(i int) {
	l.ids[i], l.ids[l.near] = l.ids[l.near], l.ids[i]
	l.near++
}

// listUp moves the id at i, the last of a heap, up to its place.
func (s *Scheduler) listUp(heap []uint32, i int) {
	id := heap[i]
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

// listDown puts id in its place of a heap, at i or below.
func (s *Scheduler) listDown(heap []uint32, i int, id uint32) {
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

// listFilter drops the entries that keep refuses. It asks keep once for each.
func (s *Scheduler) listFilter(l *list, keep func(id uint32) bool) {
	ids, kept := l.ids, l.ids[:0]
	filter := func(from []uint32) int32 {
		for _, id := range from {
			if keep(id) {
				kept = append(kept, id)
			}
		}
		return int32(len(kept))
	}
	run := filter(ids[l.head:l.run])
	near := filter(ids[l.run:l.near])
	filter(ids[l.near:])
	l.ids, l.head, l.run, l.near = kept, 0, run, near
	heap := kept[run:near]
	for i := len(heap)/2 - 1; i >= 0; i-- {
		s.listDown(heap, i, heap[i])
	}
}

func (l *list) copyFrom(src *list) {
	ids := append(l.ids[:0], src.ids...)
	*l = *src
	l.ids = ids
}
