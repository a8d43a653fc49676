package responder_test

import (
	"testing"
	"time"

	"fetchproof/impl/responder"
)

// crowded is a responder whose pool is taken and whose limiter remembers 4,096
// peers, 0 to 4,095, all full and idle at the time it returns.
func crowded(b *testing.B, change func(*responder.Config)) (*responder.Responder, int64) {
	b.Helper()
	c := seeded()
	c.Pool, c.BusyGlobalBurst, c.BusyGlobalRate = 1, 1<<30, 1<<30
	if change != nil {
		change(&c)
	}
	r, err := responder.New(c)
	if err != nil {
		b.Fatal(err)
	}
	now := today
	r.Request(now, peer(1<<20), false)
	for n := range c.BusyPeerTable {
		now++
		r.SendDone(now, r.Request(now, peer(n), true).Send)
	}
	var s responder.State
	if r.Observe(now, &s); len(s.Limiter) != 4096 {
		b.Fatalf("%d peers are remembered", len(s.Limiter))
	}
	return r, now + 10*int64(time.Second)
}

// denial measures a request that is refused and denied by want.
func denial(b *testing.B, r *responder.Responder, now int64, want responder.Bound, who func(i int) int) {
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		i++
		if d := r.Request(now, peer(who(i)), true); d.Limiter != want {
			b.Fatalf("%v by %v, want %v", d.Result, d.Limiter, want)
		}
	}
}

// BenchmarkAdmit is an admission and its release.
func BenchmarkAdmit(b *testing.B) {
	r, now := crowded(b, nil)
	r.Release(now, 1)
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		i++
		d := r.Request(now, peer(i%4096), true)
		if d.Result != responder.Admitted || !r.Release(now, d.Ticket) {
			b.Fatal(d.Result)
		}
	}
}

// BenchmarkSilent is a refusal of a peer that does not know busy.
func BenchmarkSilent(b *testing.B) {
	r, now := crowded(b, nil)
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		i++
		if d := r.Request(now, peer(i%4096), false); d.Result != responder.Silent {
			b.Fatal(d.Result)
		}
	}
}

// BenchmarkBusyKnown is a busy reply to a remembered peer, and its end: it
// leaves the idle heap and comes back.
func BenchmarkBusyKnown(b *testing.B) {
	busy(b, func(i int) int { return i * 7 % 4096 })
}

// BenchmarkBusyReplace is a busy reply to a new peer that takes the place of
// another, and its end.
func BenchmarkBusyReplace(b *testing.B) {
	busy(b, func(i int) int { return 4096 + i%(1<<19) })
}

func busy(b *testing.B, who func(i int) int) {
	r, now := crowded(b, nil)
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		i++
		now += int64(time.Millisecond)
		d := r.Request(now, peer(who(i)), true)
		if d.Result != responder.Busy || !r.SendDone(now, d.Send) {
			b.Fatalf("%v by %v", d.Result, d.Limiter)
		}
	}
}

// BenchmarkDenyPeerTable denies new peers when no remembered one gives way.
func BenchmarkDenyPeerTable(b *testing.B) {
	r, now := crowded(b, nil)
	denial(b, r, now-10*int64(time.Second), responder.PeerTable, func(i int) int { return 5000 + i%4096 })
}

// BenchmarkDenyPeerRate denies remembered peers whose buckets are empty.
func BenchmarkDenyPeerRate(b *testing.B) {
	r, now := crowded(b, func(c *responder.Config) { c.BusyPeerBurst = 1 })
	denial(b, r, now-10*int64(time.Second), responder.PeerRate, func(i int) int { return i * 7 % 4096 })
}

// BenchmarkDenyGlobalRate denies by the last bound of all.
func BenchmarkDenyGlobalRate(b *testing.B) {
	r, now := crowded(b, func(c *responder.Config) { c.BusyGlobalBurst, c.BusyGlobalRate = 4096, 1 })
	denial(b, r, now-10*int64(time.Second), responder.GlobalRate, func(i int) int { return i * 7 % 4096 })
}
