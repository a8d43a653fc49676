package scheduler

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// newListed returns a scheduler that has nothing but ids of keys at distances.
func newListed(t *testing.T, distances ...int) (s *Scheduler, ids []uint32) {
	t.Helper()
	s, err := New(seeded())
	if err != nil {
		t.Fatal(err)
	}
	for i, n := range distances {
		k := keyN(i) // of keys at the same distance the first is the nearest
		id := s.newKey(&k, s.names.Of(k[:]))
		s.setDistance(id, &Distance{byte(n >> 8), byte(n)})
		ids = append(ids, id)
	}
	return s, ids
}

// TestListPushNext: keys that come nearest first make one run; the first that
// does not stands in a heap, and what comes behind it has no order, until the
// heap is used up.
func TestListPushNext(t *testing.T) {
	s, ids := newListed(t, 10, 20, 30, 25, 40, 50, 60, 60)
	var l list
	for i, want := range []struct{ run, near int32 }{{1, 1}, {2, 2}, {3, 3}, {3, 4}, {3, 4}} {
		s.listPushNext(&l, ids[i])
		if l.run != want.run || l.near != want.near || s.listDisorder(&l) >= 0 {
			t.Fatalf("after %d: run %d, near %d, want %v", i, l.run, l.near, want)
		}
	}
	order := []uint32{ids[0], ids[1], ids[3], ids[2], ids[4]}
	for i, want := range order {
		if got := s.listFirst(&l); got != want {
			t.Fatalf("key %d is %d, want %d", i, got, want)
		}
		s.listDrop(&l, want)
	}
	// The last was a rest, which was put in order: the run goes on.
	for i, want := range []struct{ run, near int32 }{{5, 5}, {6, 6}, {6, 7}} {
		s.listPushNext(&l, ids[5+i])
		if l.run != want.run || l.near != want.near || s.listDisorder(&l) >= 0 {
			t.Fatalf("after %d more: run %d, near %d, want %v", i, l.run, l.near, want)
		}
	}
}

// TestListMakeRoom: a full list closes the gap at its front if that is more than a
// quarter of it, and grows twice as large otherwise.
func TestListMakeRoom(t *testing.T) {
	s, ids := newListed(t, 1, 2, 3, 4, 5, 6)
	var l list
	for n, want := range []struct {
		drops, head, size, room int
	}{{0, 0, 1, 4}, {0, 0, 2, 4}, {0, 0, 3, 4}, {0, 0, 4, 4}, {2, 0, 3, 4}, {0, 0, 4, 4}} {
		for range want.drops {
			s.listDrop(&l, s.listFirst(&l))
		}
		s.listPushNext(&l, ids[n])
		if int(l.head) != want.head || l.size() != want.size || cap(l.ids) != want.room || s.listFirst(&l) == none {
			t.Fatalf("after %d: head %d, size %d, room %d, want %v", n, l.head, l.size(), cap(l.ids), want)
		}
	}
	s.listDrop(&l, s.listFirst(&l))
	s.listPushNext(&l, ids[0])
	if l.head != 1 || l.size() != 4 || cap(l.ids) != 8 || s.listDisorder(&l) >= 0 {
		t.Fatalf("grown: head %d, size %d, room %d", l.head, l.size(), cap(l.ids))
	}
}

// TestListGrows: a list has room for twice as many each time that it grows, and
// keeps its memory when it closes its gap.
func TestListGrows(t *testing.T) {
	distances := make([]int, 5000)
	for i := range distances {
		distances[i] = i
	}
	s, ids := newListed(t, distances...)
	var l list
	for n, id := range ids[:3000] {
		s.listPush(&l, id)
		room := firstListed
		for room <= n {
			room *= 2
		}
		if cap(l.ids) != room {
			t.Fatalf("%d keys have room for %d, want %d", n+1, cap(l.ids), room)
		}
	}
	for l.size() > 2000 {
		s.listDrop(&l, s.listFirst(&l))
	}
	for _, id := range ids[3000:] { // others take their places in the same room
		s.listDrop(&l, s.listFirst(&l))
		s.listPush(&l, id)
	}
	if l.size() != 2000 || cap(l.ids) != 4096 || s.listDisorder(&l) >= 0 {
		t.Fatalf("%d keys have room for %d", l.size(), cap(l.ids))
	}
}

// TestLists: keys come out nearest first, whatever the order in which they came.
func TestLists(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	for round := range 60 {
		n := 1 + rng.IntN(700)
		distances := make([]int, n)
		for i := range distances {
			distances[i] = rng.IntN(1 + rng.IntN(3*n))
		}
		if round%3 == 0 {
			slices.Sort(distances)
		}
		s, ids := newListed(t, distances...)
		var l list
		var in []uint32
		for len(ids)+len(in) > 0 {
			if len(ids) > 0 && rng.IntN(3) > 0 {
				if round%2 == 0 {
					s.listPushNext(&l, ids[0])
				} else {
					s.listPush(&l, ids[0])
				}
				at, _ := slices.BinarySearchFunc(in, ids[0], s.compareNearness)
				in = slices.Insert(in, at, ids[0])
				ids = ids[1:]
			} else if want := none; rng.IntN(2) == 0 {
				if len(in) > 0 {
					want = in[0]
				}
				if got := s.listFirst(&l); got != want {
					t.Fatalf("round %d: first %d, want %d", round, got, want)
				}
				if want != none {
					s.listDrop(&l, want)
					in = in[1:]
				}
			} else if rng.IntN(40) == 0 {
				odd := func(id uint32) bool { return id%2 == 1 }
				s.listFilter(&l, odd)
				in = slices.DeleteFunc(in, func(id uint32) bool { return !odd(id) })
			}
			if at := s.listDisorder(&l); at >= 0 || l.size() != len(in) {
				t.Fatalf("round %d: disorder at %d, size %d, want %d", round, at, l.size(), len(in))
			}
		}
	}
}

// TestCopyOverLarger: a scheduler that has become a copy of a smaller one has
// nothing of its own left in the lists of new peers.
func TestCopyOverLarger(t *testing.T) {
	f := newFix(t, nil)
	f.put(1, "A")
	f.fill("1A#1")
	f.put(2, "A")
	f.put(3, "B")
	f.fill("3B#2")
	f.index("A:2")
	f.CopyFrom(newFix(t, nil).Scheduler)
	f.put(1, "AB")
	f.index("")
}
