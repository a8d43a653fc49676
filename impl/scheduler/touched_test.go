package scheduler

import "testing"

// TestWakingTouches: an outcome that lets a source start again looks at the
// nearest key filed under it, and at the entries before that, of keys that have
// started; the source's other keys cost nothing.
func TestWakingTouches(t *testing.T) {
	f := newFix(t, func(c *Config) { c.Slots = 9 })
	f.put(1, "A")
	f.put(2, "B")
	f.fill("1A#1 2B#2")
	park := func(n int, from string) {
		t.Helper()
		f.put(n, "C"+from)
		a := f.Fill(0, nil)[0].Attempt
		p, _ := f.Arrive(a)
		f.Outcome(0, a, OutcomeNotFound, p, true)
	}
	wakes := func(a Place, touched uint64) {
		t.Helper()
		from := f.Touched()
		f.Outcome(0, a, OutcomeDeclined, 0, false)
		if n := f.Touched() - from; n != touched {
			t.Errorf("the end of attempt %d touches %d, want %d", a, n, touched)
		}
	}
	park(10, "AB")
	park(11, "AB")
	park(12, "AB")
	park(13, "A")
	park(14, "A")
	wakes(2, 1) // 10
	f.fill("10B#13")
	wakes(13, 2) // 10, which is gone, and 11
	f.fill("11B#14")
	wakes(1, 3) // 10 and 11, which are gone, and 12
	f.fill("12A#15")
	wakes(15, 2) // 12, which is gone, and 13
	f.fill("13A#16")
}
