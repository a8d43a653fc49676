package explore

import "fetchproof/ops"

// instance sets dst to the letter as it is carried out in state st, and reports whether it is enabled there. Which letters are
// enabled, and what they do, depends on nothing that renumbering leaves out.
func (s *Scope) instance(l *Letter, st *ops.State, t *traits, dst *ops.Op) bool {
	*dst = l.Op
	enabled := true
	if s.Config.Machine == ops.SchedulerMachine {
		enabled = schedulerInstance(l, &st.Scheduler, dst)
	} else {
		enabled = responderInstance(l, &st.Responder, dst)
	}
	return enabled && s.setNow(l, st, t, dst)
}

func schedulerInstance(l *Letter, st *ops.SchedulerState, dst *ops.Op) bool {
	switch dst.Kind {
	case ops.Arrive, ops.Answer, ops.BusyReply, ops.Outcome:
		f := st.FindFlight(ops.Key(l.Op.Ref.Of))
		if f == nil {
			dst.Ref = ops.Ref{N: overAttempt(st)}
			if dst.PlaceArg == ops.GivenPlace {
				dst.PlaceArg, dst.Place = ops.ThisPlace, dst.Ref.N+1
			}
			return l.Always
		}
		dst.Ref = ops.Ref{N: f.Attempt}
		if dst.PlaceArg == ops.GivenPlace {
			dst.PlaceArg, dst.Place = ops.ThisPlace, f.Given
		}
		return l.Always || sensible(dst, f)
	case ops.Promote, ops.Remove:
		return l.Always || l.Tick || st.FindPending(dst.Key) != nil
	case ops.Enqueue:
		return l.Always || !st.Has(dst.Key)
	case ops.Stop:
		return !st.Stopped
	}
	return true
}

// sensible reports whether SEQ-3 and DET-4 allow op: a guard that saves transitions which change nothing. Letters with Always
// are tried even if not.
func sensible(op *ops.Op, f *ops.Flight) bool {
	brings := op.PlaceArg != ops.NoPlace
	switch op.Kind {
	case ops.Arrive:
		return f.Given == 0
	case ops.Answer, ops.BusyReply:
		return f.Given != 0 && !f.Answered
	}
	switch {
	case f.Answered && brings, brings && f.Given == 0:
		return false
	case f.Busy:
		return op.Outcome == ops.BusyEnd || op.Outcome == ops.Declined || op.Outcome == ops.Cancelled || op.Outcome == ops.Panicked
	}
	switch op.Outcome {
	case ops.BusyEnd:
		return false
	case ops.Stored, ops.StoreFailed, ops.NotFound, ops.ErrorReply, ops.InvalidRecord:
		return brings || f.Answered
	case ops.SendFailed:
		return !brings && !f.Answered
	case ops.Declined:
		return true
	default:
		return !brings
	}
}

// overAttempt is the newest place that is no attempt in flight: stale, whatever it was (SEQ-2).
func overAttempt(st *ops.SchedulerState) uint64 {
	for n := st.NextPlace - 1; n > 0; n-- {
		flying := false
		for i := range st.InFlight {
			flying = flying || st.InFlight[i].Attempt == n
		}
		if !flying {
			return n
		}
	}
	return 0
}

func responderInstance(l *Letter, st *ops.ResponderState, dst *ops.Op) bool {
	switch dst.Kind {
	case ops.Take, ops.Release:
		if l.Which >= len(st.Tickets) {
			return false
		}
		t := &st.Tickets[l.Which]
		dst.Ref = ops.Ref{N: t.ID}
		return dst.Kind == ops.Release || l.Always || !t.Taken
	case ops.SendDone:
		if l.Which >= len(st.Sends) {
			return false
		}
		dst.Ref = ops.Ref{N: st.Sends[l.Which].ID}
	}
	return true
}

func clockOf(st *ops.State) ops.Time {
	if st.Machine == ops.SchedulerMachine {
		return st.Scheduler.Clock
	}
	return st.Responder.Clock
}

// setNow sets the operation's now, and reports false if the letter would move the clock where it may not go.
func (s *Scope) setNow(l *Letter, st *ops.State, t *traits, dst *ops.Op) bool {
	if !dst.Kind.Timed() {
		return true
	}
	clock := clockOf(st)
	deadline, limit := s.deadlines(st, clock, t)
	switch l.Move {
	case Stay:
		dst.Now = clock
	case Step:
		dst.Now = clock + 1
	case Back:
		dst.Now = clock - 1
	case Far:
		dst.Now = clock + maxDuration + 1
	case Next:
		dst.Now = deadline
		return deadline != unlimited && deadline <= limit
	}
	return dst.Now <= limit
}

// deadlines are the next instant after the clock at which something changes by itself, and how far the clock may go. In a
// scope with busy replies it stops at the deadline of an attempt that was not answered: the requester ends it there (WRK-2),
// and when a busy attempt is due depends on when it started (BSY-1), so a clock that ran on would make the space infinite.
func (s *Scope) deadlines(st *ops.State, clock ops.Time, t *traits) (next, limit ops.Time) {
	next, limit = unlimited, unlimited
	soon := func(at ops.Time) {
		if at > clock {
			next = min(next, at)
		}
	}
	if st.Machine == ops.ResponderMachine {
		r := &st.Responder
		for i := range r.Tickets {
			if !r.Tickets[i].Taken {
				soon(r.Tickets[i].Since + ops.Time(s.Config.Responder.FetchTimeout))
			}
		}
		for i := range r.Limiter {
			soon(r.Limiter[i].FullAt)
		}
		soon(r.GlobalFullAt)
		return next, limit
	}
	d := &st.Scheduler
	soon(d.OverflowUntil)
	for i := range d.Contact {
		soon(d.Contact[i].MarkedUntil)
	}
	for i := range d.Busy {
		b := &d.Busy[i]
		soon(b.Until)
		if b.Streak > 0 {
			soon(b.Last + ops.Time(s.Config.Scheduler.BusyForgetAfter))
		}
	}
	for i := range d.Pending {
		if t.ready {
			soon(d.Pending[i].Entry.NextVerify)
		}
	}
	for i := range d.InFlight {
		if f := &d.InFlight[i]; t.busy && !f.Answered {
			end := f.Started + ops.Time(s.Config.Scheduler.FetchTimeout)
			soon(end)
			limit = min(limit, end)
		}
	}
	return next, limit
}
