package scheduler

import "time"

var stale = Verdict{Stale, WhyNotInFlight}

func invalid(why Why) Verdict { return Verdict{Invalid, why} }

// Arrive takes the place of an answer whose bytes arrived (SEQ-1). Nothing is
// applied. The place is meaningful with an OK verdict; an attempt gets at most
// one. It carries no time and moves no clock (DET-3).
func (s *Scheduler) Arrive(attempt Place) (Place, Verdict) {
	f, _ := s.findFlight(attempt)
	if f == nil {
		return 0, stale
	}
	if f.given != 0 {
		return 0, invalid(WhyHasPlace)
	}
	f.given = s.next
	s.next++
	return f.given, Verdict{}
}

// Answer applies an answer on its arrival, before its record is checked and
// stored (CON-5). place is the one that Arrive gave.
func (s *Scheduler) Answer(now Time, attempt, place Place) Verdict {
	s.advance(now)
	f, _ := s.findFlight(attempt)
	if f == nil {
		return stale
	}
	if v := f.takes(place); !v.OK() {
		return v
	}
	f.answered = true
	s.answered(f.source, place)
	return Verdict{}
}

// takes judges whether an answer at place can be applied (SEQ-3, DET-4).
func (f *flight) takes(place Place) Verdict {
	switch {
	case place == 0 || place != f.given:
		return invalid(WhyPlaceNotGiven)
	case f.answered:
		return invalid(WhyAnswered)
	}
	return Verdict{}
}

// Busy applies a busy reply with its drawn wait, in [BusyWaitMin, BusyWaitMax]
// (BSY-1 to BSY-3). It is an answer; the attempt stays in flight and should be
// ended as OutcomeBusy at the time returned.
func (s *Scheduler) Busy(now Time, attempt, place Place, wait time.Duration) (BusyReply, Verdict) {
	s.advance(now)
	f, _ := s.findFlight(attempt)
	if f == nil {
		return BusyReply{}, stale
	}
	if v := f.takes(place); !v.OK() {
		return BusyReply{}, v
	}
	if wait < s.cfg.BusyWaitMin || wait > s.cfg.BusyWaitMax {
		return BusyReply{}, invalid(WhyWaitRange)
	}
	f.answered, f.busy = true, true
	s.answered(f.source, place)
	s.counters.Busy++
	return BusyReply{
		Cooldown: s.recordBusy(f.source, wait),
		Due:      min(after(s.clock, wait), after(f.started, s.cfg.FetchTimeout)),
	}, Verdict{}
}

// outcomeRule is a row of section 9.
type outcomeRule struct {
	done      Reason // the key leaves for that reason
	returns   bool   // the key returns to pending whatever its sources
	answers   bool   // it may bring an answer place
	must      bool   // it is answered: by a place it brings or an answer applied before
	afterBusy bool   // it can follow a busy report
	silence   bool   // unanswered evidence, unless an answer was applied
	served    bool   // served, if answered and not by a busy
	charge    Charge
}

var outcomeRules = [outcomeKinds]outcomeRule{
	OutcomeStored:      {done: ReasonStored, answers: true, must: true, served: true},
	OutcomeDeclined:    {done: ReasonDeclined, answers: true, afterBusy: true, served: true},
	OutcomeStoreFailed: {answers: true, must: true, served: true},
	OutcomeNotFound:    {answers: true, must: true, charge: ChargeApplicationFailure},
	OutcomeErrorReply:  {answers: true, must: true, charge: ChargeApplicationFailure},
	OutcomeInvalid:     {answers: true, must: true, charge: ChargeMalformed},
	OutcomeBusy:        {answers: true, must: true, afterBusy: true},
	OutcomeTimeout:     {silence: true, charge: ChargeConnectionTimeout},
	OutcomeUnreachable: {silence: true, charge: ChargeConnectionTimeout},
	OutcomeSendFailed:  {},
	OutcomeCancelled:   {returns: true, afterBusy: true},
	OutcomePanicked:    {returns: true, afterBusy: true},
}

// Outcome ends an attempt (section 9). place is the answer's that the outcome
// brings, if hasPlace. The report has the one event of the key and the charge.
func (s *Scheduler) Outcome(now Time, attempt Place, kind OutcomeKind, place Place, hasPlace bool) (OutcomeReport, Verdict) {
	s.advance(now)
	f, n := s.findFlight(attempt)
	if f == nil {
		return OutcomeReport{}, stale
	}
	if v := f.ends(kind, place, hasPlace); !v.OK() {
		return OutcomeReport{}, v
	}
	rule := &outcomeRules[kind]
	s.counters.Outcomes[kind]++
	done := *f
	done.answered = done.answered || hasPlace
	s.endFlight(n)
	s.load(done.source, -1) // OUT-1
	charge := s.evidence(done, rule, place, hasPlace)
	return OutcomeReport{Event: s.moveOn(done.key, rule), Charge: charge}, Verdict{}
}

// ends judges an outcome (SEQ-3, DET-4).
func (f *flight) ends(kind OutcomeKind, place Place, hasPlace bool) Verdict {
	if kind == 0 || int(kind) >= outcomeKinds {
		return invalid(WhyKind)
	}
	rule := &outcomeRules[kind]
	if hasPlace {
		if !rule.answers {
			return invalid(WhyPlaceUnwanted)
		}
		if v := f.takes(place); !v.OK() {
			return v
		}
	}
	switch {
	case f.busy && !rule.afterBusy:
		return invalid(WhyAfterBusy)
	case kind == OutcomeBusy && !f.busy:
		return invalid(WhyNeedsBusy)
	case rule.must && !f.answered && !hasPlace:
		return invalid(WhyNeedsAnswer)
	case kind == OutcomeSendFailed && f.answered:
		return invalid(WhyAfterAnswer)
	}
	return Verdict{}
}

// evidence records what an outcome says about its source: contact (CON-2, CON-3,
// CON-9), service (BSY-4), and the charge, which an applied answer lifts from a
// timeout (OUT-6).
func (s *Scheduler) evidence(f flight, rule *outcomeRule, place Place, hasPlace bool) Charge {
	if hasPlace {
		s.answered(f.source, place)
	}
	if rule.served && f.answered && !f.busy {
		s.served(f.source)
	}
	if !rule.silence {
		return rule.charge
	}
	if f.answered {
		return ChargeNone
	}
	s.counters.Unanswered++
	if f.tracked {
		s.unanswered(f.source, f.place)
	}
	return rule.charge
}

// moveOn moves the key of an attempt that ended (OUT-2 to OUT-4).
func (s *Scheduler) moveOn(id uint32, rule *outcomeRule) Event {
	switch {
	case rule.done != ReasonNone:
		return s.leave(id, rule.done)
	case rule.returns || s.stopped:
		return s.giveUp(id, ReasonDropped)
	}
	if pos := s.choose(id); pos >= 0 {
		st := s.start(id, pos)
		return Event{Kind: EventStart, Key: st.Key, Source: st.Source, Attempt: st.Attempt}
	}
	if s.key(id).untried > 0 && s.queued() < s.cfg.MaxQueued {
		e := Event{Kind: EventPark, Key: s.detail(id).name}
		s.parkFailed(id)
		return e
	}
	return s.giveUp(id, ReasonDropped)
}
