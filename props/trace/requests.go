package trace

import (
	"time"

	"fetchproof/impl/node/worker"
	"fetchproof/impl/scheduler"
	"fetchproof/ops"
	"fetchproof/props/terms"
)

// Requests writes the trace of a node's scheduler.
type Requests struct{ *Writer }

var _ worker.Recorder = Requests{}

// Init writes the configuration. Values of section 2 that the scheduler does not have are the defaults.
func (r Requests) Init(c scheduler.Config) {
	cfg := ops.DefaultConfig(ops.SchedulerMachine)
	s := &cfg.Scheduler
	s.Slots, s.Share, s.Silence = int64(c.Slots), int64(c.Share), c.Silence
	s.FetchTimeout, s.MarkLifetime = ops.Duration(c.FetchTimeout), ops.Duration(c.MarkLifetime)
	s.ContactTable, s.CloseGroup, s.PaidListCloseGroup = int64(c.ContactTable), int64(c.CloseGroup), int64(c.PaidListCloseGroup)
	s.MaxHintSources, s.SourceCap = int64(c.MaxHintSources), int64(c.SourceCap)
	s.MaxQueued, s.MaxPending = int64(c.MaxQueued), int64(c.MaxPending)
	s.BusyWaitMin, s.BusyWaitMax = ops.Duration(c.BusyWaitMin), ops.Duration(c.BusyWaitMax)
	s.BusyCooldownCap, s.BusyMultiplierMax = ops.Duration(c.BusyCooldownCap), int64(c.BusyMultiplierMax)
	s.BusyForgetAfter, s.BusyTable = ops.Duration(c.BusyForgetAfter), int64(c.BusyTable)
	s.VerifyRetryDelay = ops.Duration(c.VerifyRetryDelay)
	op, res := r.begin(ops.Init, 0)
	op.Config, res.Code = &cfg, ops.OK
	r.end()
}

// Add writes an advertisement.
func (r Requests) Add(now scheduler.Time, key scheduler.Key, hints []scheduler.Hint, result scheduler.AddResult) {
	op, res := r.begin(ops.Add, ops.Time(now))
	op.Key, res.Code = ops.Key(key), terms.Added(result)
	for _, h := range hints {
		op.Hints = append(op.Hints, ops.Hint{Peer: ops.Peer(h.Peer), Claimant: h.Claimant})
	}
	r.end()
}

// Promote writes a promotion.
func (r Requests) Promote(now scheduler.Time, key scheduler.Key, d scheduler.Distance, sources []scheduler.Peer, result scheduler.EnqueueResult) {
	r.queue(ops.Promote, now, key, d, sources, result)
}

// Enqueue writes a direct enqueue.
func (r Requests) Enqueue(now scheduler.Time, key scheduler.Key, d scheduler.Distance, sources []scheduler.Peer, result scheduler.EnqueueResult) {
	r.queue(ops.Enqueue, now, key, d, sources, result)
}

func (r Requests) queue(k ops.Kind, now scheduler.Time, key scheduler.Key, d scheduler.Distance, sources []scheduler.Peer, result scheduler.EnqueueResult) {
	op, res := r.begin(k, ops.Time(now))
	op.Key, op.Distance, res.Code = ops.Key(key), ops.Distance(d), terms.Queued(result)
	for _, p := range sources {
		op.Sources = append(op.Sources, ops.Peer(p))
	}
	r.end()
}

// Fill writes a fill pass.
func (r Requests) Fill(now scheduler.Time, starts []scheduler.Start) {
	_, res := r.begin(ops.Fill, ops.Time(now))
	terms.Started(res, starts)
	r.end()
}

// Arrive writes that an answer took its place.
func (r Requests) Arrive(attempt, place scheduler.Place, v scheduler.Verdict) {
	op, res := r.begin(ops.Arrive, 0)
	op.Ref.N, res.Place = attempt, place
	terms.Judge(res, v)
	r.end()
}

// Answer writes that an answer was applied.
func (r Requests) Answer(now scheduler.Time, attempt, place scheduler.Place, v scheduler.Verdict) {
	op, res := r.begin(ops.Answer, ops.Time(now))
	op.Ref.N, op.PlaceArg, op.Place = attempt, ops.ThisPlace, place
	terms.Judge(res, v)
	r.end()
}

// Busy writes a busy reply.
func (r Requests) Busy(now scheduler.Time, attempt, place scheduler.Place, wait time.Duration, reply scheduler.BusyReply, v scheduler.Verdict) {
	op, res := r.begin(ops.BusyReply, ops.Time(now))
	op.Ref.N, op.PlaceArg, op.Place, op.Wait = attempt, ops.ThisPlace, place, ops.Duration(wait)
	terms.Busy(res, reply, v)
	r.end()
}

// Outcome writes the end of an attempt.
func (r Requests) Outcome(now scheduler.Time, attempt scheduler.Place, kind scheduler.OutcomeKind, place scheduler.Place, report scheduler.OutcomeReport, v scheduler.Verdict) {
	op, res := r.begin(ops.Outcome, ops.Time(now))
	op.Ref.N, op.Outcome = attempt, terms.Outcome(kind)
	if place != 0 {
		op.PlaceArg, op.Place = ops.ThisPlace, place
	}
	terms.Ended(res, report, v)
	r.end()
}

// Depart writes a departure.
func (r Requests) Depart(now scheduler.Time, peer scheduler.Peer, events []scheduler.Event) {
	op, res := r.begin(ops.Depart, ops.Time(now))
	op.Peer = ops.Peer(peer)
	terms.Happened(res, events)
	r.end()
}

// Remove writes the removal of a pending key.
func (r Requests) Remove(now scheduler.Time, key scheduler.Key, e scheduler.Event, result scheduler.RemoveResult) {
	op, res := r.begin(ops.Remove, ops.Time(now))
	op.Key = ops.Key(key)
	terms.Removed(res, e, result)
	r.end()
}

// Evict writes an eviction.
func (r Requests) Evict(now scheduler.Time, maxAge time.Duration, events []scheduler.Event) {
	op, res := r.begin(ops.Evict, ops.Time(now))
	op.MaxAge = ops.Duration(maxAge)
	terms.Happened(res, events)
	r.end()
}

// Stop writes the stop.
func (r Requests) Stop(now scheduler.Time) {
	_, res := r.begin(ops.Stop, ops.Time(now))
	res.Code = ops.OK
	r.end()
}

// Ready writes a look at the keys that are due.
func (r Requests) Ready(now scheduler.Time, limit int, keys []scheduler.Key) {
	op, res := r.begin(ops.Ready, ops.Time(now))
	op.Limit = int64(limit)
	for _, k := range keys {
		res.Keys = append(res.Keys, ops.Key(k))
	}
	r.end()
}

// Drained writes a query whether keys are drained.
func (r Requests) Drained(now scheduler.Time, keys []scheduler.Key, drained bool) {
	op, res := r.begin(ops.Drained, ops.Time(now))
	for _, k := range keys {
		op.Keys = append(op.Keys, ops.Key(k))
	}
	res.Drained = drained
	r.end()
}
