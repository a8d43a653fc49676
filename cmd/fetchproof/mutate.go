package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"fetchproof/internal/console"
	"fetchproof/mutants"
	"fetchproof/props/gate"
)

var mutateCommand = &command{
	name: "mutate", args: "[flags]",
	summary: "plants faults in a copy of the implementation, and tells which of them nothing catches",
	run: func(ctx context.Context, c *call) error {
		o := mutants.GateOptions{Campaign: mutants.Suite(), Out: c.stdout, Warnings: c.stderr, Progress: console.New(c.stderr)}
		canary := c.flags.String("canary", "", "plant only the named `mutant`, and see that the main job turns red, with the corpus and without")
		audit := c.flags.Int("audit", 0, "make this `number` of generated mutants as edits of the source, in builds of their own, and compare the verdicts")
		power := c.flags.String("power", "", "measure how soon each layer catches each named mutant, and compare it with the table in this `file`")
		keep := c.flags.Bool("keep-power", false, "replace the file of -power with the new table")
		seed := c.flags.String("seed", "1", "draw programs from this `seed`: a number, or a commit hash of 40 hex digits")
		shard := c.flags.String("shard", "1/1", "run only part `i/n` of the mutants")
		merge := c.flags.String("merge", "", "take the verdicts of these logs of other shards, `FILE,FILE`")
		compare := c.flags.String("compare", "", "plant nothing: list the mutants whose verdicts differ between these logs, `FILE,FILE`")
		c.flags.BoolVar(&o.Named, "named", false, "run only the named mutants, each against its own check alone and against everything")
		c.flags.BoolVar(&o.NoNamed, "generated", false, "run only the generated mutants")
		c.flags.StringVar(&o.Campaign.InDiff, "in-diff", "", "of the generated mutants, run only those of lines changed since this `revision`")
		c.flags.BoolVar(&o.Campaign.Thorough, "thorough", false, "hold accepted survivors, too, against the slow parts of the layers")
		c.flags.BoolVar(&o.Campaign.Quick, "quick", false, "leave the slow parts of the layers out: survivors may not survive those")
		c.flags.IntVar(&o.Campaign.Most, "most", 0, "of the generated mutants that are left, run at most this `number`, always the same ones (default: all)")
		in := c.flags.String("in", "", "run only the mutants in these `packages`, such as impl/wire,impl/node/...")
		c.flags.StringVar(&o.Campaign.Log, "log", "", "append every verdict to this `file`, and go on from those that it has")
		c.flags.StringVar(&o.Campaign.Ledger, "ledger", "mutants/ledger.txt", "accept the survivors listed in this `file`, with a reason each")
		c.flags.StringVar(&o.Campaign.Gaps, "gaps", "mutants/gaps.txt", "require the functions that no layer reaches to be listed in this `file`, with a reason")
		c.flags.StringVar(&o.Elements, "elements", "", "write the report as mutation-testing-elements JSON to this `file`")
		c.flags.StringVar(&o.Results, "results", "", "write what caught each named mutant to this `file`")
		c.flags.BoolVar(&o.JSON, "json", false, "give the report as mutation-testing-elements JSON")
		c.flags.BoolVar(&o.Campaign.Apart, "apart", false, "also build the mutants that do not fit behind the switch, each in a build of its own")
		c.flags.IntVar(&o.Campaign.Scale, "scale", 100, "`percent` of every layer's budget")
		c.flags.IntVar(&o.Campaign.Workers, "workers", 0, "mutants run at once (default: one more than there are cores)")
		if err := c.parse(0); err != nil {
			return err
		}
		err := c.demand(
			want{"workers", o.Campaign.Workers >= 1 && o.Campaign.Workers <= maxWorkers, "1 to 1024"},
			want{"scale", o.Campaign.Scale >= 1, "1 or more"},
			want{"most", o.Campaign.Most >= 1, "1 or more"},
			want{"audit", *audit >= 1, "1 or more"},
			want{"in", *in != "", "a package"},
			want{"in-diff", o.Campaign.InDiff != "", "a revision"}, // an unset variable of a script
			want{"canary", *canary != "", "a mutant"},
			want{"log", o.Campaign.Log != "", "a file"},
			want{"merge", *merge != "", "one file or more"},
			want{"compare", *compare != "", "two files or more"},
			want{"power", *power != "", "a file"},
		)
		if err != nil {
			return err
		}
		if err := c.demandRead(); err != nil {
			return err
		}
		if o.Campaign.Seed, err = gate.ParseSeed(*seed); err != nil {
			return err
		}
		if o.Campaign.Shard, err = mutants.ParseShard(*shard); err != nil {
			return err
		}
		if *in != "" {
			o.Campaign.In = strings.Split(*in, ",")
		}
		if *merge != "" {
			o.Campaign.Merge = strings.Split(*merge, ",")
		}
		if *compare != "" {
			held, err := mutants.GateCompare(c.stdout, strings.Split(*compare, ","))
			return c.mutated(ctx, held, err)
		}
		if *canary != "" {
			held, err := mutants.Canary(ctx, c.stdout, *canary, o.Campaign.Seed)
			return c.mutated(ctx, held, err)
		}
		if *audit > 0 {
			held, err := mutants.GateAudit(ctx, o, *audit)
			return c.mutated(ctx, held, err)
		}
		if *power != "" {
			return c.mutated(ctx, true, mutants.GatePower(ctx, o, *power, *keep))
		}
		held, err := mutants.Gate(ctx, o)
		return c.mutated(ctx, held, err)
	},
}

// mutated turns the result of a campaign into that of the command: a suite that is red without a mutant is no mistake of
// the caller's, and a campaign that was stopped has shown nothing.
func (c *call) mutated(ctx context.Context, held bool, err error) error {
	switch {
	case err != nil && ctx.Err() != nil:
		return errors.New("stopped; with -log, the verdicts so far are kept and the same command goes on from them")
	case err != nil && mutants.ExitCode(err) == 1:
		fmt.Fprintf(c.stderr, "fetchproof: %v\n", err)
		return errFailed
	case err == nil && !held:
		return errFailed
	}
	return err
}
