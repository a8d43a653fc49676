package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"

	"fetchproof/props/gate"
)

// maxWorkers bounds what runs at once: each of them may be a process.
const maxWorkers = 1024

// parse reads the flags, which may stand before and after the arguments, and wants n of the latter; -1 is any number.
func (c *call) parse(n int) error {
	c.flags.SetOutput(io.Discard) // an error is told once, by exitCode
	rest, files := c.args, []string(nil)
	for {
		if err := c.flags.Parse(rest); errors.Is(err, flag.ErrHelp) {
			c.help()
			return err
		} else if err != nil {
			return c.misused("%v", err)
		}
		rest = c.flags.Args()
		if len(rest) == 0 {
			break
		}
		files, rest = append(files, rest[0]), rest[1:]
	}
	c.args = files
	switch {
	case n < 0 || len(files) == n:
		return nil
	case n == 0:
		return c.misused("%q: no argument is wanted", files)
	case len(files) < n:
		return c.misused("no %s is given", strings.Fields(c.wants)[0])
	default:
		return c.misused("%q: one argument is wanted", files)
	}
}

// misused is an error of usage, with the command that tells what is right.
func (c *call) misused(format string, args ...any) error {
	return fmt.Errorf("%s: %s (fetchproof %s -h lists the flags)", c.flags.Name(), fmt.Sprintf(format, args...), c.flags.Name())
}

// want is what the value of a flag must be, where it is given.
type want struct {
	flag string
	is   bool
	text string
}

// visited are the flags that were given.
func (c *call) visited() map[string]bool {
	given := map[string]bool{}
	c.flags.Visit(func(f *flag.Flag) { given[f.Name] = true })
	return given
}

// demand reports the first flag that is given and not as it must be.
func (c *call) demand(list ...want) error {
	given := c.visited()
	for _, w := range list {
		if given[w.flag] && !w.is {
			return c.misused("-%s %s: want %s", w.flag, c.flags.Lookup(w.flag).Value, w.text)
		}
	}
	return nil
}

// subjectFlags are the flags of every command that can drive a foreign subject.
func subjectFlags(c *call, s *gate.SubjectOptions) {
	c.flags.StringVar(&s.Command, "subject", "", "drive this process, a `command` with its arguments, in place of the built-in implementation")
	c.flags.DurationVar(&s.Deadline, "deadline", gate.DefaultDeadline, "how long the subject may take for a line, or the built-in implementation for an operation")
}

// stateFlag is the flag of the commands among them that may leave states out.
func stateFlag(c *call, s *gate.SubjectOptions) {
	c.flags.IntVar(&s.StateEvery, "state-every", 1, "compare the state after every `N` operations")
}

// subjectWants are what their values must be. An empty command is most likely an unset variable of a script: the built-in
// implementation would be checked in its place, and pass.
func subjectWants(s *gate.SubjectOptions) []want {
	return []want{
		{"subject", strings.TrimSpace(s.Command) != "", "a command"},
		{"state-every", s.StateEvery >= 1, "1 or more"},
		{"deadline", s.Deadline > 0, "more than 0"},
	}
}
