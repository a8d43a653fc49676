package node

import (
	"fmt"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"fetchproof/impl/node/serve"
	"fetchproof/impl/node/store"
	"fetchproof/impl/node/worker"
	"fetchproof/impl/scheduler"
	"fetchproof/impl/wire"
)

// TestPromotes: a key is promoted at once, or VerifyRetryDelay (15 s) after nobody was
// verified to hold it, or after it returned to pending; and one that comes meanwhile
// does not wait for those.
func TestPromotes(t *testing.T) {
	inBubble(t, func(*Options) {}, func(p *pair) {
		unknown := p.advertise("unknown", true, false)
		lost := p.advertise("lost", false, true)
		time.Sleep(time.Second)
		if n := p.fetcher.Stats().Scheduler; n.Pending != 2 || n.Counters.Started != 1 {
			t.Errorf("want two keys pending and one attempt started: %+v", n)
		}
		known := p.advertise("known", true, true)
		time.Sleep(time.Second)
		if !p.has(known) {
			t.Error("a new key waited for the others")
		}
		p.know(unknown, true)
		if err := p.holder.Store().Put(scheduler.Key(lost), []byte("lost")); err != nil {
			t.Fatal(err)
		}
		time.Sleep(12 * time.Second)
		if p.has(unknown) || p.has(lost) {
			t.Error("tried again before the delay")
		}
		time.Sleep(2 * time.Second)
		if !p.has(unknown) || !p.has(lost) {
			t.Errorf("not tried again after the delay: %+v", p.fetcher.Stats().Scheduler)
		}
	})
}

// TestAdvertisedMeanwhile: what is advertised while the keys that were due are being
// verified is due after them, and takes none of their places.
func TestAdvertisedMeanwhile(t *testing.T) {
	var p *pair
	meanwhile := map[wire.Key][]string{
		wire.KeyOf([]byte("first")): {"a", "b"},
		wire.KeyOf([]byte("a")):     {"c", "d"}, // when b, due together with a, has yet to be looked at
	}
	change := func(o *Options) {
		o.Verify = func(k scheduler.Key) []scheduler.Peer {
			for _, text := range meanwhile[wire.Key(k)] {
				p.advertise(text, true, true)
			}
			return p.verify(k)
		}
	}
	inBubble(t, change, func(made *pair) {
		p = made
		p.advertise("first", true, true)
		p.at(time.Second)
		for _, text := range []string{"first", "a", "b", "c", "d"} {
			k := wire.KeyOf([]byte(text))
			p.wasVerified(text, k, 0)
			if !p.has(k) {
				p.Errorf("%s was not fetched", text)
			}
		}
	})
}

// TestNoSpin is KC-17: a key that cannot be promoted, for want of a holder, is tried
// every VerifyRetryDelay and not in between, whatever is advertised meanwhile; what is
// pending for too long is evicted, and not tried any more.
func TestNoSpin(t *testing.T) {
	change := func(o *Options) { o.PendingMaxAge = time.Minute }
	inBubble(t, change, func(p *pair) {
		var ks [4]wire.Key
		for i := range ks {
			p.at(time.Duration(i) * time.Second)
			ks[i] = p.advertise(string(rune('a'+i)), false, false)
		}
		if r := p.fetcher.Advertise(ks[0], scheduler.Hint{Peer: scheduler.Peer{9}}); r != scheduler.AlreadyPresent {
			p.Errorf("again: %v", r)
		}
		p.at(5 * time.Second)
		had := p.advertise("had", true, true)
		p.at(59 * time.Second)
		for i, k := range ks {
			s := time.Duration(i)
			p.wasVerified("without a holder", k, s, s+15, s+30, s+45)
		}
		p.wasVerified("fetched", had, 5)
		if n := p.fetcher.Stats().Scheduler.Pending; n != 4 {
			p.Errorf("%d pending before their time", n)
		}
		p.at(80 * time.Second)
		if n := p.fetcher.Stats().Scheduler.Pending; n != 0 {
			p.Errorf("%d pending after their time", n)
		}
		if e := p.told(ks[0]); e.Reason != scheduler.ReasonEvicted {
			p.Errorf("told %+v", e)
		}
		times := p.times(ks[0])
		p.at(3 * time.Minute)
		if n := p.times(ks[0]); n != times {
			p.Errorf("verified %d times more after it was evicted", n-times)
		}
	})
}

// evictions counts how often what is pending is looked through.
type evictions struct {
	worker.Recorder
	n atomic.Int32
}

func (*evictions) Init(scheduler.Config)                                                    {}
func (*evictions) Stop(scheduler.Time)                                                      {}
func (*evictions) Add(scheduler.Time, scheduler.Key, []scheduler.Hint, scheduler.AddResult) {}
func (*evictions) Promote(scheduler.Time, scheduler.Key, scheduler.Distance, []scheduler.Peer, scheduler.EnqueueResult) {
}

func (e *evictions) Evict(scheduler.Time, time.Duration, []scheduler.Event) { e.n.Add(1) }

// TestEvictsSeldom: what is pending is looked through once in VerifyRetryDelay (15 s),
// however many keys are promoted meanwhile.
func TestEvictsSeldom(t *testing.T) {
	var rec evictions
	inBubble(t, func(o *Options) { o.Requests = &rec }, func(p *pair) {
		for i := range time.Duration(14) {
			p.at(i * time.Second)
			p.advertise(string(rune('a'+i)), false, false)
		}
		p.at(14 * time.Second)
		if n := rec.n.Load(); n != 1 {
			p.Errorf("%d times in 14s", n)
		}
		p.at(31 * time.Second)
		if n := rec.n.Load(); n != 3 {
			p.Errorf("%d times in 31s", n)
		}
	})
}

// TestQueueFull: nor is a key tried again at once that finds no room in the queue.
func TestQueueFull(t *testing.T) {
	var gate *serve.Gate
	closeGate := func(o *Options) { gate = serve.NewGate(); gate.Close(); o.Gate = gate }
	change := func(o *Options) {
		s := scheduler.Defaults()
		s.Slots, s.MaxQueued = 1, 1
		o.Scheduler = &s
	}
	inBubbleWith(t, closeGate, change, func(p *pair) {
		first, second, third := p.advertise("1", true, true), p.advertise("2", true, true), p.advertise("3", true, true)
		p.at(14 * time.Second)
		gate.Open()
		p.at(16 * time.Second)
		p.wasVerified("started", first, 0)
		p.wasVerified("queued", second, 0)
		p.wasVerified("no room", third, 0, 15)
		if !p.has(third) {
			p.Error("not fetched when there was room")
		}
	})
}

// wordy is a store that says more of what it has not.
type wordy struct{ *store.Memory }

func (w wordy) Get(k scheduler.Key) ([]byte, error) {
	data, err := w.Memory.Get(k)
	if err != nil {
		err = fmt.Errorf("no luck: %w", err)
	}
	return data, err
}

// TestReturned: a key that returns to pending is due VerifyRetryDelay later, and only
// then if it was due before that for another reason.
func TestReturned(t *testing.T) {
	hold := func(o *Options) { o.Store = wordy{store.NewMemory(0)} }
	inBubbleWith(t, hold, func(*Options) {}, func(p *pair) {
		k := p.advertise("lost", false, false)
		lose := func() { // not found at the holder
			if r := p.fetcher.Worker().Promote(p.fetcher.Item(k, p.holder.ID())); r != scheduler.Queued {
				p.Fatal(r)
			}
			time.Sleep(10 * time.Millisecond)
			if e := p.told(k); e.Kind != scheduler.EventPending {
				p.Fatalf("told %+v", e)
			}
		}
		p.at(5 * time.Second)
		lose()
		p.at(14 * time.Second)
		p.wasVerified("returned", k, 0)
		p.at(19 * time.Second)
		p.wasVerified("due before it returned", k, 0)
		p.at(21 * time.Second)
		if n := p.times(k); n != 2 {
			p.Errorf("verified %d times, want again 15s after it returned", n)
		}
		if n := p.fetcher.Stats().Scheduler.Counters.Outcomes[scheduler.OutcomeNotFound]; n != 1 {
			p.Errorf("%d times not found", n)
		}
	})
}

// TestReturnedTwice: at one moment, which counts once.
func TestReturnedTwice(t *testing.T) {
	inBubble(t, func(*Options) {}, func(p *pair) {
		k := p.advertise("nowhere", false, false)
		p.at(time.Second)
		for range 2 { // nobody knows where that is, so nothing is sent
			if r := p.fetcher.Worker().Promote(p.fetcher.Item(k, wire.PeerID{9})); r != scheduler.Queued {
				p.Fatal(r)
			}
			synctest.Wait()
		}
		p.at(50 * time.Second)
		p.wasVerified("returned twice", k, 0, 16, 31, 46)
	})
}

// TestPendingMaxAge: by default a key that stays pending is evicted after 30 minutes.
func TestPendingMaxAge(t *testing.T) {
	inBubble(t, func(*Options) {}, func(p *pair) {
		k := p.advertise("a", false, false)
		p.at(30*time.Minute - time.Second)
		if e := p.told(k); e.Kind != 0 {
			p.Errorf("told %+v", e)
		}
		p.at(30 * time.Minute)
		if e := p.told(k); e.Reason != scheduler.ReasonEvicted {
			p.Errorf("told %+v", e)
		}
	})
}

// TestShutdownVerifying: a verification that runs at shutdown is waited for.
func TestShutdownVerifying(t *testing.T) {
	var verified atomic.Bool
	change := func(o *Options) {
		o.Verify = func(scheduler.Key) []scheduler.Peer {
			time.Sleep(time.Second)
			verified.Store(true)
			return nil
		}
	}
	inBubble(t, change, func(p *pair) {
		p.advertise("a", false, false)
		synctest.Wait()
		if err := p.fetcher.Shutdown(); err != nil || !verified.Load() {
			p.Errorf("shut down with a verification running: %v", err)
		}
	})
}

// TestNobodyPromotes: without Verify a key waits for the caller to promote it.
func TestNobodyPromotes(t *testing.T) {
	inBubble(t, func(o *Options) { o.Verify = nil }, func(p *pair) {
		k := p.advertise("there", true, true)
		if r := p.fetcher.Advertise(k, scheduler.Hint{Peer: scheduler.Peer{9}}); r != scheduler.AlreadyPresent {
			p.Errorf("again: %v", r)
		}
		p.at(time.Minute)
		if p.has(k) || p.fetcher.Stats().Scheduler.Pending != 1 {
			p.Errorf("%+v", p.fetcher.Stats().Scheduler)
		}
		for _, c := range []struct {
			from wire.PeerID
			want scheduler.EventKind
		}{{wire.PeerID{9}, scheduler.EventPending}, {p.holder.ID(), scheduler.EventLeft}} {
			if r := p.fetcher.Worker().Promote(p.fetcher.Item(k, c.from)); r != scheduler.Queued {
				p.Fatal(r)
			}
			time.Sleep(time.Second)
			if e := p.told(k); e.Kind != c.want {
				p.Errorf("promoted from %v: told %+v, want %v", c.from, e, c.want)
			}
		}
		if !p.has(k) {
			p.Error("not fetched")
		}
	})
}

// TestDepart: a peer that departs is neither a holder of anything nor reached again.
func TestDepart(t *testing.T) {
	inBubble(t, func(o *Options) { o.Verify = nil }, func(p *pair) {
		k := p.advertise("there", true, true)
		p.fetcher.Depart(p.holder.ID())
		if e := p.told(k); e.Reason != scheduler.ReasonOrphaned {
			p.Errorf("told %+v", e)
		}
		p.fetcher.Enqueue(p.fetcher.Item(k, p.holder.ID()))
		time.Sleep(time.Second)
		if n := p.fetcher.Stats().Scheduler.Counters.Outcomes[scheduler.OutcomeSendFailed]; n != 1 || p.has(k) {
			p.Errorf("its address is still known: %+v", p.fetcher.Stats().Scheduler.Counters)
		}
	})
}
