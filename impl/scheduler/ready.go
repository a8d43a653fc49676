package scheduler

import (
	"bytes"
	"slices"
)

// Ready appends to dst the pending keys whose verification is due at now, in key
// order, at most limit (PND-10). It is a query: it changes nothing.
//
// It looks at each pending key; the smallest are kept in a heap of at most limit,
// so that a few of very many cost one scan.
func (s *Scheduler) Ready(now Time, limit int, dst []Key) []Key {
	if limit < 1 {
		return dst
	}
	now = s.asOf(now)
	picks := s.picks[:0]
	for _, id := range s.pending {
		if s.detail(id).nextVerify > now {
			continue
		}
		switch {
		case len(picks) < limit:
			picks = heapPush(lastKeyFirst{s}, picks, id)
		case s.keyLess(id, picks[0]):
			picks[0] = id
			heapDown(lastKeyFirst{s}, picks, 0)
		}
	}
	slices.SortFunc(picks, func(a, b uint32) int {
		return bytes.Compare(s.detail(a).name[:], s.detail(b).name[:])
	})
	for _, id := range picks {
		dst = append(dst, s.detail(id).name)
	}
	s.picks = picks[:0]
	return dst
}

// keyLess orders keys by their bytes.
func (s *Scheduler) keyLess(a, b uint32) bool {
	return bytes.Compare(s.detail(a).name[:], s.detail(b).name[:]) < 0
}

// lastKeyFirst orders key ids by their bytes, the greatest first.
type lastKeyFirst struct{ s *Scheduler }

func (o lastKeyFirst) before(a, b uint32) bool { return o.s.keyLess(b, a) }
func (o lastKeyFirst) moved(uint32, int32)     {}
