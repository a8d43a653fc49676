package scheduler

import "slices"

// CopyFrom makes s the same as src, sharing nothing with it and reusing the
// memory s has. It is for exploring: a copy of a small scheduler is a few short
// memory copies.
func (s *Scheduler) CopyFrom(src *Scheduler) {
	was := *s
	*s = *src
	s.keyIDs, s.peerIDs = was.keyIDs, was.peerIDs
	s.keyIDs.copyFrom(&src.keyIDs)
	s.peerIDs.copyFrom(&src.peerIDs)
	s.pages = copyKeyPages(was.pages, src.pages)
	s.entries = copyPages(was.entries, src.entries)
	s.freeEntries = append(was.freeEntries[:0], src.freeEntries...)
	s.freeKeys = append(was.freeKeys[:0], src.freeKeys...)
	s.peers = append(was.peers[:0], src.peers...)
	s.hot = append(was.hot[:0], src.hot...)
	s.freePeers = append(was.freePeers[:0], src.freePeers...)
	s.blocks = was.blocks
	s.blocks.copyFrom(&src.blocks)

	s.marks = append(was.marks[:0], src.marks...)
	s.idle = append(was.idle[:0], src.idle...)
	s.fullUntracked = append(was.fullUntracked[:0], src.fullUntracked...)
	s.busy = append(was.busy[:0], src.busy...)
	s.due = append(was.due[:0], src.due...)
	s.waiting = append(was.waiting[:0], src.waiting...)

	s.backlog = was.backlog
	s.backlog.copyFrom(&src.backlog)
	s.epochs = append(was.epochs[:0], src.epochs...)
	s.lists = copyLists(was.lists, src.lists)
	s.slab = was.slab
	s.ready = append(was.ready[:0], src.ready...)

	s.attempts.slots = append(was.attempts.slots[:0], src.attempts.slots...)
	s.attempts.free = append(was.attempts.free[:0], src.attempts.free...)
	s.flights = append(was.flights[:0], src.flights...)

	s.hinted, s.listed, s.picks = was.hinted[:0], was.listed[:0], was.picks[:0]
	s.packed = was.packed
	s.observer = was.observer
}

// copyKeyPages copies pages deeply, reusing dst's memory.
func copyKeyPages(dst, src []keyPage) []keyPage {
	dst = slices.Grow(dst[:0], len(src))[:len(src)]
	for i := range src {
		to, from := &dst[i], &src[i]
		to.recs = append(to.recs[:0], from.recs...)
		to.prefix = append(to.prefix[:0], from.prefix...)
		to.details = append(to.details[:0], from.details...)
	}
	return dst
}
