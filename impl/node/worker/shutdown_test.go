package worker

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"fetchproof/impl/scheduler"
	"fetchproof/impl/wire"
)

// TestShutdown is WRK-4 and LIV-5 in each phase of an attempt: it ends at once, or
// when a running store write does, nothing is left in flight, and the key of a
// cancelled attempt returns to pending or is dropped.
func TestShutdown(t *testing.T) {
	for _, c := range []struct {
		name   string
		script script
		slow   time.Duration // of the store
		kind   scheduler.OutcomeKind
	}{
		{"waiting for an answer", silent, 0, scheduler.OutcomeCancelled},
		{"waiting after busy", replies(0, wire.Message{Kind: wire.Busy}), 0, scheduler.OutcomeCancelled},
		{"waiting, and told that the connection went", ends(ErrUnreachable), 0, scheduler.OutcomeCancelled},
		{"waiting, and told that nothing was sent", ends(ErrNotSent), 0, scheduler.OutcomeCancelled},
		{"storing", serves(0), time.Second, scheduler.OutcomeStored},
	} {
		t.Run(c.name, func(t *testing.T) {
			run(t, config(), func(t *testing.T, b *bench) {
				b.store.put = func(scheduler.Key) error { time.Sleep(c.slow); return nil }
				b.net.is(peerA, c.script)
				b.Add(keys[0], []scheduler.Hint{{Peer: peerA, Claimant: true}})
				b.Promote(item(0, peerA))
				b.Enqueue(item(1, peerA), item(2, peerA))
				time.Sleep(time.Second / 2)
				began := time.Now()
				b.Shutdown()
				if took := time.Since(began); took > c.slow {
					t.Errorf("took %v", took)
				}
				snap := b.Snapshot()
				if snap.InFlight != 0 || snap.Counters.Outcomes[c.kind] != 2 {
					t.Errorf("in flight %d, %v %d times, want 0 and 2", snap.InFlight, c.kind, snap.Counters.Outcomes[c.kind])
				}
				if c.kind == scheduler.OutcomeCancelled && snap.Pending != 1 {
					t.Errorf("%d pending, want the promoted key back", snap.Pending)
				}
				if snap.Queued != 1 {
					t.Errorf("%d queued: a stop leaves what is queued", snap.Queued)
				}
				if len(b.charges.of) != 0 {
					t.Errorf("charged for a shutdown: %v", b.charges.of)
				}
				if c.kind == scheduler.OutcomeCancelled {
					b.reports(t, "cancelled_attempts.count=2", "attempt_latency.count=0")
				}
				if n := strings.Count(b.log.String(), SummaryMessage); n != 1 {
					t.Errorf("%d summaries, want the last one", n)
				}
			})
		})
	}
}

// ends never answers, and when it is cut off it fails with what the transport makes of
// that (CON-10: it says nothing about the peer).
func ends(err error) script {
	return func(ctx context.Context, _ Request, _ func()) (Response, error) {
		<-ctx.Done()
		return Response{}, err
	}
}

// TestShutdownTwice: a second caller waits for the first, and one summary is
// written.
func TestShutdownTwice(t *testing.T) {
	run(t, config(), func(t *testing.T, b *bench) {
		b.store.put = func(scheduler.Key) error { time.Sleep(time.Second); return nil }
		b.net.is(peerA, serves(0))
		b.Enqueue(item(0, peerA))
		synctest.Wait()
		var both sync.WaitGroup
		for range 2 {
			both.Go(func() {
				b.Shutdown()
				if n := b.Snapshot().InFlight; n != 0 {
					t.Errorf("%d in flight after a shutdown", n)
				}
			})
		}
		both.Wait()
	})
}

// TestStopsFirst: the scheduler is stopped before the first attempt is cancelled, or
// the slots of those that end in between would go to what is queued (OUT-8, WRK-4).
func TestStopsFirst(t *testing.T) {
	var asked context.Context
	stops := 0
	rec := &tape{told: func(op string) {
		if op != "stop" {
			return
		}
		if stops++; asked.Err() != nil {
			t.Errorf("cancelled before the scheduler was stopped: %v", asked.Err())
		}
	}}
	runWith(t, config(), func(p *Ports) { p.Recorder = rec }, func(t *testing.T, b *bench) {
		b.net.is(peerA, func(ctx context.Context, r Request, arrived func()) (Response, error) {
			asked = ctx
			return silent(ctx, r, arrived)
		})
		b.Enqueue(item(0, peerA))
		synctest.Wait()
		b.Shutdown()
		if stops != 1 || !errors.Is(asked.Err(), context.Canceled) {
			t.Errorf("stopped %d times, the attempt's context: %v", stops, asked.Err())
		}
	})
}

// TestPanics is WRK-3: wherever an attempt panics, it ends as Panicked or had ended
// before, is logged with its stack, and the worker goes on.
func TestPanics(t *testing.T) {
	panics := func(context.Context, Request, func()) (Response, error) { panic("boom") }
	for _, c := range []struct {
		name     string
		script   script
		plant    func(b *bench, p *Ports)
		panicked uint64
	}{
		{"transport", panics, func(*bench, *Ports) {}, 1},
		{"store", serves(0), func(b *bench, _ *Ports) { b.store.put = func(scheduler.Key) error { panic("boom") } }, 1},
		{"responsible", serves(0), func(_ *bench, p *Ports) { p.Responsible = func(scheduler.Key) bool { panic("boom") } }, 1},
		{"draw", replies(0, wire.Message{Kind: wire.Busy}), func(_ *bench, p *Ports) { p.Rand = bomb{} }, 1},
		{"ledger", fails(ErrUnreachable), func(b *bench, _ *Ports) { b.charges.hook = func() { panic("boom") } }, 0},
		{"notify", serves(0), func(_ *bench, p *Ports) { p.Notify = func(scheduler.Event) { panic("boom") } }, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			var planted bench
			change := func(p *Ports) {
				planted.store, planted.charges = p.Store.(*memory), p.Ledger.(*charges)
				c.plant(&planted, p)
			}
			runWith(t, config(), change, func(t *testing.T, b *bench) {
				b.net.is(peerA, c.script)
				b.net.is(peerB, serves(0))
				b.Enqueue(item(0, peerA))
				synctest.Wait()
				snap := b.Snapshot()
				if snap.InFlight != 0 || snap.Counters.Outcomes[scheduler.OutcomePanicked] != c.panicked {
					t.Errorf("in flight %d, panicked %d times", snap.InFlight, snap.Counters.Outcomes[scheduler.OutcomePanicked])
				}
				log := b.log.String()
				logged := fmt.Sprintf(`msg="fetch attempt panicked" key=%v peer=%v panic=boom stack="goroutine `, wire.Key(keys[0]), wire.PeerID(peerA))
				if !strings.Contains(log, logged) || !strings.Contains(log, "attempt.go") {
					t.Errorf("no panic with its stack in the log: %s", log)
				}
				again := strings.Contains(log, `msg="outcome refused by the scheduler" outcome=Panicked why=`)
				if again == (c.panicked == 1) {
					t.Errorf("a second report of the attempt: %v, in %s", again, log)
				}
				b.Shutdown()
				b.reports(t, "attempt_latency.count=1") // of the one attempt
			})
		})
	}
}

type bomb struct{}

func (bomb) Int64N(int64) int64 { panic("boom") }

// TestNew: what cannot work is refused.
func TestNew(t *testing.T) {
	full := func() Ports {
		return Ports{Transport: &net{}, Store: &memory{}, Ledger: &charges{}, Clock: NewClock(), Rand: draw(nil)}
	}
	for name, drop := range map[string]func(*Ports){
		"transport": func(p *Ports) { p.Transport = nil },
		"store":     func(p *Ports) { p.Store = nil },
		"ledger":    func(p *Ports) { p.Ledger = nil },
		"clock":     func(p *Ports) { p.Clock = nil },
		"rand":      func(p *Ports) { p.Rand = nil },
	} {
		p := full()
		drop(&p)
		if _, err := New(config(), p); !errors.Is(err, errMissingPort) {
			t.Errorf("no %s: %v", name, err)
		}
	}
	cfg := config()
	cfg.Scheduler.Share = 0
	var ce *scheduler.ConfigError
	if _, err := New(cfg, full()); !errors.As(err, &ce) {
		t.Errorf("share 0: %v", err)
	}
	cfg = config()
	cfg.SummaryEvery = 0
	if _, err := New(cfg, full()); err == nil || !strings.Contains(err.Error(), "SummaryEvery") {
		t.Errorf("no time between summaries: %v", err)
	}
	cfg.SummaryEvery = 1
	w, err := New(cfg, full())
	if err != nil {
		t.Fatalf("the least time between summaries: %v", err)
	}
	w.Shutdown()
}
