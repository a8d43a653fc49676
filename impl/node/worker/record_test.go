package worker

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"fetchproof/impl/scheduler"
)

// tape is a recorder that keeps each operation as one line, and says when it is told
// one, under the lock.
type tape struct {
	told func(op string) // may be nil

	mu    sync.Mutex
	lines []string
}

func (p *tape) write(op, format string, args ...any) {
	p.mu.Lock()
	p.lines = append(p.lines, strings.TrimSpace(op+" "+fmt.Sprintf(format, args...)))
	p.mu.Unlock()
	if p.told != nil {
		p.told(op)
	}
}

// take returns the lines since the last call.
func (p *tape) take() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	defer func() { p.lines = nil }()
	return p.lines
}

// k names a key as help_test.go numbers them.
func k(key scheduler.Key) string { return fmt.Sprint("k", slices.Index(keys, key)) }

func listed[T any](list []T, name func(T) string) string {
	names := make([]string, len(list))
	for i, x := range list {
		names[i] = name(x)
	}
	return "[" + strings.Join(names, " ") + "]"
}

func peerName(p scheduler.Peer) string { return string(p[:1]) }

func eventName(e scheduler.Event) string {
	return fmt.Sprintf("%v %v %s", e.Kind, e.Reason, k(e.Key))
}

func (p *tape) Init(cfg scheduler.Config) { p.write("init", "slots=%d", cfg.Slots) }

func (p *tape) Add(_ scheduler.Time, key scheduler.Key, hints []scheduler.Hint, r scheduler.AddResult) {
	p.write("add", "%s %s %v", k(key), listed(hints, func(h scheduler.Hint) string { return peerName(h.Peer) }), r)
}

func (p *tape) Promote(_ scheduler.Time, key scheduler.Key, _ scheduler.Distance, from []scheduler.Peer, r scheduler.EnqueueResult) {
	p.write("promote", "%s %s %v", k(key), listed(from, peerName), r)
}

func (p *tape) Enqueue(_ scheduler.Time, key scheduler.Key, _ scheduler.Distance, from []scheduler.Peer, r scheduler.EnqueueResult) {
	p.write("enqueue", "%s %s %v", k(key), listed(from, peerName), r)
}

func (p *tape) Fill(_ scheduler.Time, starts []scheduler.Start) {
	p.write("fill", "%s", listed(starts, func(s scheduler.Start) string { return k(s.Key) + "@" + peerName(s.Source) }))
}

func (p *tape) Arrive(attempt, place scheduler.Place, v scheduler.Verdict) {
	p.write("arrive", "%d %d %v", attempt, place, v.Result)
}

func (p *tape) Answer(_ scheduler.Time, attempt, place scheduler.Place, v scheduler.Verdict) {
	p.write("answer", "%d %d %v", attempt, place, v.Result)
}

func (p *tape) Busy(_ scheduler.Time, attempt, place scheduler.Place, wait time.Duration, _ scheduler.BusyReply, v scheduler.Verdict) {
	p.write("busy", "%d %d %v %v", attempt, place, wait, v.Result)
}

func (p *tape) Outcome(_ scheduler.Time, attempt scheduler.Place, kind scheduler.OutcomeKind, place scheduler.Place, _ scheduler.OutcomeReport, v scheduler.Verdict) {
	p.write("outcome", "%d %v %d %v", attempt, kind, place, v.Result)
}

func (p *tape) Depart(_ scheduler.Time, peer scheduler.Peer, events []scheduler.Event) {
	p.write("depart", "%s %s", peerName(peer), listed(events, eventName))
}

func (p *tape) Remove(_ scheduler.Time, key scheduler.Key, _ scheduler.Event, r scheduler.RemoveResult) {
	p.write("remove", "%s %v", k(key), r)
}

func (p *tape) Evict(_ scheduler.Time, maxAge time.Duration, events []scheduler.Event) {
	p.write("evict", "%v %s", maxAge, listed(events, eventName))
}

func (p *tape) Stop(scheduler.Time) { p.write("stop", "") }

func (p *tape) Ready(_ scheduler.Time, limit int, ready []scheduler.Key) {
	p.write("ready", "%d %s", limit, listed(ready, k))
}

func (p *tape) Drained(_ scheduler.Time, ks []scheduler.Key, drained bool) {
	p.write("drained", "%s %v", listed(ks, k), drained)
}

// TestRecords is WRK-5 and WRK-1: what each call has the recorder told, which is all
// that it did to the scheduler. A pass follows what can make a key startable, and
// nothing else.
func TestRecords(t *testing.T) {
	cfg := config()
	cfg.Scheduler.Slots = 3
	rec := &tape{}
	runWith(t, cfg, func(p *Ports) { p.Recorder = rec }, func(t *testing.T, b *bench) {
		g := &gate{opened: make(chan script, 1)}
		b.net.is(peerA, g.script)
		hint := func(p scheduler.Peer) []scheduler.Hint { return []scheduler.Hint{{Peer: p, Claimant: true}} }
		for _, c := range []struct {
			name string
			do   func() any // what the call returned
			want any
			told []string
		}{
			{"new", func() any { return b.Config() }, cfg, []string{"init slots=3"}},
			{"add", func() any { return b.Add(keys[9], hint(peerA)) }, scheduler.Admitted, []string{"add k9 [A] admitted"}},
			{"add again", func() any { return b.Add(keys[9], hint(peerB)) }, scheduler.AlreadyPresent, []string{"add k9 [B] already-present", "fill []"}},
			{"nobody has it", func() any { return b.Promote(item(9)) }, scheduler.NoSource, []string{"promote k9 [] no-source"}},
			{"promote", func() any { return b.Promote(item(9, peerA)) }, scheduler.Queued, []string{"promote k9 [A] queued", "fill [k9@A]"}},
			{
				"queued, then present", func() any { return b.Enqueue(item(0, peerA), item(9, peerA)) },
				[]scheduler.EnqueueResult{scheduler.Queued, scheduler.Present},
				[]string{"enqueue k0 [A] queued", "enqueue k9 [A] present", "fill [k0@A]"},
			},
			{
				"all present", func() any { return b.Enqueue(item(0, peerA)) },
				[]scheduler.EnqueueResult{scheduler.Present},
				[]string{"enqueue k0 [A] present"},
			},
			{"none", func() any { return b.Enqueue() }, []scheduler.EnqueueResult{}, nil},
			{
				"blocked", func() any { return b.Enqueue(item(1, peerA)) },
				[]scheduler.EnqueueResult{scheduler.Queued},
				[]string{"enqueue k1 [A] queued", "fill []"},
			},
			{"drained", func() any { return b.Drained(keys[5:7]) }, true, []string{"drained [k5 k6] true"}},
			{"not drained", func() any { return b.Drained(keys[1:2]) }, false, []string{"drained [k1] false"}},
			{"depart", func() any { b.Depart(peerA); return b.left.last().Reason }, scheduler.ReasonOrphaned, []string{"depart A [left orphaned k1]"}},
			{"one to remove", func() any { return b.Add(keys[5], hint(peerB)) }, scheduler.Admitted, []string{"add k5 [B] admitted"}},
			{
				"ready", func() any { return b.Ready(7, []scheduler.Key{keys[8]}) },
				[]scheduler.Key{keys[8], keys[5]},
				[]string{"ready 7 [k5]"},
			},
			{"remove", func() any { b.Remove(keys[5]); return b.left.last() }, scheduler.Event{Kind: scheduler.EventLeft, Reason: scheduler.ReasonRemoved, Key: keys[5]}, []string{"remove k5 ok"}},
			{"not there", func() any { n := len(b.left.list); b.Remove(keys[5]); return len(b.left.list) - n }, 0, []string{"remove k5 not-pending"}},
			{"one to evict", func() any { return b.Add(keys[6], hint(peerB)) }, scheduler.Admitted, []string{"add k6 [B] admitted"}},
			{"too young", func() any { return b.Evict(time.Nanosecond) }, 0, []string{"evict 1ns []"}},
			{"evict", func() any { return b.Evict(0) }, 1, []string{"evict 0s [left evicted k6]"}},
		} {
			if got := c.do(); fmt.Sprint(got) != fmt.Sprint(c.want) {
				t.Errorf("%s: %v, want %v", c.name, got, c.want)
			}
			if told := rec.take(); !slices.Equal(told, c.told) {
				t.Errorf("%s: told %q, want %q", c.name, told, c.told)
			}
		}
		g.open(fails(ErrNotSent)) // for one of the two that run, whichever
		synctest.Wait()
		if told := rec.take(); len(told) != 2 || !strings.Contains(told[0], "SendFailed 0 ok") || told[1] != "fill []" {
			t.Errorf("an attempt ended: told %q", told)
		}
		b.Shutdown()
		if told := rec.take(); len(told) != 3 || told[0] != "stop" || !strings.Contains(told[1], "Cancelled 0 ok") || told[2] != "fill []" {
			t.Errorf("shutdown: told %q", told)
		}
	})
}

// TestWaitDrained is BOOT-1: a wait ends when none of its keys is in any stage, one
// that came back included, or with the cause of its context's end; and nobody asks
// again for what cannot have drained them.
func TestWaitDrained(t *testing.T) {
	rec := &tape{}
	runWith(t, config(), func(p *Ports) { p.Recorder = rec }, func(t *testing.T, b *bench) {
		g := &gate{opened: make(chan script, 1)}
		b.net.is(peerA, g.script)
		b.net.is(peerB, serves(0))
		b.net.is(peerC, silent)
		if err := b.WaitDrained(t.Context(), keys[:2]); err != nil {
			t.Errorf("nothing to wait for: %v", err)
		}
		b.Enqueue(item(0, peerB), item(1, peerA))
		ctx, cancel := context.WithCancelCause(t.Context())
		var waits sync.WaitGroup
		gone := errors.New("gone")
		waits.Go(func() {
			if err := b.WaitDrained(ctx, keys[:2]); !errors.Is(err, gone) {
				t.Errorf("ended by its context: %v", err)
			}
		})
		waits.Go(func() {
			if err := b.WaitDrained(patience(t), keys[:2]); err != nil || !b.Drained(keys[:2]) {
				t.Errorf("drained: %v, %+v", err, b.Snapshot())
			}
			if d := time.Since(b.net.start); d != 5*time.Second {
				t.Errorf("drained after %v, want 5s: when the key that came back had left too", d)
			}
		})
		synctest.Wait() // the first has left by now
		cancel(gone)
		rec.take()
		b.Add(keys[7], []scheduler.Hint{{Peer: peerB}})
		b.Enqueue(item(0, peerC)) // it comes back
		synctest.Wait()
		for _, op := range rec.take() {
			if strings.HasPrefix(op, "drained") {
				t.Errorf("asked without cause: %s", op)
			}
		}
		g.open(serves(0))
		waits.Wait()
	})
}

// patience ends after an hour of virtual time, in which summaries are written: a wait
// that misses its wake-up would have the test go on with those for ever.
func patience(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
	t.Cleanup(cancel)
	return ctx
}

// looks counts the keys that a recorder is told were looked at by waits.
type looks struct {
	tape
	keys int
}

func (l *looks) Drained(_ scheduler.Time, ks []scheduler.Key, _ bool) { l.keys += len(ks) }

// TestWaitLooksAtEachKey: a wait does not look at all its keys each time that one
// leaves, neither before all were seen drained nor when one has come back since.
func TestWaitLooksAtEachKey(t *testing.T) {
	const n = 64
	rec := &looks{}
	runWith(t, config(), func(p *Ports) { p.Recorder = rec }, func(t *testing.T, b *bench) {
		comes := func(k scheduler.Key) { b.Add(k, []scheduler.Hint{{Peer: peerA}}) }
		goes := func(k scheduler.Key) { b.Remove(k); synctest.Wait() }
		for _, k := range keys[:n] {
			comes(k)
		}
		var wait sync.WaitGroup
		wait.Go(func() {
			if err := b.WaitDrained(patience(t), keys[:n]); err != nil {
				t.Errorf("a key left unseen: %v", err)
			}
		})
		synctest.Wait()
		for _, k := range keys[:n-1] { // one look at it, one at the next
			goes(k)
		}
		comes(keys[0])
		goes(keys[n-1])                   // a look at all, of which one is back
		for _, k := range keys[n : 2*n] { // one look at that one
			comes(k)
			goes(k)
		}
		goes(keys[0]) // one look at each, and one at all
		wait.Wait()
	})
	if rec.keys > 6*n {
		t.Errorf("looked at %d keys to wait for %d", rec.keys, n)
	}
}

// TestObserve: the whole state is the scheduler's.
func TestObserve(t *testing.T) {
	run(t, config(), func(t *testing.T, b *bench) {
		b.net.is(peerA, silent)
		b.Enqueue(items(3, peerA)...)
		time.Sleep(time.Second)
		var s scheduler.State
		b.Observe(&s)
		if len(s.InFlight) != 2 || len(s.Parked) != 1 || s.Parked[0] != keys[2] {
			t.Errorf("want two keys in flight and the third parked: %+v", s)
		}
	})
}
