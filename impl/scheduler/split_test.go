package scheduler

import (
	"slices"
	"testing"
)

// newPrefixed returns a scheduler that has nothing but ids of keys whose
// distances have these prefixes.
func newPrefixed(t *testing.T, prefixes []int) (s *Scheduler, ids []uint32) {
	t.Helper()
	s, ids = newListed(t, make([]int, len(prefixes))...)
	for i, n := range prefixes {
		s.setDistance(ids[i], &Distance{5: byte(n >> 15), 6: byte(n >> 7), 7: byte(n << 1)})
	}
	return s, ids
}

// TestListSplit: of a list that has no order yet, asking for its nearest sorts
// all if they are few, else a part that is not too small, however the keys lie
// that were looked at to find it.
func TestListSplit(t *testing.T) {
	far := func(i int) int { return 1000 + i }
	for _, c := range []struct {
		name   string
		n      int
		prefix func(i int) int // of the i-th key
		sorted int             // how many are put in order
	}{
		{"few", 64, func(i int) int { return 64 - i }, 64},
		{"one more", 65, func(i int) int { return 65 - i }, 19},
		{"a quarter", 3200, func(i int) int { return 3200 - i }, 900},
		{"a quarter, mixed", 3200, func(i int) int { return i * 1601 % 3200 }, 801},
		{"the same", 3200, func(int) int { return 5 }, 3200},
		// Every so many keys one is looked at; those are the nearest of all, with prefixes in a row.
		{"just enough", 16 * 9, nil, 9},
		{"twice the part", 16*9 + 16, nil, 17},
		{"twice, just enough", 16 * 17, nil, 17},
		{"all", 16*17 + 16, nil, 16*17 + 16},
		{"all of many", 320, nil, 320},
		{"all of more", 12 * 32, nil, 12 * 32},
	} {
		t.Run(c.name, func(t *testing.T) {
			prefixes := make([]int, c.n)
			for i := range prefixes {
				if c.prefix != nil {
					prefixes[i] = c.prefix(i)
				} else {
					prefixes[i] = far(i)
				}
			}
			if c.prefix == nil {
				for n := range splitSample {
					prefixes[n*c.n/splitSample] = 1 + (n*5+3)%splitSample // in a row, mixed
				}
			}
			s, ids := newPrefixed(t, prefixes)
			var l list
			for _, id := range ids {
				s.listPush(&l, id)
			}
			before := s.touched
			first := s.listFirst(&l)
			if want := slices.MinFunc(ids, s.compareNearness); first != want {
				t.Fatalf("first %d, want %d", first, want)
			}
			if int(l.run) != c.sorted || l.near != l.run || s.listDisorder(&l) >= 0 {
				t.Fatalf("sorted %d, near %d, want %d; disorder at %d", l.run, l.near, c.sorted, s.listDisorder(&l))
			}
			if last := s.prefix(l.ids[l.run-1]); l.limit != last+1 {
				t.Fatalf("the rest begins at %d, the last before it is %d", l.limit, last)
			}
			if s.touched-before != uint64(c.n) {
				t.Fatalf("touched %d of %d", s.touched-before, c.n)
			}
		})
	}
}

// TestListMix: keys that are nearer than the run stand in a heap until they are
// more than 64 and more than a quarter of the list. Then none has an order.
func TestListMix(t *testing.T) {
	for _, c := range []struct{ run, used, heap int }{
		{100, 0, 64}, {192, 0, 64}, {193, 0, 64}, {194, 0, 64}, {195, 0, 65}, {200, 0, 66}, {400, 0, 133}, {240, 40, 66},
	} {
		var prefixes []int
		for i := range c.run {
			prefixes = append(prefixes, 1000+i)
		}
		for i := range c.heap + 1 {
			prefixes = append(prefixes, 500-i*7%500)
		}
		s, ids := newPrefixed(t, prefixes)
		var l list
		for _, id := range ids[:c.run] {
			s.listPushNext(&l, id)
		}
		for range c.used {
			s.listDrop(&l, s.listFirst(&l))
		}
		for n, id := range ids[c.run:] {
			s.listPush(&l, id)
			if at := s.listDisorder(&l); at >= 0 {
				t.Fatalf("%v: disorder at %d", c, at)
			}
			switch ordered := l.limit > 0; {
			case n < c.heap && (!ordered || int(l.run) != c.run || int(l.near) != c.run+n+1):
				t.Fatalf("%v: run %d, near %d, ordered %v with %d", c, l.run, l.near, ordered, n+1)
			case n == c.heap && (ordered || l.near != l.head || l.run != l.head):
				t.Fatalf("%v: run %d, near %d, ordered %v with %d", c, l.run, l.near, ordered, n+1)
			}
		}
		if first := s.listFirst(&l); first != slices.MinFunc(l.all(), s.compareNearness) {
			t.Fatalf("%v: first %d", c, first)
		}
	}
}

// TestListStartsAnew: a list that has been used up has its whole room again, and
// no order that the next keys would have to keep.
func TestListStartsAnew(t *testing.T) {
	s, ids := newListed(t, 10, 20, 30, 15, 5)
	var l list
	for _, id := range ids[:3] {
		s.listPushNext(&l, id)
	}
	for range 3 {
		s.listDrop(&l, s.listFirst(&l))
	}
	if s.listFirst(&l) != none || len(l.ids) != 0 || cap(l.ids) != firstListed || l.head+l.run+l.near != 0 || l.limit != 0 {
		t.Fatalf("used up: %+v", l)
	}
	for _, id := range ids[3:] {
		s.listPush(&l, id)
	}
	if l.near != 0 || s.listFirst(&l) != ids[4] {
		t.Fatalf("anew: %+v", l)
	}
}

// TestListNext: a key that is as near as the last of a run, to the prefix, is
// not behind it.
func TestListNext(t *testing.T) {
	s, ids := newPrefixed(t, []int{10, 10, 11, 12, 11})
	order := slices.Clone(ids)
	slices.SortFunc(order, s.compareNearness)
	var l list
	for i, want := range []struct{ run, near int32 }{{1, 1}, {1, 2}, {1, 2}, {1, 2}, {1, 2}} {
		s.listPushNext(&l, ids[i])
		if l.run != want.run || l.near != want.near || s.listDisorder(&l) >= 0 {
			t.Fatalf("after %d: run %d, near %d, want %v", i, l.run, l.near, want)
		}
	}
	s, ids = newPrefixed(t, []int{10, 11, 11, 12})
	l = list{}
	for i, want := range []struct{ run, near int32 }{{1, 1}, {2, 2}, {2, 3}, {2, 3}} {
		s.listPushNext(&l, ids[i])
		if l.run != want.run || l.near != want.near || l.limit != uint64(10+min(i, 1)+1) || s.listDisorder(&l) >= 0 {
			t.Fatalf("after %d: run %d, near %d, limit %d, want %v", i, l.run, l.near, l.limit, want)
		}
	}
}
