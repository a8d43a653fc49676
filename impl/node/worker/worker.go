package worker

import (
	"context"
	"fmt"
	"sync"
	"time"

	"fetchproof/impl/scheduler"
)

// Config is the worker's numbers.
type Config struct {
	Scheduler scheduler.Config
	// SummaryEvery is the time between two dispatch summaries, at least 1 ns
	// (SUM-2).
	SummaryEvery time.Duration
	// AsksBusy: requests carry the capability trailer (WIR-3).
	AsksBusy bool
}

// Worker is the requester of one node. Its methods are safe for concurrent use.
type Worker struct {
	cfg   Config
	ports Ports

	ctx      context.Context // ends at shutdown
	cancel   context.CancelFunc
	attempts sync.WaitGroup
	summary  sync.WaitGroup

	mu      sync.Mutex // guards all below
	sched   *scheduler.Scheduler
	figures figures
	starts  []scheduler.Start // scratch of a fill pass
	moved   chan struct{}     // closed when a key leaves; nil if nobody waits

	stopping bool          // a Shutdown has begun
	done     chan struct{} // closed when it is over
}

// New starts a worker with nothing to do. The caller must call Shutdown. The error
// is a *scheduler.ConfigError or says which port is missing.
func New(cfg Config, ports Ports) (*Worker, error) {
	if err := ports.fill(); err != nil {
		return nil, err
	}
	if cfg.SummaryEvery < 1 {
		return nil, fmt.Errorf("worker: SummaryEvery is %v, must be at least 1ns", cfg.SummaryEvery)
	}
	sched, err := scheduler.New(cfg.Scheduler)
	if err != nil {
		return nil, err
	}
	w := &Worker{cfg: cfg, ports: ports, sched: sched, done: make(chan struct{})}
	w.ctx, w.cancel = context.WithCancel(context.Background())
	if r := ports.Recorder; r != nil {
		r.Init(cfg.Scheduler)
	}
	w.summary.Go(w.summarise)
	return w, nil
}

// Config returns the configuration.
func (w *Worker) Config() Config { return w.cfg }

// Shutdown stops the scheduler (OUT-8), cancels the attempts, waits for all of
// them, writes the last summary, and returns (WRK-4). An attempt that is storing
// its record finishes that first. A second call waits for the first.
func (w *Worker) Shutdown() {
	if !w.stop() {
		<-w.done
		return
	}
	w.cancel()
	w.attempts.Wait()
	w.summary.Wait()
	w.writeSummary(context.Background())
	close(w.done)
}

// WaitDrained waits until none of the keys is in any stage (BOOT-1), or ctx ends.
func (w *Worker) WaitDrained(ctx context.Context, keys []scheduler.Key) error {
	rest := keys
	for {
		moved := w.undrained(keys, &rest)
		if moved == nil {
			return nil
		}
		select {
		case <-moved:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// Snapshot returns the scheduler's figures.
func (w *Worker) Snapshot() scheduler.Snapshot {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.sched.Snapshot(w.ports.Clock.Now())
}

// Observe fills dst with the scheduler's whole state. It holds the lock for a copy
// of everything and is for tests.
func (w *Worker) Observe(dst *scheduler.State) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.sched.Observe(w.ports.Clock.Now(), dst)
}

// NewClock is the clock of a node that starts now.
func NewClock() Clock { return sinceStart{time.Now()} }

type sinceStart struct{ start time.Time }

// Now reads the monotonic clock, which setting the system's time does not move.
func (c sinceStart) Now() scheduler.Time { return scheduler.Time(time.Since(c.start)) }
