package responder_test

import (
	"math"
	"testing"
	"time"

	"fetchproof/impl/responder"
)

const (
	second = int64(time.Second)
	endNs  = math.MaxInt64
	today  = 1_800_000_000 * second // a present-day Unix time
)

// peer is the n-th peer in their order.
func peer(n int) responder.Peer {
	var p responder.Peer
	p[0], p[1], p[2] = byte(n>>16), byte(n>>8), byte(n)
	return p
}

// seeded is the production configuration, but that a name is kept in the same
// place in every process.
func seeded() responder.Config {
	c := responder.Defaults()
	c.HashSeed = 1
	return c
}

// wide is a configuration in which no bound but the pool's can be reached: a
// test narrows what it is about. One place is there, so that the second request
// is refused.
func wide() responder.Config {
	c := seeded()
	c.PeerShare, c.Pool = 100, 1
	c.BusySendPermits, c.BusyPeerInFlight, c.BusyPeerTable = 1000, 1000, 1000
	c.BusyPeerBurst, c.BusyGlobalBurst = 1000, 1000
	return c
}

// fixture drives a responder and fails the test where it answers otherwise.
type fixture struct {
	*testing.T
	r   *responder.Responder
	now int64
}

func build(t *testing.T, c responder.Config) *fixture {
	t.Helper()
	r, err := responder.New(c)
	if err != nil {
		t.Fatal(err)
	}
	return &fixture{T: t, r: r}
}

// filled is a responder whose only place is taken by a peer of its own.
func filled(t *testing.T, c responder.Config) *fixture {
	t.Helper()
	f := build(t, c)
	f.admitted(1 << 20)
	return f
}

func (f *fixture) ask(n int) responder.Decision {
	return f.r.Request(f.now, peer(n), true)
}

func (f *fixture) admitted(n int) responder.Ticket {
	f.Helper()
	d := f.ask(n)
	if d.Result != responder.Admitted {
		f.Fatalf("peer %d at %d: %v %v, want admitted", n, f.now, d.Result, d.Reason)
	}
	return d.Ticket
}

func (f *fixture) busy(n int) responder.Send {
	f.Helper()
	d := f.ask(n)
	if d.Result != responder.Busy {
		f.Fatalf("peer %d at %d: %v by %v, want busy", n, f.now, d.Result, d.Limiter)
	}
	return d.Send
}

// denied asks and wants silence, by b, that leaves the state as it was.
func (f *fixture) denied(n int, b responder.Bound) {
	f.Helper()
	var before, after responder.State
	f.r.Observe(f.now, &before)
	d := f.ask(n)
	if d.Result != responder.Silent || d.Limiter != b {
		f.Fatalf("peer %d at %d: %v by %v, want silent by %v", n, f.now, d.Result, d.Limiter, b)
	}
	f.r.Observe(f.now, &after)
	before.Clock = after.Clock
	same(f, "a denial (RSP-5)", before, after)
}

func (f *fixture) done(s responder.Send) {
	f.Helper()
	if !f.r.SendDone(f.now, s) {
		f.Fatalf("send %d is stale", s)
	}
}

func (f *fixture) state() responder.State {
	var s responder.State
	f.r.Observe(f.now, &s)
	return s
}
