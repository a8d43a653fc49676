package scheduler

import "encoding/binary"

// A backlog holds the queued keys that no pass has examined yet, by nearness: a
// sorted run, used up from its head, and a binary heap for what came after the
// run was sorted. Only its nearest key ever leaves it, except by a departure,
// which rebuilds it.
type backlog struct {
	run  []backlogEntry
	head int // run[:head] is used up
	heap []backlogEntry
	temp []backlogEntry // for sorting
}

// backlogEntry names a key. The prefix of its distance decides most comparisons
// without touching the key.
type backlogEntry struct {
	prefix uint64
	id     uint32
}

// sortAt is how many keys a pass takes off the heap one by one before it sorts
// the rest, if they are many.
const sortAt = 64

func (b *backlog) len() int { return len(b.run) - b.head + len(b.heap) }

// before is nearer, for entries.
func (s *Scheduler) before(a, b backlogEntry) bool {
	if a.prefix != b.prefix {
		return a.prefix < b.prefix
	}
	return a.id != b.id && s.nearerTie(a.id, b.id)
}

// backlogPush adds a key.
func (s *Scheduler) backlogPush(id uint32) {
	h := append(s.backlog.heap, backlogEntry{s.prefix[id], id})
	e, i := h[len(h)-1], len(h)-1
	for i > 0 {
		up := (i - 1) / 2
		if !s.before(e, h[up]) {
			break
		}
		h[i] = h[up]
		i = up
	}
	h[i] = e
	s.backlog.heap = h
}

// backlogTop returns the nearest key, or none.
func (s *Scheduler) backlogTop() uint32 {
	b := &s.backlog
	switch {
	case b.head == len(b.run) && len(b.heap) == 0:
		return none
	case b.head == len(b.run):
		return b.heap[0].id
	case len(b.heap) == 0 || s.before(b.run[b.head], b.heap[0]):
		return b.run[b.head].id
	}
	return b.heap[0].id
}

// backlogPop removes the nearest key, which backlogTop returned.
func (s *Scheduler) backlogPop(top uint32) {
	b := &s.backlog
	if b.head < len(b.run) && b.run[b.head].id == top {
		b.head++
		if b.head == len(b.run) {
			b.run, b.head = b.run[:0], 0
		}
		return
	}
	last := len(b.heap) - 1
	e := b.heap[last]
	b.heap = b.heap[:last]
	if last > 0 {
		s.backlogDown(0, e)
	}
}

// backlogDown puts e at i or below.
func (s *Scheduler) backlogDown(i int, e backlogEntry) {
	h := s.backlog.heap
	for {
		down := 2*i + 1
		if down >= len(h) {
			break
		}
		if down+1 < len(h) && s.before(h[down+1], h[down]) {
			down++
		}
		if !s.before(h[down], e) {
			break
		}
		h[i] = h[down]
		i = down
	}
	h[i] = e
}

// backlogSort makes the whole backlog one sorted run. A pass calls it when it has
// taken sortAt keys off the heap and most of what is left is in there, so each
// key is sorted a bounded number of times on average.
func (s *Scheduler) backlogSort() {
	b := &s.backlog
	rest := copy(b.run, b.run[b.head:])
	b.run = append(b.run[:rest], b.heap...)
	b.head, b.heap = 0, b.heap[:0]
	b.temp = grown(b.temp, len(b.run))
	radixSort(b.run, b.temp)
	// Equal prefixes are all but impossible for honest keys; they are put in
	// order by what follows the prefix.
	for i := 0; i < len(b.run); {
		j := i + 1
		for j < len(b.run) && b.run[j].prefix == b.run[i].prefix {
			j++
		}
		if j-i > 1 {
			s.sortTies(b.run[i:j])
		}
		i = j
	}
}

// backlogFilter drops the keys that are not in the backlog any more.
func (s *Scheduler) backlogFilter() {
	b := &s.backlog
	waits := func(id uint32) bool { k := &s.keys[id]; return k.stage == stageQueued && !k.filed }
	run := b.run[:0]
	for _, e := range b.run[b.head:] {
		if waits(e.id) {
			run = append(run, e)
		}
	}
	heap := b.heap[:0]
	for _, e := range b.heap {
		if waits(e.id) {
			heap = append(heap, e)
		}
	}
	b.run, b.head, b.heap = run, 0, heap
	for i := len(heap)/2 - 1; i >= 0; i-- {
		s.backlogDown(i, heap[i])
	}
}

// setDistance gives a key its distance.
func (s *Scheduler) setDistance(id uint32, d Distance) {
	s.detail(id).distance = d
	s.prefix[id] = binary.BigEndian.Uint64(d[:8])
}

func grown(b []backlogEntry, n int) []backlogEntry {
	if cap(b) < n {
		return make([]backlogEntry, n)
	}
	return b[:n]
}
