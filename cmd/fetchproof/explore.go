package main

import (
	"context"

	"fetchproof/internal/console"
	"fetchproof/props/gate"
)

var exploreCommand = &command{
	name: "explore", args: "[SCOPE...] [flags]",
	summary: "visits every reachable state of small configurations, model and implementation in lockstep",
	run: func(ctx context.Context, c *call) error {
		options := gate.ExploreOptions{Out: c.stdout, Progress: console.New(c.stderr)}
		c.flags.BoolVar(&options.All, "all", false, "explore the large scopes too")
		c.flags.BoolVar(&options.List, "list", false, "list the scopes")
		c.flags.IntVar(&options.MaxStates, "max-states", 20_000_000, "stop a scope at this many states, incomplete; 0: no bound")
		c.flags.BoolVar(&options.Raw, "raw", false, "do not merge symmetric peers")
		c.flags.IntVar(&options.Workers, "workers", 0, "states expanded at once (default: one a core)")
		c.flags.StringVar(&options.File, "o", "", "write the shortest counterexample to this `file`, besides printing it")
		c.flags.BoolVar(&options.JSON, "json", false, "give the result as JSON")
		subjectFlags(c, &options.Subject)
		if err := c.parse(-1); err != nil {
			return err
		}
		err := c.demand(append(
			subjectWants(&options.Subject),
			want{"max-states", options.MaxStates >= 0, "0 or more"},
			want{"workers", options.Workers >= 1 && options.Workers <= maxWorkers, "1 to 1024"},
		)...)
		if err != nil {
			return err
		}
		options.Scopes = c.args
		return c.drive(ctx, &options.Subject, options.Progress, func() (bool, error) { return gate.Explore(ctx, options) })
	},
}
