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
	layers []string                   // in the order to run them
	home   map[string]*binary         // by layer
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
	b := baseline{home: map[string]*binary{}, reach: map[string]map[uint32]bool{}, fuel: map[string]int64{}}
	for _, bin := range c.binaries {
		outcomes, err := c.record(ctx, bin)
		if err != nil {
			return baseline{}, err
		}
		for _, o := range outcomes {
			if o.Status != worker.Passed {
				return baseline{}, &BaselineError{o}
			}
			if b.home[o.Layer] != nil {
				return baseline{}, usage("two layers are named %s", o.Layer)
			}
			b.add(o, bin, c.FuelFactor)
		}
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

func (c *campaign) record(ctx context.Context, bin *binary) ([]worker.Outcome, error) {
	p, err := pool.Start(ctx, bin.path, bin.dir)
	if err != nil {
		return nil, err
	}
	defer p.Close()
	req := worker.Request{Op: worker.OpRecord, Size: c.compiled.Size, Seed: c.Seed, Scale: c.Scale}
	resp, err := p.Do(ctx, req, baselineLimit)
	if err != nil {
		return nil, fmt.Errorf("baseline of %s: %w", bin.pkg, err)
	}
	return resp.Layers, nil
}

func (b *baseline) add(o worker.Outcome, home *binary, factor int64) {
	b.layers = append(b.layers, o.Layer)
	b.home[o.Layer] = home
	b.fuel[o.Layer] = max(minFuel, factor*o.Burned)
	b.reach[o.Layer] = map[uint32]bool{}
	for _, site := range o.Sites {
		b.reach[o.Layer][site] = true
	}
	b.wall += time.Duration(o.Nanos)
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

// byBinary splits layers, which are in order, where the binary changes.
func (b *baseline) byBinary(layers []string) [][]string {
	var out [][]string
	for i, l := range layers {
		if i == 0 || b.home[l] != b.home[layers[i-1]] {
			out = append(out, nil)
		}
		out[len(out)-1] = append(out[len(out)-1], l)
	}
	return out
}
