// Package gen draws programs: a configuration, and operations one after another, each drawn with the state before it in
// view. One generator serves every use; it draws from a small source that a seed, rapid or a fuzzer's bytes feed.
package gen

import (
	"math/rand/v2"

	"pgregory.net/rapid"
)

// Source is where choices come from.
type Source interface {
	// Intn is a number from 0 to n-1, n at least 1. 0 is the simplest choice.
	Intn(n int) int
	// More reports whether another operation should be drawn. A seed's source always says yes.
	More() bool
}

type seeded struct{ rng rand.Rand }

// Seeded is a source that gives the same choices for the same seed and program number on every machine.
func Seeded(seed, program uint64) Source {
	return &seeded{*rand.New(rand.NewPCG(seed, program))}
}

func (s *seeded) Intn(n int) int { return s.rng.IntN(n) }
func (s *seeded) More() bool     { return true }

type drawn struct{ t *rapid.T }

// Rapid draws from t.
func Rapid(t *rapid.T) Source { return &drawn{t} }

func (d *drawn) Intn(n int) int { return rapid.IntRange(0, n-1).Draw(d.t, "choice") }
func (d *drawn) More() bool     { return true }

// bytesSource reads choices from a string of bytes. What is missing reads as zero, so every string is a program.
type bytesSource struct{ data []byte }

// Bytes reads choices from data; More is true until it is used up.
func Bytes(data []byte) Source { return &bytesSource{data} }

func (b *bytesSource) Intn(n int) int {
	if n <= 1 {
		return 0
	}
	v := b.next()
	if n > 256 {
		v = v<<8 | b.next()
	}
	return v % n
}

func (b *bytesSource) next() int {
	if len(b.data) == 0 {
		return 0
	}
	v := b.data[0]
	b.data = b.data[1:]
	return int(v)
}

func (b *bytesSource) More() bool { return len(b.data) > 0 }
