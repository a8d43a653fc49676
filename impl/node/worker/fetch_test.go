package worker

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"fetchproof/impl/scheduler"
	"fetchproof/impl/wire"
)

// TestSoleSilentHolder is LIV-3: the first two find the silence out, the others go
// past the share, in waves of 2, 8 and 6; before the change two waves of 8.
func TestSoleSilentHolder(t *testing.T) {
	for _, c := range []struct {
		name  string
		cfg   Config
		waves []int
	}{
		{"with the share", config(), []int{2, 8, 6}},
		{"before", before(), []int{8, 8}},
	} {
		t.Run(c.name, func(t *testing.T) {
			run(t, c.cfg, func(t *testing.T, b *bench) {
				b.net.is(peerA, silent)
				its := items(16, peerA)
				b.Enqueue(its...)
				if took, want := b.drain(t, its), time.Duration(len(c.waves))*5*time.Second; took != want {
					t.Errorf("drained in %v, want %v", took, want)
				}
				sizes, at := b.net.waves()
				if !slices.Equal(sizes, c.waves) {
					t.Errorf("waves of %v at %v, want %v", sizes, at, c.waves)
				}
				if n := len(b.charges.of[peerA]); n != 16 {
					t.Errorf("%d charges, want 16", n)
				}
			})
		})
	}
}

// TestShare: an answering holder never has more than its share (SRC-4), a gated
// one included.
func TestShare(t *testing.T) {
	for _, c := range []struct {
		cfg  Config
		most int
	}{{config(), 2}, {before(), 8}} {
		run(t, c.cfg, func(t *testing.T, b *bench) {
			b.net.is(peerA, serves(time.Second))
			its := items(12, peerA)
			b.Enqueue(its...)
			b.drain(t, its)
			if got := b.net.most[peerA]; got != c.most {
				t.Errorf("share %d: %d in flight at once, want %d", c.cfg.Scheduler.Share, got, c.most)
			}
		})
	}
}

// TestOutcomes: what a holder does, what becomes of the key that has no other, and
// what the holder is charged with (section 9).
func TestOutcomes(t *testing.T) {
	other := wire.KeyOf([]byte("another"))
	for _, c := range []struct {
		name    string
		script  script
		kind    scheduler.OutcomeKind
		charge  scheduler.Charge
		took    time.Duration
		leaves  scheduler.Reason
		refused bool // by the store
	}{
		{name: "stored", script: serves(time.Second), kind: scheduler.OutcomeStored, took: time.Second, leaves: scheduler.ReasonStored},
		{name: "store fails", script: serves(0), kind: scheduler.OutcomeStoreFailed, leaves: scheduler.ReasonDropped, refused: true},
		{name: "not found", script: replies(0, wire.Message{Kind: wire.NotFound}), kind: scheduler.OutcomeNotFound, charge: scheduler.ChargeApplicationFailure, leaves: scheduler.ReasonDropped},
		{name: "error reply", script: replies(0, wire.Message{Kind: wire.ErrorReply}), kind: scheduler.OutcomeErrorReply, charge: scheduler.ChargeApplicationFailure, leaves: scheduler.ReasonDropped},
		{name: "bad record", script: replies(0, wire.Message{Kind: wire.Success, Data: []byte("lie")}), kind: scheduler.OutcomeInvalid, charge: scheduler.ChargeMalformed, leaves: scheduler.ReasonDropped},
		{name: "another key", script: replies(0, wire.Message{Kind: wire.Success, Key: other, Data: []byte("another")}), kind: scheduler.OutcomeInvalid, charge: scheduler.ChargeMalformed, leaves: scheduler.ReasonDropped},
		{name: "busy for another key", script: replies(0, wire.Message{Kind: wire.Busy, Key: other}), kind: scheduler.OutcomeInvalid, charge: scheduler.ChargeMalformed, leaves: scheduler.ReasonDropped},
		{name: "undecodable", script: func(_ context.Context, _ Request, arrived func()) (Response, error) {
			arrived()
			return Response{Err: wire.ErrTruncated}, nil
		}, kind: scheduler.OutcomeInvalid, charge: scheduler.ChargeMalformed, leaves: scheduler.ReasonDropped},
		{name: "answer without arrival", script: func(_ context.Context, r Request, _ func()) (Response, error) {
			return Response{Message: wire.Message{Kind: wire.NotFound, Key: wire.Key(r.Key)}}, nil
		}, kind: scheduler.OutcomeNotFound, charge: scheduler.ChargeApplicationFailure, leaves: scheduler.ReasonDropped},
		{name: "timeout", script: silent, kind: scheduler.OutcomeTimeout, charge: scheduler.ChargeConnectionTimeout, took: 5 * time.Second, leaves: scheduler.ReasonDropped},
		{name: "unreachable", script: fails(ErrUnreachable), kind: scheduler.OutcomeUnreachable, charge: scheduler.ChargeConnectionTimeout, leaves: scheduler.ReasonDropped},
		{name: "unreachable, wrapped", script: fails(fmt.Errorf("dial: %w", ErrUnreachable)), kind: scheduler.OutcomeUnreachable, charge: scheduler.ChargeConnectionTimeout, leaves: scheduler.ReasonDropped},
		{name: "timeout, wrapped", script: late(func(err error) error { return fmt.Errorf("read: %w", err) }), kind: scheduler.OutcomeTimeout, charge: scheduler.ChargeConnectionTimeout, took: 5 * time.Second, leaves: scheduler.ReasonDropped},
		{name: "not sent until the deadline", script: late(func(err error) error { return fmt.Errorf("%w: %w", ErrNotSent, err) }), kind: scheduler.OutcomeSendFailed, took: 5 * time.Second, leaves: scheduler.ReasonDropped},
		{name: "not sent", script: fails(ErrNotSent), kind: scheduler.OutcomeSendFailed, leaves: scheduler.ReasonDropped},
		{name: "unknown error", script: fails(errors.New("what")), kind: scheduler.OutcomeSendFailed, leaves: scheduler.ReasonDropped},
	} {
		t.Run(c.name, func(t *testing.T) {
			run(t, config(), func(t *testing.T, b *bench) {
				if c.refused {
					b.store.put = func(scheduler.Key) error { return errors.New("disk full") }
				}
				b.net.is(peerA, c.script)
				its := items(1, peerA)
				b.Enqueue(its...)
				if took := b.drain(t, its); took != c.took {
					t.Errorf("took %v, want %v", took, c.took)
				}
				synctest.Wait()
				if n := b.Snapshot().Counters.Outcomes[c.kind]; n != 1 {
					t.Errorf("%d outcomes %v, want 1", n, c.kind)
				}
				if e := b.left.last(); e.Reason != c.leaves {
					t.Errorf("left %v, want %v", e.Reason, c.leaves)
				}
				var want []scheduler.Charge
				if c.charge != scheduler.ChargeNone {
					want = []scheduler.Charge{c.charge}
				}
				if got := b.charges.of[peerA]; !slices.Equal(got, want) {
					t.Errorf("charged %v, want %v", got, want)
				}
				log := b.log.String()
				if strings.Contains(log, "refused by the scheduler") {
					t.Errorf("more reported than happened: %s", log)
				}
				logged := fmt.Sprintf(`msg="storing a fetched record failed" key=%v error="disk full"`, wire.Key(keys[0]))
				if strings.Contains(log, logged) != c.refused {
					t.Errorf("log: %s", log)
				}
			})
		})
	}
}

// late is silent, and then has an error that says so in its own way.
func late(wrap func(error) error) script {
	return func(ctx context.Context, r Request, arrived func()) (Response, error) {
		_, err := silent(ctx, r, arrived)
		return Response{}, wrap(err)
	}
}

// TestAttemptContext: what the transport was given to wait with ends with the
// attempt, not only at its deadline.
func TestAttemptContext(t *testing.T) {
	run(t, config(), func(t *testing.T, b *bench) {
		var given context.Context
		b.net.is(peerA, func(ctx context.Context, r Request, arrived func()) (Response, error) {
			given = ctx
			return serves(0)(ctx, r, arrived)
		})
		b.Enqueue(item(0, peerA))
		synctest.Wait()
		if given.Err() == nil {
			t.Error("still open after the attempt")
		}
	})
}

// TestBusyWait: a busy reply holds its slot for the drawn wait, of BusyWaitMin to
// BusyWaitMax with both ends, never past the deadline, charges nobody, and the key
// then moves on (BSY-1).
func TestBusyWait(t *testing.T) {
	least := draw(func(int64) int64 { return 0 })
	most := draw(func(n int64) int64 { return n - 1 })
	for _, c := range []struct {
		timeout, min, max time.Duration
		rand              Rand
		want              time.Duration
	}{
		{30 * time.Second, 5 * time.Second, 10 * time.Second, least, 5 * time.Second},
		{30 * time.Second, 5 * time.Second, 10 * time.Second, most, 10 * time.Second},
		{30 * time.Second, 6 * time.Second, 6 * time.Second, most, 6 * time.Second},
		{7 * time.Second, 5 * time.Second, 10 * time.Second, most, 7 * time.Second}, // cut at the deadline
		{3 * time.Second, 5 * time.Second, 10 * time.Second, least, 3 * time.Second},
	} {
		cfg := config()
		cfg.Scheduler.FetchTimeout, cfg.Scheduler.BusyWaitMin, cfg.Scheduler.BusyWaitMax = c.timeout, c.min, c.max
		runWith(t, cfg, func(p *Ports) { p.Rand = c.rand }, func(t *testing.T, b *bench) {
			b.net.is(peerA, replies(0, wire.Message{Kind: wire.Busy}))
			b.net.is(peerB, serves(0))
			time.Sleep(time.Minute)
			its := items(1, peerA, peerB)
			b.Enqueue(its...)
			if took := b.drain(t, its) - time.Minute; took != c.want {
				t.Errorf("timeout %v, wait of %v to %v: moved on after %v, want %v", c.timeout, c.min, c.max, took, c.want)
			}
			if len(b.charges.of) != 0 {
				t.Errorf("charged %v", b.charges.of)
			}
			if log := b.log.String(); log != "" {
				t.Errorf("log: %s", log)
			}
		})
	}
}

// TestDeadline: an attempt's time runs from its start (WRK-2), also while its
// goroutine has yet to begin; here the clock moves by lag in between.
func TestDeadline(t *testing.T) {
	for _, lag := range []time.Duration{0, 2 * time.Second, 5 * time.Second, 6 * time.Second} {
		want := max(0, 5*time.Second-lag)
		clock, rec := &handClock{now: 1000}, &tape{}
		runWith(t, config(), func(p *Ports) { p.Clock, p.Recorder = clock, rec }, func(t *testing.T, b *bench) {
			b.net.is(peerA, silent)
			rec.told = func(op string) {
				if op == "fill" {
					clock.advance(lag)
				}
			}
			its := items(1, peerA)
			b.Enqueue(its...)
			if took := b.drain(t, its); took != want {
				t.Errorf("%v late: given up after another %v, want %v", lag, took, want)
			}
			synctest.Wait()
			if n := b.Snapshot().Counters.Outcomes[scheduler.OutcomeTimeout]; n != 1 {
				t.Errorf("%v late: %d timeouts, want 1", lag, n)
			}
		})
	}
}

// draw is a random source that is none.
type draw func(n int64) int64

func (d draw) Int64N(n int64) int64 { return d(n) }

// TestEarlyAnswer is B25: an answer counts when it arrives, so a timeout of another
// attempt at the source, while the record is still being stored, marks nobody and
// the share holds (CON-5, WRK-2).
func TestEarlyAnswer(t *testing.T) {
	run(t, config(), func(t *testing.T, b *bench) {
		b.store.put = func(scheduler.Key) error { time.Sleep(time.Minute); return nil }
		b.net.is(peerA, func(ctx context.Context, r Request, arrived func()) (Response, error) {
			if r.Key == keys[0] {
				return silent(ctx, r, arrived)
			}
			return serves(time.Second)(ctx, r, arrived)
		})
		its := items(6, peerA)
		b.Enqueue(its...)
		time.Sleep(30 * time.Second) // the first has timed out, the others are being stored
		snap := b.Snapshot()
		if snap.Silent != 0 || snap.InFlight > 2 {
			t.Errorf("silent %d, in flight %d, want 0 and at most 2", snap.Silent, snap.InFlight)
		}
		b.drain(t, its)
		if got := b.net.most[peerA]; got > 2 {
			t.Errorf("%d in flight at an answering holder", got)
		}
	})
}

// TestDeclined: a key that is not this node's any more is neither asked for nor
// stored (section 9).
func TestDeclined(t *testing.T) {
	for _, until := range []int{0, 1} { // how often the answer is yes
		asked := 0
		change := func(p *Ports) {
			p.Responsible = func(scheduler.Key) bool { asked++; return asked <= until }
		}
		runWith(t, config(), change, func(t *testing.T, b *bench) {
			b.net.is(peerA, serves(0))
			its := items(1, peerA)
			b.Enqueue(its...)
			b.drain(t, its)
			synctest.Wait()
			if e := b.left.last(); e.Reason != scheduler.ReasonDeclined {
				t.Errorf("left %v, want declined", e.Reason)
			}
			if calls := len(b.net.calls); calls != until || len(b.store.have) != 0 {
				t.Errorf("%d requests and %d records, want %d and 0", calls, len(b.store.have), until)
			}
		})
	}
}

// TestBadDraw: a random source that leaves its range costs its attempt, not the
// slot.
func TestBadDraw(t *testing.T) {
	wild := draw(func(n int64) int64 { return n + 1 })
	runWith(t, config(), func(p *Ports) { p.Rand = wild }, func(t *testing.T, b *bench) {
		b.net.is(peerA, replies(0, wire.Message{Kind: wire.Busy}))
		its := items(3, peerA)
		b.Enqueue(its...)
		b.drain(t, its)
		if snap := b.Snapshot(); snap.InFlight != 0 || snap.Counters.Outcomes[scheduler.OutcomePanicked] != 3 {
			t.Errorf("want nothing in flight after three panics: %+v", snap)
		}
		if log := b.log.String(); strings.Count(log, `msg="busy reply refused by the scheduler" why=`) != 3 || strings.Contains(log, "outcome refused") {
			t.Errorf("log: %s", log)
		}
	})
}
