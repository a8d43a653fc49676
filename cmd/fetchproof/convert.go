package main

import (
	"context"

	"fetchproof/props/gate"
)

var convertCommand = &command{
	name: "convert", args: "FILE [flags]",
	summary: "turns a scenario from text into JSON lines, or the other way round, without loss",
	run: func(ctx context.Context, c *call) error {
		options := gate.ConvertOptions{Out: c.stdout}
		c.flags.StringVar(&options.File, "o", "", "write to this `file` instead of standard output")
		c.flags.BoolVar(&options.Drop, "drop", false, "leave out the results and states that a trace brings, which text has no place for")
		if err := c.parse(1); err != nil {
			return err
		}
		return gate.Convert(ctx, c.args[0], options)
	},
}
