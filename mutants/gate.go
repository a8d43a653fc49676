package mutants

import (
	"context"
	"fmt"
	"io"
	"sync"

	"fetchproof/internal/console"
	"fetchproof/internal/replace"
)

// GateOptions say what the command runs and where its results go.
type GateOptions struct {
	Campaign Options // Suite's, with what the caller wants of it; the named mutants are added here

	NoNamed bool // leave the named mutants out
	Named   bool // leave the generated ones out

	Out      io.Writer
	Warnings io.Writer
	Progress *console.Progress
	JSON     bool   // write the report as mutation-testing-elements JSON to Out, in place of the tables
	Elements string // write it to this file, besides
	Results  string // write what caught each named mutant to this file; see catalogue.Results
}

// Gate runs a campaign, writes its report, and reports whether all held. An error is about the campaign itself; see
// [ExitCode].
func Gate(ctx context.Context, o GateOptions) (held bool, err error) {
	c := o.Campaign
	if o.Named && o.NoNamed {
		return false, usage("neither the named mutants nor the generated ones are wanted")
	}
	if !o.NoNamed {
		if c.Named, err = NamedMutants(); err != nil {
			return false, err
		}
	}
	if o.Named {
		c.onlyNamed()
	}
	c.Warnings = o.Warnings
	c.Progress = o.progress()
	r, err := Run(ctx, c)
	o.Progress.Stop()
	if err != nil {
		return false, err
	}
	return r.ExitCode() == 0, o.write(r)
}

// progress begins to show how far a campaign is, and is what tells.
func (o *GateOptions) progress() func(Progress) {
	var now Progress
	var mu sync.Mutex
	o.Progress.Start(func() string {
		mu.Lock()
		defer mu.Unlock()
		if now.Total == 0 {
			return "building the mutants and measuring the layers without them"
		}
		return now.String()
	})
	return func(p Progress) {
		mu.Lock()
		defer mu.Unlock()
		now = p
	}
}

// write puts the report where it is wanted.
func (o *GateOptions) write(r *Report) error {
	text := r.WriteText
	switch {
	case o.JSON:
		text = r.WriteElements
	case o.Named:
		text = r.WriteNamed
	}
	if err := text(o.Out); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	if o.Elements != "" {
		if err := writeFile(o.Elements, r.WriteElements); err != nil {
			return err
		}
	}
	if o.Results != "" {
		return writeFile(o.Results, r.WriteResults)
	}
	return nil
}

// writeFile puts what write writes in place of a file.
func writeFile(path string, write func(io.Writer) error) error {
	if err := replace.File(path, write); err != nil {
		return usage("write %s: %w", path, err)
	}
	return nil
}
