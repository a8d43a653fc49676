package scheduler

import "slices"

// radixSort sorts entries by prefix, stably, with temp as long as entries: byte
// by byte from the last, leaving out the bytes that are all the same.
func radixSort(entries, temp []backlogEntry) {
	var counts [8][256]uint32
	for _, e := range entries {
		for b := range counts {
			counts[b][byte(e.prefix>>(8*b))]++
		}
	}
	from, to := entries, temp
	for b := range counts {
		c := &counts[b]
		if len(entries) == 0 || int(c[byte(entries[0].prefix>>(8*b))]) == len(entries) {
			continue
		}
		sum := uint32(0)
		for i, n := range c {
			c[i] = sum
			sum += n
		}
		for _, e := range from {
			d := byte(e.prefix >> (8 * b))
			to[c[d]] = e
			c[d]++
		}
		from, to = to, from
	}
	if len(entries) > 0 && &from[0] != &entries[0] {
		copy(entries, from)
	}
}

// sortTies puts entries of one prefix in order.
func (s *Scheduler) sortTies(entries []backlogEntry) {
	slices.SortFunc(entries, func(a, b backlogEntry) int {
		if s.before(a, b) {
			return -1
		}
		if s.before(b, a) {
			return 1
		}
		return 0
	})
}

// sortNearest sorts key ids, nearest first. Many are sorted by the upper half of
// their prefixes first, packed with the id.
func (s *Scheduler) sortNearest(ids []uint32) {
	if len(ids) > 64 {
		s.sortByPrefix(ids)
	}
	// What is left are neighbours that share those bits, or a few ids.
	for i := 1; i < len(ids); i++ {
		if !s.nearer(ids[i], ids[i-1]) {
			continue
		}
		j := i
		for id := ids[i]; j > 0 && s.nearer(id, ids[j-1]); j-- {
			ids[j], ids[j-1] = ids[j-1], id
		}
	}
}

func (s *Scheduler) sortByPrefix(ids []uint32) {
	from, to := grownTo(s.packed[0], len(ids)), grownTo(s.packed[1], len(ids))
	s.packed = [2][]uint64{from, to}
	var counts [4][256]uint32
	for i, id := range ids {
		e := s.prefix[id]&^(1<<32-1) | uint64(id)
		from[i] = e
		for b := range counts {
			counts[b][byte(e>>(32+8*b))]++
		}
	}
	for b := range counts {
		c, sum := &counts[b], uint32(0)
		for i, n := range c {
			c[i] = sum
			sum += n
		}
		for _, e := range from {
			d := byte(e >> (32 + 8*b))
			to[c[d]] = e
			c[d]++
		}
		from, to = to, from
	}
	for i := 0; i < len(from); {
		j := i
		for ; j < len(from) && from[j]>>32 == from[i]>>32; j++ {
			ids[j] = uint32(from[j])
		}
		if j-i > 16 {
			slices.SortFunc(ids[i:j], s.compareNearness)
		}
		i = j
	}
}

// compareNearness is nearer for sorting.
func (s *Scheduler) compareNearness(a, b uint32) int {
	switch {
	case a == b:
		return 0
	case s.nearer(a, b):
		return -1
	}
	return 1
}

func grownTo(b []uint64, n int) []uint64 {
	if cap(b) < n {
		return make([]uint64, n, n+n/4)
	}
	return b[:n]
}
