package scheduler

import "math/bits"

// An arena hands out blocks of ids in size classes from pages that never move.
// A freed block is kept in its class's list, linked through its first word.
//
// Pages start small, so that a scheduler of a few keys costs a few hundred
// bytes, and none is ever copied, so that a large one leaves no garbage.
//
// A block that outgrows its class moves to memory that nothing has touched yet,
// and having the system map that costs far more than the copy: so the classes
// are fine where most keys are.
type arena struct {
	pages [][]uint32
	used  int // words used of the last page
	free  [arenaClasses]uint32
}

const (
	pageShift    = 14
	pageWords    = 1 << pageShift
	firstPage    = 64 // words; each page has four times the last one's, up to pageWords
	smallClasses = 16 // blocks of 1, 2, … 16 words
	fineClasses  = 28 // up to class 27, 64 words, in steps of 4
	fineWords    = 64
	arenaClasses = fineClasses + 25 // then powers of two up to 2^31
)

// classOf returns the smallest class whose blocks hold n words, n >= 1.
func classOf(n int) int {
	switch {
	case n <= smallClasses:
		return n - 1
	case n <= fineWords:
		return smallClasses + (n-smallClasses-1)/4
	}
	return fineClasses + bits.Len(uint(n-1)) - 7
}

// classWords returns the size of a class's blocks.
func classWords(c int) int {
	switch {
	case c < smallClasses:
		return c + 1
	case c < fineClasses:
		return smallClasses + (c-smallClasses+1)*4
	}
	return 1 << (c - fineClasses + 7)
}

// span is a block: where it is and how many words it has. The zero span is no
// block.
type span struct {
	ref   uint32
	words int32
}

// words returns the block's words.
func (a *arena) words(b span) []uint32 {
	if b.words == 0 {
		return nil
	}
	off := b.ref & (pageWords - 1)
	return a.pages[b.ref>>pageShift][off : off+uint32(b.words) : off+uint32(b.words)]
}

// alloc returns a block of at least n words, contents undefined.
func (a *arena) alloc(n int) span {
	c := classOf(n)
	size := classWords(c)
	if head := a.free[c]; head != 0 {
		b := span{head - 1, int32(size)}
		a.free[c] = a.words(b)[0]
		return b
	}
	last := len(a.pages) - 1
	if last < 0 || a.used+size > len(a.pages[last]) {
		page := pageWords
		if last < 3 {
			page = firstPage << (2 * (last + 1))
		}
		a.pages = append(a.pages, make([]uint32, max(page, size)))
		a.used = 0
		last++
	}
	b := span{uint32(last)<<pageShift | uint32(a.used), int32(size)}
	a.used += size
	return b
}

// release returns a block to its class.
func (a *arena) release(b span) {
	if b.words == 0 {
		return
	}
	c := classOf(int(b.words))
	a.words(b)[0] = a.free[c]
	a.free[c] = b.ref + 1
}

// grow returns a block of at least n words that begins with the old one's.
func (a *arena) grow(b span, n int) span {
	bigger := a.alloc(n)
	copy(a.words(bigger), a.words(b))
	a.release(b)
	return bigger
}

// copyFrom makes a the same as src, in a's own memory.
func (a *arena) copyFrom(src *arena) {
	a.pages = copyPages(a.pages, src.pages)
	a.used, a.free = src.used, src.free
}

// copyPages copies pages deeply, reusing dst's memory.
func copyPages[T any](dst, src [][]T) [][]T {
	for len(dst) < len(src) {
		if len(dst) < cap(dst) {
			dst = dst[:len(dst)+1]
			continue
		}
		dst = append(dst, nil)
	}
	dst = dst[:len(src)]
	for i, page := range src {
		dst[i] = append(dst[i][:0], page...)
	}
	return dst
}
