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
		stateFlag(c, &options.Subject)
		if err := c.parse(1); err != nil {
			return err
		}
		if err := c.demand(append(subjectWants(&options.Subject), want{"json", !options.JSON || !options.Print, "no -print beside it"})...); err != nil {
			return err
		}
		return c.drive(ctx, &options.Subject, nil, func() (bool, error) { return gate.Replay(ctx, c.args[0], options) })
	},
}
