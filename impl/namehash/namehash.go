// Package namehash hashes the names of keys and peers for the tables of the
// state machines. A name is 32 bytes that whoever sends a hint or a request may
// have chosen.
package namehash

import (
	"crypto/rand"
	"encoding/binary"
)

// Size is the length of a name, in bytes.
const Size = 32

// Hash is a hash of names, drawn by New. It is a value: a copy hashes alike.
//
// With the keys k drawn at random, and the name's 32-bit words w,
//
//	(k0+w1)(k1+w0) + (k2+w3)(k3+w2) + (k4+w5)(k5+w4) + (k6+w7)(k7+w6) + k8  mod 2^64
//
// has upper 32 bits that are uniform for each name, and independent for each two:
// pair-multiply-shift, of Thorup's "High Speed Hashing for Integers and Strings".
// For where two names differ in a word, by d, their sums differ by d times that
// word's key, plus a term that does not depend on that key; d is below 2^32, so
// that bits 31 and up of the product are uniform; and k8, in both sums and in no
// difference, makes either sum uniform whatever the difference is. So two names
// that were chosen without knowledge of the keys agree in any b bits of the hash
// with a chance of 2^-b, exactly.
//
// Nothing is proven of three names or more. Sums of names that count up in one
// word count up too, so that with one set of keys in some hundred they would make
// one long run, which linear probing bears badly. Of therefore ends with a fixed
// permutation of the 32 bits: it keeps what is proven, and no such run is left by
// any of the keys that the tests try.
type Hash struct{ keys [9]uint64 }

// New returns the hash that a seed stands for, the same in every process. For 0
// it is secret: its keys are drawn from the system's random source, anew for each
// call, so that nobody can choose names that collide.
func New(seed uint64) (h Hash) {
	if seed == 0 {
		_ = binary.Read(rand.Reader, binary.LittleEndian, h.keys[:]) // that source never fails
		return h
	}
	for i := range h.keys { // splitmix64
		seed += 0x9e3779b97f4a7c15
		x := seed
		x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
		x = (x ^ x>>27) * 0x94d049bb133111eb
		h.keys[i] = x ^ x>>31
	}
	return h
}

// Of hashes a name. It panics if name has fewer bytes than Size, and ignores any
// beyond.
func (h *Hash) Of(name []byte) uint32 {
	n, k := (*[Size]byte)(name), &h.keys
	a, b := binary.LittleEndian.Uint64(n[0:]), binary.LittleEndian.Uint64(n[8:])
	c, d := binary.LittleEndian.Uint64(n[16:]), binary.LittleEndian.Uint64(n[24:])
	const low = 1<<32 - 1
	sum := (k[0]+a>>32)*(k[1]+a&low) + (k[2]+b>>32)*(k[3]+b&low) +
		(k[4]+c>>32)*(k[5]+c&low) + (k[6]+d>>32)*(k[7]+d&low) + k[8]
	x := uint32(sum >> 32)
	x = (x ^ x>>16) * 0x7feb352d
	x = (x ^ x>>15) * 0x846ca68b
	return x ^ x>>16
}
