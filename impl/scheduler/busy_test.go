package scheduler

import (
	"testing"
	"time"
)

// TestForgottenBusyIsNotCooling: who was forgotten to make room is not avoided any
// more, though its cooldown would still run, and starts at one if it is busy
// again. BSY-5, BSY-6.
func TestForgottenBusyIsNotCooling(t *testing.T) {
	f := newFix(t, func(c *Config) { c.Slots, c.Share, c.BusyTable = 20, 9, 1 })
	busy := func(n int, from string) time.Duration {
		f.put(n, from)
		a := f.Fill(f.now, nil)[0].Attempt
		return f.saysBusy(a, 10*time.Second).Cooldown
	}
	busy(1, "A")
	if d := busy(2, "A"); d != 20*time.Second {
		t.Fatalf("the second cooldown is %v", d)
	}
	busy(3, "B") // A is forgotten
	f.put(4, "BA")
	if st := f.Fill(f.now, nil)[0]; st.Source != peer('A') {
		t.Fatalf("started at %c: the forgotten one still cools", st.Source[0])
	}
	if d := busy(5, "A"); d != 10*time.Second {
		t.Fatalf("its cooldown is %v", d)
	}
	f.put(6, "AB")
	if st := f.Fill(f.now, nil)[0]; st.Source != peer('B') {
		t.Fatalf("started at %c: of A and B, A cools", st.Source[0])
	}
}

// TestCooldownAtTheCap: a cooldown is the wait times the multiplier, to the
// nanosecond, as long as that is within the cap. BSY-2.
func TestCooldownAtTheCap(t *testing.T) {
	for _, c := range []struct {
		cap, wait time.Duration
		want      [4]time.Duration // of four in a row
	}{
		{41, 10, [4]time.Duration{10, 20, 40, 41}},
		{40, 10, [4]time.Duration{10, 20, 40, 40}},
		{39, 10, [4]time.Duration{10, 20, 39, 39}},
		{21, 10, [4]time.Duration{10, 20, 21, 21}},
		{7, 10, [4]time.Duration{7, 7, 7, 7}},
	} {
		f := newFix(t, func(cfg *Config) {
			cfg.Slots, cfg.Share = 9, 9
			cfg.BusyWaitMin, cfg.BusyCooldownCap = 1, c.cap
		})
		for i, want := range c.want {
			f.put(i, "A")
			if got := f.saysBusy(f.Fill(0, nil)[0].Attempt, c.wait).Cooldown; got != want {
				t.Errorf("cap %d, wait %d: cooldown %d is %d, want %d", c.cap, c.wait, i, got, want)
			}
		}
	}
}
