package scheduler

import (
	"testing"
)

// TestOrders: of two keys exactly one is before the other, and none before
// itself, wherever the first byte is in which they differ.
func TestOrders(t *testing.T) {
	s, err := New(seeded())
	if err != nil {
		t.Fatal(err)
	}
	mk := func(k Key, d Distance) uint32 {
		id := s.newKey(&k, s.names.Of(k[:]))
		s.setDistance(id, &d)
		return id
	}
	for at := range 32 {
		for _, bits := range [][2]byte{{0, 1}, {1, 2}, {2, 3}, {0x7f, 0x80}, {0x80, 0xff}} {
			var small, large [32]byte
			for i := at + 1; i < 32; i++ {
				small[i] = 0xff
			}
			small[at], large[at] = bits[0], bits[1]
			other := Key{0xee, byte(at), bits[0], bits[1]}
			for _, c := range []struct {
				order  string
				less   func(a, b uint32) bool
				before uint32
				after  uint32
				name   bool // the prefix is the name's
			}{
				{"nearer by distance", s.nearer, mk(other, small), mk(Key{}, large), false},
				{"nearer by key", s.nearer, mk(small, Distance(other)), mk(large, Distance(other)), false},
				{"keyLess", s.keyLess, mk(small, large), mk(large, small), true},
			} {
				if c.name {
					s.setPrefix(c.before, prefixOf(&small))
					s.setPrefix(c.after, prefixOf(&large))
				}
				a, b := c.before, c.after
				if !c.less(a, b) || c.less(b, a) || c.less(a, a) || c.less(b, b) {
					t.Fatalf("%s: byte %d, %v: %v, %v; itself %v, %v", c.order, at, bits, c.less(a, b), c.less(b, a), c.less(a, a), c.less(b, b))
				}
			}
		}
	}
}

// TestFirstRooms: the first page of keys has room for few and grows, each later
// one has its whole room at once.
func TestFirstRooms(t *testing.T) {
	s, err := New(seeded())
	if err != nil {
		t.Fatal(err)
	}
	rooms := func(n int) [3]int {
		p := &s.pages[n]
		if len(p.recs) != len(p.prefix) || len(p.recs) != len(p.details) {
			t.Fatalf("page %d: %d records, %d prefixes, %d details", n, len(p.recs), len(p.prefix), len(p.details))
		}
		return [3]int{cap(p.recs), cap(p.prefix), cap(p.details)}
	}
	for n := range 2*keyPageSize + 1 {
		k := Key{byte(n >> 8), byte(n)}
		s.newKey(&k, s.names.Of(k[:]))
		if n < firstIDs && rooms(0) != [3]int{firstIDs, firstIDs, firstIDs} {
			t.Fatalf("%d keys have rooms %v", n+1, rooms(0))
		}
	}
	for n := 1; n < 3; n++ {
		if rooms(n) != [3]int{keyPageSize, keyPageSize, keyPageSize} {
			t.Fatalf("page %d has rooms %v", n, rooms(n))
		}
	}
	seen := 0
	for id := range s.allKeys() {
		if seen++; id == 5 {
			break
		}
	}
	if seen != 6 || s.idCount() != 2*keyPageSize+1 {
		t.Fatalf("%d ids, %d seen up to id 5", s.idCount(), seen)
	}
}

// TestMemoryIsReused: keys that come and go, through each stage and every way
// out, take no more ids, entries and sources than are there at once.
func TestMemoryIsReused(t *testing.T) {
	f := newFix(t, func(c *Config) { c.Slots = 2 })
	use := func() [5]int {
		used := f.blocks.used
		for _, p := range f.blocks.pages {
			used += len(p)
		}
		return [5]int{f.idCount(), len(f.entries[0]), used, len(f.peers), cap(f.picks) + cap(f.listed)}
	}
	var at [5]int
	for round := range 60 {
		f.promote(1, "XY", "ABCDEFGH")
		f.put(2, "ABCDEFGHIJKLMNOPQRST")
		f.put(3, "A")
		f.put(4, "A") // is filed under A, for 5 starts before it
		f.put(5, "B")
		f.Add(f.now, key(6), hints("XYZ"))
		f.Add(f.now, key(7), hints("X"))
		starts := f.Fill(f.now, nil)
		f.Remove(f.now, key(6))
		f.Evict(f.now, 0, nil)
		for i := 0; i < len(starts); i++ {
			r, v := f.Outcome(f.now, starts[i].Attempt, OutcomeUnreachable, 0, false)
			if !v.OK() {
				t.Fatal(v)
			}
			if r.Event.Kind == EventStart {
				starts = append(starts, Start{Attempt: r.Event.Attempt})
			}
			starts = f.Fill(f.now, starts)
			f.now++
		}
		f.Evict(f.now, 0, nil)
		if !f.Drained([]Key{key(1), key(2), key(3), key(4), key(5), key(6), key(7)}) {
			t.Fatalf("round %d: something is left: %+v", round, f.state())
		}
		if round == 5 {
			at = use()
		}
	}
	if use() != at {
		t.Fatalf("60 rounds take %v, 6 take %v", use(), at)
	}
	if f.idCount() > 7 {
		t.Fatalf("7 keys take %d ids", f.idCount())
	}
}
