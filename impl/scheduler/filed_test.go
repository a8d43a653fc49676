package scheduler

import (
	"runtime"
	"testing"
)

// TestListRoom: memory for lists is cut from slabs, of which each has room for
// what is asked for as often as there are sources, within a bound; large lists
// have memory of their own.
func TestListRoom(t *testing.T) {
	f := newFix(t, nil)
	f.put(1, "ABC")
	for _, c := range []struct{ n, left int }{
		{4, 8},
		{8, 0},
		{4, 8},
		{9, 18}, // what is left of a slab is too little, and given up
		{slabRoom + 1, 18},
		{slabRoom, 2 * slabRoom},
	} {
		room := f.listRoom(c.n)
		if len(room) != 0 || cap(room) != c.n || len(f.slab) != c.left {
			t.Fatalf("room for %d: %d of %d, %d left, want %d", c.n, len(room), cap(room), len(f.slab), c.left)
		}
	}
	f.lists = make([]list, 100)
	f.slab = nil
	if f.listRoom(slabRoom); len(f.slab) != slabWords-slabRoom {
		t.Fatalf("%d left of the largest slab", len(f.slab))
	}
	f.lists = f.lists[:3]
}

// TestFirstRoom: a source's list has room for a share of its keys at first, and
// then for twice as many as before.
func TestFirstRoom(t *testing.T) {
	f := newFix(t, func(c *Config) { c.Slots = 1 })
	f.put(1, "A")
	f.fill("1A#1")
	for n := range 100 {
		f.put(2+n, "A")
	}
	f.put(200, "AB")
	l := &f.lists[0]
	for filed, room := range map[int]int{1: 8, 8: 8, 9: 16, 16: 16, 17: 32} {
		*l, f.slab = list{}, nil
		for id := range filed {
			f.file(uint32(1+id), 0)
		}
		if cap(l.ids) != room || len(f.slab) != room { // a slab has room for both sources
			t.Errorf("room for %d, with %d filed, and %d left, want %d", cap(l.ids), filed, len(f.slab), room)
		}
	}
	*l, f.hot[0].filed, f.hot[0].entries = list{}, 0, 0
	f.slab = nil
	last := len(f.backlog.ids) - 1
	f.parkExamined(f.backlog.ids[last])
	f.backlog.ids = f.backlog.ids[:last]
	if n := cap(f.lists[1].ids); n != firstListed || len(f.slab) != 2*8-8-firstListed {
		t.Errorf("room for %d of a source's only key, and %d left", n, len(f.slab))
	}
}

// TestPassAllocations: a pass that files keys under many sources allocates a few
// slabs, not every list by itself.
func TestPassAllocations(t *testing.T) {
	c := newScale(t, 20_000, 400, 8)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	c.starts = c.s.Fill(1, c.starts[:0])
	runtime.ReadMemStats(&after)
	if n := after.Mallocs - before.Mallocs; n > 40 || len(c.starts) != 1 {
		t.Fatalf("%d allocations in a pass that started %d", n, len(c.starts))
	}
	if err := c.s.SelfCheck(); err != nil {
		t.Fatal(err)
	}
}
