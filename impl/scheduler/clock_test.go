package scheduler

import (
	"math"
	"testing"
	"time"
)

// TestAfter: a sum of a time and a duration stops at the end of time. DET-4.
func TestAfter(t *testing.T) {
	for _, c := range []struct {
		t    Time
		d    time.Duration
		want Time
	}{
		{0, 0, 0},
		{5, 0, 5},
		{5, 7, 12},
		{0, math.MaxInt64, math.MaxInt64},
		{1, math.MaxInt64 - 1, math.MaxInt64},
		{1, math.MaxInt64, math.MaxInt64},
		{math.MaxInt64, 0, math.MaxInt64},
		{math.MaxInt64, 1, math.MaxInt64},
		{math.MaxInt64, math.MaxInt64, math.MaxInt64},
		{math.MaxInt64 - 1, 1, math.MaxInt64},
	} {
		if got := after(c.t, c.d); got != c.want {
			t.Errorf("%d after %d is %d, want %d", c.d, c.t, got, c.want)
		}
	}
}

// TestWindowOfAnInstant: a window that is open for the shortest time closes at
// the next instant, wherever on the clock. CON-8.
func TestWindowOfAnInstant(t *testing.T) {
	for _, at := range []Time{0, 1, 5} {
		f := newFix(t, func(c *Config) { c.ContactTable, c.MarkLifetime = 1, 1 })
		f.now = at
		f.put(1, "A")
		f.put(2, "B")
		f.fill("1A#1 2B#2")
		if st := f.state(); st.OverflowUntil != at+1 {
			t.Fatalf("at %d: open until %d", at, st.OverflowUntil)
		}
		f.now = at + 1
		f.put(3, "B")
		f.fill("") // B is full, and no window makes it silent
		if f.Snapshot(f.now).OverflowOpen {
			t.Fatalf("at %d: the window is still open", f.now)
		}
	}
}
