package mutants

import (
	"context"
	"errors"
	"fmt"

	"fetchproof/mutants/engine"
)

// Audit is what a comparison of switched mutants with real source edits showed.
type Audit struct {
	Compared   int
	Refused    int      // sampled mutants whose plain edit the compiler refuses, for a name that it leaves unused
	Unsteady   int      // killed both ways, but not by the same step twice: the fault lets an order that is random show
	Mismatches []string // those whose two verdicts differ
}

// AuditEngine checks the engine against the compiler: it takes about n mutants of the options' selection, the same ones
// every time, makes each that some layer reaches as a plain edit in a build of its own without any instrumentation, and
// compares the verdict with that of the switched binary. A mutant that runs out of fuel there must run out of time here.
func AuditEngine(ctx context.Context, o Options, n int) (*Audit, error) {
	o.Log, o.Merge = "", nil
	a := &Audit{}
	err := o.with(ctx, func(c *campaign) error {
		c.only = spread(c.mutants, n)
		if err := c.execute(ctx); err != nil {
			return err
		}
		for _, s := range c.compiled.Mutants {
			if status := c.verdicts.known[s.ID].Status; status == Killed || status == Survived {
				if err := a.compare(ctx, c, s); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return a, nil
}

// spread is up to n of the mutants, evenly over all.
func spread(all []*engine.Mutant, n int) map[string]bool {
	out := map[string]bool{}
	for i := range min(n, len(all)) {
		out[all[i*len(all)/min(n, len(all))].ID] = true
	}
	return out
}

// compare builds one mutant as a real edit and compares.
func (a *Audit) compare(ctx context.Context, c *campaign, s engine.Switched) error {
	w := &seat{campaign: c, apart: map[string][]byte{s.File.Path: s.Apply()}}
	defer w.close()
	want := c.verdicts.known[s.ID]
	kills, done, err := w.try(ctx, w.request(job{s.Mutant, 0, want.Reach}), c.baseline.limit)
	var refused *engine.BuildError
	if errors.As(err, &refused) {
		a.Refused++
		return nil
	} else if err != nil {
		return err
	}
	a.Compared++
	got, first := describe(kills, done), describe(want.kills(), true)
	if got == first {
		return nil
	}
	if len(kills) > 0 && want.Status == Killed {
		steady, err := c.steady(ctx, job{s.Mutant, s.Index, want.Reach}, first)
		if err != nil {
			return err
		}
		if !steady {
			a.Unsteady++
			return nil
		}
	}
	a.Mismatches = append(a.Mismatches, fmt.Sprintf("%v: as an edit %s, behind the switch %s", s.Mutant, got, first))
	return nil
}

// steady reports whether a switched mutant gets the verdict first in every one of some fresh processes.
func (c *campaign) steady(ctx context.Context, j job, first string) (bool, error) {
	for range 5 {
		w := &seat{campaign: c}
		kills, done, err := w.try(ctx, w.request(j), c.baseline.limit)
		w.close()
		if err != nil || describe(kills, done) != first {
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
