package scheduler

import "iter"

// filedList names the keys filed under one source: those that came one by one,
// and those that were filed in bulk. An entry is dead when its key is not filed
// any more; see park.go.
type filedList struct {
	list
	bulk packed
}

// all yields the entries, dead ones included.
func (f *filedList) all() iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		for _, id := range f.list.all() {
			if !yield(id) {
				return
			}
		}
		f.bulk.all()(yield)
	}
}

// filedFirst returns the nearest entry of a list that has one, and drop says
// which of its parts it is in.
func (s *Scheduler) filedFirst(f *filedList) (id uint32, bulk bool) {
	id = s.listFirst(&f.list)
	if f.bulk.n == 0 {
		return id, false
	}
	if first := f.bulk.first(); id == none || s.nearer(first, id) {
		return first, true
	}
	return id, false
}

// cleanFront finds the key by which ready orders a source that has a filed one.
func (s *Scheduler) cleanFront(p uint32) {
	f, hot := &s.lists[p], &s.hot[p]
	for {
		s.touched++
		id, bulk := s.filedFirst(f)
		if s.key(id).filed {
			s.peers[p].front = id
			return
		}
		if bulk {
			f.bulk.drop()
		} else {
			s.listDrop(&f.list, id)
		}
		hot.entries--
		s.unlist(id)
	}
}

// dropDead drops the dead entries.
func (s *Scheduler) dropDead(p uint32) {
	f := &s.lists[p]
	s.listFilter(&f.list, s.keepFiled)
	f.bulk.filter(s.keepFiled)
	s.hot[p].entries = s.hot[p].indexed
}

// keepFiled tells whether a list keeps an entry, and lets the dead go.
func (s *Scheduler) keepFiled(id uint32) bool {
	if s.key(id).filed {
		return true
	}
	s.unlist(id)
	return false
}

// dropList forgets the list of a source that is not in ready.
func (s *Scheduler) dropList(p uint32) {
	f := &s.lists[p]
	for id := range f.all() {
		s.unlist(id)
	}
	f.clear()
	f.bulk = packed{}
	s.hot[p].entries = 0
}

// copyLists copies lists deeply, reusing dst's memory. The order that packed
// lists share is never written and stays shared.
func copyLists(dst, src []filedList) []filedList {
	for len(dst) < len(src) {
		dst = addList(dst)
	}
	dst = dst[:len(src)]
	for i := range src {
		dst[i].list.copyFrom(&src[i].list)
		if src[i].bulk.n > 0 || dst[i].bulk.n > 0 {
			gaps := append(dst[i].bulk.gaps[:0], src[i].bulk.gaps...)
			dst[i].bulk = src[i].bulk
			dst[i].bulk.gaps = gaps
		}
	}
	return dst
}

// addList adds an empty list, reusing the memory of one that was cut off.
func addList(lists []filedList) []filedList {
	if n := len(lists); n < cap(lists) {
		lists = lists[:n+1]
		lists[n] = filedList{list: list{ids: lists[n].ids[:0]}}
		return lists
	}
	return append(lists, filedList{})
}
