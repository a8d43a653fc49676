package mutants

import (
	"context"
	"fmt"
	"time"

	"fetchproof/mutants/pool"
	"fetchproof/mutants/worker"
)

// baseline is what the layers do without a mutant.
type baseline struct {
	layers []string                   // in the runner's order
	reach  map[string]map[uint32]bool // by layer, the sites that it executes
	fuel   map[string]int64           // by layer, what a mutant may burn
	wall   time.Duration              // all layers together
	limit  time.Duration              // what a mutant may take
}

// baselineLimit bounds the baseline, which has nothing to be measured against.
const baselineLimit = 10 * time.Minute

// minWall is the least that a mutant may take: fuel is what ends loops, and a loaded machine is no verdict.
const minWall = 20 * time.Second

// BaselineError is a layer that fails without any mutant: the suite is red, and a campaign would say nothing.
type BaselineError struct{ Outcome worker.Outcome }

func (e *BaselineError) Error() string {
	return fmt.Sprintf("layer %s does not pass without a mutant: %s %s %s", e.Outcome.Layer, e.Outcome.Status, e.Outcome.Check, e.Outcome.Message)
}

// measure runs every layer without a mutant.
func (c *campaign) measure(ctx context.Context) (baseline, error) {
	p, err := pool.Start(ctx, c.runner)
	if err != nil {
		return baseline{}, err
	}
	defer p.Close()
	req := worker.Request{Op: worker.OpRecord, Size: c.compiled.Size, Seed: c.Seed, Scale: c.Scale}
	resp, err := p.Do(ctx, req, baselineLimit)
	if err != nil {
		return baseline{}, fmt.Errorf("baseline: %w", err)
	}
	b := baseline{reach: map[string]map[uint32]bool{}, fuel: map[string]int64{}}
	for _, o := range resp.Layers {
		if o.Status != worker.Passed {
			return baseline{}, &BaselineError{o}
		}
		b.layers = append(b.layers, o.Layer)
		b.fuel[o.Layer] = max(minFuel, c.FuelFactor*o.Burned)
		b.reach[o.Layer] = map[uint32]bool{}
		for _, site := range o.Sites {
			b.reach[o.Layer][site] = true
		}
		b.wall += time.Duration(o.Nanos)
	}
	b.limit = c.WallLimit
	if b.limit == 0 {
		b.limit = max(minWall, 30*b.wall)
	}
	if len(b.layers) == 0 {
		return baseline{}, usage("the runner %s has no layer", c.Runner)
	}
	return b, nil
}

// reaching is the layers that execute a site.
func (b *baseline) reaching(site uint32) []string {
	var out []string
	for _, l := range b.layers {
		if b.reach[l][site] {
			out = append(out, l)
		}
	}
	return out
}
