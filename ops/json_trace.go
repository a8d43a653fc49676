package ops

import "fmt"

// Gives is the set of what a trace says of an answer. What it leaves out is not compared. The zero value is everything.
type Gives uint16

const (
	givesCode Gives = 1 << iota
	givesPlace
	givesCooldown
	givesDue
	givesCharge
	givesEvents
	givesKeys
	givesDrained
	givesTicket
	givesSend
	givesReason
	givesLimiter
	givesEnd

	givesAll = givesEnd - 1
)

// Agrees reports whether the answer is what the trace says of it.
func (g Gives) Agrees(trace, answer *Result) bool {
	if g == 0 || g == givesAll {
		return trace.Equal(answer)
	}
	merged := *answer
	for _, f := range []struct {
		gives Gives
		take  func()
	}{
		{givesCode, func() { merged.Code = trace.Code }},
		{givesPlace, func() { merged.Place = trace.Place }},
		{givesCooldown, func() { merged.Cooldown = trace.Cooldown }},
		{givesDue, func() { merged.Due = trace.Due }},
		{givesCharge, func() { merged.Charge = trace.Charge }},
		{givesEvents, func() { merged.Events = trace.Events }},
		{givesKeys, func() { merged.Keys = trace.Keys }},
		{givesDrained, func() { merged.Drained = trace.Drained }},
		{givesTicket, func() { merged.Ticket = trace.Ticket }},
		{givesSend, func() { merged.Send = trace.Send }},
		{givesReason, func() { merged.Reason = trace.Reason }},
		{givesLimiter, func() { merged.Limiter = trace.Limiter }},
	} {
		if g&f.gives != 0 {
			f.take()
		}
	}
	return merged.Equal(answer)
}

// gives is the set of what a trace's line says of its answer, and puts the answer into r. An absent charge means none where a
// line gives an outcome's result and events; an absent limiter bound, where it gives a refusal's reason.
func (l *jsonLine) gives(k Kind, r *Result) (g Gives, err error) {
	has := func(f Gives, given bool) {
		if given {
			g |= f
		}
	}
	has(givesCode, l.Result != "")
	has(givesPlace, k == Arrive && l.Place != nil)
	has(givesCooldown, l.Cooldown != nil)
	has(givesDue, l.Due != nil)
	has(givesEvents, l.Events != nil)
	has(givesCharge, l.Charge != "" || k == Outcome && l.Result != "" && l.Events != nil)
	has(givesKeys, k == Ready && l.Keys != nil)
	has(givesDrained, l.Drained != nil)
	has(givesTicket, k == Request && l.Ticket != nil)
	has(givesSend, k == Request && l.Send != nil)
	has(givesReason, l.Reason != "")
	has(givesLimiter, l.Limiter != "" || l.Reason != "")
	if g == 0 {
		return 0, nil
	}
	if g&givesCode != 0 {
		if err := l.code(k, r); err != nil {
			return 0, err
		}
		r.Why = l.Why
	}
	if err = l.answerWords(r); err == nil {
		err = l.givenNumbers(g, r)
	}
	if err != nil {
		return 0, fmt.Errorf("%s: %w", k, err)
	}
	return g, nil
}

func (l *jsonLine) givenNumbers(g Gives, r *Result) (err error) {
	if g&givesPlace != 0 {
		r.Place = l.Place.n
	}
	if g&givesCooldown != 0 {
		r.Cooldown = *l.Cooldown
	}
	if g&givesDue != 0 {
		r.Due = *l.Due
	}
	if g&givesDrained != 0 {
		r.Drained = *l.Drained
	}
	if g&givesKeys != 0 {
		r.Keys, err = needList[Key]("keys", l.Keys)
	}
	if g&givesTicket != 0 && err == nil {
		r.Ticket, err = needNumber("ticket", l.Ticket)
	}
	if g&givesSend != 0 && err == nil {
		r.Send, err = needNumber("send", l.Send)
	}
	return err
}

// keep takes out of a line what a trace did not say.
func (g Gives) keep(l *jsonLine, k Kind) {
	if g == 0 || g == givesAll {
		return
	}
	if g&givesCode == 0 {
		l.Result, l.Why = "", ""
	}
	if g&givesPlace == 0 && k == Arrive {
		l.Place = nil
	}
	if g&givesCooldown == 0 {
		l.Cooldown = nil
	}
	if g&givesDue == 0 {
		l.Due = nil
	}
	if g&givesEvents == 0 {
		l.Events = nil
	}
	if g&givesKeys == 0 && k == Ready {
		l.Keys = nil
	}
	if g&givesDrained == 0 {
		l.Drained = nil
	}
	if k == Request && g&givesTicket == 0 {
		l.Ticket = nil
	}
	if k == Request && g&givesSend == 0 {
		l.Send = nil
	}
}

// keep takes the fields out of a state that it does not give.
func (j *jsonState) keep(f Fields) {
	drop(&j.Clock, f&FieldClock)
	drop(&j.NextPlace, f&FieldNextPlace)
	drop(&j.Stopped, f&FieldStopped)
	drop(&j.Pending, f&FieldPending)
	drop(&j.Heap, f&FieldHeap)
	drop(&j.Parked, f&FieldParked)
	drop(&j.Index, f&FieldIndex)
	drop(&j.Queued, f&FieldQueued)
	drop(&j.InFlight, f&FieldInFlight)
	drop(&j.Contact, f&FieldContact)
	drop(&j.OverflowUntil, f&FieldOverflow)
	drop(&j.Busy, f&FieldBusy)
	drop(&j.Reserved, f&FieldReserved)
	drop(&j.Charges, f&FieldCharges)
	drop(&j.Counters, f&FieldCounters)
	drop(&j.Outstanding, f&FieldOutstanding)
	drop(&j.Peers, f&FieldPeers)
	drop(&j.Tickets, f&FieldTickets)
	drop(&j.Sends, f&FieldSends)
	drop(&j.Limiter, f&FieldLimiter)
	drop(&j.GlobalFullAt, f&FieldGlobalFullAt)
}

func drop[T any](field **T, given Fields) {
	if given == 0 {
		*field = nil
	}
}
