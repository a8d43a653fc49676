package mutants

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"fetchproof/mutants/engine"
)

// campaign is one run on its way.
type campaign struct {
	Options
	program    *engine.Program
	mutants    []*engine.Mutant // all there are, in order
	named      map[string]Named
	ledger     Ledger
	gaps       Gaps
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
	leftOut    int // selected mutants that Most leaves out
}

// Run is a whole campaign. Its error is about the campaign itself, see [ExitCode]; what the mutants showed is in
// the report, whose [Report.ExitCode] is the gate's answer. The context's end stops it soon;
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
	temp, err := newScratch()
	if err != nil {
		return err
	}
	defer temp.remove()
	c.temp = temp.dir
	if err := c.phases.Load.spend(func() error { return c.prepare(ctx) }); err != nil {
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
func (c *campaign) prepare(ctx context.Context) (err error) {
	if c.ledger, err = ReadLedger(c.Ledger); err != nil {
		return err
	}
	if c.gaps, err = ReadGaps(c.Gaps); err != nil {
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
	current := func(v Verdict) bool {
		asked := (!v.Spared || c.spares(v.Mutant)) && (v.Status != Unbuilt || !c.Apart) // as much as now
		return sources[v.Mutant] == v.Source && v.Test == c.testHash && v.Source != "" && asked
	}
	if c.Log != "" {
		if err := readLog(c.Log, c.resumed, current); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	for _, path := range c.Merge {
		if err := readLog(path, c.resumed, current); err != nil {
			return err
		}
	}
	return nil
}

// execute builds, once, and runs what has no verdict yet.
func (c *campaign) execute(ctx context.Context) error {
	todo, err := c.selection(ctx)
	if err != nil {
		return err
	}
	c.verdicts = newVerdicts(c, len(todo))
	if len(todo) == 0 {
		return nil
	}
	if c.compiled == nil {
		if err := c.phases.Build.spend(func() error { return c.build(ctx) }); err != nil {
			return err
		}
	}
	err = c.phases.Baseline.spend(func() (err error) {
		c.baseline, err = c.measure(ctx)
		return err
	})
	if err != nil {
		return err
	}
	c.verdicts.ran = time.Now()
	return c.phases.Run.spend(func() error { return c.runAll(ctx, todo) })
}

// buildRounds bounds how often a build is tried again without the functions that the compiler refused.
const buildRounds = 4

// build compiles the binaries with every mutant behind the switch. All of them are compiled in, whatever the selection:
// the build cache then serves every shard.
func (c *campaign) build(ctx context.Context) (err error) {
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
	return err
}

// buildBinaries builds the first by itself: the others find the packages that it shares with them in the build cache.
func (c *campaign) buildBinaries(ctx context.Context) error {
	build := func(ctx context.Context, b *binary) error { return b.build(ctx, c, c.compiled.Overlay, b.path) }
	if err := build(ctx, c.binaries[0]); err != nil {
		return err
	}
	rest := c.binaries[1:]
	return c.each(ctx, len(rest), func(ctx context.Context, i int) error { return build(ctx, rest[i]) })
}
