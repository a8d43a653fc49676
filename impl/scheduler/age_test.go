package scheduler

import (
	"testing"
	"time"
)

// TestEpochs: when a backlog was parked is kept until there are more than sixteen
// such times and two for each key that is in it; then only those that a key needs
// are. The oldest key's age is right throughout. SUM-2.
func TestEpochs(t *testing.T) {
	f := newFix(t, nil)
	f.put(1, "A")
	f.put(2, "B")
	f.fill("1A#1 2B#2")
	f.now = 10
	f.put(3, "A")
	f.fill("") // parks it
	for pass := 2; pass <= 60; pass++ {
		f.now++
		f.put(4, "B")
		f.fill("")
		f.events(f.Depart(f.now, peer('B'), nil), "left 4 orphaned")
		// The 22nd pass finds 21 times, for two keys, and leaves key 3's and its own; so
		// does each 20th from then on.
		want := pass
		if pass > 21 {
			want = 2 + (pass-22)%20
		}
		if n := len(f.epochs); n != want {
			t.Fatalf("%d times are kept after pass %d, want %d", n, pass, want)
		}
		if age, some := f.OldestParked(f.now); age != time.Duration(f.now-10) || !some {
			t.Fatalf("the oldest has been parked for %v, since 10, at %d", age, f.now)
		}
	}
}

// TestEpochsOfMany: each key of a backlog keeps the time of the pass that parked
// it, when times that no key needs are dropped. SUM-2.
func TestEpochsOfMany(t *testing.T) {
	f := newFix(t, nil)
	f.put(1, "A")
	f.put(2, "B")
	f.put(3, "C")
	f.fill("1A#1 2B#2 3C#3")
	for n := range 40 {
		f.now++
		f.put(10+n, []string{"A", "B"}[min(n%4, 1)]) // B's will go
		f.fill("")
	}
	f.Depart(f.now, peer('B'), nil)
	for range 20 {
		f.now++
		f.put(9, "C")
		f.fill("")
		f.Depart(f.now, peer('C'), nil)
	}
	if n := len(f.epochs); n > 12+20 {
		t.Fatalf("%d times are kept for ten keys", n)
	}
	for n, atA := 0, Place(1); n < 40; n += 4 {
		if age, _ := f.OldestParked(f.now); age != time.Duration(f.now-Time(1+n)) {
			t.Fatalf("key %d has been parked for %v, since %d, at %d", 10+n, age, 1+n, f.now)
		}
		f.Outcome(f.now, atA, OutcomeDeclined, 0, false)
		starts := f.Fill(f.now, nil)
		if len(starts) != 1 || starts[0].Key != key(10+n) {
			t.Fatalf("started %v, want key %d", starts, 10+n)
		}
		atA = starts[0].Attempt
	}
}
