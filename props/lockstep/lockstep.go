// Package lockstep steps the reference model and a subject through the same operations, and judges every step: the same
// result, the same whole state, and every property of package props.
package lockstep

import (
	"errors"
	"slices"
	"strings"

	"fetchproof/model"
	"fetchproof/ops"
	"fetchproof/props"
	"fetchproof/props/subject"
)

// Runner runs programs, one after another, on one subject. It keeps its memory between programs and is not safe for
// concurrent use.
type Runner struct {
	// StateEvery is after how many operations the state is compared: 1, or more to trade depth for speed where the
	// subject is a process. Properties are checked wherever states are.
	StateEvery int
	// Situations adds up what the model met in every program run so far.
	Situations model.Situations
	// Steps counts the operations run so far.
	Steps int64
	// Window is how many operations may be ahead of their answers where the subject takes them so ([subject.Pipeline]); New
	// sets a good one. At 1 every operation is judged before Step returns; above, a failure may be that of an earlier step.
	Window int
	// Quiet leaves states out, the model's own too, while operations only fill the machines for what is to come: results are
	// compared, and State stays what it was until an operation that is not quiet.
	Quiet bool
	// Judge, if set, says which properties and comparisons count, by name: the others are as if they held, and a program goes
	// on past what breaks one of those. A panic, and a subject that does not answer, count in any case.
	Judge func(name string) bool
	// Compared are the state fields that the subject has given so far, so that what was never compared can be told.
	Compared ops.Fields

	subject subject.Subject
	pipe    subject.Pipeline // the subject, if it is one; else nil
	pipelined
	config  ops.Config
	model   model.Machine
	names   ops.Resolver
	checker props.Checker

	only          expectation  // of a subject that answers at once
	newest        *expectation // of the last operation that the model made
	judging       *expectation // what is compared with what the subject answers
	result        ops.Result   // the subject's
	before, after *ops.State   // the subject's
	modelState    *ops.State   // after the newest operation
	stateAge      int          // operations since states were last compared
	then          ops.Time     // the now at which before was taken
	step          int
	begun         int // how often a program has begun: once more than usual where the subject lacks an operation
	leftOut       bool
	asked         bool // the subject is carrying out an operation that the model has not made
}

// expectation is an operation as the model made it: what the subject must answer.
type expectation struct {
	step   int
	op     ops.Op // resolved
	result ops.Result
	// state is the model's after the operation, at now; nil if states are not compared here. single tells that they were
	// compared after the operation before as well.
	state  *ops.State
	now    ops.Time
	single bool
	// met is what the model had met before the operation, and after it: together they tell what it met.
	met   model.Situations
	after *model.Situations
}

// New is a runner on s.
func New(s subject.Subject) *Runner {
	r := &Runner{StateEvery: 1, Window: 1, subject: s, before: &ops.State{}, after: &ops.State{}, modelState: &ops.State{}}
	if pipe, ok := s.(subject.Pipeline); ok {
		r.pipe, r.Window = pipe, defaultWindow
	}
	r.newest, r.judging = &r.only, &r.only
	return r
}

// Begin starts a program with its configuration. An invalid configuration is an error, as is one that the subject
// refuses; a failure is one that only the subject refuses.
func (r *Runner) Begin(config *ops.Config) (*Failure, error) {
	if err := config.Validate(); err != nil {
		return nil, err
	}
	r.flush()
	r.config = *config
	r.log.reset()
	return r.start(), nil
}

// start starts both machines with the program's configuration.
func (r *Runner) start() *Failure {
	r.begun++
	r.step, r.stateAge, r.leftOut = -1, 0, false
	r.queue.reset()
	r.model = model.New(&r.config)
	r.names.Reset()
	r.checker.Begin()
	r.checker.Judge = r.Judge
	e := &r.only
	r.newest, r.judging = e, e
	e.step, e.op = -1, ops.Op{Kind: ops.Init, Config: &r.config}
	e.result.Reset()
	e.met, e.after = model.Situations{}, r.model.Situations()
	r.result.Reset()
	if err := r.subject.Init(&r.config); err != nil {
		return r.failSubject("the subject does not start: ", err)
	}
	r.observe(e, 0)
	return r.compareStates()
}

// flush adds the situations of the program before to the total.
func (r *Runner) flush() {
	if r.model != nil {
		r.Situations.Add(r.model.Situations())
		r.model = nil
	}
}

// Finish ends the program: its situations are in Situations from then on.
func (r *Runner) Finish() { r.flush() }

// State is the model's state after the last operation, valid until the next.
func (r *Runner) State() *ops.State { return r.modelState }

// Result is the model's result of the last operation, valid until the next.
func (r *Runner) Result() *ops.Result { return &r.newest.result }

// Op is the last operation, resolved, valid until the next.
func (r *Runner) Op() *ops.Op { return &r.newest.op }

// LeftOut reports whether the last operation was left out on both sides, since the subject does not have it.
func (r *Runner) LeftOut() bool { return r.leftOut }

// Step carries out one operation on both and judges it. A panic of either is a failure like any other. Where operations run
// ahead of their answers (Window), the failure may be that of an earlier step, and the last ones are judged by Settle.
func (r *Runner) Step(op *ops.Op) (f *Failure) {
	defer func() {
		if p := recover(); p != nil {
			f = r.panicked(p)
		}
	}()
	if r.pipe != nil {
		return r.ahead(op)
	}
	r.step++
	r.Steps++
	e := &r.only
	e.step = r.step
	r.names.Resolve(op, &e.op)
	r.asked = true
	if err := r.subject.Apply(&e.op, &r.result); err != nil {
		return r.failSubject("", err)
	}
	r.asked = false
	r.leftOut = r.result.Code == ops.Unsupported
	if r.leftOut {
		return nil // the model does not make it either
	}
	r.makeStep(e)
	if f := r.compareResults(); f != nil || e.state == nil {
		return f
	}
	return r.compareStates()
}

// makeStep lets the model carry out the operation, and takes its state where states are compared.
func (r *Runner) makeStep(e *expectation) {
	e.met, e.after = *r.model.Situations(), r.model.Situations()
	r.model.Apply(&e.op, &e.result)
	r.names.Watch(&e.op, &e.result)
	r.stateAge++
	if r.Quiet {
		e.state = nil
		return
	}
	now := r.modelState.Scheduler.Clock
	if e.op.Kind.Timed() {
		now = e.op.Now // its own, so that a clock that goes back is seen
	}
	due := r.stateAge >= r.StateEvery
	r.observe(e, now)
	if !due {
		e.state = nil
	}
}

// observe takes the model's state at now. It is taken after every operation, since what a program does next depends on it.
func (r *Runner) observe(e *expectation, now ops.Time) {
	r.modelState.Reset(r.config.Machine)
	r.model.State(now, r.modelState)
	e.state, e.now, e.single = r.modelState, now, r.stateAge <= 1
	if r.stateAge >= r.StateEvery {
		r.stateAge = 0
	}
}

func (r *Runner) compareResults() *Failure {
	e := r.judging
	if e.result.Equal(&r.result) {
		return nil
	}
	name := "result/" + e.op.Kind.String()
	if !r.judges(name) {
		return nil
	}
	return r.fail(name, "the subject answers otherwise than the model", "")
}

// compareStates asks for the subject's state and judges it.
func (r *Runner) compareStates() *Failure {
	r.turnStates()
	if err := r.subject.State(r.judging.now, r.after); err != nil {
		return r.failSubject("", err)
	}
	return r.judgeStates()
}

// turnStates makes the state after the last step the one before the next.
func (r *Runner) turnStates() {
	r.before, r.after = r.after, r.before
	r.after.Reset(r.config.Machine)
}

// judgeStates checks the properties of the step and compares the states.
func (r *Runner) judgeStates() *Failure {
	e := r.judging
	r.Compared |= r.after.Fields
	then := r.then
	r.then = e.now
	if e.step >= 0 && e.single {
		// A property speaks of one operation, so it needs the states on both its sides.
		step := props.Step{Config: &r.config, Op: &e.op, Result: &r.result, Before: r.before, Then: then, After: r.after}
		if v := r.checker.Check(&step); v != nil {
			f := r.fail(v.Property.Name, v.Err.Error(), r.statesText())
			f.Rules = v.Property.Rules
			return f
		}
	}
	if diff := e.state.Differs(r.after); diff != 0 {
		for first := range strings.SplitSeq(diff.String(), ",") {
			if name := "state/" + first; r.judges(name) {
				return r.fail(name, "the states differ in "+diff.String(), r.stateDiff())
			}
		}
	}
	return nil
}

func (r *Runner) judges(name string) bool { return r.Judge == nil || r.Judge(name) }

// failSubject is the failure of a subject that does not answer as one.
func (r *Runner) failSubject(context string, err error) *Failure {
	r.result.Reset()
	property, detail := "subject", ""
	var t *subject.Trouble
	if errors.As(err, &t) {
		property, detail = property+"/"+t.Kind.String(), t.Detail()
	}
	return r.fail(property, context+err.Error(), detail)
}

func (r *Runner) fail(property, message, detail string) *Failure {
	e := r.judging
	f := &Failure{
		Property: property, Step: e.step, Op: e.op.Clone(), Model: e.result.Clone(), Subject: r.result.Clone(),
		Message: message, Detail: detail, Rules: agreementRules(property),
	}
	if e.after != nil {
		f.Applied, f.Met = applied(e.after, &e.met)
	}
	return f
}

// applied are the rules whose situations the step met, and those situations.
func applied(now, before *model.Situations) (rules []string, met []model.Situation) {
	for _, s := range model.SituationTable {
		if now[s.ID] == before[s.ID] {
			continue
		}
		met = append(met, s)
		if !slices.Contains(rules, s.Rule) {
			rules = append(rules, s.Rule)
		}
	}
	return rules, met
}
