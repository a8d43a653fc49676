package twin

import "fetchproof/impl/scheduler"

// stale is the verdict on a report for an attempt that is not in flight (SEQ-2).
var stale = scheduler.Verdict{Result: scheduler.Stale, Why: scheduler.WhyNotInFlight}

func invalid(why scheduler.Why) scheduler.Verdict {
	return scheduler.Verdict{Result: scheduler.Invalid, Why: why}
}

// mayApply judges the application of an answer (SEQ-3).
func (a *attempt) mayApply(place Place) scheduler.Verdict {
	switch {
	case a.given == 0 || a.given != place:
		return invalid(scheduler.WhyPlaceNotGiven)
	case a.answered:
		return invalid(scheduler.WhyAnswered)
	}
	return scheduler.Verdict{}
}

// answerOf says whether an outcome may, must or must not bring an answer.
type answerOf uint8

const (
	answerNever answerOf = iota
	answerOptional
	answerNeeded
)

// rows is section 9's column of contact evidence, as far as a place that comes with the outcome goes.
var rows = map[scheduler.OutcomeKind]answerOf{
	scheduler.OutcomeStored:      answerNeeded,
	scheduler.OutcomeDeclined:    answerOptional,
	scheduler.OutcomeStoreFailed: answerNeeded,
	scheduler.OutcomeNotFound:    answerNeeded,
	scheduler.OutcomeErrorReply:  answerNeeded,
	scheduler.OutcomeInvalid:     answerNeeded,
	scheduler.OutcomeBusy:        answerNever, // it came with the busy report
	scheduler.OutcomeTimeout:     answerNever,
	scheduler.OutcomeUnreachable: answerNever,
	scheduler.OutcomeSendFailed:  answerNever,
	scheduler.OutcomeCancelled:   answerNever,
	scheduler.OutcomePanicked:    answerNever,
}

// mayEnd judges an outcome (SEQ-3).
func (a *attempt) mayEnd(kind scheduler.OutcomeKind, place Place, hasPlace bool) scheduler.Verdict {
	answer, known := rows[kind]
	switch {
	case !known:
		return invalid(scheduler.WhyKind)
	case hasPlace && (answer == answerNever || a.answered):
		return invalid(scheduler.WhyPlaceUnwanted)
	case hasPlace && (a.given == 0 || a.given != place):
		return invalid(scheduler.WhyPlaceNotGiven)
	case answer == answerNeeded && !hasPlace && !a.answered:
		return invalid(scheduler.WhyNeedsAnswer)
	case kind == scheduler.OutcomeBusy && !a.busy:
		return invalid(scheduler.WhyNeedsBusy)
	case kind == scheduler.OutcomeSendFailed && a.answered:
		return invalid(scheduler.WhyAfterAnswer)
	case a.busy && !followsBusy(kind):
		return invalid(scheduler.WhyAfterBusy)
	}
	return scheduler.Verdict{}
}

func followsBusy(kind scheduler.OutcomeKind) bool {
	switch kind {
	case scheduler.OutcomeBusy, scheduler.OutcomeDeclined, scheduler.OutcomeCancelled, scheduler.OutcomePanicked:
		return true
	}
	return false
}
