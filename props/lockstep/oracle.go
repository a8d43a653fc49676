package lockstep

import (
	"fetchproof/model"
	"fetchproof/ops"
)

// expectation is an operation as the model made it: what the subject must answer.
type expectation struct {
	step   int
	op     ops.Op // resolved
	result ops.Result
	// state is the model's after the operation, at now; nil if states are not compared here. single says that they were
	// compared after the previous operation too.
	state  *ops.State
	now    ops.Time
	single bool
	// met is what the model had met before the operation, and after it: together they tell what it met.
	met   model.Situations
	after *model.Situations
}

// oracle is the model's side of a run: it makes every operation and says what is expected of the subject. It knows nothing of
// the subject, so it may run ahead.
type oracle struct {
	machine model.Machine
	names   ops.Resolver
	state   *ops.State // after the newest operation that was not quiet
	age     int        // operations since a state was expected
}

// begin starts the model, and expects the state that it starts with.
func (o *oracle) begin(config *ops.Config, e *expectation) {
	o.machine, o.age = model.New(config), 0
	o.names.Reset()
	o.state.Reset(config.Machine)
	e.step, e.op = -1, ops.Op{Kind: ops.Init, Config: config}
	e.result.Reset()
	e.met, e.after = model.Situations{}, o.machine.Situations()
	o.observe(e, 0)
}

// make lets the model carry out the operation of e, and expects its state after every so many. The state is taken after every
// operation that is not quiet, since what a program does next depends on it.
func (o *oracle) make(e *expectation, every int, quiet bool) {
	e.met, e.after = *o.machine.Situations(), o.machine.Situations()
	o.machine.Apply(&e.op, &e.result)
	o.names.Watch(&e.op, &e.result)
	o.age++
	e.state = nil
	if quiet {
		return
	}
	now := o.state.Scheduler.Clock
	if e.op.Kind.Timed() {
		now = e.op.Now // its own, so that a clock that goes back is seen
	}
	o.observe(e, now)
	if o.age < every {
		e.state = nil
	} else {
		o.age = 0
	}
}

// observe takes the model's state at now.
func (o *oracle) observe(e *expectation, now ops.Time) {
	o.state.Reset(o.state.Machine)
	o.machine.State(now, o.state)
	e.state, e.now, e.single = o.state, now, o.age <= 1
}

// owes reports whether the state after the newest operation is still to be expected.
func (o *oracle) owes() bool { return o.age > 0 }

// settle expects that state after all. No property speaks of it, since more than one operation may have led to it.
func (o *oracle) settle(e *expectation) {
	o.age = 0
	e.state, e.single = o.state, false
}
