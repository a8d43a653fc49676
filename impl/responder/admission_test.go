package responder_test

import (
	"testing"

	"fetchproof/impl/responder"
)

// TestAdmissionReasons holds who is admitted and why not: the peer's share is
// judged before the pool (RSP-1, RSP-3).
func TestAdmissionReasons(t *testing.T) {
	for _, c := range []struct {
		name        string
		share, pool int
		holders     []int // peers that hold a place, once per place
		asks        int
		want        responder.Reason
	}{
		{"an idle node", 2, 3, nil, 1, responder.NoReason},
		{"one below the share", 2, 3, []int{1}, 1, responder.NoReason},
		{"at the share", 2, 3, []int{1, 1}, 1, responder.PeerShare},
		{"another one's share", 2, 3, []int{1, 1}, 2, responder.NoReason},
		{"the pool", 2, 3, []int{1, 1, 2}, 3, responder.Pool},
		{"the pool, one below the share", 2, 3, []int{1, 1, 2}, 2, responder.Pool},
		{"both", 2, 3, []int{1, 1, 2}, 1, responder.PeerShare},
		{"a share above the pool", 5, 2, []int{1, 1}, 1, responder.Pool},
	} {
		t.Run(c.name, func(t *testing.T) {
			cfg := seeded()
			cfg.PeerShare, cfg.Pool = c.share, c.pool
			f := build(t, cfg)
			for i, n := range c.holders {
				if got := f.admitted(n); got != responder.Ticket(i+1) {
					t.Fatalf("ticket %d, want %d", got, i+1)
				}
			}
			d := f.r.Request(0, peer(c.asks), false)
			if d.Reason != c.want || (d.Result == responder.Admitted) != (c.want == responder.NoReason) {
				t.Fatalf("%v, reason %v, want reason %v", d.Result, d.Reason, c.want)
			}
			if d.Result != responder.Admitted && (d.Result != responder.Silent || d.Limiter != responder.NoBound) {
				t.Errorf("a request without the capability got %v by %v (RSP-4)", d.Result, d.Limiter)
			}
			held := 0
			for _, n := range c.holders {
				if n == c.asks {
					held++
				}
			}
			if f := d.Refusal; d.Result != responder.Admitted && (f.InUse != len(c.holders) || f.PeerInUse != held) {
				t.Errorf("the refusal says %d places in use, %d by the peer; want %d, %d", f.InUse, f.PeerInUse, len(c.holders), held)
			}
		})
	}
}

// TestTakeAge sheds at exactly the timeout, whatever the time (RSP-2, DET-4).
func TestTakeAge(t *testing.T) {
	timeout := int64(responder.Defaults().FetchTimeout)
	for _, since := range []int64{0, today, endNs - timeout} {
		for _, c := range []struct {
			age  int64
			want responder.Taken
		}{
			{-1, responder.Serve},
			{0, responder.Serve},
			{timeout - 1, responder.Serve},
			{timeout, responder.Shed},
		} {
			f := build(t, seeded())
			f.now = since
			ticket := f.admitted(1)
			if got := f.r.Take(since+c.age, ticket); got != c.want {
				t.Errorf("since %d, age %d: %v, want %v", since, c.age, got, c.want)
			}
		}
	}
}

// TestPlaceReleasedOnce walks every way in which a place ends; each frees it
// once, for the peer and for the pool (RSP-1, RSP-2).
func TestPlaceReleasedOnce(t *testing.T) {
	late := int64(responder.Defaults().FetchTimeout)
	type r = responder.Responder
	for _, c := range []struct {
		name string
		end  func(*r, responder.Ticket) bool
	}{
		{"released by a worker", func(r *r, k responder.Ticket) bool {
			return r.Take(0, k) == responder.Serve && r.Take(0, k) == responder.TakeStale && r.Release(0, k)
		}},
		{"released while it waits", func(r *r, k responder.Ticket) bool { return r.Release(0, k) }},
		{"released after the timeout", func(r *r, k responder.Ticket) bool {
			return r.Take(0, k) == responder.Serve && r.Take(late, k) == responder.TakeStale && r.Release(late, k)
		}},
		{"shed", func(r *r, k responder.Ticket) bool { return r.Take(late, k) == responder.Shed }},
	} {
		t.Run(c.name, func(t *testing.T) {
			cfg := seeded()
			cfg.PeerShare, cfg.Pool = 2, 2
			f := build(t, cfg)
			first, second := f.admitted(1), f.admitted(1)
			if !c.end(f.r, first) {
				t.Fatal("the place did not end")
			}
			if f.r.Release(0, first) || f.r.Take(0, first) != responder.TakeStale {
				t.Error("the place ended twice")
			}
			if s := f.state(); s.Outstanding != 1 || len(s.Peers) != 1 || s.Peers[0].Outstanding != 1 {
				t.Errorf("%+v, want one place", s)
			}
			f.admitted(1)
			if d := f.ask(2); d.Reason != responder.Pool {
				t.Errorf("more than one place came back: %v", d.Result)
			}
			if !f.r.Release(0, second) {
				t.Error("the other place was touched")
			}
			checkCounters(t, f.r)
		})
	}
}

// TestStale moves the clock and nothing else, for numbers that never were and
// numbers of the other kind (DET-3).
func TestStale(t *testing.T) {
	f := filled(t, wide())
	f.busy(1)
	f.busy(1) // send 2 exists, ticket 2 does not
	for i, id := range []int64{0, -1, 2, 3, endNs, -endNs - 1} {
		before := f.state()
		at := int64(10 * (i + 1))
		if f.r.Take(at, responder.Ticket(id)) != responder.TakeStale || f.r.Release(at+1, responder.Ticket(id)) {
			t.Errorf("ticket %d is not stale", id)
		}
		if id != 2 && f.r.SendDone(at+2, responder.Send(id)) {
			t.Errorf("send %d is not stale", id)
		}
		before.Clock = f.state().Clock
		if before.Clock < at {
			t.Errorf("the clock stands at %d, want at least %d", before.Clock, at)
		}
		same(t, "a stale number", before, f.state())
	}
}

// TestClock counts an earlier now as the latest seen, whatever the operation
// and its result, and does not let a query move the clock (DET-3).
func TestClock(t *testing.T) {
	cfg := wide()
	cfg.FetchTimeout = 10
	f := build(t, cfg)
	f.now = -5
	ticket := f.admitted(1)
	if s := f.state(); s.Clock != 0 || s.Tickets[0].Since != 0 {
		t.Errorf("a time before 0 counted: %+v", s)
	}
	f.r.SendDone(10, 99)
	var s responder.State
	f.r.Observe(50, &s)
	if s.Clock != 10 {
		t.Errorf("the clock stands at %d, want 10", s.Clock)
	}
	if got := f.r.Take(0, ticket); got != responder.Shed {
		t.Errorf("a ticket of age 10 by the clock: %v, want shed", got)
	}
}

// TestGivenUpRequestHoldsShare demonstrates KC-12: the requester timed out and
// has room on its own books, yet is refused until the node sheds the request.
func TestGivenUpRequestHoldsShare(t *testing.T) {
	cfg := seeded()
	cfg.PeerShare = 1
	f := build(t, cfg)
	old := f.admitted(1)
	f.now = int64(cfg.FetchTimeout) // the requester's own deadline
	if d := f.ask(1); d.Result != responder.Busy || d.Reason != responder.PeerShare {
		t.Fatalf("%v %v, want busy by the peer's share", d.Result, d.Reason)
	}
	if got := f.r.Take(f.now, old); got != responder.Shed {
		t.Fatalf("%v, want shed", got)
	}
	f.admitted(1)
}
