package model

import "fetchproof/ops"

// arrive is SEQ-1: an answer of the attempt arrived and takes its place. Nothing is applied, and no clock moves (DET-3).
func (s *Scheduler) arrive(attempt uint64, res *ops.Result) {
	f := s.inFlight(attempt)
	switch {
	case f == nil:
		s.noteStale(attempt, seq1ArriveStale)
		res.Code = ops.Stale
	case f.given != 0:
		s.saw(seq1ArriveTwice)
		invalid(res, "the attempt's answer has its place already")
	default:
		f.given = s.takePlace()
		res.Code, res.Place = ops.OK, f.given
	}
}

// answer is CON-5: an answer is applied when it arrives, before its record is looked at.
func (s *Scheduler) answer(op *ops.Op, now ops.Time, res *ops.Result) {
	f := s.inFlight(op.Ref.N)
	if f == nil {
		s.noteStale(op.Ref.N, seq2StaleAnswer)
		res.Code = ops.Stale
		return
	}
	if why := s.badAnswer(f, op); why != "" {
		invalid(res, why)
		return
	}
	s.saw(con5Early)
	s.applyAnswer(f, f.given, now)
	f.answered = true
	res.Code = ops.OK
}

// badAnswer says why an answer or a busy report, if so, makes no sense: its place is not the one that the attempt's answer
// took (DET-4), or the attempt had its one answer (SEQ-3).
func (s *Scheduler) badAnswer(f *flight, op *ops.Op) string {
	switch {
	case f.answered:
		s.noteSecondAnswer(f, op.Kind)
		return "an answer of the attempt was applied already"
	case !givenPlace(f, op):
		s.noteWrongPlace(f)
		return "the attempt was not given this answer place"
	}
	return ""
}

// givenPlace reports whether op brings the place that the answer of f took.
func givenPlace(f *flight, op *ops.Op) bool {
	return op.PlaceArg != ops.NoPlace && f.given != 0 && op.Place == f.given
}

// busyReply is BSY-1: a busy reply for the requested key came in, and the attempt drew its wait (DET-1). The attempt goes on
// holding its slot and its place in the share.
func (s *Scheduler) busyReply(op *ops.Op, now ops.Time, res *ops.Result) {
	f := s.inFlight(op.Ref.N)
	if f == nil {
		s.noteStale(op.Ref.N, seq2StaleBusy)
		s.sawIf(!s.waitInRange(op.Wait), det4StaleFirst)
		res.Code = ops.Stale
		return
	}
	if !s.waitInRange(op.Wait) {
		s.noteBadWait(op.Wait)
		invalid(res, "the wait is not within busy_wait_min and busy_wait_max")
		return
	}
	if why := s.badAnswer(f, op); why != "" {
		invalid(res, why)
		return
	}
	s.noteBusyReply(f, op.Wait, now)
	s.applyAnswer(f, f.given, now)
	f.answered, f.busy = true, true
	s.counters[ops.BusyReports]++ // SUM-1
	res.Code = ops.OK
	res.Cooldown = s.recordBusy(f, op.Wait, now)
	res.Due = min(plus(now, op.Wait), plus(f.started, s.cfg.FetchTimeout))
}

func (s *Scheduler) waitInRange(wait ops.Duration) bool {
	return s.cfg.BusyWaitMin <= wait && wait <= s.cfg.BusyWaitMax
}
