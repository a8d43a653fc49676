package lockstep

import (
	"fmt"

	"fetchproof/ops"
)

// Program is a configuration and the operations that follow it.
type Program struct {
	Config ops.Config
	Ops    []ops.Op
}

// Scenario is the program as a file.
func (p *Program) Scenario(comment ...string) *ops.Scenario {
	return ops.ScenarioOf(p.Config, p.Ops, comment...)
}

// Run runs a program from its start. With drain it is drained at its end and must then be empty. A configuration that is
// out of range is an error.
func (r *Runner) Run(p *Program, drain bool) (*Failure, error) {
	f, err := r.Begin(&p.Config)
	if f != nil || err != nil {
		return f, err
	}
	defer r.Finish()
	for i := range p.Ops {
		if f := r.Step(&p.Ops[i]); f != nil {
			return f, nil
		}
	}
	if drain {
		f, _ := r.Drain()
		return f, nil
	}
	return r.Settle(), nil
}

// Drained is the name of the property that a drained machine is empty.
const Drained = "drained"

// Drain ends what is under way and takes everything out: attempts end, free slots are filled until no key is queued, then
// all peers depart; of a responder, places and sends are released. Nothing may be left (LIV-2, OUT-7), which no step by
// itself can show. It returns the operations it made, so that a failure among them can be reported as part of the program;
// they are valid until the next drain.
func (r *Runner) Drain() (*Failure, []ops.Op) {
	d := drain{runner: r, made: r.drained[:0]}
	defer func() { r.drained = d.made }()
	for again := true; again; {
		begun := r.begun
		if r.config.Machine == ops.SchedulerMachine {
			d.scheduler()
		} else {
			d.responder()
		}
		if d.failure == nil {
			d.failure = r.Settle()
		}
		// A program that began again without some operation has other work left.
		again = d.failure == nil && begun != r.begun
	}
	if d.failure == nil && !d.leftOut && !r.lacksAny(d.made) {
		if left := leftBehind(r.oracle.state); left != "" && r.judge.judges(Drained) {
			d.failure = r.judge.fail(r.newest, Drained, "everything ended and departed, and there is still "+left, "")
		}
	}
	return d.failure, d.made
}

type drain struct {
	runner  *Runner
	now     ops.Time
	turn    int
	made    []ops.Op
	leftOut bool // it needs an operation that the subject does not have
	failure *Failure
}

func (d *drain) step(op ops.Op) bool {
	if op.Kind.Timed() {
		op.Now = d.now
	}
	d.made = append(d.made, op)
	d.failure = d.runner.Step(&d.made[len(d.made)-1])
	d.leftOut = d.leftOut || d.runner.LeftOut()
	return d.failure == nil && !d.leftOut
}

func (d *drain) scheduler() {
	st := &d.runner.oracle.state.Scheduler
	d.now = st.Clock
	for len(st.InFlight) > 0 || len(st.Queued) > 0 && !st.Stopped {
		if len(st.InFlight) == 0 {
			if !d.step(ops.Op{Kind: ops.Fill}) || len(st.InFlight) == 0 {
				break // work-conserved says so, or what is left behind
			}
			continue
		}
		if !d.end(&st.InFlight[0]) {
			return
		}
	}
	for d.failure == nil && !d.leftOut {
		p, ok := somePeer(st)
		if !ok || !d.step(ops.Op{Kind: ops.Depart, Peer: p}) {
			return
		}
	}
}

// end ends an attempt, each in another way than the one before.
func (d *drain) end(f *ops.Flight) bool {
	ref := ops.Ref{Of: f.Key}
	d.turn++
	switch {
	case f.Busy:
		return d.step(ops.Op{Kind: ops.Outcome, Ref: ref, Outcome: ops.BusyEnd})
	case f.Answered:
		return d.step(ops.Op{Kind: ops.Outcome, Ref: ref, Outcome: ops.Stored})
	case d.turn%3 == 0:
		return d.step(ops.Op{Kind: ops.Outcome, Ref: ref, Outcome: ops.Timeout})
	case d.turn%3 == 1:
		return d.step(ops.Op{Kind: ops.Outcome, Ref: ref, Outcome: ops.Cancelled})
	case f.Given == 0 && !d.step(ops.Op{Kind: ops.Arrive, Ref: ref}):
		return false
	}
	return d.step(ops.Op{Kind: ops.Outcome, Ref: ref, Outcome: ops.Stored, PlaceArg: ops.GivenPlace})
}

// somePeer is a peer that has not departed: some entry or key still names it.
func somePeer(st *ops.SchedulerState) (ops.Peer, bool) {
	for i := range st.Pending {
		return st.Pending[i].Entry.Hints[0], true
	}
	for i := range st.Queued {
		return st.Queued[i].Untried[0], true
	}
	return ops.Peer{}, false
}

func (d *drain) responder() {
	st := &d.runner.oracle.state.Responder
	d.now = st.Clock
	for len(st.Tickets) > 0 && d.step(ops.Op{Kind: ops.Release, Ref: ops.Ref{N: st.Tickets[0].ID}}) {
	}
	for d.failure == nil && !d.leftOut && len(st.Sends) > 0 && d.step(ops.Op{Kind: ops.SendDone, Ref: ops.Ref{N: st.Sends[0].ID}}) {
	}
}

// leftBehind says what a drained machine still holds, or nothing. Contact, busy and limiter tables describe the wire, not
// the pipeline, and stay.
func leftBehind(st *ops.State) string {
	if st.Machine == ops.ResponderMachine {
		if n := st.Responder.Outstanding; n > 0 {
			return fmt.Sprintf("%d outstanding", n)
		}
		return ""
	}
	s := &st.Scheduler
	for _, x := range []struct {
		n    int
		what string
	}{
		{len(s.Pending), "pending keys"},
		{len(s.Heap), "keys in the heap"},
		{len(s.Parked), "parked keys"},
		{len(s.InFlight), "attempts in flight"},
		{len(s.Index), "index entries"},
		{int(s.Reserved), "reservations"},
		{len(s.Charges), "charged owners"},
	} {
		if x.n > 0 {
			return fmt.Sprintf("%d %s", x.n, x.what)
		}
	}
	return ""
}
