package mutants

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"fetchproof/mutants/engine"
)

// Audit is what a comparison of switched mutants with real source edits showed.
type Audit struct {
	Compared   int
	Refused    int      // sampled mutants whose plain edit the compiler refuses, for a name that it leaves unused
	Unsteady   int      // killed both ways, but not by the same step twice: the fault lets an order that is random show
	Mismatches []string // those whose two verdicts differ
}

// AuditEngine checks the engine against the compiler: it takes n of the generated mutants that the options select, the same
// ones every time, makes each that some layer reaches as a plain edit in a build of its own without any instrumentation, and
// compares the verdict with that of the switched binary. A mutant that runs out of fuel there must run out of time here.
func AuditEngine(ctx context.Context, o Options, n int) (*Audit, error) {
	o.Log, o.Merge, o.Named, o.Most = "", nil, nil, n
	a := &Audit{}
	err := o.with(ctx, func(c *campaign) error {
		if err := c.execute(ctx); err != nil {
			return err
		}
		var ran []engine.Switched
		for _, s := range c.compiled.Mutants {
			if status := c.verdicts.known[s.ID].Status; status == Killed || status == Survived {
				ran = append(ran, s)
			}
		}
		c.verdicts = newVerdicts(c, len(ran)) // of the edits, from here on
		found := make([]comparison, len(ran))
		err := c.each(ctx, len(ran), func(ctx context.Context, i int) (err error) {
			found[i], err = c.compare(ctx, ran[i])
			return err
		})
		for _, f := range found {
			a.add(f)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return a, nil
}

// comparison is what came of one mutant.
type comparison struct {
	refused, unsteady bool
	mismatch          string
}

func (a *Audit) add(c comparison) {
	switch {
	case c.refused:
		a.Refused++
		return
	case c.unsteady:
		a.Unsteady++
	case c.mismatch != "":
		a.Mismatches = append(a.Mismatches, c.mismatch)
	}
	a.Compared++
}

// compare runs one mutant behind the switch once more, as a real edit, and compares.
func (c *campaign) compare(ctx context.Context, s engine.Switched) (comparison, error) {
	j := c.job(s)
	first, err := c.fresh(ctx, j)
	if err != nil {
		return comparison{}, err
	}
	w := &seat{campaign: c, apart: map[string][]byte{s.File.Path: s.Apply()}, hasty: true}
	defer w.close()
	edit := j
	edit.index = 0
	kills, done, err := w.try(ctx, w.request(edit), 1)
	var refused *engine.BuildError
	if errors.As(err, &refused) {
		return comparison{refused: true}, c.verdicts.add(s.Mutant, Verdict{Status: Invalid, Reason: refused.Output})
	} else if err != nil {
		return comparison{}, err
	}
	got := describe(kills, done)
	status := Survived
	if got != "survived" {
		status = Killed
	}
	if err := c.verdicts.add(s.Mutant, Verdict{Status: status}); err != nil || got == first {
		return comparison{}, err
	}
	if len(kills) > 0 && first != "survived" {
		steady, err := c.steady(ctx, j, first)
		if err != nil || !steady {
			return comparison{unsteady: true}, err
		}
	}
	return comparison{mismatch: fmt.Sprintf("%v: as an edit %s, behind the switch %s", s.Mutant, got, first)}, nil
}

// fresh is the verdict on a switched mutant in processes of its own.
func (c *campaign) fresh(ctx context.Context, j job) (string, error) {
	w := &seat{campaign: c}
	defer w.close()
	kills, done, err := w.try(ctx, w.request(j), 1)
	return describe(kills, done), err
}

// steady reports whether a switched mutant gets the verdict first in every one of some fresh processes.
func (c *campaign) steady(ctx context.Context, j job, first string) (bool, error) {
	for range 5 {
		if again, err := c.fresh(ctx, j); err != nil || again != first {
			return false, err
		}
	}
	return true, nil
}

// describe tells verdicts apart as far as the two kinds of build can agree.
func describe(kills []Kill, done bool) string {
	switch {
	case !done:
		return "endless"
	case len(kills) == 0:
		return "survived"
	}
	k := kills[0]
	switch k.How {
	case ByFuel:
		return "endless"
	case ByFailure:
		return fmt.Sprintf("%s by %s/%s: %s (step %d)", k.How, k.Layer, k.Check, k.Message, k.Steps)
	}
	return fmt.Sprintf("%s by %s", k.How, k.Layer)
}

// GateAudit runs [AuditEngine], writes what it showed, and reports whether the engine is right.
func GateAudit(ctx context.Context, o GateOptions, n int) (bool, error) {
	c := o.Campaign
	c.Warnings = o.Warnings
	c.Progress = o.progress()
	a, err := AuditEngine(ctx, c, n)
	o.Progress.Stop()
	if err != nil {
		return false, err
	}
	return len(a.Mismatches) == 0, a.Write(o.Out)
}

// Write writes the audit for people.
func (a *Audit) Write(w io.Writer) error {
	for _, m := range slices.Sorted(slices.Values(a.Mismatches)) {
		fmt.Fprintln(w, "FAIL     ", m)
	}
	_, err := fmt.Fprintf(w, "audit     %d mutants made as edits of the source; of another verdict %d; killed by another step in every run %d; refused by the compiler %d\n",
		a.Compared, len(a.Mismatches), a.Unsteady, a.Refused)
	return err
}
