package model

import "fetchproof/ops"

// Situations of section 5: contact.
const (
	con1EndsExactly SituationID = endDeterminism + iota
	con1EndsPastShare
	con1OffFailure
	con1OffOverflow
	con2Clears
	con2TooOld
	con2OutOfOrder
	con3Set
	con3Refreshed
	con3OlderWhileSilent
	con3OlderAfterEnd
	con3AnsweredSince
	con3LearnedLate
	con4AnswerFirst
	con4FailureFirst
	con5Early
	con5BadRecord
	con5StoreFailed
	con5WithOutcome
	con6Probe
	con6Afresh
	con7Frees
	con7KeepsMark
	con7KeepsFlight
	con8Opens
	con8Extends
	con8Closed
	con8PastShare
	con8SamePass
	con9UntrackedFailure
	con9TrackedTooLate
	con9UntrackedAnswer
	con9TrackedSince
	con10None
	con10AnswerStays
	con10SendFailed
	endContact
)

var contactSituations = []Situation{
	{con1EndsExactly, "CON-1", "the clock reaches exactly the end of a mark"},
	{con1EndsPastShare, "CON-1", "a mark ends while more attempts than the share are in flight at its source"},
	{con1OffFailure, "CON-1", "with Silence off, a failure that would mark its source is applied"},
	{con1OffOverflow, "CON-1", "with Silence off, an attempt starts that the full table leaves untracked"},
	{con2Clears, "CON-2", "an answer newer than the newest unanswered request is applied while the source is marked"},
	{con2TooOld, "CON-2", "an answer older than the newest unanswered request is applied while the source is marked"},
	{con2OutOfOrder, "CON-2", "an answer is applied after a later one of the same source"},
	{con3Set, "CON-3", "a failure marks an answering source that no mark was left on"},
	{con3Refreshed, "CON-3", "a newer failure refreshes the mark of a silent source"},
	{con3OlderWhileSilent, "CON-3", "an older failure is applied while the source is silent"},
	{con3OlderAfterEnd, "CON-3", "an older failure is applied after the source's mark has expired"},
	{con3AnsweredSince, "CON-3", "the newest failure is applied, but the source answered after its request was sent"},
	{con3LearnedLate, "CON-3", "a failure is learned a mark's lifetime or more after its request was sent, and marks"},
	{con4AnswerFirst, "CON-4", "a source's answer and then its failure are applied at one instant"},
	{con4FailureFirst, "CON-4", "a source's failure and then its answer are applied at one instant"},
	{con5Early, "CON-5", "an answer is applied before the outcome of its attempt"},
	{con5BadRecord, "CON-5", "an attempt whose answer was applied ends with a bad record"},
	{con5StoreFailed, "CON-5", "an attempt whose answer was applied ends with a failed local write"},
	{con5WithOutcome, "CON-5", "an answer is known only from the outcome"},
	{con6Probe, "CON-6", "an attempt starts at a source whose mark expired, within its share"},
	{con6Afresh, "CON-6", "a newer failure marks a source afresh whose mark expired"},
	{con7Frees, "CON-7", "the full table drops an entry that is not silent and has no attempt in flight"},
	{con7KeepsMark, "CON-7", "the full table keeps an entry for its mark alone"},
	{con7KeepsFlight, "CON-7", "the full table keeps an entry for its attempt in flight alone"},
	{con8Opens, "CON-8", "an attempt starts untracked and opens the overflow window"},
	{con8Extends, "CON-8", "an attempt starts untracked and extends the open overflow window"},
	{con8Closed, "CON-8", "the overflow window closes"},
	{con8PastShare, "CON-8", "an attempt starts at a full untracked source within the overflow window"},
	{con8SamePass, "CON-8", "the pass that opened the overflow window starts past the share at an untracked source"},
	{con9UntrackedFailure, "CON-9", "a failure is learned whose source was not tracked, and is not now"},
	{con9TrackedTooLate, "CON-9", "a failure is learned whose source was not tracked when it started, and is now"},
	{con9UntrackedAnswer, "CON-9", "an answer from an untracked source is applied"},
	{con9TrackedSince, "CON-9", "an answer is applied whose source was not tracked when its attempt started, and is now"},
	{con10None, "CON-10", "an attempt without an applied answer is cancelled or panicked"},
	{con10AnswerStays, "CON-10", "an attempt whose answer was applied is cancelled or panicked"},
	{con10SendFailed, "CON-10", "a send fails at a source that is silent, and nothing changes that"},
}

func (s *Scheduler) noteExpired(c *contact) {
	s.sawIf(s.clock == c.markedUntil, con1EndsExactly)
	s.sawIf(s.attemptsAt(c.source) > s.cfg.Share, con1EndsPastShare)
}

// noteAnswer looks at an answer before it is applied; the source is the i-th tracked one, if it is tracked.
func (s *Scheduler) noteAnswer(f *flight, i int, tracked bool, place uint64, now ops.Time) {
	s.sawIf(place < s.lastPlace, seq1AppliedLate)
	if !tracked {
		s.saw(con9UntrackedAnswer)
		return
	}
	c := &s.contact[i]
	s.sawIf(!f.tracked, con9TrackedSince)
	s.sawIf(c.silent(now) && place > c.lastUnanswered, con2Clears)
	s.sawIf(c.silent(now) && place < c.lastUnanswered, con2TooOld)
	s.sawIf(place < c.lastAnswer, con2OutOfOrder)
	s.sawIf(s.witness.source == f.source && s.witness.at == now && !s.witness.answer, con4FailureFirst)
	s.witness.source, s.witness.at, s.witness.answer = f.source, now, true
}

// noteFailure looks at a failure of a tracked source before it is applied.
func (s *Scheduler) noteFailure(f *flight, c *contact, now ops.Time) {
	s.sawIf(f.given != 0, seq3NeverApplied)
	s.sawIf(s.witness.source == f.source && s.witness.at == now && s.witness.answer, con4AnswerFirst)
	s.witness.source, s.witness.at, s.witness.answer = f.source, now, false
	silent := c.silent(now)
	markOver := !silent && c.lastUnanswered > c.lastAnswer && s.cfg.Silence
	switch {
	case f.attempt < c.lastUnanswered:
		s.sawIf(silent, con3OlderWhileSilent)
		s.sawIf(markOver, con3OlderAfterEnd)
		return
	case f.attempt < c.lastAnswer:
		s.saw(con3AnsweredSince)
		return
	case !s.cfg.Silence:
		s.saw(con1OffFailure)
		return
	case silent:
		s.saw(con3Refreshed)
	case markOver:
		s.saw(con6Afresh)
	default:
		s.saw(con3Set)
	}
	s.sawIf(since(f.started, now) >= s.cfg.MarkLifetime, con3LearnedLate)
	s.sawIf(passesLargest(now, s.cfg.MarkLifetime), det4MarkEnd)
}

func (s *Scheduler) noteUntrackedFailure(f *flight) {
	_, tracked := s.contactAt(f.source)
	s.sawIf(tracked, con9TrackedTooLate)
	s.sawIf(!tracked, con9UntrackedFailure)
}

func (s *Scheduler) noteSweep(now ops.Time) {
	frees, keepsMark, keepsFlight := false, false, false
	for i := range s.contact {
		c := &s.contact[i]
		silent, flies := c.silent(now), s.attemptsAt(c.source) > 0
		frees = frees || !silent && !flies
		keepsMark = keepsMark || silent && !flies
		keepsFlight = keepsFlight || !silent && flies
	}
	s.sawIf(frees, con7Frees)
	s.sawIf(keepsMark, con7KeepsMark)
	s.sawIf(keepsFlight, con7KeepsFlight)
}

func (s *Scheduler) noteOverflow(now ops.Time) {
	s.sawIf(now >= s.overflowUntil, con8Opens)
	s.sawIf(now < s.overflowUntil, con8Extends)
	s.sawIf(passesLargest(now, s.cfg.MarkLifetime), det4WindowEnd)
	s.witness.opened = s.witness.inPass && now >= s.overflowUntil || s.witness.opened
}

// noteOutcome looks at an outcome before it is applied, its attempt already out of flight.
func (s *Scheduler) noteOutcome(f *flight, op *ops.Op, now ops.Time) {
	brings := op.PlaceArg != ops.NoPlace
	s.sawIf(brings, con5WithOutcome)
	switch op.Outcome {
	case ops.StoreFailed:
		s.sawIf(f.answered, con5StoreFailed)
	case ops.InvalidRecord:
		s.sawIf(f.answered, con5BadRecord)
	case ops.Cancelled, ops.Panicked:
		s.sawIf(f.answered, con10AnswerStays)
		s.sawIf(!f.answered, con10None)
		s.sawIf(f.busy, bsy1Cancelled)
	case ops.SendFailed:
		s.sawIf(s.silent(f.source, now), con10SendFailed)
	case ops.Declined:
		s.sawIf(!f.answered && !brings, seq3DeclinedUnanswered)
		s.sawIf(f.busy, bsy4BusyDeclined)
	case ops.Timeout, ops.Unreachable:
		s.sawIf(f.answered, out6Answered)
	case ops.BusyEnd:
		s.saw(bsy1Ends)
	}
}
