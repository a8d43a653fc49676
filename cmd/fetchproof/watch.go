package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"fetchproof/internal/console"
	"fetchproof/props/gate"
	"fetchproof/props/subject"
)

// watchTicks is how often the built-in implementation is looked at within its deadline.
const watchTicks = 10

// drive runs a command's work on its subject, and turns the result into that of the command. The built-in implementation is
// watched: where it does not return from a call, which nothing can stop, the same command is run again with it in a process of
// its own, where that is a failure like any other and is shrunk.
func (c *call) drive(ctx context.Context, s *gate.SubjectOptions, progress *console.Progress, work func() (held bool, err error)) error {
	var held bool
	var err error
	run := func() { held, err = work() }
	if s.Command != "" {
		run()
	} else {
		s.Watch = &subject.Watch{}
		tick := time.NewTicker(max(s.Deadline/watchTicks, time.Millisecond))
		defer tick.Stop()
		if stuck := s.Watch.During(run, tick.C, watchTicks+1); stuck != nil {
			progress.Stop()
			return c.again(ctx, stuck, s.Deadline)
		}
	}
	if err == nil && !held {
		return errFailed
	}
	return err
}

// again tells of a call that does not return, and runs the command with the implementation in a process of its own.
func (c *call) again(ctx context.Context, stuck *subject.Stuck, deadline time.Duration) error {
	fmt.Fprintf(c.stderr, "fetchproof: the implementation has not returned from %q for %s; it is in\n", stuck.Op.String(), deadline)
	for line := range strings.Lines(stuck.Stack) {
		fmt.Fprint(c.stderr, "      "+line)
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	process := subject.Word(self) + " subject"
	if slices.Contains(c.args, "-") {
		fmt.Fprintf(c.stderr, "The input is read: keep it in a file, and run it with -subject %s for the failure.\n", subject.Word(process))
		return errFailed
	}
	args := append([]string{c.flags.Name()}, c.given...)
	args = append(args, "-subject", process)
	fmt.Fprint(c.stderr, "The same again, with the implementation in a process of its own: fetchproof")
	for _, a := range args {
		fmt.Fprint(c.stderr, " "+subject.Word(a))
	}
	fmt.Fprintln(c.stderr)
	cmd := exec.CommandContext(ctx, self, args...)
	cmd.Stdout, cmd.Stderr = c.stdout, c.stderr
	err = cmd.Run()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return errors.New("interrupted")
	case err == nil:
		fmt.Fprintln(c.stderr, "fetchproof: it held there; here it did not return")
		return errFailed
	case errors.As(err, &exit) && exit.ExitCode() == 1:
		return errFailed
	}
	return fmt.Errorf("run it again: %w", err)
}
