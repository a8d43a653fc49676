package model

import (
	"math"

	"fetchproof/ops"
)

// largest is the largest time: 2^63 - 1 ns (DET-4).
const largest = ops.Time(math.MaxInt64)

// plus is t + d for t and d of at least 0, or the largest time if that is past it (DET-4).
func plus(t ops.Time, d ops.Duration) ops.Time {
	if d > ops.Duration(largest-t) {
		return largest
	}
	return t + ops.Time(d)
}

// passesLargest reports whether plus(t, d) had to stop at the largest time.
func passesLargest(t ops.Time, d ops.Duration) bool { return d > ops.Duration(largest-t) }

// since is the age of t at now, a difference (DET-4).
func since(t, now ops.Time) ops.Duration { return ops.Duration(now - t) }
