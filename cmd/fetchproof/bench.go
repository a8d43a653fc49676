package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"

	"fetchproof/bench"
	"fetchproof/internal/console"
)

var benchCommand = &command{
	name: "bench", args: "[flags]",
	summary: "the benchmark at 131,072 keys, against its thresholds and a plain twin",
	run: func(ctx context.Context, c *call) error {
		var options bench.Options
		c.flags.BoolVar(&options.Short, "short", false, "measure only what takes under two minutes")
		c.flags.BoolVar(&options.RatiosOnly, "ratios", false, "judge ratios, allocations and memory only: for a machine of unknown speed")
		c.flags.IntVar(&options.Repeat, "repeat", 3, "how often each case is run; the least counts")
		c.flags.StringVar(&options.Dir, "o", "", "write text, JSON, tables and charts into this `directory`")
		asJSON := c.flags.Bool("json", false, "give the report as JSON")
		if err := c.parse(0); err != nil {
			return err
		}
		err := c.demand(
			want{"repeat", options.Repeat >= 1 && options.Repeat <= bench.MaxRepeat, fmt.Sprintf("1 to %d", bench.MaxRepeat)},
			want{"o", options.Dir != "", "a directory"},
		)
		if err != nil {
			return err
		}
		lines := c.stdout
		if *asJSON {
			lines, options.Progress = io.Discard, console.New(c.stderr)
		}
		report, err := bench.Run(ctx, options, lines)
		if err != nil {
			return err
		}
		if *asJSON {
			err = json.NewEncoder(c.stdout).Encode(&report)
		} else {
			err = report.WriteSummary(c.stdout)
		}
		if err != nil {
			return err
		}
		if failures := report.Failures(); len(failures) > 0 {
			for _, f := range failures {
				fmt.Fprintln(c.stderr, f.Text)
			}
			fmt.Fprintf(c.stderr, "%d of %d figures fell short\n", len(failures), len(report.Checks))
			return errFailed
		}
		return nil
	},
}
