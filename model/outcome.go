package model

import "fetchproof/ops"

// outcomeRow is a row of the table of section 9.
type outcomeRow struct {
	key     keyMove
	contact contactRow
	served  bool // the busy tracker hears that the source served (BSY-4)
	charge  ops.Charge
}

// keyMove is the column "key".
type keyMove uint8

const (
	sourceFailed  keyMove = iota
	leavesDone            // done: stored or declined
	returnsOrGone         // to pending if it carries a retry entry, else it leaves
)

// contactRow is the column "contact".
type contactRow struct {
	answers    bool // the outcome may bring the attempt's answer
	must       bool // and must, unless an answer was applied before (SEQ-3)
	unanswered bool
}

var (
	answered          = contactRow{answers: true, must: true}
	answeredIfBrought = contactRow{answers: true}
	answeredAtReply   = contactRow{} // by the busy report, which Busy needs (SEQ-3)
	unanswered        = contactRow{unanswered: true}
	noEvidence        = contactRow{} // CON-10
)

// outcomeRows is the table of section 9. Declined counts as served only if an answer other than a busy came: see outcome.
var outcomeRows = [ops.NumOutcomes]outcomeRow{
	ops.Stored:        {leavesDone, answered, true, ops.NoCharge},
	ops.Declined:      {leavesDone, answeredIfBrought, true, ops.NoCharge},
	ops.StoreFailed:   {sourceFailed, answered, true, ops.NoCharge},
	ops.NotFound:      {sourceFailed, answered, false, ops.ApplicationFailure},
	ops.ErrorReply:    {sourceFailed, answered, false, ops.ApplicationFailure},
	ops.InvalidRecord: {sourceFailed, answered, false, ops.Malformed},
	ops.BusyEnd:       {sourceFailed, answeredAtReply, false, ops.NoCharge},
	ops.Timeout:       {sourceFailed, unanswered, false, ops.ConnectionTimeout},
	ops.Unreachable:   {sourceFailed, unanswered, false, ops.ConnectionTimeout},
	ops.SendFailed:    {sourceFailed, noEvidence, false, ops.NoCharge},
	ops.Cancelled:     {returnsOrGone, noEvidence, false, ops.NoCharge},
	ops.Panicked:      {returnsOrGone, noEvidence, false, ops.NoCharge},
}

// outcome applies the end of an attempt: first the slot, the share and the evidence, then the key (OUT-1). An outcome without
// evidence adds none, and an answer applied before it stays (CON-10).
func (s *Scheduler) outcome(op *ops.Op, now ops.Time, res *ops.Result) {
	running := s.inFlight(op.Ref.N)
	if running == nil { // SEQ-2, judged before anything else (DET-4)
		s.noteStale(op.Ref.N, seq2StaleOutcome)
		s.sawIf(op.Outcome >= ops.NumOutcomes, det4StaleFirst)
		res.Code = ops.Stale
		return
	}
	if why := s.badOutcome(running, op); why != "" {
		invalid(res, why)
		return
	}
	row := &outcomeRows[op.Outcome]
	f := s.takeFlight(op.Ref.N)
	s.noteOutcome(&f, op, now)
	s.counters[ops.OutcomeCounter+ops.Counter(op.Outcome)]++ // SUM-1
	res.Code, res.Charge = ops.OK, row.charge

	if op.PlaceArg != ops.NoPlace {
		s.applyAnswer(&f, op.Place, now)
		f.answered = true
	}
	if row.contact.unanswered {
		if f.answered {
			res.Charge = ops.NoCharge // OUT-6
		} else {
			s.applyUnanswered(&f, now)
		}
	}
	if row.served && f.answered && !f.busy {
		s.served(f.source, now)
	}
	s.moveKey(&f, row.key, op.Outcome, now, res)
}

// badOutcome says why an outcome makes no sense, or "" (DET-4, SEQ-3).
func (s *Scheduler) badOutcome(f *flight, op *ops.Op) string {
	kind := op.Outcome
	if kind >= ops.NumOutcomes {
		s.saw(det4UnknownOutcome)
		return "unknown outcome"
	}
	row := &outcomeRows[kind]
	brings := op.PlaceArg != ops.NoPlace
	switch {
	case f.busy && !mayFollowBusy(kind):
		s.saw(seq3AfterBusy)
		return "after a busy report the outcome is Busy, Declined, Cancelled or Panicked"
	case kind == ops.BusyEnd && !f.busy:
		s.saw(seq3BusyUnreported)
		return "Busy needs a busy report"
	case kind == ops.SendFailed && f.answered:
		s.saw(seq3SendFailedAnswered)
		return "after an applied answer SendFailed makes no sense"
	case brings && f.answered:
		s.saw(seq3PlaceTwice)
		return "an answer of the attempt was applied already"
	case brings && !row.contact.answers:
		s.sawIf(givenPlace(f, op), seq3PlaceUnanswered)
		return "this outcome brings no answer place"
	case brings && !givenPlace(f, op):
		s.noteWrongPlace(f)
		return "the attempt was not given this answer place"
	case row.contact.must && !brings && !f.answered:
		s.saw(seq3AnswerMissing)
		return "this outcome needs an answer"
	}
	return ""
}

func mayFollowBusy(kind ops.OutcomeKind) bool {
	return kind == ops.BusyEnd || kind == ops.Declined || kind == ops.Cancelled || kind == ops.Panicked
}

// moveKey moves the key of an attempt that ended, by the column "key" of section 9. It makes exactly one event (OUT-7).
func (s *Scheduler) moveKey(f *flight, move keyMove, kind ops.OutcomeKind, now ops.Time, res *ops.Result) {
	switch move {
	case sourceFailed:
		s.moveOn(f.work, now, res)
	case returnsOrGone:
		s.returnOrLeave(f.work, ops.LeftDropped, now, res)
	case leavesDone:
		s.sawIf(f.hasRetry, pnd6EndsDone)
		if kind == ops.Stored {
			s.left(f.key, ops.LeftStored, res)
		} else {
			s.left(f.key, ops.LeftDeclined, res)
		}
	}
}

// moveOn is what becomes of a key whose source failed: it starts elsewhere (OUT-2), parks (OUT-3), or returns to pending or
// leaves (OUT-4). After a stop it neither starts nor parks (OUT-8). Each start uses up an untried source, so a key that gains
// none starts a bounded number of times in a stay (LIV-2).
func (s *Scheduler) moveOn(w work, now ops.Time, res *ops.Result) {
	if i, ok := s.choose(w.untried, now); ok && !s.stopped {
		s.noteRestart(&w)
		s.start(w, i, now, res)
		return
	}
	if len(w.untried) > 0 && !s.queueFull() && !s.stopped {
		s.addQueued(queuedKey{work: w, parked: true})
		s.counters[ops.Parked]++ // SUM-1
		s.saw(out3Parked)
		s.notePark(&w)
		res.Events = append(res.Events, ops.Event{Kind: ops.Park, Key: w.key})
		return
	}
	s.noteEpisodeOver(&w)
	s.returnOrLeave(w, ops.LeftDropped, now, res)
}

// returnOrLeave ends a key's stay in queue and flight: it returns to pending if it carries a retry entry (OUT-4, DEP-3),
// else it leaves for the reason given.
func (s *Scheduler) returnOrLeave(w work, why ops.Reason, now ops.Time, res *ops.Result) {
	if !w.hasRetry {
		s.left(w.key, why, res)
		return
	}
	s.noteReturn(&w, now)
	e := w.retry // its reservation becomes its pending slot, with the same owner (OUT-5)
	e.nextVerify = plus(now, s.cfg.VerifyRetryDelay)
	s.addPending(pendingKey{key: w.key, entry: e})
	res.Events = append(res.Events, ops.Event{Kind: ops.ToPending, Key: w.key})
}
