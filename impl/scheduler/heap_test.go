package scheduler

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// ranks is an order of ids by a rank that can change, and where each id was told
// to be.
type ranks struct {
	rank []int
	pos  []int32
}

func (o *ranks) before(a, b uint32) bool    { return o.rank[a] < o.rank[b] }
func (o *ranks) moved(id uint32, pos int32) { o.pos[id] = pos }

// check compares a heap with the ids that should be in it.
func (o *ranks) check(t *testing.T, h, in []uint32) {
	t.Helper()
	if sorted := slices.Sorted(slices.Values(h)); !slices.Equal(sorted, slices.Sorted(slices.Values(in))) {
		t.Fatalf("the heap holds %v, want %v", h, in)
	}
	for i, id := range h {
		if o.pos[id] != int32(i) {
			t.Fatalf("id %d is at %d, and was told %d", id, i, o.pos[id])
		}
		if up := (i - 1) / 2; i > 0 && o.before(id, h[up]) {
			t.Fatalf("rank %d at %d, below rank %d", o.rank[id], i, o.rank[h[up]])
		}
	}
	for id, pos := range o.pos {
		if pos != -1 && !slices.Contains(in, uint32(id)) {
			t.Fatalf("id %d is out, and was told %d", id, pos)
		}
	}
}

// TestHeapDown: whether the id moved is told, as it may have to go up otherwise.
func TestHeapDown(t *testing.T) {
	o := &ranks{rank: []int{5, 1, 2, 3, 9}, pos: make([]int32, 5)}
	if heapDown(o, []uint32{4}, 0) || heapDown(o, []uint32{1, 0, 2}, 0) || heapDown(o, []uint32{1, 0, 2}, 1) {
		t.Error("moved from where it belongs")
	}
	if !heapDown(o, []uint32{0, 1, 2}, 0) || !heapDown(o, []uint32{1, 0, 2, 3}, 1) {
		t.Error("stayed above one that comes before it")
	}
}

// TestHeap: whatever is pushed, changed and removed, the first is the least, and
// each id knows its place; one that is out is told -1.
func TestHeap(t *testing.T) {
	for seed := range uint64(30) {
		rng := rand.New(rand.NewPCG(seed, 41))
		n := 1 + rng.IntN(60)
		o := &ranks{rank: make([]int, n), pos: slices.Repeat([]int32{-1}, n)}
		var h, in []uint32
		for range 400 {
			id := uint32(rng.IntN(n))
			at := slices.Index(in, id)
			switch {
			case at < 0:
				o.rank[id] = rng.IntN(2 * n)
				h = heapPush(o, h, id)
				in = append(in, id)
			case rng.IntN(3) == 0:
				h = heapRemove(o, h, int(o.pos[id]))
				in = slices.Delete(in, at, at+1)
			default:
				o.rank[id] = rng.IntN(2 * n)
				heapFix(o, h, int(o.pos[id]))
			}
			o.check(t, h, in)
		}
		for last := -1; len(h) > 0; {
			first := h[0]
			if o.rank[first] < last {
				t.Fatalf("rank %d comes after %d", o.rank[first], last)
			}
			last = o.rank[first]
			h = heapRemove(o, h, 0)
			in = slices.DeleteFunc(in, func(id uint32) bool { return id == first })
			o.check(t, h, in)
		}
	}
}
