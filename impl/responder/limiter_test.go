package responder_test

import (
	"fmt"
	"testing"

	"fetchproof/impl/responder"
)

// TestTokenTimes empties a bucket and takes the next tokens at exactly
// k / rate, rounded up to a whole nanosecond: not one before, and without a
// drift after many (RSP-5, DET-4).
func TestTokenTimes(t *testing.T) {
	for _, rate := range []int{1, 3, 7, 16, 999_999_937, 1_000_000_000} {
		for _, base := range []int64{0, today, endNs - 3001*second} {
			for _, global := range []bool{false, true} {
				t.Run(fmt.Sprintf("rate %d from %d global %v", rate, base, global), func(t *testing.T) {
					cfg, bound := wide(), responder.PeerRate
					cfg.BusyPeerBurst, cfg.BusyPeerRate = 3, rate
					cfg.BusyGlobalBurst, cfg.BusyGlobalRate = 1<<30, 1<<30
					if global {
						cfg.BusyGlobalBurst, cfg.BusyPeerBurst = cfg.BusyPeerBurst, cfg.BusyGlobalBurst
						cfg.BusyGlobalRate, cfg.BusyPeerRate = cfg.BusyPeerRate, cfg.BusyGlobalRate
						bound = responder.GlobalRate
					}
					tokenTimes(t, cfg, base, rate, bound)
				})
			}
		}
	}
}

func tokenTimes(t *testing.T, cfg responder.Config, base int64, rate int, bound responder.Bound) {
	f := filled(t, cfg)
	f.now = base
	for range 3 {
		f.done(f.busy(1))
	}
	for k := int64(1); k <= 3000; k++ {
		due := base + (k*second+int64(rate)-1)/int64(rate)
		if f.now = due - 1; k == 1 || due-1 > base+((k-1)*second+int64(rate)-1)/int64(rate) {
			f.denied(1, bound)
		}
		f.now = due
		f.done(f.busy(1))
	}
}

// TestFastRefill has a rate above one token a nanosecond: what refills within
// one nanosecond is there at the next.
func TestFastRefill(t *testing.T) {
	cfg := wide()
	cfg.BusyPeerBurst, cfg.BusyPeerRate = 2, 1<<30 // 1.07 tokens a nanosecond
	f := filled(t, cfg)
	f.now = today
	f.busy(1)
	f.busy(1)
	f.denied(1, responder.PeerRate)
	if got, want := f.state().Limiter[0].FullAt, today+2; got != want {
		t.Errorf("full at %d, want %d", got, want)
	}
	f.now++
	f.busy(1)
	f.denied(1, responder.PeerRate)
}

// TestEndOfTime spends at the largest time: nothing refills any more, nothing
// overflows, what is shown saturates, and what shows as full is not (DET-4).
func TestEndOfTime(t *testing.T) {
	cfg := wide()
	cfg.BusyPeerBurst, cfg.BusyGlobalBurst = 1, 1<<30
	cfg.BusyPeerRate, cfg.BusyGlobalRate, cfg.BusyPeerTable = 1, 1, 2
	f := filled(t, cfg)
	f.now = endNs - second
	f.done(f.busy(1)) // full at the very end, exactly
	f.now++
	f.done(f.busy(2)) // full 1 ns past it
	f.now = endNs
	s := f.state()
	if s.Limiter[0].FullAt != endNs || s.Limiter[1].FullAt != endNs || s.GlobalFullAt != endNs {
		t.Errorf("full-at times %+v and %d, want the largest time", s.Limiter, s.GlobalFullAt)
	}
	f.denied(2, responder.PeerRate)
	f.busy(3) // in place of 1
	f.denied(1, responder.PeerTable)
}

// TestBoundOrder lets a reply fail at every bound from one on, and wants that
// one named (RSP-5).
func TestBoundOrder(t *testing.T) {
	order := []responder.Bound{
		responder.SendPermits, responder.PeerTable, responder.PeerInFlight, responder.PeerRate, responder.GlobalRate,
	}
	for i, first := range order {
		cfg := wide()
		asks := 1
		for _, b := range order[i:] {
			switch b {
			case responder.SendPermits:
				cfg.BusySendPermits = 1
			case responder.PeerTable:
				cfg.BusyPeerTable = 1
			case responder.PeerInFlight:
				cfg.BusyPeerInFlight = 1
			case responder.PeerRate:
				cfg.BusyPeerBurst = 1
			case responder.GlobalRate:
				cfg.BusyGlobalBurst = 1
			}
		}
		if first <= responder.PeerTable {
			asks = 2 // a peer that is not remembered
		}
		f := filled(t, cfg)
		f.busy(1)
		f.denied(asks, first)
	}
}

// TestPermits frees a permit once a send, for any peer (RSP-6).
func TestPermits(t *testing.T) {
	cfg := wide()
	cfg.BusySendPermits = 2
	f := filled(t, cfg)
	one, two := f.busy(1), f.busy(2)
	f.denied(3, responder.SendPermits)
	f.done(one)
	if f.r.SendDone(f.now, one) {
		t.Error("a permit was freed twice")
	}
	three := f.busy(3)
	f.denied(4, responder.SendPermits)
	f.done(two)
	f.done(three)
	if one != 1 || two != 2 || three != 3 {
		t.Errorf("sends %d, %d, %d, want 1, 2, 3", one, two, three)
	}
	checkCounters(t, f.r)
}

// TestReplacement holds which peer gives way to a new one (RSP-7).
func TestReplacement(t *testing.T) {
	const table = 3
	for _, c := range []struct {
		name string
		fill func(*fixture)
		at   int64
		gone int // -1: denied
	}{
		{"none is full yet", func(f *fixture) { each(f, 1, 2, 3) }, second - 1, -1},
		{"full at now, ties to the smallest", func(f *fixture) { each(f, 3, 1, 2) }, second, 1},
		{"full for longest", func(f *fixture) { each(f, 3); f.now++; each(f, 1, 2) }, 2 * second, 3},
		{"only the one that is full", func(f *fixture) { each(f, 2); f.now++; each(f, 1, 3) }, second, 2},
		{"not while being sent to", func(f *fixture) { f.busy(1); each(f, 2, 3) }, 2 * second, 2},
		{"all being sent to", func(f *fixture) { f.busy(1); f.busy(2); f.busy(3) }, 9 * second, -1},
		{"spent again, so full later", func(f *fixture) { each(f, 1, 2, 3, 1) }, 2 * second, 2},
		{"spent twice, not full", func(f *fixture) { each(f, 1, 2, 3, 1, 2, 3) }, second, -1},
	} {
		t.Run(c.name, func(t *testing.T) {
			cfg := wide()
			cfg.BusyPeerTable = table
			f := filled(t, cfg)
			c.fill(f)
			f.now = c.at
			if c.gone < 0 {
				f.denied(9, responder.PeerTable)
				return
			}
			f.busy(9)
			s := f.state()
			if len(s.Limiter) != table || s.Limiter[table-1].Peer != peer(9) {
				t.Fatalf("remembered: %+v, want the new peer last", s.Limiter)
			}
			for _, l := range s.Limiter {
				if l.Peer == peer(c.gone) {
					t.Errorf("peer %d was kept: %+v", c.gone, s.Limiter)
				}
			}
		})
	}
}

// each sends one busy reply to each peer and ends it.
func each(f *fixture, peers ...int) {
	for _, n := range peers {
		f.done(f.busy(n))
	}
}

// TestWholeNanosecondTies has two buckets full at different fractions of one
// nanosecond, or one of them right at its end: they tie, and the smaller peer
// gives way although the other was full earlier (RSP-7).
func TestWholeNanosecondTies(t *testing.T) {
	for _, c := range []struct {
		name       string
		spent      int   // by peer 1 at 0
		other      int64 // when peer 2 spends one
		wantFullAt int64
	}{
		{"at 20/7 and 17/7 ns", 2, 1, 3},
		{"at 10 and 66/7 ns", 7, 8, 10},
	} {
		t.Run(c.name, func(t *testing.T) {
			cfg := wide()
			cfg.BusyPeerTable, cfg.BusyPeerRate = 2, 700_000_000 // a token takes 10/7 ns
			f := filled(t, cfg)
			for range c.spent {
				each(f, 1)
			}
			f.now = c.other
			each(f, 2)
			s := f.state()
			if s.Limiter[0].FullAt != c.wantFullAt || s.Limiter[1].FullAt != c.wantFullAt {
				t.Fatalf("full at %+v, want both at %d", s.Limiter, c.wantFullAt)
			}
			f.now = 100
			f.busy(3)
			if s := f.state(); s.Limiter[0].Peer != peer(2) {
				t.Errorf("remembered: %+v, want peer 1 to have given way", s.Limiter)
			}
		})
	}
}

// TestDeniedReplacesNothing denies by the last bound a peer that could have
// been remembered: the one that would have given way stays (RSP-5, RSP-7).
func TestDeniedReplacesNothing(t *testing.T) {
	cfg := wide()
	cfg.BusyPeerTable, cfg.BusyGlobalBurst, cfg.BusyGlobalRate, cfg.BusyPeerRate = 1, 1, 1, 16
	f := filled(t, cfg)
	each(f, 1)
	f.now = second - 1
	f.denied(2, responder.GlobalRate)
	f.now = second
	f.busy(2)
}

// TestGrindableTie demonstrates the RSP-7 part of KC-14: of buckets full for
// equally long the smallest peer gives way, so whoever chose the larger id
// stays.
func TestGrindableTie(t *testing.T) {
	cfg := wide()
	cfg.BusyPeerTable = 2
	f := filled(t, cfg)
	each(f, 5, 6)
	f.now = second
	f.busy(9)
	if s := f.state(); s.Limiter[0].Peer != peer(6) || s.Limiter[1].Peer != peer(9) {
		t.Errorf("remembered: %+v, want 6 and 9", s.Limiter)
	}
}
