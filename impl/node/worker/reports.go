package worker

import (
	"log/slog"
	"time"

	"fetchproof/impl/scheduler"
)

// arrive takes the answer's place (SEQ-1). The transport calls it from whatever
// goroutine reads, before Fetch returns.
func (a *attempt) arrive() {
	w := a.w
	w.mu.Lock()
	defer w.mu.Unlock()
	place, v := w.sched.Arrive(a.Attempt)
	if rec := w.ports.Recorder; rec != nil {
		rec.Arrive(a.Attempt, place, v)
	}
	if v.OK() {
		a.place = place
	}
}

// apply applies the answer (CON-5). It can only narrow what may start, so no pass
// follows.
func (a *attempt) apply() {
	o := a.w.enter()
	defer o.leave()
	v := o.w.sched.Answer(o.now, a.Attempt, a.place)
	if rec := o.w.ports.Recorder; rec != nil {
		rec.Answer(o.now, a.Attempt, a.place, v)
	}
}

// busy records a busy reply with a wait drawn for it, and returns when the attempt
// is to end. It is not ok if the draw was out of its range.
func (a *attempt) busy() (due scheduler.Time, ok bool) {
	w := a.w
	o := w.enter()
	defer o.leave()
	wait := w.drawWait()
	r, v := w.sched.Busy(o.now, a.Attempt, a.place, wait)
	if rec := w.ports.Recorder; rec != nil {
		rec.Busy(o.now, a.Attempt, a.place, wait, r, v)
	}
	if !v.OK() {
		w.ports.Log.Error("busy reply refused by the scheduler", slog.String("why", v.Why.String()), slog.Duration("wait", wait))
	}
	return r.Due, v.OK()
}

func (w *Worker) drawWait() time.Duration {
	lo, hi := w.cfg.Scheduler.BusyWaitMin, w.cfg.Scheduler.BusyWaitMax
	return lo + time.Duration(w.ports.Rand.Int64N(int64(hi-lo)+1))
}

// end reports the outcome, starts what follows from it, and charges the holder.
// place is the answer's if the outcome brings it, else 0.
func (a *attempt) end(kind scheduler.OutcomeKind, place scheduler.Place) {
	w := a.w
	o := w.enter()
	defer o.leave()
	r, v := w.sched.Outcome(o.now, a.Attempt, kind, place, place != 0)
	if rec := w.ports.Recorder; rec != nil {
		rec.Outcome(o.now, a.Attempt, kind, place, r, v)
	}
	if !v.OK() {
		// Stale: the second outcome of an attempt that panicked after its first.
		w.ports.Log.Error("outcome refused by the scheduler", slog.String("outcome", kind.String()), slog.String("why", v.Why.String()))
		return
	}
	w.figures.ended(kind, time.Duration(o.now-a.started))
	switch r.Event.Kind {
	case scheduler.EventStart:
		o.launch(scheduler.Start{Key: r.Event.Key, Source: r.Event.Source, Attempt: r.Event.Attempt})
	case scheduler.EventLeft, scheduler.EventPending:
		o.events = append(o.events, r.Event)
	}
	o.fill()
	if r.Charge != scheduler.ChargeNone {
		// Under the lock, so that a key that left has been charged for, and last,
		// so that a ledger that panics costs no wake-up.
		w.ports.Ledger.Charge(a.Source, r.Charge)
	}
}
