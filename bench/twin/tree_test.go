package twin

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// drawRecord draws a key so that distances, and now and then their first bytes, collide.
func drawRecord(rng *rand.Rand, serial int) *record {
	r := &record{}
	r.distance[rng.IntN(2)*20] = byte(rng.IntN(8))
	r.key[0], r.key[1] = byte(rng.IntN(4)), byte(serial)
	r.key[2] = byte(serial >> 8)
	return r
}

// TestTreeAndHeap compares both with a sorted slice under drawn insertions and removals.
func TestTreeAndHeap(t *testing.T) {
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 3))
		var set tree
		var h heap
		var want []*record
		for i := range 400 {
			if len(want) == 0 || rng.IntN(5) < 3 {
				r := drawRecord(rng, i)
				set.insert(r)
				h.push(r)
				at, _ := slices.BinarySearchFunc(want, r, compareNear)
				want = slices.Insert(want, at, r)
			} else {
				at := rng.IntN(len(want))
				set.remove(want[at])
				h.remove(want[at])
				want = slices.Delete(want, at, at+1)
			}
			var got []*record
			set.each(func(r *record) { got = append(got, r) })
			var first *record
			if len(want) > 0 {
				first = want[0]
			}
			if !slices.Equal(got, want) || set.n != len(want) || set.first != first {
				t.Fatalf("seed %d, step %d: the tree's order is wrong", seed, i)
			}
			if h.top() != first || h.len() != len(want) {
				t.Fatalf("seed %d, step %d: the heap's top is wrong", seed, i)
			}
		}
	}
}

// TestTreeIsShallow inserts keys in order, as a pass does, and wants a depth near that of a random tree.
func TestTreeIsShallow(t *testing.T) {
	var set tree
	for i := range 1 << 14 {
		r := &record{}
		r.distance[0], r.distance[1] = byte(i>>6), byte(i<<2)
		set.insert(r)
	}
	if d := set.root.depth(); d > 50 {
		t.Errorf("the depth of 2^14 keys is %d", d)
	}
}

func (n *node) depth() int {
	if n == nil {
		return 0
	}
	return 1 + max(n.left.depth(), n.right.depth())
}
