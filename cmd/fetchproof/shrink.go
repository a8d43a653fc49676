package main

import (
	"context"

	"fetchproof/internal/console"
	"fetchproof/props/gate"
)

var shrinkCommand = &command{
	name: "shrink", args: "FILE [flags]",
	summary: "finds the shortest scenario that still fails the same way",
	run: func(ctx context.Context, c *call) error {
		options := gate.ShrinkOptions{Out: c.stdout, Progress: console.New(c.stderr)}
		c.flags.StringVar(&options.File, "o", "", "write the shrunk scenario to this `file`, besides printing it")
		c.flags.IntVar(&options.MaxTries, "tries", 200_000, "give up after running this many programs; the result is then not minimal and says so; 0: no bound")
		subjectFlags(c, &options.Subject)
		stateFlag(c, &options.Subject)
		if err := c.parse(1); err != nil {
			return err
		}
		if err := c.demand(append(subjectWants(&options.Subject), want{"tries", options.MaxTries >= 0, "0 or more"})...); err != nil {
			return err
		}
		return c.drive(ctx, &options.Subject, options.Progress, func() (bool, error) { return gate.Shrink(ctx, c.args[0], options) })
	},
}
