package main

import (
	"context"

	"fetchproof/props/gate"
)

var replayCommand = &command{
	name: "replay", args: "FILE [flags]",
	summary: "runs a scenario or trace against model and implementation, and shows the first difference",
	run: func(ctx context.Context, c *call) error {
		options := gate.ReplayOptions{Out: c.stdout}
		c.flags.BoolVar(&options.JSON, "json", false, "give the result as JSON")
		c.flags.BoolVar(&options.Rewrite, "rewrite", false, "write what the blocks print into the file, in place of what they expect")
		c.flags.BoolVar(&options.Print, "print", false, "print the scenario with what its blocks print")
		subjectFlags(c, &options.Subject)
		if err := c.parse(1); err != nil {
			return err
		}
		held, err := gate.Replay(ctx, c.args[0], options)
		if err == nil && !held {
			return errFailed
		}
		return err
	},
}

// subjectFlags are the flags of every command that can drive a foreign subject.
func subjectFlags(c *call, s *gate.SubjectOptions) {
	c.flags.StringVar(&s.Command, "subject", "", "drive this process, a `command` with its arguments, in place of the built-in implementation")
	c.flags.IntVar(&s.StateEvery, "state-every", 1, "compare the state after every `N` operations")
	c.flags.DurationVar(&s.Deadline, "deadline", gate.DefaultDeadline, "how long the subject may take for a line")
}
