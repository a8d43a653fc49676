package twin

import (
	"time"

	"fetchproof/impl/scheduler"
)

// Arrive takes the place of an answer whose bytes arrived (SEQ-1). It moves no clock (DET-3).
func (s *Scheduler) Arrive(id Place) (Place, scheduler.Verdict) {
	a := s.attempts[id]
	switch {
	case a == nil:
		return 0, stale
	case a.given != 0:
		return 0, invalid(scheduler.WhyHasPlace)
	}
	a.given = s.next
	s.next++
	return a.given, scheduler.Verdict{}
}

// Answer applies an answer on its arrival (CON-5).
func (s *Scheduler) Answer(now Time, id, place Place) scheduler.Verdict {
	s.begin(now)
	a := s.attempts[id]
	if a == nil {
		return stale
	}
	if v := a.mayApply(place); !v.OK() {
		return v
	}
	a.answered = true
	s.answered(a.source, place)
	return scheduler.Verdict{}
}

// Busy applies a busy reply with its drawn wait (BSY-1).
func (s *Scheduler) Busy(now Time, id, place Place, wait time.Duration) (scheduler.BusyReply, scheduler.Verdict) {
	s.begin(now)
	a := s.attempts[id]
	if a == nil {
		return scheduler.BusyReply{}, stale
	}
	if v := a.mayApply(place); !v.OK() {
		return scheduler.BusyReply{}, v
	}
	if wait < s.cfg.BusyWaitMin || wait > s.cfg.BusyWaitMax {
		return scheduler.BusyReply{}, invalid(scheduler.WhyWaitRange)
	}
	a.answered, a.busy = true, true
	s.answered(a.source, place)
	s.counters.Busy++
	return scheduler.BusyReply{
		Cooldown: s.recordBusy(a.source, wait),
		Due:      min(after(s.clock, wait), after(a.started, s.cfg.FetchTimeout)),
	}, scheduler.Verdict{}
}

// Outcome ends an attempt (section 9).
func (s *Scheduler) Outcome(now Time, id Place, kind scheduler.OutcomeKind, place Place, hasPlace bool) (scheduler.OutcomeReport, scheduler.Verdict) {
	s.begin(now)
	a := s.attempts[id]
	if a == nil {
		return scheduler.OutcomeReport{}, stale
	}
	if v := a.mayEnd(kind, place, hasPlace); !v.OK() {
		return scheduler.OutcomeReport{}, v
	}
	delete(s.attempts, id)
	a.source.inFlight--
	a.record.attempt = nil
	s.counters.Outcomes[kind]++
	charge := s.evidence(a, kind, place, hasPlace)
	return scheduler.OutcomeReport{Event: s.move(a.record, kind), Charge: charge}, scheduler.Verdict{}
}

// evidence records what an outcome says of its source, to the contact table and the busy tracker, and returns what
// the holder is charged with.
func (s *Scheduler) evidence(a *attempt, kind scheduler.OutcomeKind, place Place, hasPlace bool) scheduler.Charge {
	if hasPlace {
		s.answered(a.source, place)
	}
	switch kind {
	case scheduler.OutcomeStored, scheduler.OutcomeStoreFailed:
		s.served(a.source)
	case scheduler.OutcomeDeclined:
		if hasPlace || a.answered && !a.busy {
			s.served(a.source)
		}
	case scheduler.OutcomeNotFound, scheduler.OutcomeErrorReply:
		return scheduler.ChargeApplicationFailure
	case scheduler.OutcomeInvalid:
		return scheduler.ChargeMalformed
	case scheduler.OutcomeTimeout, scheduler.OutcomeUnreachable:
		if a.answered {
			break // OUT-6
		}
		s.counters.Unanswered++
		if a.tracked {
			s.unanswered(a.source, a.place)
		}
		return scheduler.ChargeConnectionTimeout
	}
	return scheduler.ChargeNone
}

// move takes a key whose attempt ended to its next stage, and says which.
func (s *Scheduler) move(r *record, kind scheduler.OutcomeKind) scheduler.Event {
	switch kind {
	case scheduler.OutcomeStored:
		return s.leave(r, scheduler.ReasonStored)
	case scheduler.OutcomeDeclined:
		return s.leave(r, scheduler.ReasonDeclined)
	case scheduler.OutcomeCancelled, scheduler.OutcomePanicked:
		return s.giveUp(r)
	}
	if s.stopped {
		return s.giveUp(r) // OUT-8
	}
	if i := s.choose(r); i >= 0 {
		a := s.start(r, i)
		return scheduler.Event{Kind: scheduler.EventStart, Key: r.key, Source: a.source.name, Attempt: a.place}
	}
	if len(r.untried) > 0 && s.queued() < s.cfg.MaxQueued {
		s.park(r)
		return scheduler.Event{Kind: scheduler.EventPark, Key: r.key}
	}
	return s.giveUp(r)
}

// giveUp returns a key that is in no queue to pending if it can, and else drops it (OUT-4, OUT-5).
func (s *Scheduler) giveUp(r *record) scheduler.Event {
	if r.entry == nil {
		return s.leave(r, scheduler.ReasonDropped)
	}
	delete(s.active, r.key)
	s.reserved--
	r.entry.nextVerify = after(s.clock, s.cfg.VerifyRetryDelay)
	s.pending[r.key] = &record{key: r.key, entry: r.entry}
	return scheduler.Event{Kind: scheduler.EventPending, Key: r.key}
}

// leave ends the stay of a key that is in no queue (OUT-7).
func (s *Scheduler) leave(r *record, reason scheduler.Reason) scheduler.Event {
	delete(s.active, r.key)
	if r.entry != nil {
		s.discardRetry(r)
	}
	return scheduler.Event{Kind: scheduler.EventLeft, Reason: reason, Key: r.key}
}

// discardRetry ends a key's retry entry and its reservation (PND-6).
func (s *Scheduler) discardRetry(r *record) {
	s.reserved--
	r.entry.owner.charge--
	r.entry = nil
}
