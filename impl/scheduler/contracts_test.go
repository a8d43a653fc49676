package scheduler

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// appended calls an operation with a list that holds something and has room
// behind it, and expects that kept, and behind it what the operation gives
// without a list.
func appended[T comparable](t *testing.T, what string, s *Scheduler, held T, call func(s *Scheduler, dst []T) []T) {
	t.Helper()
	var other Scheduler
	other.CopyFrom(s)
	want := append([]T{held}, call(&other, nil)...)
	if len(want) < 3 {
		t.Fatalf("%s gives only %v", what, want[1:])
	}
	for _, room := range []int{0, 1, 100} {
		other.CopyFrom(s)
		if got := call(&other, append(make([]T, 0, 1+room), held)); !slices.Equal(got, want) {
			t.Errorf("%s behind one, with room for %d: %v, want %v", what, room, got, want)
		}
	}
}

// TestAppends: what an operation appends comes behind what the list holds.
func TestAppends(t *testing.T) { // FIL-4, PND-9, PND-10, DEP-6
	f := newFix(t, nil)
	f.Add(0, key(1), hints("A"))
	f.Add(0, key(2), hints("A"))
	f.put(3, "A")
	f.put(4, "B")
	event := Event{Kind: EventPark, Key: key(99)}
	appended(t, "Fill", f.Scheduler, Start{Key: key(99)}, func(s *Scheduler, dst []Start) []Start { return s.Fill(0, dst) })
	appended(t, "Ready", f.Scheduler, key(99), func(s *Scheduler, dst []Key) []Key { return s.Ready(0, 9, dst) })
	appended(t, "Depart", f.Scheduler, event, func(s *Scheduler, dst []Event) []Event { return s.Depart(0, peer('A'), dst) })
	appended(t, "Evict", f.Scheduler, event, func(s *Scheduler, dst []Event) []Event { return s.Evict(0, 0, dst) })
}

// TestListsStayTheCallers: a scheduler keeps none of the lists that it is given,
// nor does it write to them.
func TestListsStayTheCallers(t *testing.T) {
	f := newFix(t, nil)
	hinted, from := hints("CbA"), peers("BAB")
	ads := []Advertisement{{key(2), hints("De")}, {key(1), hints("Fa")}}
	keys := []Key{key(1), key(2)}
	before := fmt.Sprint(hinted, from, ads, keys)
	f.Add(0, key(1), hinted)
	f.AddBatch(0, ads, nil)
	f.Promote(0, key(1), dist(1), from)
	f.Enqueue(0, key(3), dist(3), from)
	f.Drained(keys)
	if after := fmt.Sprint(hinted, from, ads, keys); after != before {
		t.Errorf("an operation wrote to its arguments: %s, before %s", after, before)
	}
	var was, is all
	was.ask(f.Scheduler)
	for i := range hinted {
		hinted[i] = Hint{}
	}
	clear(from)
	clear(keys)
	for i := range ads {
		clear(ads[i].Hints)
		ads[i].Key = key(77)
	}
	is.ask(f.Scheduler)
	if !is.same(&was) {
		t.Errorf("what the caller does to its lists shows: %+v, before %+v", is, was)
	}
	f.fill("1B#1 3A#2")
}

// TestObservedStays: what was observed does not change with the scheduler, nor
// when another is observed into another state.
func TestObservedStays(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 31))
	d := newDriver(t, 1, smallConfig(rng), 8, 5)
	for range 100 {
		d.press()
	}
	var first, second State
	d.s.Observe(d.now, &first)
	text := fmt.Sprint(first)
	for range 200 {
		d.press()
		d.s.Observe(d.now, &second)
	}
	if again := fmt.Sprint(first); again != text {
		t.Fatalf("a state that was observed before is now\n%s\nit was\n%s", again, text)
	}
	var fresh State
	d.s.Observe(d.now, &fresh)
	d.s.Observe(d.now, &first) // into memory that held another state
	if !sameState(&first, &fresh) {
		t.Fatalf("observed again into the same memory\n%+v\ninto fresh memory\n%+v", first, fresh)
	}
}

// TestTouched: the count of what passes look at grows with each start, and by
// nothing that looks at no key.
func TestTouched(t *testing.T) {
	f := newFix(t, func(c *Config) { c.Slots = 20 })
	for n := range 12 {
		f.put(n, string(rune('A'+n%6)))
	}
	grows := func(what string, least, most uint64, do func()) {
		t.Helper()
		from := f.Touched()
		do()
		if n := f.Touched() - from; n < least || n > most {
			t.Errorf("%s: %d touched, want %d to %d", what, n, least, most)
		}
	}
	var st State
	grows("a pass that starts six", 6, 100, func() { f.fill("0A#1 1B#2 2C#3 3D#4 4E#5 5F#6") })
	grows("a pass in which nothing can start", 0, 0, func() { f.fill("") })
	grows("queries", 0, 0, func() {
		f.Observe(0, &st)
		f.Snapshot(0)
		f.OldestParked(0)
		f.Ready(0, 9, nil)
		f.Drained([]Key{key(1)})
	})
	grows("an outcome that wakes a source, and its pass", 1, 100, func() {
		f.ends(3, OutcomeStored, true, "left 2 stored")
		f.fill("8C#8")
	})
}

// TestDeadEntriesGo: the index never holds many more entries of keys that have
// left than of keys that are there, however long a source lets none start. Keys
// that both the first peer, which does not answer, and the second hold are filed
// under both on the way to those of the third, and start at the second.
func TestDeadEntriesGo(t *testing.T) {
	cfg := Defaults()
	cfg.Slots, cfg.Share, cfg.MaxQueued = 3, 1, 4000
	d := newDriver(t, 5, cfg, 6000, 3)
	for n := range 3000 {
		from := []Peer{peerN(0), peerN(1)}
		if n%2 == 1 {
			from = []Peer{peerN(2)}
		}
		d.s.Enqueue(0, keyN(n), distN(n), from)
	}
	dead := int32(0)
	for range 40 {
		d.churn(20, true) // the first peer's attempt goes on
		for p := range d.s.hot {
			hot := &d.s.hot[p]
			if hot.entries > 2*hot.filed+16 {
				t.Fatalf("peer id %d: %d entries of %d keys", p, hot.entries, hot.filed)
			}
			dead = max(dead, hot.entries-hot.filed)
		}
		if err := d.s.SelfCheck(); err != nil {
			t.Fatal(err)
		}
	}
	if started := d.s.Snapshot(0).Counters.Started; dead == 0 || started < 500 {
		t.Fatalf("of %d keys that started, at most %d at once were still filed elsewhere", started, dead)
	}
}
