package namehash_test

import (
	"encoding/binary"
	"math"
	"testing"

	"fetchproof/impl/namehash"
)

type name = [namehash.Size]byte

// row is the name of bytes from first on, each one more than the one before.
func row(first byte) (n name) {
	for i := range n {
		n[i] = first + byte(i)
	}
	return n
}

// TestFixed: a seed stands for the same hash in every process and on every machine.
func TestFixed(t *testing.T) {
	for _, c := range []struct {
		seed uint64
		name name
		want uint32
	}{
		{1, name{}, 0xf13e9662},
		{1, row(0), 0x6611112c},
		{1, row(0xe0), 0x68d1bf8f},
		{1, row(1), 0x88c020e2},
		{2, row(0), 0xf1b3a80d},
		{math.MaxUint64, row(0), 0x72db4f9b},
		{math.MaxUint64, name{31: 0x80}, 0xe08e919a},
	} {
		h := namehash.New(c.seed)
		if got := h.Of(c.name[:]); got != c.want {
			t.Errorf("seed %d, name %x: %#08x, want %#08x", c.seed, c.name, got, c.want)
		}
	}
}

// TestSecret: without a seed each hash is another, in all its keys: names that have
// nothing in common but one word have other values too.
func TestSecret(t *testing.T) {
	for word := range 8 {
		seen := map[uint32]bool{}
		for range 100 {
			h, zero, n := namehash.New(0), name{}, name{}
			n[4*word] = 1
			seen[h.Of(n[:])-h.Of(zero[:])] = true
		}
		if len(seen) < 99 {
			t.Errorf("word %d makes %d differences by a hundred secret hashes", word, len(seen))
		}
	}
}

// TestCopy: a hash is a value.
func TestCopy(t *testing.T) {
	h, n := namehash.New(0), row(7)
	copied := h
	if copied.Of(n[:]) != h.Of(n[:]) {
		t.Error("a copy hashes otherwise")
	}
}

// TestLength: what is too short is no name, and only a name's own bytes count.
func TestLength(t *testing.T) {
	h, n := namehash.New(1), row(0)
	if h.Of(append(n[:], 1)) != h.Of(n[:]) {
		t.Error("a byte behind the name changes its hash")
	}
	defer func() {
		if recover() == nil {
			t.Error("31 bytes were taken for a name")
		}
	}()
	h.Of(n[:namehash.Size-1])
}

// TestPairs: of two names, however they differ, the hashes agree in any eight bits
// by one in 256 of the keys, within five standard deviations.
func TestPairs(t *testing.T) {
	const seeds = 1 << 16
	var others []name
	base := row(0)
	for at := range namehash.Size {
		for _, bit := range []byte{1, 0x80} { // of a word's: 31 is the one that least depends on the key
			n := base
			n[at] ^= bit
			others = append(others, n)
		}
	}
	agree := make([][4]int, len(others))
	for seed := range uint64(seeds) {
		h := namehash.New(seed + 1)
		of := h.Of(base[:])
		for i := range others {
			d := of ^ h.Of(others[i][:])
			for part := range 4 {
				if byte(d>>(8*part)) == 0 {
					agree[i][part]++
				}
			}
		}
	}
	for i := range others {
		for part, n := range agree[i] {
			if n < seeds/256-80 || n > seeds/256+80 {
				t.Errorf("%x and %x agree in byte %d by %d of %d keys", base, others[i], part, n, seeds)
			}
		}
	}
}

// TestAvalanche: each bit of a name changes each bit of the hash by half of the keys,
// within five and a half standard deviations.
func TestAvalanche(t *testing.T) {
	const seeds = 2048
	var flips [256][32]int
	for seed := range uint64(seeds) {
		h, n := namehash.New(seed+1), row(byte(seed))
		of := h.Of(n[:])
		for bit := range flips {
			n[bit/8] ^= 1 << (bit % 8)
			for d, i := of^h.Of(n[:]), 0; d != 0; d, i = d>>1, i+1 {
				flips[bit][i] += int(d & 1)
			}
			n[bit/8] ^= 1 << (bit % 8)
		}
	}
	for bit := range flips {
		for i, n := range flips[bit] {
			if n < seeds/2-124 || n > seeds/2+124 {
				t.Errorf("bit %d of the name changes bit %d of the hash by %d of %d keys", bit, i, n, seeds)
			}
		}
	}
}

// TestRuns: names that count up from byte at on fill three quarters of a table as
// random ones do, which are kept 1.5 slots behind their place in the mean.
func TestRuns(t *testing.T) {
	const slots, names, seeds = 4096, 3072, 60
	for at := range namehash.Size - 3 {
		for seed := range uint64(seeds) {
			h, n := namehash.New(seed+1), name{}
			var used [slots]bool
			behind := 0
			for i := range uint32(names) {
				binary.LittleEndian.PutUint32(n[at:], uint32(seed)<<24+i)
				slot := h.Of(n[:]) % slots
				for used[slot] {
					behind++
					slot = (slot + 1) % slots
				}
				used[slot] = true
			}
			if mean := float64(behind) / names; mean > 2.5 {
				t.Errorf("seed %d, from byte %d: %.2f slots behind in the mean", seed+1, at, mean)
			}
		}
	}
}

// BenchmarkOf is a name hashed.
func BenchmarkOf(b *testing.B) {
	h := namehash.New(1)
	var list [64]name
	for i := range list {
		list[i] = row(byte(i))
	}
	b.ReportAllocs()
	sum, i := uint32(0), 0
	for b.Loop() {
		sum += h.Of(list[i%64][:])
		i++
	}
	_ = sum
}
