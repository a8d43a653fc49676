package model

import (
	"slices"

	"fetchproof/ops"
)

// State implements [Machine].
func (s *Scheduler) State(now ops.Time, dst *ops.State) {
	now = s.asOf(now) // DET-3
	dst.Reset(ops.SchedulerMachine)
	d := &dst.Scheduler
	d.Clock, d.NextPlace, d.Stopped = s.clock, s.lastPlace+1, s.stopped
	d.Reserved = uint64(s.reserved())
	d.Counters = s.counters
	if now < s.overflowUntil {
		d.OverflowUntil = s.overflowUntil
	}
	s.statePending(d)
	s.stateQueue(d)
	s.stateIndex(d)
	s.stateFlights(d)
	s.stateSources(now, d)
	s.stateCharges(d)
}

func (s *Scheduler) statePending(d *ops.SchedulerState) {
	for i := range s.pending {
		p := &s.pending[i]
		d.Pending = append(d.Pending, ops.PendingKey{Key: p.key, Entry: stateEntry(&p.entry, d)})
	}
}

func (s *Scheduler) stateQueue(d *ops.SchedulerState) {
	for i := range s.queued {
		q := &s.queued[i]
		if q.parked {
			d.Parked = append(d.Parked, q.key)
		} else {
			d.Heap = append(d.Heap, q.key)
		}
		d.Queued = append(d.Queued, ops.QueuedKey{
			Key: q.key, Distance: q.distance, Untried: d.Peers().Copy(q.untried), Tried: d.Peers().Copy(q.tried),
			HasRetry: q.hasRetry, Retry: stateRetry(&q.work, d),
		})
	}
	slices.SortFunc(d.Queued, func(a, b ops.QueuedKey) int { return a.Key.Compare(b.Key) })
}

// stateIndex is the parked index: each parked key under exactly its untried sources (PRK-1).
func (s *Scheduler) stateIndex(d *ops.SchedulerState) {
	for i := range s.queued {
		if q := &s.queued[i]; q.parked {
			for _, source := range q.untried {
				s.indexUnder(source, d)
			}
		}
	}
}

// indexUnder adds the index entry of source, with its parked keys, nearest first, if it is not there yet.
func (s *Scheduler) indexUnder(source ops.Peer, d *ops.SchedulerState) {
	at := 0
	for at < len(d.Index) && d.Index[at].Source.Compare(source) < 0 {
		at++
	}
	if at < len(d.Index) && d.Index[at].Source == source {
		return
	}
	n := 0
	for i := range s.queued {
		if q := &s.queued[i]; q.parked && slices.Contains(q.untried, source) {
			n++
		}
	}
	keys := d.Keys().Make(n)[:0]
	for i := range s.queued {
		if q := &s.queued[i]; q.parked && slices.Contains(q.untried, source) {
			keys = append(keys, q.key)
		}
	}
	d.Index = slices.Insert(d.Index, at, ops.IndexEntry{Source: source, Keys: keys})
}

func (s *Scheduler) stateFlights(d *ops.SchedulerState) {
	for i := range s.flights {
		f := &s.flights[i]
		d.InFlight = append(d.InFlight, ops.Flight{
			Key: f.key, Attempt: f.attempt, Source: f.source, Started: f.started, Tracked: f.tracked, Distance: f.distance,
			Untried: d.Peers().Copy(f.untried), Tried: d.Peers().Copy(f.tried),
			Given: f.given, Answered: f.answered, Busy: f.busy, HasRetry: f.hasRetry, Retry: stateRetry(&f.work, d),
		})
	}
}

// stateSources is the contact table and the busy table.
func (s *Scheduler) stateSources(now ops.Time, d *ops.SchedulerState) {
	for i := range s.contact {
		c := &s.contact[i]
		o := ops.Contact{Source: c.source, LastAnswer: c.lastAnswer, LastUnanswered: c.lastUnanswered}
		if c.silent(now) {
			o.MarkedUntil = c.markedUntil
		}
		d.Contact = append(d.Contact, o)
	}
	for i := range s.busy {
		b := &s.busy[i]
		d.Busy = append(d.Busy, ops.Cooldown{Source: b.source, Streak: b.streak, Last: b.last, Until: b.until})
	}
}

// stateCharges is each owner with its charge (PND-7).
func (s *Scheduler) stateCharges(d *ops.SchedulerState) {
	s.eachCharge(func(owner ops.Peer) {
		at := 0
		for at < len(d.Charges) && d.Charges[at].Owner.Compare(owner) < 0 {
			at++
		}
		if at == len(d.Charges) || d.Charges[at].Owner != owner {
			d.Charges = slices.Insert(d.Charges, at, ops.OwnerCharge{Owner: owner})
		}
		d.Charges[at].Charge++
	})
}

func stateRetry(w *work, d *ops.SchedulerState) ops.Entry {
	if !w.hasRetry {
		return ops.Entry{}
	}
	return stateEntry(&w.retry, d)
}

func stateEntry(e *entry, d *ops.SchedulerState) ops.Entry {
	claimants := 0
	for _, h := range e.hints {
		if h.Claimant {
			claimants++
		}
	}
	o := ops.Entry{Owner: e.owner, Created: e.created, NextVerify: e.nextVerify, Hints: d.Peers().Make(len(e.hints))[:0]}
	if claimants > 0 {
		o.Claimants = d.Peers().Make(claimants)[:0]
	}
	for _, h := range e.hints {
		o.Hints = append(o.Hints, h.Peer)
		if h.Claimant {
			o.Claimants = append(o.Claimants, h.Peer)
		}
	}
	return o
}
