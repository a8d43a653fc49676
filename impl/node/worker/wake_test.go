package worker

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"fetchproof/impl/scheduler"
	"fetchproof/impl/wire"
)

// TestNoLostWakeUp is B03 and LIV-4 on the worker: two attempts fill the only
// holder's share and a third key is parked; then each single event that makes it
// startable starts it, with nothing else happening and no time passing (WRK-1).
func TestNoLostWakeUp(t *testing.T) {
	answer := func(m wire.Message) func(t *testing.T, b *bench, g *gate) {
		return func(_ *testing.T, _ *bench, g *gate) { g.open(replies(0, m)) }
	}
	for _, c := range []struct {
		name string
		wake func(t *testing.T, b *bench, g *gate)
	}{
		{"stored", func(_ *testing.T, _ *bench, g *gate) { g.open(serves(0)) }},
		{"store failed", func(_ *testing.T, b *bench, g *gate) {
			b.store.put = func(scheduler.Key) error { return errors.New("full") }
			g.open(serves(0))
		}},
		{"not found", answer(wire.Message{Kind: wire.NotFound})},
		{"error reply", answer(wire.Message{Kind: wire.ErrorReply})},
		{"invalid", answer(wire.Message{Kind: wire.Success, Data: []byte("lie")})},
		{"busy, when its wait ends", func(t *testing.T, b *bench, g *gate) {
			g.open(replies(0, wire.Message{Kind: wire.Busy}))
			synctest.Wait()
			if b.net.asked(keys[2], peerA) != 0 {
				t.Error("started while the busy reply's wait ran")
			}
			time.Sleep(5 * time.Second)
		}},
		{"timeout", func(_ *testing.T, _ *bench, _ *gate) { time.Sleep(5 * time.Second) }},
		{"unreachable", func(_ *testing.T, _ *bench, g *gate) { g.open(fails(ErrUnreachable)) }},
		{"not sent", func(_ *testing.T, _ *bench, g *gate) { g.open(fails(ErrNotSent)) }},
		{"panicked", func(_ *testing.T, _ *bench, g *gate) {
			g.open(func(context.Context, Request, func()) (Response, error) { panic("in the transport") })
		}},
		{"a claimant with room is merged", func(t *testing.T, b *bench, _ *gate) {
			r := b.Add(keys[2], []scheduler.Hint{{Peer: peerB, Claimant: true}})
			if r != scheduler.AlreadyPresent {
				t.Errorf("add: %v", r)
			}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			cfg := config()
			cfg.Scheduler.Slots = 3
			run(t, cfg, func(t *testing.T, b *bench) {
				g := parkedAt(t, b, items(3, peerA)...)
				c.wake(t, b, g)
				synctest.Wait()
				if b.net.asked(keys[2], peerA)+b.net.asked(keys[2], peerB) != 1 {
					t.Errorf("the parked key was not started: %+v", b.Snapshot())
				}
			})
		})
	}
}

// TestRetryAndWakeUp: a failed key goes on at its next holder in the slot that was
// freed, and the share it left behind is no less free for that: the key that is
// parked for it starts in another slot, with no time passing (WRK-1, LIV-4). Whoever
// failed is charged, not who is asked next.
func TestRetryAndWakeUp(t *testing.T) {
	for _, c := range []struct {
		name   string
		script script
		charge []scheduler.Charge
	}{
		{"not found", replies(0, wire.Message{Kind: wire.NotFound}), []scheduler.Charge{scheduler.ChargeApplicationFailure}},
		{"invalid", replies(0, wire.Message{Kind: wire.Success, Data: []byte("lie")}), []scheduler.Charge{scheduler.ChargeMalformed}},
		{"unreachable", fails(ErrUnreachable), []scheduler.Charge{scheduler.ChargeConnectionTimeout}},
		{"not sent", fails(ErrNotSent), nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			cfg := config()
			cfg.Scheduler.Slots = 3
			run(t, cfg, func(t *testing.T, b *bench) {
				g := parkedAt(t, b, item(0, peerA, peerB), item(1, peerA, peerB), item(2, peerA))
				g.open(c.script)
				synctest.Wait()
				if n := b.net.asked(keys[0], peerB) + b.net.asked(keys[1], peerB); n != 1 {
					t.Errorf("%d keys went on at the next holder, want 1", n)
				}
				if b.net.asked(keys[2], peerA) != 1 {
					t.Errorf("the parked key was not started: %+v", b.Snapshot())
				}
				if !slices.Equal(b.charges.of[peerA], c.charge) || len(b.charges.of[peerB]) != 0 {
					t.Errorf("charged %v, want %v of the one that failed", b.charges.of, c.charge)
				}
			})
		})
	}
}

// parkedAt queues three keys: two are in flight at A, which waits for its gate, and the
// third is parked. B is silent.
func parkedAt(t *testing.T, b *bench, three ...Item) *gate {
	t.Helper()
	g := &gate{opened: make(chan script, 1)}
	b.net.is(peerA, g.script)
	b.net.is(peerB, silent)
	b.Enqueue(three...)
	synctest.Wait()
	if snap := b.Snapshot(); snap.InFlight != 2 || snap.Parked != 1 {
		t.Fatalf("in flight %d, parked %d, want 2 and 1", snap.InFlight, snap.Parked)
	}
	return g
}

// gate holds requests until it is opened for one, which then gets a script.
type gate struct{ opened chan script }

func (g *gate) script(ctx context.Context, r Request, arrived func()) (Response, error) {
	select {
	case s := <-g.opened:
		return s(ctx, r, arrived)
	case <-ctx.Done():
		return Response{}, ctx.Err()
	}
}

func (g *gate) open(s script) { g.opened <- s }

// TestSlotFreed: a key that waits for a slot starts when an unrelated attempt ends,
// and when a holder falls silent its parked keys take all free slots at once.
func TestSlotFreed(t *testing.T) {
	cfg := config()
	cfg.Scheduler.Slots = 2
	run(t, cfg, func(t *testing.T, b *bench) {
		b.net.is(peerA, silent)
		b.net.is(peerB, serves(time.Second))
		b.Enqueue(item(0, peerA), item(1, peerB), item(2, peerC))
		b.net.is(peerC, serves(0))
		synctest.Wait()
		if b.net.asked(keys[2], peerC) != 0 {
			t.Fatal("started without a slot")
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if b.net.asked(keys[2], peerC) != 1 {
			t.Error("not started when a slot was freed")
		}
	})
}

// TestDepartureAndPending: a key whose last holder departs returns to pending, is
// promoted again and fetched elsewhere; what the pending table drops is told.
func TestDepartureAndPending(t *testing.T) {
	run(t, config(), func(t *testing.T, b *bench) {
		b.net.is(peerA, silent)
		b.net.is(peerB, serves(0))
		if r := b.Add(keys[3], []scheduler.Hint{{Peer: peerA, Claimant: true}, {Peer: peerB}}); r != scheduler.Admitted {
			t.Fatal(r)
		}
		b.Enqueue(items(2, peerA)...)
		if r := b.Promote(item(3, peerA)); r != scheduler.Queued {
			t.Fatal(r)
		}
		b.Depart(peerA)
		if e := b.left.last(); e.Kind != scheduler.EventPending || e.Key != keys[3] {
			t.Fatalf("departure: %+v", e)
		}
		if ready := b.Ready(8, nil); len(ready) != 0 {
			t.Errorf("ready at once: %v", ready)
		}
		time.Sleep(15 * time.Second)
		if ready := b.Ready(8, nil); len(ready) != 1 || ready[0] != keys[3] {
			t.Errorf("ready after the delay: %v", ready)
		}
		it := item(3, peerB)
		if r := b.Promote(it); r != scheduler.Queued {
			t.Fatal(r)
		}
		b.drain(t, []Item{it})
		if b.store.have[keys[3]] != 1 {
			t.Error("not stored")
		}

		b.Add(keys[4], []scheduler.Hint{{Peer: peerB}})
		b.Add(keys[5], []scheduler.Hint{{Peer: peerB}})
		if r := b.Remove(keys[4]); r != scheduler.Removed {
			t.Error(r)
		}
		if r := b.Remove(keys[4]); r != scheduler.RemoveNotPending {
			t.Error(r)
		}
		time.Sleep(time.Second)
		if n := b.Evict(time.Second); n != 1 || b.left.last().Reason != scheduler.ReasonEvicted {
			t.Errorf("evicted %d, last %v", n, b.left.last())
		}
	})
}
