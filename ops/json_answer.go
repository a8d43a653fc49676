package ops

import (
	"errors"
	"fmt"
	"slices"
)

// AppendAnswer writes what an operation answered as a line of the protocol. st is the state that a state query answers
// with, or nil.
func AppendAnswer(dst []byte, k Kind, r *Result, st *State) ([]byte, error) {
	var l jsonLine
	l.setAnswer(k, r)
	if st != nil {
		l.State = st.json()
	}
	return appendLine(dst, &l)
}

// AppendTraceLine writes an operation together with what it answered: a line of a trace.
func AppendTraceLine(dst []byte, o *Op, r *Result, st *State) ([]byte, error) {
	l, err := traceLine(o, r, st)
	if err != nil {
		return dst, err
	}
	return appendLine(dst, l)
}

func traceLine(o *Op, r *Result, st *State) (*jsonLine, error) {
	l, err := o.line()
	if err != nil {
		return nil, err
	}
	if r != nil {
		l.setAnswer(o.Kind, r)
	}
	if st != nil {
		l.State = st.json()
	}
	return l, nil
}

// hasEvents are the operations that answer with events, an empty list included.
func hasEvents(k Kind) bool {
	return k == Fill || k == Outcome || k == Depart || k == Remove || k == Evict
}

func (l *jsonLine) setAnswer(k Kind, r *Result) {
	l.Result, l.Why = r.Code.String(), r.Why
	if hasEvents(k) && (r.Code == OK || r.Code == None) {
		events := make([]jsonEvent, len(r.Events))
		for i := range r.Events {
			events[i] = r.Events[i].json()
		}
		l.Events = &events
	}
	l.Charge, l.Reason, l.Limiter = r.Charge.String(), r.Reason.String(), r.Limiter.String()
	switch k {
	case Arrive:
		if r.Code == OK {
			l.Place = &jsonPlace{ThisPlace, r.Place}
		}
	case BusyReply:
		if r.Code == OK {
			l.Cooldown, l.Due = &r.Cooldown, &r.Due
		}
	case Ready:
		l.Keys = hexKeys(r.Keys)
	case Drained:
		l.Drained = &r.Drained
	case Request:
		if r.Code == Admitted {
			l.Ticket = &jsonRef{N: r.Ticket}
		} else if r.Code == Busy {
			l.Send = &jsonRef{N: r.Send}
		}
	}
}

func (e *Event) json() jsonEvent {
	j := jsonEvent{Event: e.Kind.String(), Key: (*hexID)(&e.Key), Reason: e.Reason.String()}
	if e.Kind == Start {
		j.Source, j.Attempt = (*hexID)(&e.Source), &e.Attempt
	}
	return j
}

// ErrSubject is a subject's own {"error": …}.
var ErrSubject = errors.New("the subject answers with an error")

// ParseAnswer reads what a subject answered to an operation of kind k. st, if not nil, is filled for a state query. A
// line that does not fit the operation is an error.
func ParseAnswer(line []byte, m Machine, k Kind, r *Result, st *State) error {
	var l jsonLine
	if err := decodeLine(line, &l); err != nil {
		return err
	}
	if l.Error != nil {
		return fmt.Errorf("%w: %s", ErrSubject, clip(*l.Error))
	}
	if err := l.answer(k, r); err != nil || k != StateQuery || r.Code == Unsupported || st == nil {
		return err
	}
	if l.State == nil {
		return errors.New("state is missing")
	}
	return l.State.fill(m, st)
}

// codesOf are the results that an operation can have, besides unsupported. An operation without any has no result.
var codesOf = [NumKinds][]Code{
	Init: {OK}, Add: {Admitted, AlreadyPresent, CapacityRejected, Invalid}, Promote: {Queued, NotPending, NoSource, QueueFull},
	Enqueue: {Queued, Present, NoSource, QueueFull}, Arrive: {OK, Stale, Invalid}, Answer: {OK, Stale, Invalid},
	BusyReply: {OK, Stale, Invalid}, Outcome: {OK, Stale, Invalid}, Remove: {OK, NotPending}, Stop: {OK},
	Request: {Admitted, Busy, Silent}, Take: {Serve, Shed, Stale}, Release: {OK, Stale}, SendDone: {OK, Stale},
}

func (l *jsonLine) answer(k Kind, r *Result) (err error) {
	r.Reset()
	if err := l.code(k, r); err != nil || r.Code == Unsupported {
		return err
	}
	r.Why = l.Why
	if err = l.answerWords(r); err == nil {
		err = l.answerNumbers(k, r)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", k, err)
	}
	return nil
}

// code reads the result, which must be one that the operation can have.
func (l *jsonLine) code(k Kind, r *Result) error {
	r.Code = Code(max(indexOf(codeNames[:], l.Result), 0))
	if r.Code.String() != l.Result {
		return fmt.Errorf("unknown result %q", clip(l.Result))
	}
	if r.Code == Unsupported {
		return nil
	}
	if allowed := codesOf[k]; len(allowed) > 0 && !slices.Contains(allowed, r.Code) {
		return fmt.Errorf("result %q does not fit %s", l.Result, k)
	} else if len(allowed) == 0 && r.Code != None && r.Code != OK {
		return fmt.Errorf("result %q does not fit %s, which has none", l.Result, k)
	} else if len(allowed) == 0 {
		r.Code = None
	}
	return nil
}

// answerWords reads what an answer says in words, and its events.
func (l *jsonLine) answerWords(r *Result) (err error) {
	if l.Events != nil {
		for i := range *l.Events {
			e, err := (*l.Events)[i].event()
			if err != nil {
				return err
			}
			r.Events = append(r.Events, e)
		}
	}
	if r.Charge, err = word[Charge]("charge", chargeNames[:], l.Charge); err != nil {
		return err
	}
	if r.Reason, err = word[RefusalReason]("reason", refusalNames[:], l.Reason); err != nil {
		return err
	}
	r.Limiter, err = word[LimiterBound]("limiter", boundNames[:], l.Limiter)
	return err
}

func (l *jsonLine) answerNumbers(k Kind, r *Result) (err error) {
	switch {
	case k == Arrive && r.Code == OK:
		var p jsonPlace
		p, err = need("place", l.Place)
		r.Place = p.n
	case k == BusyReply && r.Code == OK:
		if r.Cooldown, err = need("cooldown", l.Cooldown); err == nil {
			r.Due, err = need("due", l.Due)
		}
	case k == Ready && l.Keys != nil:
		r.Keys, err = needList[Key]("keys", l.Keys)
	case k == Drained:
		r.Drained, err = need("drained", l.Drained)
	case r.Code == Admitted && k == Request:
		r.Ticket, err = needNumber("ticket", l.Ticket)
	case r.Code == Busy:
		r.Send, err = needNumber("send", l.Send)
	}
	return err
}

func needNumber(name string, ref *jsonRef) (uint64, error) {
	v, err := need(name, ref)
	if err == nil && Ref(v).Symbolic() {
		return 0, fmt.Errorf("%s is no number", name)
	}
	return v.N, err
}

func word[T ~uint8](name string, names []string, s string) (T, error) {
	i := indexOf(names, s)
	if i < 0 {
		return 0, fmt.Errorf("unknown %s %q", name, clip(s))
	}
	return T(i), nil
}

func (j *jsonEvent) event() (e Event, err error) {
	if e.Kind, err = word[EventKind]("event", eventNames[:], j.Event); err != nil {
		return e, err
	}
	if e.Key, err = needID[Key]("key of an event", j.Key); err != nil {
		return e, err
	}
	switch e.Kind {
	case Start:
		if e.Source, err = needID[Peer]("source of a start", j.Source); err == nil {
			e.Attempt, err = need("attempt of a start", j.Attempt)
		}
	case Left:
		if e.Reason, err = word[Reason]("reason", reasonNames[:], j.Reason); err == nil && e.Reason == NoReason {
			err = errors.New("reason is missing")
		}
	}
	return e, err
}
