// Package lockstep steps the reference model and a subject through the same operations, and judges every step: the same
// result, the same whole state, and every property of package props.
package lockstep

import (
	"fetchproof/model"
	"fetchproof/ops"
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
	// Quiet leaves states out, the model's own included, while operations only fill the machines for what follows: results are
	// compared, and State does not change until an operation that is not quiet.
	Quiet bool
	// Judge, if set, says which properties and comparisons count, by name: the others are taken to hold, and a program goes on
	// past a breach of one. A panic, and a subject that does not answer, count in any case.
	Judge func(name string) bool
	// Compared are the state fields that the subject has given in these programs, so that the others can be reported as never
	// compared.
	Compared ops.Fields

	subject subject.Subject
	pipe    subject.Pipeline // the subject, if it is one; else nil
	pipelined
	config ops.Config
	oracle oracle
	judge  judge

	only    expectation  // of a subject that answers at once
	newest  *expectation // of the last operation that the model made
	at      *expectation // what is being made or judged: what a panic is about
	doing   phase
	step    int
	begun   int // how often a program has begun: once more than usual where the subject lacks an operation
	leftOut bool
	drained []ops.Op // memory for the operations of a drain
}

// phase is what a runner is doing, so that a panic can be attributed.
type phase uint8

const (
	judging phase = iota
	asking        // the subject carries out an operation that the model has not made
	making        // the model makes an operation while answers to others are due
)

// New is a runner on s.
func New(s subject.Subject) *Runner {
	r := &Runner{
		StateEvery: 1, Window: 1, subject: s,
		oracle: oracle{state: &ops.State{}}, judge: judge{before: &ops.State{}, after: &ops.State{}},
	}
	if pipe, ok := s.(subject.Pipeline); ok {
		r.pipe, r.Window = pipe, defaultWindow
	}
	r.newest, r.at = &r.only, &r.only
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
	r.step, r.leftOut = -1, false
	r.queue.reset()
	e := &r.only
	r.newest, r.at, r.doing = e, e, judging
	r.oracle.begin(&r.config, e)
	r.judge.begin(&r.config, r.Judge)
	if err := r.subject.Init(&r.config); err != nil {
		return r.judge.noAnswer(e, "the subject does not start: ", err)
	}
	return r.compareStates(e)
}

// flush adds what was met and given in the program before to the total.
func (r *Runner) flush() {
	if r.oracle.machine != nil {
		r.Situations.Add(r.oracle.machine.Situations())
		r.oracle.machine = nil
	}
	r.Compared |= r.judge.given
}

// Finish ends the program: what it met is in Situations, and what was given in Compared, from then on.
func (r *Runner) Finish() { r.flush() }

// State is the model's state after the last operation, valid until the next.
func (r *Runner) State() *ops.State { return r.oracle.state }

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
	r.oracle.names.Resolve(op, &e.op)
	r.doing = asking
	err := r.subject.Apply(&e.op, &r.judge.result)
	r.doing = judging
	if err != nil {
		r.makeAlone(e)
		return r.judge.noAnswer(e, "", err)
	}
	r.leftOut = r.judge.result.Code == ops.Unsupported
	if r.leftOut {
		return nil // the model does not make it either
	}
	r.oracle.make(e, r.StateEvery, r.Quiet)
	if f := r.judge.answer(e); f != nil || e.state == nil {
		return f
	}
	return r.compareStates(e)
}

// compareStates asks for the subject's state and judges it.
func (r *Runner) compareStates(e *expectation) *Failure {
	if err := r.subject.State(e.now, r.judge.turn()); err != nil {
		return r.judge.noAnswer(e, "", err)
	}
	return r.judge.state(e)
}
