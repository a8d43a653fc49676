// Package lockstep steps the reference model and a subject through the same operations, and judges every step: the same
// result, the same whole state, and every property of package props.
package lockstep

import (
	"fmt"
	"runtime/debug"
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

	subject subject.Subject
	config  ops.Config
	model   model.Machine
	names   ops.Resolver
	checker props.Checker

	op                        ops.Op // resolved
	modelResult, result       ops.Result
	before, after, modelState *ops.State
	stateAge                  int      // operations since before was taken
	then                      ops.Time // the now at which before was taken
	step                      int
	met                       model.Situations // before the step, to tell what it met
}

// New is a runner on s.
func New(s subject.Subject) *Runner {
	return &Runner{StateEvery: 1, subject: s, before: &ops.State{}, after: &ops.State{}, modelState: &ops.State{}}
}

// Begin starts a program with its configuration. An invalid configuration is an error, as is one that the subject
// refuses; a failure is one that only the subject refuses.
func (r *Runner) Begin(config *ops.Config) (*Failure, error) {
	if err := config.Validate(); err != nil {
		return nil, err
	}
	r.flush()
	r.config, r.step, r.stateAge = *config, -1, 0
	r.model = model.New(config)
	r.names.Reset()
	r.checker.Begin()
	r.op = ops.Op{Kind: ops.Init, Config: &r.config}
	r.modelResult.Reset()
	r.result.Reset()
	if err := r.subject.Init(config); err != nil {
		return r.fail("subject", "the subject does not start: "+err.Error(), ""), nil
	}
	return r.compareStates(0), nil
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

// Config is the configuration of the program.
func (r *Runner) Config() *ops.Config { return &r.config }

// Result is the model's result of the last operation, and Op that operation, resolved; both valid until the next.
func (r *Runner) Result() *ops.Result { return &r.modelResult }

// Op is the last operation, resolved.
func (r *Runner) Op() *ops.Op { return &r.op }

// Step carries out one operation on both and judges it. A panic of either is a failure like any other.
func (r *Runner) Step(op *ops.Op) (f *Failure) {
	defer func() {
		if p := recover(); p != nil {
			f = r.fail("panic", fmt.Sprint(p), stack())
		}
	}()
	r.step++
	r.Steps++
	r.names.Resolve(op, &r.op)
	if err := r.subject.Apply(&r.op, &r.result); err != nil {
		return r.fail("subject", err.Error(), "")
	}
	if r.result.Code == ops.Unsupported {
		return nil // left out: the model does not make it either
	}
	r.met = *r.model.Situations()
	r.model.Apply(&r.op, &r.modelResult)
	r.names.Watch(&r.op, &r.modelResult)
	if !r.modelResult.Equal(&r.result) {
		return r.fail("result/"+r.op.Kind.String(), "the subject answers otherwise than the model", "")
	}
	r.stateAge++
	if r.stateAge < r.StateEvery {
		return nil
	}
	return r.compareStates(r.now())
}

// now is the instant at which the states are compared: the operation's own, so that a clock that goes back is seen.
func (r *Runner) now() ops.Time {
	if r.op.Kind.Timed() {
		return r.op.Now
	}
	return r.modelState.Scheduler.Clock
}

func (r *Runner) compareStates(now ops.Time) *Failure {
	r.before, r.after = r.after, r.before
	single := r.stateAge <= 1
	r.stateAge = 0
	r.modelState.Reset(r.config.Machine)
	r.model.State(now, r.modelState)
	r.after.Reset(r.config.Machine)
	if err := r.subject.State(now, r.after); err != nil {
		return r.fail("subject", err.Error(), "")
	}
	then := r.then
	r.then = now
	if r.step >= 0 && single {
		// A property speaks of one operation, so it needs the states on both its sides.
		step := props.Step{Config: &r.config, Op: &r.op, Result: &r.result, Before: r.before, Then: then, After: r.after}
		if v := r.checker.Check(&step); v != nil {
			f := r.fail(v.Property.Name, v.Err.Error(), r.statesText())
			f.Rules = v.Property.Rules
			return f
		}
	}
	if diff := r.modelState.Differs(r.after); diff != 0 {
		first := firstField(diff)
		return r.fail("state/"+first, "the states differ in "+diff.String(), r.stateDiff())
	}
	return nil
}

func firstField(f ops.Fields) string {
	name, _, _ := strings.Cut(f.String(), ",")
	return name
}

func (r *Runner) fail(property, message, detail string) *Failure {
	f := &Failure{
		Property: property, Step: r.step, Op: r.op.Clone(), Model: r.modelResult.Clone(), Subject: r.result.Clone(),
		Message: message, Detail: detail, Rules: agreementRules(property),
	}
	if r.model != nil {
		f.Applied = appliedRules(r.model.Situations(), &r.met)
	}
	return f
}

// appliedRules are the rules whose situations the step met.
func appliedRules(now, before *model.Situations) (rules []string) {
	for _, s := range model.SituationTable {
		if now[s.ID] != before[s.ID] && !slices.Contains(rules, s.Rule) {
			rules = append(rules, s.Rule)
		}
	}
	return rules
}

// stack is where a panic came from, without the frames of the recovery itself.
func stack() string {
	lines := strings.Split(string(debug.Stack()), "\n")
	for i, l := range lines {
		if strings.HasPrefix(l, "panic(") && i+2 < len(lines) {
			lines = lines[i+2:]
			break
		}
	}
	return strings.Join(lines[:min(len(lines), 16)], "\n") + "\n"
}
