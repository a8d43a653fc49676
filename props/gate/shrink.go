package gate

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"fetchproof/props/lockstep"
	"fetchproof/props/script"
	"fetchproof/props/shrink"
	"fetchproof/props/subject"
)

// ShrinkOptions say how a scenario is shrunk.
type ShrinkOptions struct {
	Out      io.Writer
	File     string // where the shrunk scenario is written too; empty: nowhere
	MaxTries int    // programs to run at most; 0: no bound
	Subject  SubjectOptions
}

// Shrink replays a scenario and prints the shortest that fails the same way. It reports true if there is nothing to
// shrink, since the scenario holds.
func Shrink(ctx context.Context, path string, o ShrinkOptions) (held bool, err error) {
	scenario, err := readScenario(path)
	if err != nil {
		return false, err
	}
	err = o.Subject.with(func(s subject.Subject) error {
		outcome, err := script.Run(scenario, s, o.Subject.stateEvery(), true)
		if err != nil {
			return err
		}
		f := outcome.Failure
		switch {
		case f == nil:
			held = true
			_, err = fmt.Fprintf(o.Out, "ok    %s: %d operations agree, there is nothing to shrink\n", path, outcome.Steps)
			return err
		case f.Lockstep.Property == script.ExpectationName || f.Lockstep.Property == script.TraceName:
			_, err = fmt.Fprintf(o.Out, "%s\nModel and subject agree here; the file differs from both, so there is no failure to shrink.\n", f.Text(path))
			return err
		}
		result := shrinkProgram(ctx, f.Program, f.Lockstep, o.MaxTries, s, o.Subject.stateEvery())
		text := shrunkScenario(&result)
		if _, err := fmt.Fprintf(o.Out, "%s\n%s", result.Failure.Text(), text); err != nil || o.File == "" {
			return err
		}
		return os.WriteFile(o.File, []byte(text), 0o644)
	})
	return held, err
}

// shrinkProgram shrinks a failing program on s.
func shrinkProgram(ctx context.Context, p lockstep.Program, f *lockstep.Failure, maxTries int, s subject.Subject, stateEvery int) shrink.Result {
	runner := lockstep.New(s)
	runner.StateEvery = stateEvery
	if strings.HasPrefix(f.Property, "subject/") {
		runner.Window = 1 // a process that ends is named by the step at which it does, without a second run to find it
	}
	return shrink.Shrink(p, f, maxTries, func(p *lockstep.Program) *lockstep.Failure {
		if ctx.Err() != nil {
			return nil
		}
		failure, err := runner.Run(p, f.Property == lockstep.Drained)
		if err != nil {
			return nil // an impossible configuration fails in another way
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
