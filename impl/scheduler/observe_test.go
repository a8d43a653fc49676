package scheduler

import (
	"testing"
	"time"
)

// TestObserveEnds: a mark and the overflow window show until they end, in the
// state and in the figures, also to who asks about a time to come. CON-1, CON-8.
func TestObserveEnds(t *testing.T) {
	f := newFix(t, func(c *Config) { c.ContactTable = 3 })
	for n, c := range []string{"A", "B", "C"} {
		f.put(n+1, c)
		f.fill(string(rune('1'+n)) + c + "#" + string(rune('1'+n)))
	}
	life := Time(f.Config().MarkLifetime)
	for n := range 3 { // marked at 10, 20 and 30
		f.now += 10
		f.ends(Place(n+1), OutcomeTimeout, false, "left "+string(rune('1'+n))+" dropped, connection-timeout")
	}
	f.now = 40
	f.put(4, "D")
	f.fill("4D#4") // no room is left in the table
	for _, c := range []struct {
		at     Time
		silent int
		open   bool
	}{
		{-5, 3, true},
		{0, 3, true},
		{39, 3, true},
		{40, 3, true},
		{life + 9, 3, true},
		{life + 10, 2, true},
		{life + 19, 2, true},
		{life + 20, 1, true},
		{life + 29, 1, true},
		{life + 30, 0, true},
		{life + 39, 0, true},
		{life + 40, 0, false},
		{forever, 0, false},
	} {
		var st State
		f.Observe(c.at, &st)
		silent := 0
		for i, p := range st.Contact {
			if p.MarkedUntil != 0 {
				silent++
				if want := life + 10*Time(i+1); p.MarkedUntil != want {
					t.Errorf("at %d: source %d is marked until %d, want %d", c.at, i, p.MarkedUntil, want)
				}
			}
		}
		until := Time(0)
		if c.open {
			until = life + 40
		}
		if silent != c.silent || st.OverflowUntil != until {
			t.Errorf("at %d: %d silent, window until %d; want %d, %d", c.at, silent, st.OverflowUntil, c.silent, until)
		}
		if p := f.Snapshot(c.at); p.Silent != c.silent || p.OverflowOpen != c.open {
			t.Errorf("at %d: figures %d silent, window %v; want %d, %v", c.at, p.Silent, p.OverflowOpen, c.silent, c.open)
		}
	}
	if f.Snapshot(-5).OverflowOpen != f.Snapshot(40).OverflowOpen || newFix(t, nil).Snapshot(-5).OverflowOpen {
		t.Error("an earlier time is not the clock's")
	}
}

// TestObserveReusesMemory: a state that is observed again and again has no more
// memory than what is shown needs.
func TestObserveReusesMemory(t *testing.T) {
	f := filed(t, 5)
	f.Add(0, key(7), hints("XY"))
	var st State
	f.Observe(0, &st)
	keys, peers := len(st.keys), len(st.peers)
	if keys == 0 || peers == 0 {
		t.Fatalf("%d keys, %d peers", keys, peers)
	}
	for range 20 {
		f.Observe(0, &st)
	}
	if len(st.keys) != keys || len(st.peers) != peers {
		t.Fatalf("%d keys and %d peers, were %d and %d", len(st.keys), len(st.peers), keys, peers)
	}
}

// TestConfigIsKept: a scheduler says how it was configured.
func TestConfigIsKept(t *testing.T) {
	c := Defaults()
	c.Slots, c.Share, c.MarkLifetime = 17, 5, 3*time.Second
	s, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	if s.Config() != c {
		t.Fatalf("%+v, want %+v", s.Config(), c)
	}
}
