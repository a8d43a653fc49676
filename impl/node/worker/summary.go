package worker

import (
	"context"
	"log/slog"
	"time"

	"fetchproof/impl/scheduler"
)

// SummaryMessage is the message of the dispatch summary's log record (SUM-2).
const SummaryMessage = "replication fetch dispatch summary"

// summarise writes a summary every SummaryEvery until shutdown.
func (w *Worker) summarise() {
	tick := time.Tick(w.cfg.SummaryEvery)
	for {
		select {
		case <-tick:
			w.writeSummary(w.ctx)
		case <-w.ctx.Done():
			return
		}
	}
}

// writeSummary logs the figures since the last summary and begins a new window.
func (w *Worker) writeSummary(ctx context.Context) {
	snap, f := w.takeFigures()
	w.ports.Log.LogAttrs(ctx, slog.LevelInfo, SummaryMessage, f.attrs(&snap)...)
}

func (w *Worker) takeFigures() (scheduler.Snapshot, figures) {
	w.mu.Lock()
	defer w.mu.Unlock()
	now := w.ports.Clock.Now()
	snap := w.sched.Snapshot(now)
	f := w.figures
	f.oldestParked, _ = w.sched.OldestParked(now) // 0 if none is parked
	w.figures = figures{counters: snap.Counters, silentPeak: snap.Silent}
	return snap, f
}

// stored counts the bytes of a record that was fetched and stored.
func (w *Worker) stored(n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.figures.storedBytes += uint64(n)
}

// span sums up durations.
type span struct {
	count      uint64
	total, max time.Duration
}

func (s *span) add(d time.Duration) {
	s.count++
	s.total += d
	s.max = max(s.max, d)
}

func (s *span) group(name string) slog.Attr {
	return slog.Group(name, slog.Uint64("count", s.count), slog.Duration("total", s.total), slog.Duration("max", s.max))
}

// figures are what happened since the last summary.
type figures struct {
	counters    scheduler.Counters // at the beginning of the window
	storedBytes uint64
	latency     span // of attempts, start to end of their task
	cancelled   span // of cancelled ones, apart
	passWait    span // for the lock before a fill pass
	passHold    span // in a fill pass
	indexing    span // operations other than passes that moved the parked index
	silentPeak  int

	oldestParked time.Duration // at the end of the window
}

// ended counts an attempt whose task finished.
func (f *figures) ended(kind scheduler.OutcomeKind, took time.Duration) {
	if kind == scheduler.OutcomeCancelled {
		f.cancelled.add(took)
		return
	}
	f.latency.add(took)
}

func (f *figures) attrs(snap *scheduler.Snapshot) []slog.Attr {
	return []slog.Attr{
		f.counts(&snap.Counters),
		slog.Int("parked", snap.Parked),
		slog.Int("parked_index_associations", snap.IndexAssociations),
		slog.Duration("oldest_parked_age", f.oldestParked),
		slog.Int("queued", snap.Queued),
		slog.Int("in_flight", snap.InFlight),
		slog.Int("sources_at_limit", snap.SourcesAtLimit),
		slog.Uint64("stored_bytes", f.storedBytes),
		f.latency.group("attempt_latency"),
		f.cancelled.group("cancelled_attempts"),
		f.passWait.group("fill_pass_lock_wait"),
		f.passHold.group("fill_pass_hold"),
		f.indexing.group("parked_index_maintenance"),
		slog.Int("silent_sources", snap.Silent),
		slog.Int("silent_sources_peak", f.silentPeak),
		slog.Int("fetch_busy_sources_tracked", snap.BusyTracked),
	}
}

// counts is what the counters grew by (SUM-1).
func (f *figures) counts(now *scheduler.Counters) slog.Attr {
	was := &f.counters
	attrs := []any{
		slog.Uint64("started", now.Started-was.Started),
		slog.Uint64("parked", now.Parked-was.Parked),
		slog.Uint64("unanswered", now.Unanswered-was.Unanswered),
		slog.Uint64("busy", now.Busy-was.Busy),
		slog.Uint64("overflows", now.Overflows-was.Overflows),
		slog.Uint64("marks_set", now.MarksSet-was.MarksSet),
		slog.Uint64("marks_refreshed", now.MarksRefreshed-was.MarksRefreshed),
		slog.Uint64("marks_cleared", now.MarksCleared-was.MarksCleared),
		slog.Uint64("marks_expired", now.MarksExpired-was.MarksExpired),
	}
	for kind := scheduler.OutcomeStored; kind <= scheduler.OutcomePanicked; kind++ {
		attrs = append(attrs, slog.Uint64("outcome_"+kind.String(), now.Outcomes[kind]-was.Outcomes[kind]))
	}
	return slog.Group("since_last", attrs...)
}
