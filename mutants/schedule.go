package mutants

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"fetchproof/mutants/engine"
	"fetchproof/mutants/worker"
)

// job is one mutant to run.
type job struct {
	mutant *engine.Mutant
	index  uint32   // of the switch; 0 in a binary of its own
	layers []string // that reach it
	tasks  []worker.Task
	spared bool // some slow pieces are left out
}

// runAll reaches a verdict on every mutant of todo.
func (c *campaign) runAll(ctx context.Context, todo map[string]bool) error {
	jobs, err := c.plan(todo)
	if err != nil {
		return err
	}
	late, err := c.runSwitched(ctx, jobs)
	if err != nil {
		return err
	}
	for _, j := range late {
		if err := c.runAlone(ctx, j); err != nil {
			return err
		}
	}
	if c.Apart {
		return c.runApart(ctx, todo)
	}
	return nil
}

// plan settles the mutants that need no run, and lists the others.
func (c *campaign) plan(todo map[string]bool) ([]job, error) {
	var jobs []job
	for _, d := range c.compiled.Dropped {
		if todo[d.ID] {
			if err := c.verdicts.add(d.Mutant, Verdict{Status: Invalid, Reason: d.Reason}); err != nil {
				return nil, err
			}
		}
	}
	if !c.Apart {
		for _, m := range c.compiled.Apart {
			if todo[m.ID] {
				if err := c.verdicts.add(m, Verdict{Status: Unbuilt}); err != nil {
					return nil, err
				}
			}
		}
	}
	for _, s := range c.compiled.Mutants {
		if !todo[s.ID] {
			continue
		}
		if j := c.job(s); len(j.layers) > 0 {
			jobs = append(jobs, j)
		} else if err := c.verdicts.add(s.Mutant, Verdict{Status: Uncovered}); err != nil {
			return nil, err
		}
	}
	return jobs, nil
}

// job is a mutant behind the switch with all that reaches it. A named one is run layer by layer, so that what reports it
// first does not depend on how long anything takes.
func (c *campaign) job(s engine.Switched) job {
	spared := c.spares(s.ID)
	pieces := c.baseline.against(s.Site, func(p piece) bool { return spared && p.slow || c.Drawn && p.fixed })
	j := job{mutant: s.Mutant, index: s.Index, layers: c.baseline.reaching(s.Site), spared: spared && len(pieces) < len(c.baseline.reach[s.Site])}
	if _, named := c.named[s.ID]; named || c.Every {
		j.tasks = c.baseline.tasks(pieces)
	} else {
		j.tasks = c.baseline.cheapFirst(pieces)
	}
	return j
}

// spares reports whether a mutant is spared the slow pieces.
func (c *campaign) spares(id string) bool {
	_, accepted := c.ledger[id]
	return c.Quick || accepted && !c.Thorough
}

// each calls run for 0 to n-1, c.Workers at a time, and returns the first error, which ends the others.
func (c *campaign) each(ctx context.Context, n int, run func(context.Context, int) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(c.Workers, n) {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < n && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				if err := run(ctx, i); err != nil {
					cancel(err)
				}
			}
		})
	}
	wg.Wait()
	return context.Cause(ctx)
}

// runSwitched runs the jobs in c.Workers processes, and returns those that the clock ended.
func (c *campaign) runSwitched(ctx context.Context, jobs []job) ([]job, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	queue := make(chan job)
	var late []job
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range min(c.Workers, len(jobs)) {
		wg.Go(func() {
			w := &seat{campaign: c}
			defer w.close()
			for j := range queue {
				done, err := w.settle(ctx, j, 1)
				if err != nil {
					cancel(err)
					return
				}
				if !done {
					mu.Lock()
					late = append(late, j)
					mu.Unlock()
				}
			}
			if err := w.checkClean(ctx); err != nil {
				cancel(err)
			}
		})
	}
feed:
	for _, j := range jobs {
		select {
		case queue <- j:
		case <-ctx.Done():
			break feed
		}
	}
	close(queue)
	wg.Wait()
	return late, context.Cause(ctx)
}

// runAlone gives a mutant that the clock ended another try with nothing beside it and twice the time.
func (c *campaign) runAlone(ctx context.Context, j job) error {
	w := &seat{campaign: c}
	defer w.close()
	done, err := w.settle(ctx, j, 2)
	if err != nil || done {
		return err
	}
	fmt.Fprintf(c.Warnings, "%v: no verdict, twice: %s\n", j.mutant, w.late)
	return c.verdicts.add(j.mutant, Verdict{Status: Timeout, Reach: j.layers, Reason: w.late})
}

// runApart builds every selected mutant that does not fit behind the switch in binaries of its own, and runs all layers.
func (c *campaign) runApart(ctx context.Context, todo map[string]bool) error {
	for _, m := range c.compiled.Apart {
		if !todo[m.ID] {
			continue
		}
		w := &seat{campaign: c, apart: c.program.Fuelled(m)}
		err := c.settleApart(ctx, w, m)
		w.close()
		if err != nil {
			return err
		}
	}
	return nil
}

// settleApart reaches the verdict on a mutant in binaries of its own; there is nothing beside it already.
func (c *campaign) settleApart(ctx context.Context, w *seat, m *engine.Mutant) error {
	j := job{mutant: m, layers: c.baseline.layers}
	for _, l := range j.layers {
		j.tasks = append(j.tasks, c.baseline.whole(l))
	}
	for range 2 {
		done, err := w.settle(ctx, j, 2)
		var refused *engine.BuildError
		if errors.As(err, &refused) {
			return c.verdicts.add(m, Verdict{Status: Invalid, Reason: refused.Output})
		}
		if done || err != nil {
			return err
		}
	}
	return c.verdicts.add(m, Verdict{Status: Timeout, Reach: j.layers, Reason: w.late})
}
