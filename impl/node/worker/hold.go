package worker

import (
	"time"

	"fetchproof/impl/scheduler"
)

// hold is one hold of the lock: one moment, one operation and the pass that may
// follow it.
type hold struct {
	w      *Worker
	now    scheduler.Time
	waited time.Duration     // for the lock
	index  int               // parked-index associations before the operation
	passed bool              // a pass followed the operation
	events []scheduler.Event // of keys that left or returned to pending
}

// enter takes the lock, and then the time: so the scheduler sees times in order.
func (w *Worker) enter() *hold {
	asked := w.ports.Clock.Now()
	w.mu.Lock()
	now := w.ports.Clock.Now()
	return &hold{w: w, now: now, waited: time.Duration(now - asked), index: w.sched.Snapshot(now).IndexAssociations}
}

// fill runs a fill pass and starts what it hands out (WRK-1).
func (o *hold) fill() {
	w := o.w
	o.passed = true
	begin := o.account()
	w.starts = w.sched.Fill(o.now, w.starts[:0])
	if rec := w.ports.Recorder; rec != nil {
		rec.Fill(o.now, w.starts)
	}
	for _, s := range w.starts {
		o.launch(s)
	}
	w.figures.passWait.add(o.waited)
	w.figures.passHold.add(time.Duration(w.ports.Clock.Now() - begin))
}

// account looks at what the operation itself did, before the pass if there is one,
// and returns the time.
func (o *hold) account() scheduler.Time {
	w := o.w
	end := w.ports.Clock.Now()
	if w.sched.Snapshot(o.now).IndexAssociations != o.index {
		w.figures.indexing.add(time.Duration(end - o.now))
	}
	return end
}

// launch runs a started attempt in a goroutine of its own (WRK-2). The lock is held
// and the scheduler not stopped, so that Shutdown, which stops it first, waits for
// this one too.
func (o *hold) launch(s scheduler.Start) {
	a := &attempt{w: o.w, Start: s, started: o.now}
	o.w.attempts.Go(a.main)
}

// leave accounts for the operation, lets the lock go, and only then tells what
// happened.
func (o *hold) leave() {
	w := o.w
	if !o.passed {
		o.account()
	}
	w.figures.silentPeak = max(w.figures.silentPeak, w.sched.Snapshot(o.now).Silent)
	if len(o.events) > 0 && w.moved != nil {
		close(w.moved)
		w.moved = nil
	}
	w.mu.Unlock()
	for _, e := range o.events {
		w.ports.Notify(e)
	}
}
