// Command fetchproof checks a peer-to-peer fetch scheduler against the rules in model/RULES.md.
//
// Its exit code is 0 if all held, 1 if a check failed, and 2 if the input or the usage is wrong.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
)

// command is a subcommand: a file of its own, and no logic in it.
type command struct {
	name, args, summary string
	run                 func(ctx context.Context, c *call) error
}

var commands = []*command{checkCommand, replayCommand, shrinkCommand, exploreCommand, rulesCommand, mutateCommand, subjectCommand, convertCommand, benchCommand, netCommand, nodeCommand}

// errFailed is a check that failed and has been reported: exit code 1.
var errFailed = errors.New("a check failed")

// call is one invocation of a subcommand.
type call struct {
	flags          *flag.FlagSet
	args           []string // what is left after the flags
	stdout, stderr io.Writer
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	if len(args) == 0 {
		usage(stderr)
		return 2
	}
	if args[0] == "help" || args[0] == "-h" || args[0] == "-help" || args[0] == "--help" {
		usage(stdout)
		return 0
	}
	for _, cmd := range commands {
		if cmd.name == args[0] {
			return exitCode(cmd.invoke(ctx, args[1:], stdout, stderr), stderr)
		}
	}
	fmt.Fprintf(stderr, "fetchproof: unknown command %q\n\n", args[0])
	usage(stderr)
	return 2
}

func exitCode(err error, stderr io.Writer) int {
	switch {
	case err == nil || errors.Is(err, flag.ErrHelp):
		return 0
	case errors.Is(err, errFailed):
		return 1
	default:
		fmt.Fprintf(stderr, "fetchproof: %v\n", err)
		return 2
	}
}

func (cmd *command) invoke(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	c := &call{flags: flag.NewFlagSet(cmd.name, flag.ContinueOnError), args: args, stdout: stdout, stderr: stderr}
	c.flags.SetOutput(stderr)
	c.flags.Usage = func() {
		fmt.Fprintf(stderr, "usage: fetchproof %s %s\n\n%s.\n\n", cmd.name, cmd.args, cmd.summary)
		c.flags.PrintDefaults()
	}
	return cmd.run(ctx, c)
}

// parse reads the flags, which may stand before and after the arguments, and wants n of the latter; -1 is any number.
func (c *call) parse(n int) error {
	rest, files := c.args, []string(nil)
	for {
		if err := c.flags.Parse(rest); err != nil {
			return err
		}
		rest = c.flags.Args()
		if len(rest) == 0 {
			break
		}
		files, rest = append(files, rest[0]), rest[1:]
	}
	c.args = files
	if n >= 0 && len(files) != n {
		c.flags.Usage()
		return fmt.Errorf("%d arguments given, %d wanted", len(files), n)
	}
	return nil
}

func usage(w io.Writer) {
	fmt.Fprint(w, "fetchproof checks a fetch scheduler against the rules in model/RULES.md.\n\nusage: fetchproof COMMAND [flags]\n\n")
	for _, cmd := range commands {
		fmt.Fprintf(w, "  %-10s %-22s %s\n", cmd.name, cmd.args, cmd.summary)
	}
	fmt.Fprint(w, "\nExit codes: 0 all held, 1 a check failed, 2 the input or the usage is wrong.\nfetchproof COMMAND -h tells the flags of a command.\n")
}
