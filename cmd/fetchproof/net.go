package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"fetchproof/internal/input"
	"fetchproof/nettest"
	"fetchproof/props/gate"
)

var netCommand = &command{
	name: "net", args: "[FILE] [flags]",
	summary: "runs a small network of real nodes over QUIC, in one process, and judges what they did by the model",
	run: func(ctx context.Context, c *call) error {
		var options nettest.Options
		c.flags.BoolVar(&options.Real, "real", false, "run over UDP on the loopback interface, in real time (default: virtual time)")
		traces := c.flags.String("traces", "", "write what every node recorded into this `directory`")
		verbose := c.flags.Bool("v", false, "let the nodes log to standard error")
		published := c.flags.Bool("published", false, "make the published runs and print ours beside the published figures")
		example := c.flags.Bool("example", false, "print a scenario file that uses most of what there is")
		if err := c.parse(-1); err != nil {
			return err
		}
		if *verbose {
			options.Log = slog.New(slog.NewTextHandler(c.stderr, nil))
		}
		if (*example || *published) && len(c.args) > 0 {
			return c.misused("%q: no file is read with -example or -published", c.args)
		}
		switch {
		case *example:
			_, err := io.WriteString(c.stdout, nettest.Example)
			return err
		case *published:
			_, err := nettest.Published(ctx, c.stdout)
			return reported(ctx, c, err)
		}
		scenario, err := netScenario(c.args)
		if err != nil {
			return err
		}
		if *traces != "" { // said now, not after the run
			if err := os.MkdirAll(*traces, 0o755); err != nil {
				return err
			}
		}
		results, err := nettest.Run(ctx, scenario, options, c.stdout)
		if err != nil {
			return reported(ctx, c, err)
		}
		return writeTraces(*traces, results)
	},
}

// reported prints what a check found and makes it exit code 1. A run that was stopped, or whose output went nowhere, has
// found nothing.
func reported(ctx context.Context, c *call, err error) error {
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil && errors.Is(err, ctx.Err()):
		return gate.ErrInterrupted
	case c.stdoutError() != nil:
		return err
	}
	fmt.Fprintf(c.stderr, "fetchproof: %v\n", err)
	return errFailed
}

// netScenario is the scenario of the file, or the example.
func netScenario(args []string) (nettest.Scenario, error) {
	if len(args) == 0 {
		return nettest.ParseScenario(strings.NewReader(nettest.Example))
	}
	if len(args) > 1 {
		return nettest.Scenario{}, fmt.Errorf("net: %q: one file is wanted", args)
	}
	f, err := input.Open(args[0])
	if err != nil {
		return nettest.Scenario{}, err
	}
	defer f.Close()
	scenario, err := nettest.ParseScenario(f)
	if err != nil {
		return scenario, fmt.Errorf("%s: %w", args[0], err)
	}
	return scenario, nil
}

func writeTraces(dir string, results []*nettest.Result) error {
	if dir == "" {
		return nil
	}
	for _, r := range results {
		sub := filepath.Join(dir, r.Policy)
		if err := os.MkdirAll(sub, 0o755); err != nil {
			return err
		}
		for name, trace := range r.Traces {
			if err := os.WriteFile(filepath.Join(sub, name), trace, 0o644); err != nil {
				return err
			}
		}
	}
	return nil
}
