package scheduler

import (
	"fmt"
	"reflect"
	"testing"
)

// TestIDsAreReused: keys, entries, peers, flights and blocks that come and go take
// no more room than the most of them that were there at once.
func TestIDsAreReused(t *testing.T) {
	for _, most := range []int{1, 2, 5} {
		f := newFix(t, func(c *Config) { c.Slots, c.ContactTable, c.Silence = 8, 1, false })
		f.put(200, "Z") // keeps the contact table, so that no other peer stays
		f.fill("200Z#1")
		blocks := 0
		for round := range 300 {
			for i := range most {
				from := string([]rune{'A' + rune(2*i), 'B' + rune(2*i)})
				f.promote(i, from, from)
			}
			starts := f.Fill(0, nil)
			if len(starts) != most {
				t.Fatalf("%d starts, want %d", len(starts), most)
			}
			for _, st := range starts {
				f.ends(st.Attempt, OutcomeDeclined, false, fmt.Sprintf("left %d declined", st.Key[31]))
			}
			if round == 0 {
				blocks = f.blocks.used
			}
			if f.idCount() != 1+most || len(f.peers) != 1+2*most || len(f.flights) != 1+most ||
				len(f.entries) != 1 || len(f.entries[0]) != most || f.blocks.used != blocks || len(f.blocks.pages) != 1 {
				t.Fatalf("round %d, %d keys: %d ids, %d peers, %d flights, %d entries, %d words", round, most,
					f.idCount(), len(f.peers), len(f.flights), len(f.entries[0]), f.blocks.used)
			}
		}
	}
}

// TestFirstPeers: the first peer makes room for eight, in each list of them.
func TestFirstPeers(t *testing.T) {
	f := newFix(t, nil)
	f.Add(0, key(1), hints("A"))
	if n := []int{len(f.peers), len(f.hot), len(f.lists)}; n[0] != 1 || n[1] != 1 || n[2] != 1 {
		t.Errorf("one peer is in lists of %v", n)
	}
	if n := []int{cap(f.peers), cap(f.hot), cap(f.lists)}; n[0] != firstIDs || n[1] != firstIDs || n[2] != firstIDs {
		t.Errorf("room for %v peers, want %d", n, firstIDs)
	}
}

// TestEntryPages: entries are in pages of 1,024, of which each is full before the
// next, and each key keeps its own.
func TestEntryPages(t *testing.T) {
	f := newFix(t, nil)
	const n = 2*entryPageSize + 1
	for i := range n {
		f.Add(Time(i), keyN(i), []Hint{{peerN(i % 300), true}})
		if want := i/entryPageSize + 1; len(f.entries) != want {
			t.Fatalf("%d pages for %d entries, want %d", len(f.entries), i+1, want)
		}
	}
	if room := cap(f.entries[1]); room != entryPageSize {
		t.Errorf("the second page has room for %d", room)
	}
	for i, p := range f.state().Pending {
		if p.Key != keyN(i) || p.Entry.Owner != peerN(i%300) || p.Entry.Created != Time(i) {
			t.Fatalf("%d: %+v", i, p)
		}
	}
}

// TestBlocksFit: the sources and the hint sources of a key that gets one after
// another are in a block that is no larger than their number needs.
func TestBlocksFit(t *testing.T) {
	f := newFix(t, func(c *Config) { c.MaxHintSources, c.SourceCap, c.Share = 40, 40, 1 })
	f.promote(1, "A", "A")
	for n := 2; n <= 40; n++ {
		f.Add(0, key(1), []Hint{{peerN(n), true}})
		k, e := f.key(0), f.Scheduler.entry(0)
		want := classWords(classOf(n))
		if int(k.untried) != n || int(k.sources.words) != want || int(e.hintCount) != n || int(e.hints.words) != want {
			t.Fatalf("%d sources in %d words, %d hint sources in %d, want %d", k.untried, k.sources.words, e.hintCount, e.hints.words, want)
		}
	}
}

// TestFreedPeerKeepsNothing: a peer that nothing names any more leaves the entries
// of keys that were filed under it and have started elsewhere, and who takes its
// id finds an empty list.
func TestFreedPeerKeepsNothing(t *testing.T) {
	f := newFix(t, func(c *Config) { c.Slots, c.ContactTable, c.Silence = 8, 1, false })
	f.put(9, "Z") // keeps the contact table
	f.fill("9Z#1")
	f.put(1, "A")
	f.put(2, "B")
	f.fill("1A#2 2B#3")
	f.put(3, "CAB")
	f.fill("3C#4")
	f.ends(4, OutcomeNotFound, true, "park 3, application-failure")
	f.index("A:3 B:3")
	f.ends(3, OutcomeDeclined, false, "left 2 declined")
	f.fill("3B#6")
	f.ends(6, OutcomeDeclined, false, "left 3 declined")
	a := f.peerOf('A')
	if n := f.lists[a].size(); n != 1 {
		t.Fatalf("%d dead entries", n)
	}
	f.ends(2, OutcomeDeclined, false, "left 1 declined")
	if f.peerOf('A') != none || f.lists[a].size() != 0 {
		t.Fatalf("the peer is %d, %d entries are left", f.peerOf('A'), f.lists[a].size())
	}
	if len(f.freeKeys) != 3 {
		t.Fatalf("%d ids are free, want 3", len(f.freeKeys))
	}
}

func (s *Scheduler) peerOf(c rune) uint32 {
	p := peer(c)
	return s.findPeer(&p, s.names.Of(p[:]))
}

// memory notes where each slice in v has its memory.
func memory(at string, v reflect.Value, in map[uintptr]string) {
	switch v.Kind() {
	case reflect.Slice:
		if v.Cap() == 0 {
			return
		}
		in[v.Pointer()] = at
		if k := v.Type().Elem().Kind(); k == reflect.Slice || k == reflect.Struct {
			for i := range v.Len() {
				memory(fmt.Sprintf("%s[%d]", at, i), v.Index(i), in)
			}
		}
	case reflect.Array:
		for i := range v.Len() {
			memory(fmt.Sprintf("%s[%d]", at, i), v.Index(i), in)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			memory(at+"."+v.Type().Field(i).Name, v.Field(i), in)
		}
	}
}

// TestCopySharesNothing: a copy has no memory in common with its source, and uses
// again what it has.
func TestCopySharesNothing(t *testing.T) {
	src := checkFix(t).Scheduler
	for n := range 300 { // enough to need every scratch
		src.Add(src.clock, keyN(1000+n), hints("XY"))
	}
	src.Evict(src.clock+1, 0, nil)
	src.fullUntracked = append(src.fullUntracked, 0)[:0]
	src.Depart(src.clock, peer('Z'), nil)
	var st State
	src.Observe(0, &st)
	ofSource := map[uintptr]string{}
	memory("", reflect.ValueOf(*src), ofSource)
	empty := reflect.ValueOf(*src)
	for i := range empty.NumField() {
		if v := empty.Field(i); v.Kind() == reflect.Slice && v.Cap() == 0 {
			t.Errorf("%s has no memory: the fixture does not try it", empty.Type().Field(i).Name)
		}
	}
	var s Scheduler
	var first map[uintptr]string
	for range 2 {
		s.CopyFrom(src)
		ofCopy := map[uintptr]string{}
		memory("", reflect.ValueOf(s), ofCopy)
		for p, at := range ofCopy {
			if other, shared := ofSource[p]; shared {
				t.Errorf("%s of the copy is %s of its source", at, other)
			}
			if first != nil && first[p] != at {
				t.Errorf("%s of the copy is new when it is copied to again", at)
			}
		}
		first = ofCopy
	}
}
