// Command fetchproof checks a peer-to-peer fetch scheduler against the rules in model/RULES.md.
//
// Its exit code is 0 if all held, 1 if a check failed, and 2 if the input or the usage is wrong or it was interrupted.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"sync"
	"syscall"
	"time"
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
	given          []string // all that follows the command's name
	args           []string // what is left of it after the flags
	wants, summary string   // of the command
	stdout, stderr io.Writer
}

func main() {
	// The first signal asks every command to stop where it can; the next one ends the process, whatever it is waiting for.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, func() {
		stop()
		time.AfterFunc(time.Second, func() { fmt.Fprintln(os.Stderr, "fetchproof: stopping; the next signal ends it at once") })
	})
	out := &output{to: os.Stdout}
	code := run(ctx, os.Args[1:], out, os.Stderr)
	if out.err != nil && code != 2 {
		fmt.Fprintf(os.Stderr, "fetchproof: standard output: %v\n", out.err)
		if code == 0 {
			code = 2 // nobody can read that all is well
		}
	}
	os.Exit(code)
}

// output is standard output. It remembers the first error of writing to it.
type output struct {
	to  io.Writer
	mu  sync.Mutex
	err error
}

func (o *output) Write(b []byte) (int, error) {
	n, err := o.to.Write(b)
	if err != nil {
		o.mu.Lock()
		defer o.mu.Unlock()
		if o.err == nil {
			o.err = err
		}
	}
	return n, err
}

// stdoutError is the first error of writing to standard output.
func (c *call) stdoutError() error {
	if o, ok := c.stdout.(*output); ok {
		o.mu.Lock()
		defer o.mu.Unlock()
		return o.err
	}
	return nil
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
	fmt.Fprintf(stderr, "fetchproof: unknown command %q (fetchproof help lists the commands)\n", args[0])
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
	c := &call{
		flags: flag.NewFlagSet(cmd.name, flag.ContinueOnError), given: slices.Clone(args), args: args,
		stdout: stdout, stderr: stderr, wants: cmd.args, summary: cmd.summary,
	}
	c.flags.Usage = func() {} // parse tells
	return cmd.run(ctx, c)
}

// help tells what the command does, and its flags.
func (c *call) help() {
	fmt.Fprintf(c.stdout, "usage: fetchproof %s %s\n\n%s.\n\n", c.flags.Name(), c.wants, c.summary)
	c.flags.SetOutput(c.stdout)
	c.flags.PrintDefaults()
}

func usage(w io.Writer) {
	fmt.Fprint(w, "fetchproof checks a fetch scheduler against the rules in model/RULES.md.\n\nusage: fetchproof COMMAND [flags]\n\n")
	for _, cmd := range commands {
		fmt.Fprintf(w, "  %-10s %-22s %s\n", cmd.name, cmd.args, cmd.summary)
	}
	fmt.Fprint(w, "\nExit codes: 0 all held, 1 a check failed, 2 the input or the usage is wrong, or it was interrupted.\nfetchproof COMMAND -h lists the flags of a command.\n")
}
