package mutants

import (
	"context"
	"fmt"
	"io"
	"strings"
	"sync"

	"fetchproof/internal/console"
	"fetchproof/internal/replace"
	"fetchproof/mutants/catalogue"
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

// keptResults is the file that package catalogue embeds.
const keptResults = "mutants/catalogue/results.tsv"

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
	for _, file := range []string{o.Elements, o.Results} {
		if file == "" {
			continue
		}
		if err := replace.Possible(file); err != nil { // said now, not after the campaign
			return false, usage("write %s: %w", file, err)
		}
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
	if o.Named && o.Campaign.Seed == Suite().Seed {
		return o.compareKept(r)
	}
	return nil
}

// compareKept warns of kept results that are no longer so. They depend on the seed, so it is the usual one.
func (o *GateOptions) compareKept(r *Report) error {
	kept, err := catalogue.Results()
	if err != nil {
		return err
	}
	if names := r.outdated(kept); len(names) > 0 {
		fmt.Fprintf(o.Warnings, "fetchproof: %d named mutants are caught by something else than %s says (%s): -results %[2]s keeps it as it is now\n",
			len(names), keptResults, some(names))
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

// some is the first few of a list, and how many there are besides.
func some(list []string) string {
	const few = 5
	text := strings.Join(list[:min(few, len(list))], ", ")
	if more := len(list) - few; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}
