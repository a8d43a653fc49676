package scheduler

import (
	"fmt"
	"strings"
	"testing"
)

// filed is a scheduler in which no slot is free and keys at distances 20, 30, …
// are filed under A, which is full. end frees a slot.
func filed(t *testing.T, n int) *fix {
	f := newFix(t, func(c *Config) { c.Slots, c.MaxQueued = 3, 1000 })
	f.put(1, "A")
	f.fill("1A#1")
	for i := range n {
		f.put(20+10*i, "A")
	}
	f.aside(32 * n)
	f.put(250, "Y")
	f.fill("250Y#2")
	f.put(251, "Z")
	f.fill("251Z#3")
	return f
}

func (f *fix) end(a Place) {
	f.t.Helper()
	if _, v := f.Outcome(f.now, a, OutcomeDeclined, 0, false); !v.OK() {
		f.t.Fatal(v)
	}
	if err := f.SelfCheck(); err != nil {
		f.t.Fatal(err)
	}
}

// TestNearestOfReady: of the sources that can start and have filed keys, a pass
// takes the nearest key, whichever of them got a nearer one last, and after the
// nearest of one has started elsewhere. FIL-1, PRK-2.
func TestNearestOfReady(t *testing.T) {
	for _, c := range []struct {
		name  string
		adds  string // key and claimant, in the order of the advertisements
		start string // one after the other
	}{
		{"a nearer one", "40B 20B", "20B#4"},
		{"a farther one", "20B 40B", "20B#4"},
		{"of two", "30B 40C", "30B#4 40C#5"},
		{"of two, the second became nearer", "30B 40C 20C", "20C#4 30B#5"},
		{"of two, both became nearer", "50B 60C 40C 30B", "30B#4 40C#5"},
		{"of three", "50B 40C 30D 20C", "20C#4 30D#5"},
		{"the front has started elsewhere", "20C 20B 40B 30D", "20C#4 30D#5"},
		{"the fronts have started elsewhere", "20C 20B 20D 50B 40D 60E 30E", "20C#4 30E#5"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := filed(t, 5)
			for _, w := range strings.Fields(c.adds) {
				var n int
				var p rune
				fmt.Sscanf(w, "%d%c", &n, &p)
				if r := f.Add(f.now, key(n), hints(string(p))); r != AlreadyPresent {
					t.Fatal(r)
				}
				if err := f.SelfCheck(); err != nil {
					t.Fatal(err)
				}
			}
			words := strings.Fields(c.start)
			for i, start := range words {
				f.end(Place(2 + i))
				f.fill(start)
			}
		})
	}
}

// aside adds pending keys, so many that a pass files all that it examines.
func (f *fix) aside(n int) {
	for i := range n {
		f.Add(0, Key{1, byte(i >> 8), byte(i)}, hints("X"))
	}
}

// startAt has a pass start one key at a source, and ends its attempt.
func (f *fix) startAt(n int, from rune) {
	f.t.Helper()
	starts := f.Fill(f.now, nil)
	if len(starts) != 1 || starts[0].Key != key(n) || starts[0].Source != peer(from) {
		f.t.Fatalf("started %v, want %d at %c", starts, n, from)
	}
	f.end(starts[0].Attempt)
}

// TestDeadBound: the entries of keys that have started elsewhere stay while they
// are no more than those of the living and 16, and then go all at once. PRK-1.
func TestDeadBound(t *testing.T) {
	for _, n := range []int{16, 17, 18, 20, 40} {
		f := newFix(t, func(c *Config) { c.Slots = 3 })
		f.put(1, "A")
		f.put(2, "B")
		f.fill("1A#1 2B#2")
		for i := range n {
			f.put(10+i, "BA")
		}
		f.aside(32 * n)
		f.put(250, "Y")
		f.fill("250Y#3")
		f.end(2)
		a := f.peerOf('A')
		for i := range n + 1 {
			if hot := f.hot[a]; int(hot.filed) != n-i || int(hot.entries) != n-lastDrop(n, i) {
				t.Fatalf("%d of %d have started: %d filed, %d entries, want %d", i, n, hot.filed, hot.entries, n-lastDrop(n, i))
			}
			if i < n {
				f.startAt(10+i, 'B')
			}
		}
	}
}

// TestDeadGoWhileReady: they go so, too, from a source that can start, whose
// nearest key has just started elsewhere. FIL-1, PRK-1.
func TestDeadGoWhileReady(t *testing.T) {
	for _, c := range []struct{ dead, entries int }{{16, 18}, {17, 1}} {
		f := newFix(t, func(c *Config) { c.Slots = 4 })
		f.put(1, "A")
		f.put(2, "B")
		f.put(3, "C")
		f.fill("1A#1 2B#2 3C#3")
		f.put(10, "BA")
		for i := range c.dead {
			f.put(20+i, "CA")
		}
		f.put(100, "A")
		f.aside(1000)
		f.put(250, "Y")
		f.fill("250Y#4")
		f.end(3)
		for i := range c.dead {
			f.startAt(20+i, 'C')
		}
		a := f.peerOf('A')
		if hot := f.hot[a]; hot.filed != 2 || int(hot.entries) != 2+c.dead {
			t.Fatalf("%d filed, %d entries before", hot.filed, hot.entries)
		}
		f.put(4, "D") // takes the slot until A and B can start
		f.fill(fmt.Sprintf("4D#%d", f.next))
		f.put(5, "E")
		f.end(2)
		f.fill(fmt.Sprintf("5E#%d", f.next))
		f.end(1)
		f.startAt(10, 'B')
		if hot := f.hot[a]; hot.filed != 1 || int(hot.entries) != c.entries || !hot.ready {
			t.Fatalf("%d dead: %d filed, %d entries, want %d, ready %v", c.dead, hot.filed, hot.entries, c.entries, hot.ready)
		}
		f.startAt(100, 'A')
	}
}

// lastDrop is how many of n keys had started when the dead entries went last,
// after i have.
func lastDrop(n, i int) (last int) {
	for k := 1; k <= i; k++ {
		if alive, dead := n-k, k-last; dead+alive > 2*alive+16 {
			last = k
		}
	}
	return last
}

// TestQuietPassesNoteNothing: a pass that parks no key notes no time. PRK-6.
func TestQuietPassesNoteNothing(t *testing.T) {
	f := newFix(t, nil)
	f.put(1, "A")
	f.fill("1A#1")
	f.put(2, "A")
	for range 10 {
		f.now++
		f.fill("")
	}
	if len(f.epochs) != 1 || f.epochs[0].at != 1 {
		t.Fatalf("the times of %v", f.epochs)
	}
}
