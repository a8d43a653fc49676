package main

import (
	"context"
	"strconv"
	"time"

	"fetchproof/internal/console"
	"fetchproof/ops"
	"fetchproof/props/gate"
)

var checkCommand = &command{
	name: "check", args: "[flags]",
	summary: "the main job: corpus, wire vectors, random programs in lockstep, small scopes, then the table of rules",
	run: func(ctx context.Context, c *call) error {
		options := gate.CheckOptions{Out: c.stdout, Progress: console.New(c.stderr)}
		seed := c.flags.String("seed", "", "draw programs from this `seed`: a number, or a commit hash of 40 hex digits (default: a new one, printed)")
		c.flags.DurationVar(&options.Time, "time", 30*time.Second, "how long to run random programs")
		c.flags.Int64Var(&options.Steps, "steps", 0, "run random programs for this many steps, whatever -time says")
		c.flags.IntVar(&options.Length, "length", 0, "operations of every program (default: as drawn, 10 to 4000)")
		c.flags.IntVar(&options.Workers, "workers", 0, "programs run at once (default: one a core)")
		c.flags.StringVar(&options.FailureDir, "failures", "failures", "write failing scenarios into this `directory`")
		c.flags.BoolVar(&options.NoCorpus, "no-corpus", false, "leave the corpus out")
		c.flags.BoolVar(&options.Coverage, "coverage", false, "measure what random programs visit of the scopes that explore knows")
		c.flags.BoolVar(&options.JSON, "json", false, "give the result as JSON")
		c.flags.BoolVar(&options.Verbose, "v", false, "print every situation of every rule, not only the rules")
		subjectFlags(c, &options.Subject)
		stateFlag(c, &options.Subject)
		if err := c.parse(0); err != nil {
			return err
		}
		err := c.demand(append(
			subjectWants(&options.Subject),
			want{"time", options.Time > 0, "more than 0"},
			want{"steps", options.Steps >= 1, "1 or more"},
			want{"length", options.Length >= 1 && options.Length < ops.MaxSteps, "1 to 262143, which one file holds"},
			want{"workers", options.Workers >= 1 && options.Workers <= maxWorkers, "1 to 1024"},
		)...)
		if err != nil {
			return err
		}
		if options.Seed, err = gate.ParseSeed(*seed); err != nil {
			return err
		}
		if *seed == "" {
			c.given = append(c.given, "-seed", strconv.FormatUint(options.Seed, 10)) // the one that was drawn
		}
		return c.drive(ctx, &options.Subject, options.Progress, func() (bool, error) { return gate.Check(ctx, options) })
	},
}
