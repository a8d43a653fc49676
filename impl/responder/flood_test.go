package responder_test

import (
	"runtime"
	"testing"

	"fetchproof/impl/responder"
)

const flooder = 99

// TestFlood has one peer send 100,000 requests while eleven others send two
// each. The flooder never holds more than its share, so the others are
// admitted as long as the pool has places, and memory stays flat (RSP-1,
// RSP-3).
func TestFlood(t *testing.T) {
	for _, c := range []struct {
		name     string
		served   bool // whether the others' requests end at once
		admitted int  // of the 22 that the others send
	}{
		{"the others are served", true, 22},
		{"the others hold their places", false, 10},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := build(t, seeded())
			f.now = today
			f.admitted(flooder)
			f.admitted(flooder)
			others := make([]responder.Decision, 0, 22)
			allocs, replies := f.flood(func(i int) {
				if i%4000 != 0 || len(others) == cap(others) {
					return
				}
				d := f.ask(len(others) / 2)
				others = append(others, d)
				f.r.SendDone(f.now, d.Send)
				if c.served {
					f.r.Take(f.now, d.Ticket)
					f.r.Release(f.now, d.Ticket)
				}
			})
			f.judge(others, c.admitted)
			// In just under two seconds: the burst, and one token more.
			if want := uint64(responder.Defaults().BusyPeerBurst + 1); replies != want {
				t.Errorf("the flooder got %d busy replies, want %d", replies, want)
			}
			if allocs > 100 {
				t.Errorf("%d allocations in 100,000 requests", allocs)
			}
			if s := f.state(); len(s.Limiter) > 12 || len(s.Peers) > 12 || len(s.Sends) > 0 {
				t.Errorf("%d peers limited, %d admitted, %d sends", len(s.Limiter), len(s.Peers), len(s.Sends))
			}
		})
	}
}

// flood sends 100,000 requests of one peer within two seconds, others in between,
// and returns how much was allocated and how often the peer was answered.
func (f *fixture) flood(between func(i int)) (allocs, replies uint64) {
	f.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for i := range 100_000 {
		f.now += second / 50_001
		d := f.ask(flooder)
		switch d.Result {
		case responder.Admitted:
			f.Fatalf("request %d of the flooder was admitted past its share", i)
		case responder.Busy:
			replies++
			f.r.SendDone(f.now, d.Send)
		}
		between(i)
	}
	runtime.ReadMemStats(&after)
	return after.Mallocs - before.Mallocs, replies
}

// judge wants the first n of the others' requests admitted, in the order in
// which they came, and the rest refused by the pool.
func (f *fixture) judge(others []responder.Decision, n int) {
	f.Helper()
	if len(others) != 22 {
		f.Fatalf("the others sent %d requests", len(others))
	}
	for i, d := range others {
		want := responder.NoReason
		if i >= n {
			want = responder.Pool
		}
		if d.Reason != want {
			f.Errorf("request %d of the others: %v, reason %v, want reason %v", i, d.Result, d.Reason, want)
		}
	}
}

// TestManyNames floods under 200,000 names: the limiter's table stays at its
// bound, nothing else remembers them, and a full table allocates nothing.
func TestManyNames(t *testing.T) {
	cfg := seeded()
	cfg.BusyGlobalBurst, cfg.BusyGlobalRate = 1<<30, 1<<30
	f := filled12(t, cfg)
	name := 0
	step := func() {
		name++
		f.now += second / 4000
		if d := f.ask(name); d.Result == responder.Busy {
			f.r.SendDone(f.now, d.Send)
		}
	}
	for range 100_000 {
		step()
	}
	if s := f.state(); len(s.Limiter) != cfg.BusyPeerTable || len(s.Peers) != 6 || len(s.Sends) != 0 {
		t.Errorf("%d peers limited, %d admitted, %d sends", len(s.Limiter), len(s.Peers), len(s.Sends))
	}
	if allocs := testing.AllocsPerRun(100_000, step); allocs != 0 {
		t.Errorf("%v allocations a request", allocs)
	}
}

// filled12 is a responder with the default pool taken, by six peers.
func filled12(t *testing.T, cfg responder.Config) *fixture {
	f := build(t, cfg)
	for i := range cfg.Pool {
		f.admitted(1<<20 + i/2)
	}
	return f
}

// TestSteadyStateAllocatesNothing goes round through every operation.
func TestSteadyStateAllocatesNothing(t *testing.T) {
	f := build(t, seeded())
	var s responder.State
	round := func() {
		f.now += second
		a, b := f.admitted(1), f.admitted(1)
		busy := f.busy(1)
		f.r.Request(f.now, peer(1), false)
		f.r.Observe(f.now, &s)
		f.r.Take(f.now, a)
		f.r.Release(f.now, a)
		f.r.Release(f.now, b)
		f.done(busy)
		f.r.Snapshot()
	}
	round()
	if allocs := testing.AllocsPerRun(1000, round); allocs != 0 {
		t.Errorf("%v allocations a round", allocs)
	}
}
