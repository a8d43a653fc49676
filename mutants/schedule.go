package mutants

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"fetchproof/mutants/engine"
	"fetchproof/mutants/pool"
	"fetchproof/mutants/worker"
)

// job is one mutant to run.
type job struct {
	mutant *engine.Mutant
	index  uint32   // of the switch; 0 in a binary of its own
	layers []string // that reach it
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
		j := job{s.Mutant, s.Index, c.baseline.reaching(s.Site)}
		if len(j.layers) > 0 {
			jobs = append(jobs, j)
		} else if err := c.verdicts.add(s.Mutant, Verdict{Status: Uncovered}); err != nil {
			return nil, err
		}
	}
	return jobs, nil
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
			w := &seat{campaign: c, path: c.runner}
			defer w.close()
			for j := range queue {
				done, err := w.settle(ctx, j, c.baseline.limit)
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
	w := &seat{campaign: c, path: c.runner}
	defer w.close()
	done, err := w.settle(ctx, j, 2*c.baseline.limit)
	if err != nil || done {
		return err
	}
	fmt.Fprintf(c.Warnings, "%v: no verdict within %v, twice\n", j.mutant, 2*c.baseline.limit)
	return c.verdicts.add(j.mutant, Verdict{Status: Timeout, Reach: j.layers})
}

// runApart builds every selected mutant that does not fit behind the switch in a binary of its own, and runs all layers.
func (c *campaign) runApart(ctx context.Context, todo map[string]bool) error {
	for i, m := range c.compiled.Apart {
		if !todo[m.ID] {
			continue
		}
		path := fmt.Sprintf("%s-apart-%d", c.runner, i)
		err := engine.Build(ctx, c.program.Root, c.program.Fuelled(m), c.Runner, path, c.temp)
		var refused *engine.BuildError
		if errors.As(err, &refused) {
			if err := c.verdicts.add(m, Verdict{Status: Invalid, Reason: refused.Output}); err != nil {
				return err
			}
			continue
		} else if err != nil {
			return err
		}
		if err := c.runBinary(ctx, m, path); err != nil {
			return err
		}
	}
	return nil
}

// runBinary reaches the verdict on a mutant in a binary of its own.
func (c *campaign) runBinary(ctx context.Context, m *engine.Mutant, path string) error {
	w := &seat{campaign: c, path: path}
	defer w.close()
	j := job{m, 0, c.baseline.layers}
	for range 2 {
		if done, err := w.settle(ctx, j, 2*c.baseline.limit); done || err != nil {
			return err
		}
	}
	return c.verdicts.add(m, Verdict{Status: Timeout, Reach: j.layers})
}

// seat is a place for a worker process, which is started when it is needed.
type seat struct {
	*campaign
	path    string
	process *pool.Process
}

func (s *seat) close() {
	if s.process != nil {
		s.process.Close()
		s.process = nil
	}
}

// do sends one request to the seat's process; after an error there is none.
func (s *seat) do(ctx context.Context, req worker.Request, limit time.Duration) (worker.Response, error) {
	if s.process == nil {
		p, err := pool.Start(ctx, s.path)
		if err != nil {
			return worker.Response{}, err
		}
		s.process = p
	}
	resp, err := s.process.Do(ctx, req, limit)
	if err != nil {
		s.process = nil
	}
	return resp, err
}

// request is a run of the job's layers.
func (s *seat) request(j job) worker.Request {
	return worker.Request{
		Op: worker.OpRun, Index: j.index, Seed: s.Seed, Scale: s.Scale, Layers: j.layers, Fuel: s.baseline.fuel, Every: s.Every,
	}
}

// settle runs a job and records its verdict; it reports false, and records nothing, if the clock ended it.
func (s *seat) settle(ctx context.Context, j job, limit time.Duration) (bool, error) {
	start := time.Now()
	kills, done, err := s.try(ctx, s.request(j), limit)
	if !done || err != nil {
		return false, err
	}
	v := Verdict{Status: Survived, Reach: j.layers}
	if n, named := s.named[j.mutant.ID]; named {
		if v.Alone, done, err = s.alone(ctx, j, n, limit); !done || err != nil {
			return false, err
		}
	}
	if len(kills) > 0 {
		v.Status, v.Kill, v.Also = Killed, &kills[0], kills[1:]
	}
	v.Millis = time.Since(start).Milliseconds()
	return true, s.verdicts.add(j.mutant, v)
}

// alone runs the one check that claims a named mutant.
func (s *seat) alone(ctx context.Context, j job, n Named, limit time.Duration) (*Kill, bool, error) {
	if n.Layer == "" {
		return nil, true, nil
	}
	req := s.request(j)
	req.Layers, req.Check, req.Every = []string{n.Layer}, n.Check, false
	kills, done, err := s.try(ctx, req, limit)
	if !done || err != nil || len(kills) == 0 {
		return nil, done, err
	}
	return &kills[0], true, nil
}

// try runs one request and reads the kills from its outcome; done is false if the clock, or something that is not the
// mutant, ended it.
func (s *seat) try(ctx context.Context, req worker.Request, limit time.Duration) (kills []Kill, done bool, err error) {
	resp, err := s.do(ctx, req, limit)
	var crash *pool.Crash
	switch {
	case errors.Is(err, pool.ErrTimeout):
		return nil, false, nil
	case errors.As(err, &crash):
		if !crash.Panic {
			return nil, false, nil
		}
		return s.blameLayer(ctx, req, limit, crash)
	case err != nil:
		return nil, false, err
	}
	for _, o := range resp.Layers {
		if k := outcomeKill(o); k != nil {
			kills = append(kills, *k)
		}
	}
	return kills, true, nil
}

// blameLayer runs the layers one by one after a crash: with the process the name of the layer was lost.
func (s *seat) blameLayer(ctx context.Context, req worker.Request, limit time.Duration, crash *pool.Crash) (kills []Kill, done bool, err error) {
	k := Kill{How: ByCrash, Message: crash.Reason()}
	if crash.OutOfFuel() {
		k.How = ByFuel
	}
	if len(req.Layers) == 1 {
		k.Layer = req.Layers[0]
		return []Kill{k}, true, nil
	}
	for _, layer := range req.Layers {
		one := req
		one.Layers = []string{layer}
		more, done, err := s.try(ctx, one, limit)
		if !done || err != nil {
			return nil, done, err
		}
		if kills = append(kills, more...); len(kills) > 0 && !req.Every {
			break
		}
	}
	if len(kills) == 0 {
		kills = []Kill{k} // it takes several layers in one process
	}
	return kills, true, nil
}

func outcomeKill(o worker.Outcome) *Kill {
	k := &Kill{Layer: o.Layer, Check: o.Check, Message: o.Message, Steps: o.Steps}
	switch o.Status {
	case worker.Failed:
		k.How = ByFailure
	case worker.Panicked:
		k.How = ByPanic
	case worker.Fuel:
		k.How = ByFuel
	default:
		return nil
	}
	return k
}

// checkClean runs the layers once more without a mutant: what fails now is state that some mutant left behind, and then no
// verdict of this process can be trusted.
func (s *seat) checkClean(ctx context.Context) error {
	if s.process == nil {
		return nil
	}
	kills, done, err := s.try(ctx, s.request(job{layers: s.baseline.layers}), s.baseline.limit)
	switch {
	case err != nil:
		return err
	case !done:
		return fmt.Errorf("after the mutants, the layers no longer end within %v without one", s.baseline.limit)
	case len(kills) == 0:
		return nil
	}
	return fmt.Errorf("mutants left state behind: without a mutant, layer %s now says %s %s %s", kills[0].Layer, kills[0].How, kills[0].Check, kills[0].Message)
}
