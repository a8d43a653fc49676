package scheduler

import (
	"encoding/binary"
	"slices"
)

// sortNearest sorts key ids, nearest first.
func (s *Scheduler) sortNearest(ids []uint32) {
	if len(ids) > sortWhole {
		s.pack(len(ids))
		for i, id := range ids {
			s.packed[0][i] = s.prefix(id)>>31<<32 | uint64(id)
		}
		s.sortPacked(ids, s.compareNearness)
		return
	}
	for i := 1; i < len(ids); i++ {
		id, j := ids[i], i
		for ; j > 0 && s.nearer(id, ids[j-1]); j-- {
			ids[j] = ids[j-1]
		}
		ids[j] = id
	}
}

// sortNames sorts key ids by the keys' bytes.
func (s *Scheduler) sortNames(ids []uint32) {
	if len(ids) <= sortWhole {
		slices.SortFunc(ids, s.compareNames)
		return
	}
	s.pack(len(ids))
	for i, id := range ids {
		s.packed[0][i] = uint64(binary.BigEndian.Uint32(s.detail(id).name[:]))<<32 | uint64(id)
	}
	s.sortPacked(ids, s.compareNames)
}

// pack makes room to sort n packed ids, each below 32 bits of its rank.
func (s *Scheduler) pack(n int) {
	for i := range s.packed {
		s.packed[i] = slices.Grow(s.packed[i][:0], n)[:n]
	}
}

// The upper half of a packed id is sorted by three digits.
const (
	digitBits = 11
	digits    = 3
)

// digit returns digit b of a packed id, the lowest first.
func digit(e uint64, b int) uint64 { return e >> (32 + digitBits*b) & (1<<digitBits - 1) }

// sortPacked sorts the packed ids by their upper halves, digit by digit from the
// lowest, writes the ids into ids, and lets compare order those that share a half.
func (s *Scheduler) sortPacked(ids []uint32, compare func(a, b uint32) int) {
	from, to := s.packed[0], s.packed[1]
	var counts [digits][1 << digitBits]uint32
	for _, e := range from {
		counts[0][digit(e, 0)]++
		counts[1][digit(e, 1)]++
		counts[2][digit(e, 2)]++
	}
	for b := range counts {
		c, sum := &counts[b], uint32(0)
		if int(c[digit(from[0], b)]) == len(from) {
			continue // all the same
		}
		for i, n := range c {
			c[i] = sum
			sum += n
		}
		for _, e := range from {
			d := digit(e, b)
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
		if j-i > 1 {
			slices.SortFunc(ids[i:j], compare)
		}
		i = j
	}
}
