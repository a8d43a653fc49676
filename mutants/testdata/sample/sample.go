// Package sample is small code of the shapes that real packages have, for campaigns in tests.
package sample

import (
	"cmp"
	"errors"
	"slices"
)

// Capacity is how many items a queue holds.
const Capacity = 8

// ErrFull is returned by Push.
var ErrFull = errors.New("full")

// Item is what a Queue orders.
type Item struct {
	Rank  int
	Name  string
	Ready bool
}

// Queue keeps items by rank, then name.
type Queue struct {
	items   []Item
	pushed  int
	refused uint
}

// Push adds an item.
func (q *Queue) Push(it Item) (int, error) {
	if len(q.items) >= Capacity {
		q.refused++
		return 0, ErrFull
	}
	at, found := slices.BinarySearchFunc(q.items, it, func(a, b Item) int {
		if a.Rank != b.Rank {
			return cmp.Compare(a.Rank, b.Rank)
		}
		return cmp.Compare(a.Name, b.Name)
	})
	if found {
		q.items[at] = it
	} else {
		q.items = slices.Insert(q.items, at, it)
	}
	q.pushed++
	return at, nil
}

// Pop takes the first ready item.
func (q *Queue) Pop() (Item, bool) {
	for i := 0; i < len(q.items); i++ {
		if it := q.items[i]; it.Ready && it.Rank > 0 {
			q.items = append(q.items[:i], q.items[i+1:]...)
			return it, true
		}
	}
	return Item{}, false
}

// Stats are how many were pushed, refused and wait.
func (q *Queue) Stats() (pushed int, refused uint, waiting int) {
	return q.pushed, q.refused, len(q.items)
}

// Collatz counts the steps to 1: a mutant of it can easily run for ever.
func Collatz(n int) int {
	steps := 0
	for n > 1 {
		if n%2 == 0 {
			n /= 2
		} else {
			n = 3*n + 1
		}
		steps++
	}
	return steps
}

// Depth recurses: a mutant of it can do so without end.
func Depth(n int) int {
	if n <= 0 {
		return 0
	}
	return 1 + Depth(n-1)
}

// Spread starts a goroutine that panics if n is negative.
func Spread(n int) int {
	out := make(chan int)
	go func() {
		if n < 0 {
			panic("negative")
		}
		out <- n
	}()
	return <-out
}

// Unreached is called by no layer.
func Unreached(a, b int) int { return a + b }

// Flags packs three bits.
func Flags(a, b, c bool) uint8 {
	var out uint8
	for i, on := range []bool{a, b, c} {
		if on {
			out |= 1 << i
		}
	}
	return out &^ 0x80
}
