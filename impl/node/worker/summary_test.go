package worker

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"fetchproof/impl/scheduler"
	"fetchproof/impl/wire"
)

// summary is the last dispatch summary in the log, by field; nil if there is none.
func (b *bench) summary() (fields map[string]string) {
	for line := range strings.Lines(b.log.String()) {
		if !strings.Contains(line, SummaryMessage) {
			continue
		}
		fields = map[string]string{}
		for _, f := range strings.Fields(line) {
			if name, value, ok := strings.Cut(f, "="); ok {
				fields[name] = value
			}
		}
	}
	return fields
}

// reports checks fields of the last summary, each "name=value".
func (b *bench) reports(t *testing.T, want ...string) {
	t.Helper()
	got := b.summary()
	for _, w := range want {
		if name, value, _ := strings.Cut(w, "="); got[name] != value {
			t.Errorf("%s is %q, want %q", name, got[name], value)
		}
	}
}

// TestSummary: the record of SUM-2 is written every SummaryEvery with what happened
// since the last one.
func TestSummary(t *testing.T) {
	run(t, config(), func(t *testing.T, b *bench) {
		b.net.is(peerA, serves(time.Second))
		b.net.is(peerB, silent)
		time.Sleep(time.Minute)
		b.Enqueue(items(4, peerA)...)
		b.Enqueue(item(4, peerB))
		time.Sleep(4*time.Minute + time.Second)
		b.reports(
			t, "since_last.started=5", "since_last.outcome_Stored=4", "since_last.outcome_Timeout=1",
			"since_last.unanswered=1", "since_last.marks_set=1", "stored_bytes=12",
			"attempt_latency.count=5", "attempt_latency.total=9s", "attempt_latency.max=5s",
			"cancelled_attempts.count=0", "silent_sources=0", "silent_sources_peak=1", "fetch_busy_sources_tracked=0",
			"oldest_parked_age=0s", "parked=0", "parked_index_associations=0", "queued=0", "in_flight=0", "sources_at_limit=0",
		)
		time.Sleep(5 * time.Minute)
		b.reports(
			t, "since_last.started=0", "since_last.outcome_Stored=0", "silent_sources_peak=0",
			"attempt_latency.count=0", "attempt_latency.total=0s", "stored_bytes=0",
		)
	})
}

// counters are those of SUM-1 by their names in the summary.
func counters(c *scheduler.Counters) map[string]uint64 {
	m := map[string]uint64{
		"started": c.Started, "parked": c.Parked, "unanswered": c.Unanswered, "busy": c.Busy, "overflows": c.Overflows,
		"marks_set": c.MarksSet, "marks_refreshed": c.MarksRefreshed, "marks_cleared": c.MarksCleared, "marks_expired": c.MarksExpired,
	}
	for kind := scheduler.OutcomeStored; kind <= scheduler.OutcomePanicked; kind++ {
		m["outcome_"+kind.String()] = c.Outcomes[kind]
	}
	return m
}

// TestCounters: a summary has each counter of SUM-1 as it grew since the last one,
// and all of them have grown here but for that of cancelled attempts.
func TestCounters(t *testing.T) {
	cfg := config()
	cfg.Scheduler.ContactTable = 1 // A's
	change := func(p *Ports) { p.Responsible = func(key scheduler.Key) bool { return key != keys[9] } }
	runWith(t, cfg, change, func(t *testing.T, b *bench) {
		b.store.put = func(key scheduler.Key) error {
			if key == keys[8] {
				return errors.New("full")
			}
			return nil
		}
		b.net.is(peerA, func(ctx context.Context, r Request, arrived func()) (Response, error) {
			if r.Key == keys[2] { // after both others have marked it, it answers
				return serves(2*time.Second)(ctx, r, arrived)
			}
			return silent(ctx, r, arrived)
		})
		b.Enqueue(item(0, peerA))
		time.Sleep(time.Second) // so that the later one times out later, and refreshes the mark
		b.Enqueue(item(1, peerA), item(2, peerA))
		for i, s := range []script{
			replies(0, wire.Message{Kind: wire.Busy}), replies(0, wire.Message{Kind: wire.NotFound}),
			replies(0, wire.Message{Kind: wire.ErrorReply}), replies(0, wire.Message{Kind: wire.Success, Data: []byte("lie")}),
			fails(ErrUnreachable), serves(0), serves(0), fails(ErrNotSent),
			func(context.Context, Request, func()) (Response, error) { panic("boom") },
		} {
			p := scheduler.Peer{'a' + byte(i)}
			b.net.is(p, s)
			b.Enqueue(item(3+i, p))
		}
		time.Sleep(7 * time.Second)
		b.Enqueue(item(0, peerA)) // marks it again
		time.Sleep(time.Minute)
		b.Depart(scheduler.Peer{'Z'}) // an operation that sees the mark's end
		was := b.Snapshot().Counters
		time.Sleep(5*time.Minute - time.Since(b.net.start) + 1)
		for name, n := range counters(&was) {
			b.reports(t, fmt.Sprintf("since_last.%s=%d", name, n))
			if n == 0 && name != "outcome_Cancelled" {
				t.Errorf("%s has not grown", name)
			}
		}
		b.Enqueue(items(2, peerA)...)
		time.Sleep(time.Second)
		b.Shutdown()
		now := b.Snapshot().Counters
		for name, n := range counters(&now) {
			b.reports(t, fmt.Sprintf("since_last.%s=%d", name, n-counters(&was)[name]))
		}
		b.reports(t, "cancelled_attempts.count=2", "cancelled_attempts.total=2s", "cancelled_attempts.max=1s", "attempt_latency.count=0")
	})
}

// TestSilentPeak: a window begins with the sources that are silent already, so one
// in which nobody falls silent has them in its peak, and so has the one in which
// their marks end (SUM-2).
func TestSilentPeak(t *testing.T) {
	cfg := config()
	cfg.Scheduler.MarkLifetime = 12 * time.Minute
	run(t, cfg, func(t *testing.T, b *bench) {
		b.net.is(peerA, silent)
		time.Sleep(time.Minute)
		b.Enqueue(item(0, peerA)) // marks A until 13 minutes and 5 s
		for window, want := range [][]string{
			{"silent_sources=1", "silent_sources_peak=1"},
			{"silent_sources=1", "silent_sources_peak=1"},
			{"silent_sources=0", "silent_sources_peak=1"},
			{"silent_sources=0", "silent_sources_peak=0"},
		} {
			time.Sleep(time.Duration(window+1)*5*time.Minute + 1 - time.Since(b.net.start))
			b.reports(t, want...)
		}
	})
}

// TestParkedAge: the oldest parked age is that of the key that is parked for longest
// now, also when one that was so for longer has left (SUM-2).
func TestParkedAge(t *testing.T) {
	cfg := config()
	cfg.Scheduler.FetchTimeout = time.Hour
	run(t, cfg, func(t *testing.T, b *bench) {
		b.net.is(peerA, silent)
		at := func(d time.Duration) { time.Sleep(d - time.Since(b.net.start)) }
		b.net.is(peerB, silent)
		at(time.Minute)
		b.Enqueue(items(3, peerA)...) // parks the third
		at(3 * time.Minute)
		b.Enqueue(item(3, peerB), item(4, peerB), item(5, peerB)) // parks the last
		at(5*time.Minute + 1)
		b.reports(t, "parked=2", "oldest_parked_age=4m0s")
		at(6 * time.Minute)
		b.Depart(peerA) // the key parked first leaves
		at(10*time.Minute + 1)
		b.reports(t, "parked=1", "oldest_parked_age=7m0s")
		at(11 * time.Minute)
		b.Depart(peerB)
		at(15*time.Minute + 1)
		b.reports(t, "parked=0", "oldest_parked_age=0s")
		at(18 * time.Minute)
		b.Enqueue(item(6, peerA))
		at(20*time.Minute + 1)
		b.reports(t, "parked=1", "oldest_parked_age=2m0s")
	})
}

// handClock is a clock that is moved by hand, and tells of a reading.
type handClock struct {
	mu   sync.Mutex
	now  scheduler.Time
	read chan struct{} // closed at the next reading; nil if nobody waits
}

func (c *handClock) Now() scheduler.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.read != nil {
		close(c.read)
		c.read = nil
	}
	return c.now
}

func (c *handClock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now += scheduler.Time(d)
}

func (c *handClock) nextReading() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.read = make(chan struct{})
	return c.read
}

// TestLockTimes: the summary tells how long passes waited for the lock and held it,
// and how long other operations took that moved the parked index, with a clock that
// only moves while the scheduler is told something.
func TestLockTimes(t *testing.T) {
	cfg := config()
	cfg.Scheduler.Slots = 3
	cfg.SummaryEvery = time.Second
	clock, rec := &handClock{now: 1000}, &tape{}
	runWith(t, cfg, func(p *Ports) { p.Clock, p.Recorder = clock, rec }, func(t *testing.T, b *bench) {
		var rival sync.WaitGroup
		takes := map[string]time.Duration{
			"enqueue": 3 * time.Millisecond, "fill": 2 * time.Millisecond, "add": 4 * time.Millisecond, "depart": 5 * time.Millisecond,
		}
		rec.told = func(op string) { clock.advance(takes[op]) }
		b.net.is(peerA, silent)
		b.net.is(peerB, silent)
		b.Enqueue(items(3, peerA)...) // parks the third
		b.Enqueue(item(3, peerB))
		b.Add(keys[2], []scheduler.Hint{{Peer: peerC, Claimant: true}}) // indexed: no slot is free
		b.Depart(peerA)                                                 // indexed no more
		synctest.Wait()

		// While a departure that moves nothing holds the lock, another call asks for it.
		rec.told = func(op string) {
			rec.told = func(op string) { clock.advance(takes[op]) }
			asked := clock.nextReading()
			rival.Go(func() { b.Enqueue(item(4, peerB)) })
			<-asked
			clock.advance(7 * time.Millisecond)
		}
		b.Depart(scheduler.Peer{'Z'})
		rival.Wait()
		time.Sleep(time.Second + 1)
		b.reports(
			t,
			"fill_pass_lock_wait.count=4", "fill_pass_lock_wait.total=7ms", "fill_pass_lock_wait.max=7ms",
			"fill_pass_hold.count=4", "fill_pass_hold.total=8ms", "fill_pass_hold.max=2ms",
			"parked_index_maintenance.count=2", "parked_index_maintenance.total=9ms", "parked_index_maintenance.max=5ms",
		)
	})
}

// slowLog is a log whose first record takes its time, and which counts those that
// are written.
type slowLog struct {
	slog.Handler
	mu             sync.Mutex
	begun, written int
}

func (s *slowLog) Enabled(context.Context, slog.Level) bool { return true }

func (s *slowLog) Handle(context.Context, slog.Record) error {
	if s.count(&s.begun) == 1 {
		time.Sleep(time.Minute)
	}
	s.count(&s.written)
	return nil
}

func (s *slowLog) count(n *int) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	*n++
	return *n
}

// TestLastSummary: the summary at shutdown is the last (WRK-4): one that is being
// written when it begins is waited for.
func TestLastSummary(t *testing.T) {
	log := &slowLog{}
	runWith(t, config(), func(p *Ports) { p.Log = slog.New(log) }, func(t *testing.T, b *bench) {
		time.Sleep(5*time.Minute + time.Second)
		b.Shutdown()
		if log.written != 2 {
			t.Errorf("%d summaries written when shutdown returned, want 2", log.written)
		}
	})
}
