// Package script runs scenario files: every operation in lockstep, what each block prints against what the file expects, what
// a trace brings against what happened.
package script

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"fetchproof/ops"
	"fetchproof/props/lockstep"
	"fetchproof/props/subject"
)

// Outcome is how a scenario ran.
type Outcome struct {
	Failure *Failure
	// Actual is the scenario with the output that its blocks printed in place of what they expected.
	Actual *ops.Scenario
	Steps  int64 // operations that were run
	Drain  int64 // those of them that ended what the scenario left under way
}

// Failure is where a scenario failed first.
type Failure struct {
	Line     int // of the operation, or of the first one of a block whose output is not as expected; 0 if it has none
	Lockstep *lockstep.Failure
	// Program is the run up to the failure, to be shrunk.
	Program lockstep.Program
}

// The names of the failures of a block's output and of a trace's lines.
const (
	ExpectationName = "expectation"
	TraceName       = "trace"
)

// Run runs the scenario on s. It stops at the first failure. With drain every run is drained at its end and must then be
// empty. An error is bad input: a configuration out of range.
func Run(scenario *ops.Scenario, s subject.Subject, stateEvery int, drain bool) (*Outcome, error) {
	return RunContext(context.Background(), scenario, s, stateEvery, drain)
}

// RunContext is Run, but returns the error of ctx after the step during which ctx ends.
func RunContext(ctx context.Context, scenario *ops.Scenario, s subject.Subject, stateEvery int, drain bool) (*Outcome, error) {
	x := &execution{
		ctx: ctx, runner: lockstep.New(s), drain: drain,
		outcome: &Outcome{Actual: &ops.Scenario{Name: scenario.Name}},
	}
	x.runner.StateEvery = max(stateEvery, 1)
	x.runner.Window = 1 // what a block prints is compared as it is run
	return x.run(scenario)
}

func (x *execution) run(scenario *ops.Scenario) (*Outcome, error) {
	for i := range scenario.Blocks {
		if err := x.block(&scenario.Blocks[i]); err != nil {
			return nil, err
		}
		if x.outcome.Failure != nil {
			break
		}
	}
	x.endRun()
	x.outcome.Steps = x.runner.Steps
	return x.outcome, nil
}

type execution struct {
	ctx     context.Context
	runner  *lockstep.Runner
	outcome *Outcome
	program lockstep.Program
	running bool
	drain   bool
	// leftOut says that the run went on without an operation that the subject lacks. What the file says after that operation
	// is then about another run.
	leftOut bool
	// rewriting takes what blocks print without comparing it.
	rewriting bool
}

func (x *execution) block(b *ops.Block) error {
	var printed []byte
	missing := false // a query of the block was left out, which changes nothing else
	for i := range b.Steps {
		if err := x.ctx.Err(); err != nil {
			return err
		}
		step := &b.Steps[i]
		text, err := x.step(step)
		if err != nil {
			return &ops.ParseError{File: x.outcome.Actual.Name, Line: step.Line, Err: err}
		}
		if x.outcome.Failure != nil {
			return nil
		}
		printed = append(printed, text...)
		missing = missing || x.runner.LeftOut()
	}
	actual := ops.Block{Comment: b.Comment, Steps: b.Steps, HasExpect: b.HasExpect}
	if b.HasExpect {
		actual.Expect = lines(printed)
		if !x.rewriting && !x.leftOut && !missing {
			x.expect(b, actual.Expect)
		}
	}
	x.outcome.Actual.Blocks = append(x.outcome.Actual.Blocks, actual)
	return nil
}

func lines(text []byte) []string {
	if len(text) == 0 {
		return nil
	}
	list := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	for i := range list {
		list[i] = strings.TrimRight(list[i], " ")
	}
	return list
}

func (x *execution) step(step *ops.Step) (text []byte, err error) {
	if step.Op.Kind == ops.Init {
		x.endRun()
		if x.outcome.Failure != nil {
			return nil, nil
		}
		x.program = lockstep.Program{Config: *step.Op.Config}
		x.running, x.leftOut = true, false
		f, err := x.runner.Begin(step.Op.Config)
		x.fail(step.Line, f)
		return nil, err
	}
	x.program.Ops = append(x.program.Ops, step.Op)
	f := x.runner.Step(&step.Op)
	if f == nil && x.runner.LeftOut() {
		x.leftOut = x.leftOut || !step.Op.Kind.IsQuery()
		return nil, nil
	}
	if f == nil && !x.leftOut {
		f = x.trace(step)
	}
	x.fail(step.Line, f)
	if f != nil {
		return nil, nil
	}
	if step.Op.Kind == ops.StateQuery {
		return ops.AppendStateText(nil, x.runner.State(), step.Op.Show), nil
	}
	return ops.AppendResult(nil, x.runner.Op(), x.runner.Result()), nil
}

// trace compares what a trace brings with what the model says. What it leaves out is not compared.
func (x *execution) trace(step *ops.Step) *lockstep.Failure {
	var f *lockstep.Failure
	switch {
	case step.Result != nil && !step.Gives.Agrees(step.Result, x.runner.Result()):
		f = x.runner.FailTrace(TraceName, step.Result, nil)
	case step.State != nil && step.State.Machine == x.runner.State().Machine && x.runner.State().Differs(step.State) != 0:
		f = x.runner.FailTrace(TraceName, nil, step.State)
	default:
		return nil
	}
	f.Step = len(x.program.Ops) - 1
	return f
}

func (x *execution) fail(line int, f *lockstep.Failure) {
	if f != nil && x.outcome.Failure == nil {
		x.outcome.Failure = &Failure{Line: line, Lockstep: f, Program: x.program}
	}
}

func (x *execution) expect(b *ops.Block, actual []string) {
	if slices.Equal(actual, b.Expect) {
		return
	}
	last := &b.Steps[len(b.Steps)-1]
	x.fail(b.Steps[0].Line, &lockstep.Failure{
		Property: ExpectationName, Step: len(x.program.Ops) - 1, Op: last.Op, Model: x.runner.Result().Clone(),
		Subject: x.runner.Result().Clone(), Message: "model and subject agree, and print otherwise than the file expects",
		Detail: "output    - expected, + printed\n" + lockstep.DiffLines(b.Expect, actual),
	})
}

func (x *execution) endRun() {
	if !x.running {
		return
	}
	x.running = false
	if x.drain && x.outcome.Failure == nil {
		before := x.runner.Steps
		f, made := x.runner.Drain()
		x.outcome.Drain += x.runner.Steps - before
		if f != nil {
			x.program.Ops = append(x.program.Ops, made...)
			x.fail(0, f)
		}
	} else if x.outcome.Failure == nil {
		x.fail(0, x.runner.Settle())
	}
	x.runner.Finish()
}

// Where is where in the file the failure is, for a person.
func (f *Failure) Where(file string) string {
	if f.Line > 0 {
		return fmt.Sprintf("%s:%d", file, f.Line)
	}
	return file + ", in the drain that ends every run"
}

// Text is the failure for a person, with where it is in the file.
func (f *Failure) Text(file string) string {
	return f.Lockstep.Text() + "at        " + f.Where(file) + "\n"
}

// Shrinkable reports whether the failure is the subject's, which a shorter program may show. If the file is wrong about model
// and subject alike, it is not.
func (f *Failure) Shrinkable() bool {
	return f.Lockstep.Property != ExpectationName && f.Lockstep.Property != TraceName
}

// Rewrite runs the scenario with what its blocks expect put aside: Actual then holds what they print.
func Rewrite(scenario *ops.Scenario, s subject.Subject) (*Outcome, error) {
	return RewriteContext(context.Background(), scenario, s)
}

// RewriteContext is Rewrite, but returns the error of ctx after the step during which ctx ends.
func RewriteContext(ctx context.Context, scenario *ops.Scenario, s subject.Subject) (*Outcome, error) {
	open := &ops.Scenario{Name: scenario.Name, Blocks: slices.Clone(scenario.Blocks)}
	for i := range open.Blocks {
		open.Blocks[i].Expect = nil
	}
	x := &execution{ctx: ctx, runner: lockstep.New(s), rewriting: true, outcome: &Outcome{Actual: &ops.Scenario{Name: scenario.Name}}}
	x.runner.Window = 1
	return x.run(open)
}
