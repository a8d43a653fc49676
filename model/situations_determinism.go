package model

import "fetchproof/ops"

// Situations of sections 3 and 4: determinism, time, senseless calls, places.
const (
	det1DrawnWait SituationID = iota
	det2EqualDistance
	det3Earlier
	det3QueryLater
	det3QueryEarlier
	det4MarkEnd
	det4WindowEnd
	det4NextVerify
	det4CooldownEnd
	det4Due
	det4MovesClock
	det4NoHint
	det4NoHintPresent
	det4NoHintFull
	det4WaitShort
	det4WaitLong
	det4UnknownOutcome
	det4WrongPlace
	det4PlaceBeforeArrival
	det4StaleFirst
	det4NeverAttempt
	det4SourceTwice
	det4BothWays
	seq1ArriveStale
	seq1ArriveTwice
	seq1AppliedLate
	seq2StaleAnswer
	seq2StaleBusy
	seq2StaleOutcome
	seq2MovesClock
	seq3AnswerTwice
	seq3AnswerAfterBusy
	seq3BusyAfterAnswer
	seq3BusyTwice
	seq3AfterBusy
	seq3BusyUnreported
	seq3SendFailedAnswered
	seq3PlaceTwice
	seq3PlaceUnanswered
	seq3AnswerMissing
	seq3DeclinedUnanswered
	seq3NeverApplied
	sum1TwoExpire
	sum1ExpiredByRefused
	endDeterminism
)

var determinismSituations = []Situation{
	{det1DrawnWait, "DET-1", "a busy report brings a drawn wait strictly between the bounds"},
	{det2EqualDistance, "DET-2", "a key enters the queue next to one at the same distance: the key decides"},
	{det3Earlier, "DET-3", "an operation brings a time earlier than the latest seen"},
	{det3QueryLater, "DET-3", "a query names a key that is ready only at its own time, which the clock has not reached"},
	{det3QueryEarlier, "DET-3", "a query brings a time earlier than the latest seen, and names a key that was not ready at it"},
	{det4MarkEnd, "DET-4", "a mark would end past the largest time"},
	{det4WindowEnd, "DET-4", "the overflow window would end past the largest time"},
	{det4NextVerify, "DET-4", "a returned key would be verified past the largest time"},
	{det4CooldownEnd, "DET-4", "a cooldown would end past the largest time"},
	{det4Due, "DET-4", "a busy attempt would be due past the largest time"},
	{det4MovesClock, "DET-4", "an invalid call moves the clock"},
	{det4NoHint, "DET-4", "a new key is added without a hint source"},
	{det4NoHintPresent, "DET-4", "a key in some stage is added without a hint source"},
	{det4NoHintFull, "DET-4", "a new key is added without a hint source while nothing can be admitted"},
	{det4WaitShort, "DET-4", "a busy report brings a wait below the lower bound"},
	{det4WaitLong, "DET-4", "a busy report brings a wait above the upper bound"},
	{det4UnknownOutcome, "DET-4", "an unknown outcome is reported for an attempt in flight"},
	{det4WrongPlace, "DET-4", "a report brings another place than the one that the attempt's answer took"},
	{det4PlaceBeforeArrival, "DET-4", "a report of an answer comes for an attempt whose answer has no place"},
	{det4StaleFirst, "DET-4", "a report is both stale and senseless"},
	{det4NeverAttempt, "DET-4", "a report names a number that was never handed out"},
	{det4SourceTwice, "DET-4", "a call lists a source twice"},
	{det4BothWays, "DET-4", "an advertisement lists a peer as claimant and as paid-only"},
	{seq1ArriveStale, "SEQ-1", "an answer arrives for an attempt that is over"},
	{seq1ArriveTwice, "SEQ-1", "a second answer arrives for an attempt in flight"},
	{seq1AppliedLate, "SEQ-1", "an answer is applied after later places were handed out"},
	{seq2StaleAnswer, "SEQ-2", "an answer is reported for an attempt that is over"},
	{seq2StaleBusy, "SEQ-2", "a busy is reported for an attempt that is over"},
	{seq2StaleOutcome, "SEQ-2", "an outcome is reported for an attempt that is over"},
	{seq2MovesClock, "SEQ-2", "a stale report moves the clock"},
	{seq3AnswerTwice, "SEQ-3", "an answer report follows an answer report"},
	{seq3AnswerAfterBusy, "SEQ-3", "an answer report follows a busy report"},
	{seq3BusyAfterAnswer, "SEQ-3", "a busy report follows an answer report"},
	{seq3BusyTwice, "SEQ-3", "a busy report follows a busy report"},
	{seq3AfterBusy, "SEQ-3", "after a busy report comes an outcome that cannot follow one"},
	{seq3BusyUnreported, "SEQ-3", "the outcome Busy comes without a busy report"},
	{seq3SendFailedAnswered, "SEQ-3", "SendFailed comes after an applied answer"},
	{seq3PlaceTwice, "SEQ-3", "an outcome brings a place although an answer was applied"},
	{seq3PlaceUnanswered, "SEQ-3", "an outcome that is not answered brings the attempt's answer place"},
	{seq3AnswerMissing, "SEQ-3", "an outcome that must be answered comes without an answer"},
	{seq3DeclinedUnanswered, "SEQ-3", "Declined comes without any answer"},
	{seq3NeverApplied, "SEQ-3", "an attempt ends unanswered although its answer arrived: it was never applied"},
	{sum1TwoExpire, "SUM-1", "one operation reaches the end of two marks or more"},
	{sum1ExpiredByRefused, "SUM-1", "a stale or invalid call is the first to reach the end of a mark"},
}

// noteResult looks at an operation's result, given the clock and the expired marks before it.
func (s *Scheduler) noteResult(code ops.Code, before ops.Time, expired uint64) {
	expired = s.counters[ops.MarksExpired] - expired
	s.sawIf(expired > 1, sum1TwoExpire)
	if code != ops.Stale && code != ops.Invalid {
		return
	}
	s.sawIf(expired > 0, sum1ExpiredByRefused)
	s.sawIf(code == ops.Stale && s.clock > before, seq2MovesClock)
	s.sawIf(code == ops.Invalid && s.clock > before, det4MovesClock)
}

func (s *Scheduler) noteQueued(i int) {
	d := s.queued[i].distance
	s.sawIf(i > 0 && s.queued[i-1].distance == d || i+1 < len(s.queued) && s.queued[i+1].distance == d, det2EqualDistance)
}

func (s *Scheduler) noteStale(number uint64, id SituationID) {
	handedOut := 0 < number && number <= s.lastPlace
	s.sawIf(handedOut, id)
	s.sawIf(!handedOut, det4NeverAttempt)
}

func (s *Scheduler) noteWrongPlace(f *flight) {
	s.sawIf(f.given == 0, det4PlaceBeforeArrival)
	s.sawIf(f.given != 0, det4WrongPlace)
}

func (s *Scheduler) noteSecondAnswer(f *flight, kind ops.Kind) {
	busyReport := kind == ops.BusyReply
	s.sawIf(!busyReport && !f.busy, seq3AnswerTwice)
	s.sawIf(!busyReport && f.busy, seq3AnswerAfterBusy)
	s.sawIf(busyReport && !f.busy, seq3BusyAfterAnswer)
	s.sawIf(busyReport && f.busy, seq3BusyTwice)
}

func (s *Scheduler) noteBadWait(wait ops.Duration) {
	s.sawIf(wait < s.cfg.BusyWaitMin, det4WaitShort)
	s.sawIf(wait > s.cfg.BusyWaitMax, det4WaitLong)
}

func (s *Scheduler) noteNoHint(key ops.Key) {
	switch {
	case s.inStage(key):
		s.saw(det4NoHintPresent)
	case int64(len(s.pending))+s.reserved() >= s.cfg.MaxPending:
		s.saw(det4NoHintFull)
	default:
		s.saw(det4NoHint)
	}
}

func (s *Scheduler) noteReady(p *pendingKey, asked, now ops.Time) {
	due := p.entry.nextVerify
	s.sawIf(due > s.clock, det3QueryLater)
	s.sawIf(asked < due && due <= s.clock, det3QueryEarlier)
	s.sawIf(due == now, pnd10Exact)
}
