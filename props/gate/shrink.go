package gate

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"fetchproof/internal/console"
	"fetchproof/props/lockstep"
	"fetchproof/props/script"
	"fetchproof/props/shrink"
	"fetchproof/props/subject"
)

// ShrinkOptions say how a scenario is shrunk.
type ShrinkOptions struct {
	Out      io.Writer
	In       io.Reader // what "-" names; nil: standard input
	Progress *console.Progress
	File     string // where the shrunk scenario is written too; empty: nowhere
	MaxTries int    // programs to run at most; 0: no bound
	Subject  SubjectOptions
}

// Shrink replays a scenario and prints the shortest that fails the same way. It reports true if there is nothing to
// shrink, since the scenario holds.
func Shrink(ctx context.Context, path string, o ShrinkOptions) (held bool, err error) {
	scenario, err := readScenario(ctx, path, o.In)
	if err != nil {
		return false, err
	}
	err = o.Subject.with(func(s subject.Subject) error {
		outcome, err := script.RunContext(ctx, scenario, s, o.Subject.stateEvery(), true)
		if err != nil {
			return interrupted(ctx, err)
		}
		f := outcome.Failure
		switch {
		case f == nil:
			held = true
			_, err = fmt.Fprintf(o.Out, "ok    %s: %s: there is nothing to shrink\n", scenario.Name, agreed(outcome))
			return err
		case !f.Shrinkable():
			_, err = fmt.Fprintf(o.Out, "%s\nModel and subject agree here; the file differs from both, so there is no failure to shrink.\n", f.Text(scenario.Name))
			return err
		}
		shrinking := shrinking{tries: o.MaxTries, subject: s, stateEvery: o.Subject.stateEvery(), progress: o.Progress}
		return o.shrunk(shrinking.run(ctx, f.Program, f.Lockstep))
	})
	return held, err
}

// shrunk prints a scenario whole: it is what was asked for.
func (o *ShrinkOptions) shrunk(result shrink.Result) error {
	text := shrunkScenario(&result)
	_, err := fmt.Fprintf(o.Out, "%s\n%s", result.Failure.Text(), text)
	if err != nil || o.File == "" {
		return err
	}
	if err := os.WriteFile(o.File, []byte(text), 0o644); err != nil {
		return err
	}
	_, err = fmt.Fprintf(o.Out, "\nreplay    fetchproof replay %s%s\n", subject.Word(o.File), o.Subject.flag())
	return err
}

// shrinking is how a failing program is shrunk.
type shrinking struct {
	tries      int // at most; 0: no bound
	subject    subject.Subject
	stateEvery int
	progress   *console.Progress
}

// run shrinks a program until it is as short as it gets, the tries are used up or ctx ends.
func (x *shrinking) run(ctx context.Context, p lockstep.Program, f *lockstep.Failure) shrink.Result {
	runner := lockstep.New(x.subject)
	runner.StateEvery = x.stateEvery
	if strings.HasPrefix(f.Property, "subject/") {
		runner.Window = 1 // a process that ends is named by the step at which it does, without a second run to find it
	}
	var tried, left atomic.Int64
	left.Store(int64(len(p.Ops)))
	started := time.Now()
	x.progress.Start(func() string {
		return fmt.Sprintf("shrinking %s, %d programs, %d of %d operations left", time.Since(started).Round(time.Second), tried.Load(), left.Load(), len(p.Ops))
	})
	defer x.progress.Stop()
	return shrink.ShrinkContext(ctx, p, f, x.tries, func(p *lockstep.Program) *lockstep.Failure {
		tried.Add(1)
		failure, err := runner.Run(p, f.Property == lockstep.Drained)
		if err != nil {
			return nil // an impossible configuration fails in another way
		}
		if failure != nil && failure.Property == f.Property {
			left.Store(int64(min(failure.Step+1, len(p.Ops))))
		}
		return failure
	})
}

// shrunkScenario is the shrunk program as a file that says what it shows.
func shrunkScenario(r *shrink.Result) string {
	how := "1-minimal: without any one operation, or with any one argument simplified, it does not fail so"
	if !r.Minimal {
		how = "not minimal: shrinking was cut short"
	}
	comment := []string{
		"FAILS " + r.Failure.Property + ": " + r.Failure.Message,
		fmt.Sprintf("%s (%d programs tried).", how, r.Tries),
	}
	return r.Program.Scenario(comment...).String()
}
