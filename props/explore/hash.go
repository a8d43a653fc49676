package explore

import (
	"encoding/binary"
	"math/bits"
)

// Hash is 128 bits of a canonical form. Two of n states share one with a chance of about n² / 2^129: for a hundred million
// states, one in 10^22.
type Hash struct{ hi, lo uint64 }

// hashOf mixes the bytes in two lanes by folded multiplication. It is the same on every machine.
func hashOf(b []byte) Hash {
	const k0, k1, k2, k3 = 0xa0761d6478bd642f, 0xe7037ed1a0b428db, 0x8ebc6af09c88c6e3, 0x589965cc75374cc3
	hi, lo := uint64(len(b))^k0, uint64(len(b))^k2
	for len(b) > 0 {
		var word uint64
		if len(b) >= 8 {
			word, b = binary.LittleEndian.Uint64(b), b[8:]
		} else {
			for i, c := range b {
				word |= uint64(c) << (8 * i)
			}
			b = nil
		}
		hi = fold(hi^word, k1)
		lo = fold(lo^bits.RotateLeft64(word, 32), k3) + word
	}
	return Hash{fold(hi^k2, lo^k1), fold(lo^k0, hi^k3)}
}

func fold(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	return hi ^ lo
}

// seenSet numbers hashes in the order in which they were added. Reading is safe while nobody adds.
type seenSet struct {
	hashes []Hash
	slots  []uint32 // number + 1, by hash; 0 is free
}

func newSeenSet() *seenSet { return &seenSet{slots: make([]uint32, 1<<12)} }

// find is the number of h, or where in slots it would go.
func (s *seenSet) find(h Hash) (number uint32, slot int, found bool) {
	mask := len(s.slots) - 1
	for i := int(h.lo) & mask; ; i = (i + 1) & mask {
		n := s.slots[i]
		if n == 0 {
			return 0, i, false
		}
		if s.hashes[n-1] == h {
			return n - 1, i, true
		}
	}
}

// add is the number of h, and whether it is new.
func (s *seenSet) add(h Hash) (number uint32, added bool) {
	number, slot, found := s.find(h)
	if found {
		return number, false
	}
	if 2*len(s.hashes) >= len(s.slots) {
		s.grow()
		_, slot, _ = s.find(h)
	}
	s.hashes = append(s.hashes, h)
	s.slots[slot] = uint32(len(s.hashes))
	return uint32(len(s.hashes) - 1), true
}

func (s *seenSet) grow() {
	s.slots = make([]uint32, 2*len(s.slots))
	for n, h := range s.hashes {
		_, slot, _ := s.find(h)
		s.slots[slot] = uint32(n + 1)
	}
}
