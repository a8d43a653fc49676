package worker

import (
	"context"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"fetchproof/impl/scheduler"
	"fetchproof/impl/wire"
)

// TestConcurrentCallers is B18 on the worker, for the race detector: many
// goroutines queue, advertise, promote, remove and depart at once while attempts
// end in every way that is an answer. No holder is ever asked past its share, nor
// more than the slots in all.
func TestConcurrentCallers(t *testing.T) {
	const callers, each = 8, 40
	cfg := config()
	run(t, cfg, func(t *testing.T, b *bench) {
		peers := []scheduler.Peer{peerA, peerB, peerC, {'D'}, {'E'}}
		for i, p := range peers {
			b.net.is(p, mixed(uint64(i)))
		}
		var calls sync.WaitGroup
		for c := range callers {
			calls.Go(func() {
				r := rand.New(rand.NewPCG(7, uint64(c)))
				for i := range each {
					b.poke(r, c*each+i, peers)
				}
			})
		}
		calls.Wait()
		time.Sleep(time.Minute) // all attempts have ended
		b.Evict(0)              // of the promoted keys, those that no holder had
		b.drain(t, items(callers*each))
		if b.net.mostAll > cfg.Scheduler.Slots {
			t.Errorf("%d in flight, with %d slots", b.net.mostAll, cfg.Scheduler.Slots)
		}
		for _, p := range peers {
			if n := b.net.most[p]; n > cfg.Scheduler.Share || n == 0 {
				t.Errorf("%d in flight at %s, with a share of %d", n, p[:1], cfg.Scheduler.Share)
			}
		}
		for k, n := range b.store.have {
			if n != 1 {
				t.Errorf("%x stored %d times", k[:4], n)
			}
		}
		if len(b.store.have) == 0 {
			t.Error("nothing stored")
		}
	})
}

// poke does something with key number i, and leaves it in no stage but queued or in
// flight.
func (b *bench) poke(r *rand.Rand, i int, peers []scheduler.Peer) {
	r.Shuffle(len(peers), func(int, int) {}) // a draw apart, so that callers differ
	some := []scheduler.Peer{peers[r.IntN(len(peers))], peers[r.IntN(len(peers))], peers[r.IntN(len(peers))]}
	hints := []scheduler.Hint{{Peer: some[0], Claimant: true}}
	switch it := item(i, some...); r.IntN(4) {
	case 0:
		b.Add(it.Key, hints)
		b.Remove(it.Key)
	case 1:
		b.Add(it.Key, hints)
		b.Promote(it)
		b.Evict(0)
	case 2:
		b.Enqueue(it)
		b.Add(it.Key, hints)
		b.Depart(scheduler.Peer{'Z'})
	default:
		b.Enqueue(it)
		b.Ready(3, nil)
		b.Drained([]scheduler.Key{it.Key})
	}
	if r.IntN(4) == 0 {
		time.Sleep(time.Duration(r.IntN(20)) * time.Millisecond)
	}
}

// mixed answers in some way after some time, drawn from the key.
func mixed(seed uint64) script {
	return func(ctx context.Context, r Request, arrived func()) (Response, error) {
		d := rand.New(rand.NewPCG(seed, uint64(r.Key[0])))
		wait := time.Duration(d.IntN(30)) * time.Millisecond
		switch d.IntN(5) {
		case 0:
			return replies(wait, wire.Message{Kind: wire.NotFound})(ctx, r, arrived)
		case 1:
			return replies(wait, wire.Message{Kind: wire.Success, Data: []byte("lie")})(ctx, r, arrived)
		default:
			return serves(wait)(ctx, r, arrived)
		}
	}
}

// TestShutdownRace: shutdown at any moment of a busy worker ends, and what starts
// ends too.
func TestShutdownRace(t *testing.T) {
	for ms := range 25 {
		run(t, config(), func(t *testing.T, b *bench) {
			for i, p := range []scheduler.Peer{peerA, peerB, peerC} {
				b.net.is(p, mixed(uint64(i)))
			}
			var calls sync.WaitGroup
			for c := range 4 {
				calls.Go(func() {
					for i := range 50 {
						b.Enqueue(item(c*50+i, peerA, peerB, peerC))
						time.Sleep(time.Millisecond)
					}
				})
			}
			time.Sleep(time.Duration(ms) * 3 * time.Millisecond)
			b.Shutdown()
			if snap := b.Snapshot(); snap.InFlight != 0 || !snap.Stopped {
				t.Errorf("after shutdown: %+v", snap)
			}
			calls.Wait()
			if snap := b.Snapshot(); snap.InFlight != 0 {
				t.Errorf("started after shutdown: %+v", snap)
			}
		})
	}
}
