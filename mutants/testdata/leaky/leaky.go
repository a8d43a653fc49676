// Package leaky keeps state that a mutant can spoil for those after it.
package leaky

var spoilt bool

// Spoil spoils the state if asked to, and says whether it was spoilt before.
func Spoil(really bool) bool {
	was := spoilt
	if really {
		spoilt = true
	}
	return was
}

// Twice is twice n.
func Twice(n int) int { return n + n }
