package mutants

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"fetchproof/mutants/engine"
)

// campaign is one run on its way.
type campaign struct {
	Options
	program    *engine.Program
	mutants    []*engine.Mutant // all there are, in order
	only       map[string]bool  // if set, the ids to run
	named      map[string]Named
	ledger     Ledger
	sourceHash string
	testHash   string
	temp       string // scratch directory
	compiled   *engine.Compiled
	binaries   []*binary // those with the layers, switched
	baseline   baseline
	log        *log
	resumed    map[string]Verdict
	verdicts   *verdicts
	phases     Phases
}

// Phases is how long the parts of a campaign took, by the wall clock.
type Phases struct {
	Load     time.Duration // loading and type-checking the packages, proposing mutants
	Build    time.Duration // rewriting, type-checking again, and compiling the runner
	Baseline time.Duration
	Run      time.Duration
}

// Run is a whole campaign. Its error is about the campaign itself, and wraps [ErrUsage] if the caller can mend it; what
// the mutants showed is in the report, whose [Report.ExitCode] is the gate's answer. The context's end stops it soon;
// verdicts reached by then are in the log.
func Run(ctx context.Context, o Options) (*Report, error) {
	var r *Report
	err := o.with(ctx, func(c *campaign) error {
		err := c.execute(ctx)
		if err == nil {
			r = c.report()
		}
		return err
	})
	return r, err
}

// with prepares a campaign, gives it to run, and clears up.
func (o Options) with(ctx context.Context, run func(*campaign) error) error {
	o, err := o.withDefaults()
	if err != nil {
		return err
	}
	c := &campaign{Options: o, named: map[string]Named{}}
	if c.temp, err = os.MkdirTemp("", "mutants"); err != nil {
		return fmt.Errorf("scratch directory: %w", err)
	}
	defer os.RemoveAll(c.temp)
	if err := c.prepare(ctx); err != nil {
		return err
	}
	if c.log, err = openLog(c.Log); err != nil {
		return err
	}
	err = run(c)
	if closeErr := c.log.close(); err == nil && closeErr != nil {
		err = fmt.Errorf("close log: %w", closeErr)
	}
	return err
}

// prepare makes the mutants and reads what earlier campaigns left.
func (c *campaign) prepare(ctx context.Context) error {
	start := time.Now()
	var err error
	if c.ledger, err = ReadLedger(c.Ledger); err != nil {
		return err
	}
	if c.program, err = engine.Load(ctx, c.Dir, c.Packages...); err != nil {
		return usage("%w", err)
	}
	if err := c.enumerate(); err != nil {
		return err
	}
	c.sourceHash = sourceHash(c.program)
	if c.testHash, err = testHash(ctx, c.program, c.Options); err != nil {
		return err
	}
	c.phases.Load = time.Since(start)
	return c.resume()
}

// enumerate lists the mutants: the named ones first, then the generated.
func (c *campaign) enumerate() error {
	seen := map[string]bool{}
	add := func(m *engine.Mutant) error {
		if seen[m.ID] {
			return usage("two mutants have the id %s", m.ID)
		}
		seen[m.ID] = true
		c.mutants = append(c.mutants, m)
		return nil
	}
	for _, n := range c.Named {
		m, err := c.program.Anchored(n.Name, n.File, n.Anchor, n.Text)
		if err != nil {
			return usage("%w", err)
		}
		if err := add(m); err != nil {
			return err
		}
		c.named[n.Name] = n
	}
	if c.NoGenerated {
		return nil
	}
	for _, m := range c.program.Mutants() {
		if err := add(m); err != nil {
			return err
		}
	}
	return nil
}

// resume collects the verdicts of earlier and parallel campaigns that still hold.
func (c *campaign) resume() error {
	sources := map[string]string{}
	for _, m := range c.mutants {
		sources[m.ID] = c.source(m)
	}
	c.resumed = map[string]Verdict{}
	current := func(v Verdict) bool { return sources[v.Mutant] == v.Source && v.Test == c.testHash && v.Source != "" }
	for _, path := range append([]string{c.Log}, c.Merge...) {
		if err := readLog(path, c.resumed, current); err != nil {
			return err
		}
	}
	return nil
}

// execute builds and runs what has no verdict yet.
func (c *campaign) execute(ctx context.Context) error {
	todo, err := c.selection(ctx)
	if err != nil {
		return err
	}
	c.verdicts = newVerdicts(c, len(todo))
	if len(todo) == 0 {
		return nil
	}
	if err := c.build(ctx); err != nil {
		return err
	}
	start := time.Now()
	if c.baseline, err = c.measure(ctx); err != nil {
		return err
	}
	c.phases.Baseline = time.Since(start)
	start = time.Now()
	err = c.runAll(ctx, todo)
	c.phases.Run = time.Since(start)
	return err
}

// selection is the mutants of this campaign, shard and change, that have no verdict yet.
func (c *campaign) selection(ctx context.Context) (map[string]bool, error) {
	var changed changes
	if c.InDiff != "" {
		var err error
		if changed, err = changedSince(ctx, c.program.Root, c.InDiff); err != nil {
			return nil, err
		}
	}
	todo := map[string]bool{}
	for _, m := range c.mutants {
		_, done := c.resumed[m.ID]
		if !done && c.Shard.Has(m.ID) && (changed == nil || changed.has(m)) && (c.only == nil || c.only[m.ID]) {
			todo[m.ID] = true
		}
	}
	return todo, nil
}

// buildRounds bounds how often a build is tried again without the functions that the compiler refused.
const buildRounds = 4

// build compiles the binaries with every mutant behind the switch. All of them are compiled in, whatever the selection:
// the build cache then serves every shard.
func (c *campaign) build(ctx context.Context) error {
	start := time.Now()
	var err error
	if c.compiled, err = c.program.Compile(c.mutants); err != nil {
		return err
	}
	if err := c.listBinaries(ctx); err != nil {
		return err
	}
	for range buildRounds {
		err = c.buildBinaries(ctx)
		var refused *engine.BuildError
		if !errors.As(err, &refused) || !c.compiled.Blame(refused) {
			break
		}
		fmt.Fprintf(c.Warnings, "the compiler refused a rewritten function; its mutants are built apart:\n%s\n", refused.Output)
	}
	c.phases.Build = time.Since(start)
	return err
}

func (c *campaign) buildBinaries(ctx context.Context) error {
	for _, b := range c.binaries {
		if err := b.build(ctx, c, c.compiled.Overlay, b.path); err != nil {
			return err
		}
	}
	return nil
}
