package responder_test

import (
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"fetchproof/impl/responder"
)

// whole wants a state to be of one moment: what it says twice, it says alike.
func whole(t *testing.T, what string, s *responder.State) {
	t.Helper()
	held, sending := map[responder.Peer]int{}, map[responder.Peer]int{}
	for _, x := range s.Tickets {
		held[x.Peer]++
	}
	for _, x := range s.Sends {
		sending[x.Peer]++
	}
	if s.Outstanding != len(s.Tickets) || len(s.Peers) != len(held) {
		t.Errorf("%s: %d outstanding of %d peers, %d tickets of %d peers", what, s.Outstanding, len(s.Peers), len(s.Tickets), len(held))
	}
	for _, p := range s.Peers {
		if p.Outstanding != held[p.Peer] {
			t.Errorf("%s: a peer holds %d places, by its tickets %d", what, p.Outstanding, held[p.Peer])
		}
	}
	for _, l := range s.Limiter {
		if l.Sending != sending[l.Peer] {
			t.Errorf("%s: a peer is sent %d, by the sends %d", what, l.Sending, sending[l.Peer])
		}
		delete(sending, l.Peer)
	}
	if len(sending) > 0 {
		t.Errorf("%s: %d peers are sent to and not remembered", what, len(sending))
	}
}

// TestUsedMeanwhile looks at a responder in every way while others use it. Each
// look shows one moment, the counters too, and a copy that was made meanwhile is
// good to go on with. It is meant to run under the race detector too.
func TestUsedMeanwhile(t *testing.T) {
	cfg := wide()
	cfg.PeerShare, cfg.Pool, cfg.BusyPeerTable, cfg.BusyPeerRate, cfg.BusyGlobalRate = 2, 5, 4, 1<<30, 1<<30
	r := build(t, cfg).r
	requests := 20_000
	if testing.Short() {
		requests = 4_000
	}
	var users sync.WaitGroup
	var done atomic.Bool
	for g := range uint64(4) {
		users.Go(func() {
			rng := rand.New(rand.NewPCG(g, 7))
			var hand [8]responder.Decision // more than there is room for, whoever else is at it
			for i := range requests {
				now, d := int64(i)*1000, &hand[i%len(hand)]
				r.Release(now, d.Ticket)
				r.SendDone(now, d.Send)
				*d = r.Request(now, peer(rng.IntN(8)), true)
				if f := d.Refusal; f.InUse > cfg.Pool || f.PeerInUse > cfg.PeerShare {
					t.Errorf("a refusal says %d in use, %d of the peer", f.InUse, f.PeerInUse)
				}
				if rng.IntN(3) == 0 {
					r.Take(now, d.Ticket)
				}
			}
		})
	}
	var look sync.WaitGroup
	looks := 0
	look.Go(func() {
		copied := build(t, seeded()).r
		var observed, before, after responder.State
		var last responder.Counters
		for ; looks < 20 || !done.Load(); looks++ {
			r.Observe(0, &observed)
			whole(t, "observed", &observed)
			copied.CopyFrom(r)
			copied.Observe(0, &before)
			whole(t, "a copy", &before)
			checkCounters(t, copied)
			if copied.Config() != r.Config() {
				t.Error("the copy has another configuration")
			}
			last = grown(t, last, r.Snapshot())
			// The copy goes on by itself, and is not touched by the others.
			for _, x := range before.Tickets {
				if !copied.Release(before.Clock, x.Ticket) {
					t.Errorf("the copy does not hold ticket %d", x.Ticket)
				}
			}
			for _, x := range before.Sends {
				if !copied.SendDone(before.Clock, x.Send) {
					t.Errorf("the copy does not send %d", x.Send)
				}
			}
			copied.Observe(0, &after)
			if after.Outstanding != 0 || len(after.Sends) != 0 || len(after.Limiter) != len(before.Limiter) {
				t.Errorf("a copy that was emptied: %+v", after)
			}
		}
	})
	users.Wait()
	done.Store(true)
	look.Wait()
	checkCounters(t, r)
	if n := r.Snapshot(); n.Admitted == 0 || n.BusyReplied == 0 || n.Admitted+n.RefusedPeerShare+n.RefusedPool != uint64(4*requests) {
		t.Errorf("want some admitted, some told busy, and every request counted once: %+v", n)
	}
	t.Logf("%d looks", looks)
}

// grown wants every counter to be at least what it was: they only grow.
func grown(t *testing.T, was, is responder.Counters) responder.Counters {
	t.Helper()
	before := map[string]uint64{}
	for name, n := range was.All() {
		before[name] = n
	}
	for name, n := range is.All() {
		if n < before[name] {
			t.Errorf("%s went from %d to %d", name, before[name], n)
		}
	}
	if is.Admitted < is.Shed+is.Released || is.BusyReplied < is.SendsDone {
		t.Errorf("more ended than began: %+v", is)
	}
	return is
}

// TestObservedStays: what was observed is the caller's, whatever happens after,
// and what the memory held before does not show.
func TestObservedStays(t *testing.T) {
	cfg := wide()
	cfg.Pool = 3
	f := build(t, cfg)
	f.admitted(1)
	f.admitted(2)
	a := f.admitted(1)
	busy := f.busy(3)
	var first, again responder.State
	f.r.Observe(0, &first)
	kept := responder.State{
		Clock: first.Clock, Outstanding: first.Outstanding, GlobalFullAt: first.GlobalFullAt, Peers: slices.Clone(first.Peers),
		Tickets: slices.Clone(first.Tickets), Sends: slices.Clone(first.Sends), Limiter: slices.Clone(first.Limiter),
	}
	f.now = second
	f.r.Take(f.now, a)
	f.r.Release(f.now, a)
	f.done(busy)
	f.admitted(4)
	f.busy(0)
	same(t, "what happened after it was observed", kept, first)
	f.r.Observe(0, &again)
	f.r.Observe(0, &first) // into memory that held another state
	same(t, "memory that held another state", again, first)
}

// TestQueriesChangeNothing: a query carries a now and does not move the clock,
// whatever it is (DET-3).
func TestQueriesChangeNothing(t *testing.T) {
	f := build(t, wide())
	f.now = second
	f.admitted(1)
	f.busy(2)
	before := f.state()
	counted := f.r.Snapshot()
	var s responder.State
	for _, now := range []int64{0, second, today, endNs} {
		f.r.Observe(now, &s)
		same(t, "a query", before, s)
		f.r.Config()
		if f.r.Snapshot() != counted {
			t.Errorf("a query at %d is counted", now)
		}
	}
	f.r.Observe(0, &s)
	same(t, "queries", before, s)
}

// TestEachIsCounted: each operation adds one to the counter of what became of it,
// and to no other.
func TestEachIsCounted(t *testing.T) {
	cfg := wide()
	cfg.PeerShare, cfg.Pool, cfg.BusySendPermits, cfg.BusyPeerInFlight, cfg.BusyPeerTable = 1, 2, 3, 2, 2
	cfg.BusyPeerBurst, cfg.BusyPeerRate, cfg.BusyGlobalBurst, cfg.BusyGlobalRate = 3, 1, 5, 1
	f := build(t, cfg)
	var last responder.Counters
	grow := func(what string, want ...string) {
		t.Helper()
		is := f.r.Snapshot()
		added, wanted := map[string]int64{}, map[string]int64{}
		for name, n := range last.All() {
			added[name] -= int64(n)
		}
		for name, n := range is.All() {
			if added[name] += int64(n); added[name] == 0 {
				delete(added, name)
			}
		}
		for _, name := range want {
			wanted[name]++
		}
		if !maps.Equal(added, wanted) {
			t.Errorf("%s counts as %v, want %v", what, added, wanted)
		}
		last = is
	}
	ask := func(n int) responder.Decision { return f.ask(n) }
	a, b := f.admitted(1), f.admitted(2)
	grow("two admissions", "admitted", "admitted")
	f.r.Request(f.now, peer(1), false)
	grow("a request past the share", "refused_peer_share")
	f.r.Request(f.now, peer(3), false)
	grow("a request past the pool", "refused_pool")
	one, two := f.busy(3), f.busy(3)
	grow("two busy replies", "refused_pool", "refused_pool", "busy_replied", "busy_replied")
	ask(3)
	grow("a third to the same peer", "refused_pool", "busy_denied_peer_in_flight")
	f.done(two)
	grow("the end of a send", "busy_sends_done")
	three := f.busy(3)
	grow("a third after it", "refused_pool", "busy_replied")
	f.done(three)
	grow("its end", "busy_sends_done")
	ask(3)
	grow("a fourth", "refused_pool", "busy_denied_peer_rate")
	four, five := f.busy(4), f.busy(4)
	grow("two to another", "refused_pool", "refused_pool", "busy_replied", "busy_replied")
	ask(5)
	grow("with every permit taken", "refused_pool", "fetch_busy_reply_send_pool_full")
	f.done(five)
	grow("an end", "busy_sends_done")
	ask(5)
	grow("to a peer for which there is no room", "refused_pool", "busy_denied_peer_table")
	f.done(one)
	f.done(four)
	grow("two ends", "busy_sends_done", "busy_sends_done")
	ask(4)
	grow("with the shared bucket empty", "refused_pool", "busy_denied_global_rate")
	if f.r.SendDone(f.now, one) || f.r.Release(f.now, 99) || f.r.Take(f.now, 99) != responder.TakeStale {
		t.Error("something that ended is not stale")
	}
	grow("what is stale")
	if got := f.r.Take(f.now, a); got != responder.Serve {
		t.Errorf("take: %v", got)
	}
	grow("a request that is served")
	f.r.Release(f.now, a)
	grow("a release", "released")
	f.now += int64(cfg.FetchTimeout)
	if got := f.r.Take(f.now, b); got != responder.Shed {
		t.Errorf("take: %v", got)
	}
	grow("a request that is shed", "shed")
}
