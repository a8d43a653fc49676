package scheduler

import "slices"

// A pass that finds few keys startable is likely to examine a large part of a
// large backlog. Filing those keys one by one writes to as many lists as there
// are sources, in as many places of memory; here they are packed.

const (
	bulkKeys = 1024 // with fewer keys waiting it does not pay
	bulkOpen = 16   // nor with more startable associations
	// bulkYield is how many keys make it worthwhile. When it has filed fewer,
	// passes file so many one by one before it is tried again.
	bulkYield = 64
)

// bulkPays reports whether to file what a pass examines in bulk.
func (s *Scheduler) bulkPays() bool {
	return s.openAssoc <= bulkOpen && s.backlog.size() >= bulkKeys
}

// examineAll does at once what takeNearest does key by key: it files and parks
// the backlog keys nearer than the nearest that can start. limit is the nearest
// filed key that can start, or none: what is not nearer is left alone (FIL-3).
//
// The lists share the order in which the backlog has put those keys, where it
// has put them: the backlog goes on behind.
func (s *Scheduler) examineAll(limit uint32) {
	b := &s.backlog
	from, size := b.head, b.size()
	slab, packers := s.openSlab(size)
	for more := true; more; {
		group := s.listRun(b, warmGroup)
		s.warmOrder(group)
		s.warmSources(group)
		n := int32(0)
		for _, id := range group {
			if !s.blocked(id, limit) {
				break
			}
			k := s.key(id)
			s.noteParked(k)
			k.listRefs += k.untried
			for _, p := range s.untried(k) {
				packers[p].put(slab, uint32(b.head-from+n))
			}
			n++
		}
		b.head += n
		more = n > 0 && int(n) == len(group)
	}
	order := b.cut(from)
	s.closeSlab(order, size, slab, packers)
	s.touched += uint64(len(order))
	if s.bulkAfter = bulkYield; len(order) >= bulkYield {
		s.bulkAfter = 0
	}
}

// blocked reports whether a pass parks a backlog key on its way.
func (s *Scheduler) blocked(id, limit uint32) bool {
	return (limit == none || s.nearer(id, limit)) && !s.canStart(s.key(id))
}

// openSlab makes one piece of memory in which n keys, the whole backlog, can be
// packed under each of their sources, and a packer at the beginning of each
// source's part.
func (s *Scheduler) openSlab(n int) (slab []byte, packers []packer) {
	packers = make([]packer, len(s.hot))
	total := 0
	for p := range s.hot {
		packers[p].to = uint32(total)
		total += s.slabPart(p, n)
	}
	return make([]byte, total), packers
}

// slabPart is the room for the backlog under one source.
func (s *Scheduler) slabPart(p, n int) int {
	return packedRoom(int(s.hot[p].live-s.hot[p].indexed), n)
}

// closeSlab gives each list what was packed for it. None of those sources can
// start, so none of them is ready, and what they have may lose its order.
func (s *Scheduler) closeSlab(order []uint32, n int, slab []byte, packers []packer) {
	from := 0
	for p, w := range packers {
		part := slab[from:w.to:w.to]
		from += s.slabPart(p, n)
		if w.n == 0 {
			continue
		}
		f, hot := &s.lists[p], &s.hot[p]
		if f.bulk.n > 0 {
			f.mix()
			f.ids = slices.AppendSeq(f.ids, f.bulk.all())
		}
		f.bulk = newPacked(order, part, w.n)
		hot.indexed += int32(w.n)
		hot.entries += int32(w.n)
	}
}
