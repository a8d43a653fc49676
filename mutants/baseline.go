package mutants

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"time"

	"fetchproof/mutants/pool"
	"fetchproof/mutants/worker"
)

// baseline is what the layers do without a mutant.
type baseline struct {
	layers []string           // in the order to run them
	home   map[string]*binary // by layer
	pieces []piece            // layer by layer
	reach  map[uint32][]int   // by site, the pieces that execute it, in order
	slow   *regexp.Regexp     // matches the parts that are slow; nil if none is
	factor int64              // how many times the fuel of the baseline a mutant may use
	limit  time.Duration      // by the clock, of every mutant; 0 if that depends on what it is run against
}

// piece is a layer, or one part of a layer that has parts: what a mutant is run against if it is reached.
type piece struct {
	layer, part string
	burned      int64
	cost, wall  time.Duration // of the processor's, and by the clock
	slow, fixed bool
}

// baselineLimit bounds the baseline, which has nothing to be measured against.
const baselineLimit = 10 * time.Minute

// BaselineError is a layer that fails without any mutant: the suite is red, and a campaign would say nothing.
type BaselineError struct{ Outcome worker.Outcome }

// Is reports whether target is [ErrRed].
func (e *BaselineError) Is(target error) bool { return target == ErrRed }

func (e *BaselineError) Error() string {
	return fmt.Sprintf("layer %s does not pass without a mutant: %s %s %s", e.Outcome.Layer, e.Outcome.Status, e.Outcome.Check, e.Outcome.Message)
}

// measure runs every layer without a mutant.
func (c *campaign) measure(ctx context.Context) (baseline, error) {
	b := baseline{home: map[string]*binary{}, reach: map[uint32][]int{}, factor: c.FuelFactor, limit: c.WallLimit}
	if c.Slow != "" {
		b.slow = regexp.MustCompile(c.Slow) // it was tried before
	}
	recorded := make([][]worker.Outcome, len(c.binaries))
	err := c.each(ctx, len(c.binaries), func(ctx context.Context, i int) (err error) {
		recorded[i], err = c.record(ctx, c.binaries[i])
		return err
	})
	if err != nil {
		return baseline{}, err
	}
	for i, bin := range c.binaries {
		for _, o := range recorded[i] {
			if o.Status != worker.Passed {
				return baseline{}, &BaselineError{o}
			}
			if b.home[o.Layer] != nil {
				return baseline{}, usage("two layers are named %s", o.Layer)
			}
			b.add(o, bin)
		}
	}
	if len(b.layers) == 0 {
		return baseline{}, usage("the runner %s has no layer", c.Runner)
	}
	return b, nil
}

func (c *campaign) record(ctx context.Context, bin *binary) ([]worker.Outcome, error) {
	p, err := pool.Start(ctx, bin.path, bin.dir, c.temp)
	if err != nil {
		return nil, err
	}
	defer p.Close()
	req := worker.Request{Op: worker.OpRecord, Size: c.compiled.Size, Seed: c.Seed, Scale: c.Scale, Every: c.Every}
	resp, err := p.Do(ctx, req, baselineLimit)
	var crash *pool.Crash
	var deadlock *pool.Deadlock
	switch {
	case err == nil:
		return resp.Layers, nil
	case errors.Is(err, pool.ErrTimeout), errors.As(err, &deadlock), errors.As(err, &crash) && crash.Panic:
		return nil, red("baseline of %s: %w", bin.pkg, err)
	}
	return nil, fmt.Errorf("baseline of %s: %w", bin.pkg, err)
}

func (b *baseline) add(o worker.Outcome, home *binary) {
	b.layers = append(b.layers, o.Layer)
	b.home[o.Layer] = home
	for _, p := range o.Parts {
		for _, site := range p.Sites {
			b.reach[site] = append(b.reach[site], len(b.pieces))
		}
		b.pieces = append(b.pieces, piece{
			o.Layer, p.Name, p.Burned, time.Duration(p.CPU), time.Duration(p.Nanos), b.slow != nil && b.slow.MatchString(p.Name), o.Fixed,
		})
	}
}
