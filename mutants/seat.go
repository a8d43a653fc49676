package mutants

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"fetchproof/mutants/pool"
	"fetchproof/mutants/worker"
)

// seat is a place for one worker process of each binary, started when it is needed.
type seat struct {
	*campaign
	apart     map[string][]byte // if set, the sources to build binaries of this seat's own with
	own       map[*binary]string
	processes map[*binary]*pool.Process
	late      string // why the last run that reached no verdict did not
}

func (s *seat) close() {
	for b, p := range s.processes {
		p.Close()
		delete(s.processes, b)
	}
	for _, path := range s.own {
		_ = os.Remove(path) // early, for its size; the scratch directory goes anyway
	}
}

// do sends one request to the seat's process of a binary; after an error there is none.
func (s *seat) do(ctx context.Context, b *binary, req worker.Request, limit time.Duration) (worker.Response, error) {
	if s.processes[b] == nil {
		path, err := s.executable(ctx, b)
		if err != nil {
			return worker.Response{}, err
		}
		p, err := pool.Start(ctx, path, b.dir)
		if err != nil {
			return worker.Response{}, err
		}
		if s.processes == nil {
			s.processes = map[*binary]*pool.Process{}
		}
		s.processes[b] = p
	}
	resp, err := s.processes[b].Do(ctx, req, limit)
	if err != nil {
		delete(s.processes, b)
	} else if resp.Last {
		s.processes[b].Close()
		delete(s.processes, b)
	}
	return resp, err
}

// executable is the binary's, or the seat's own, built when it is first needed.
func (s *seat) executable(ctx context.Context, b *binary) (string, error) {
	if s.apart == nil {
		return b.path, nil
	}
	if path, ok := s.own[b]; ok {
		return path, nil
	}
	path := b.path + "-apart"
	if err := b.build(ctx, s.campaign, s.apart, path); err != nil {
		return "", err
	}
	if s.own == nil {
		s.own = map[*binary]string{}
	}
	s.own[b] = path
	return path, nil
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

// aloneScale is how many times its budget a check has that is run alone: it has to find the one way of failing that is its
// own, and ends when it has. The fuel, of the whole layer and with much to spare, is enough.
const aloneScale = 4

// alone runs the one check that claims a named mutant.
func (s *seat) alone(ctx context.Context, j job, n Named, limit time.Duration) (*Kill, bool, error) {
	if n.Layer == "" {
		return nil, true, nil
	}
	req := s.request(j)
	req.Layers, req.Check, req.Every = []string{n.Layer}, n.Check, false
	req.Scale *= aloneScale
	kills, done, err := s.try(ctx, req, limit)
	if !done || err != nil || len(kills) == 0 {
		return nil, done, err
	}
	return &kills[0], true, nil
}

// try runs the layers of a request, binary by binary, and reads the kills from their outcomes; done is false if the clock,
// or something that is not the mutant, ended one.
func (s *seat) try(ctx context.Context, req worker.Request, limit time.Duration) (kills []Kill, done bool, err error) {
	for _, group := range s.baseline.byBinary(req.Layers) {
		one := req
		one.Layers = group
		more, done, err := s.tryBinary(ctx, one, limit)
		if !done || err != nil {
			return nil, done, err
		}
		if kills = append(kills, more...); len(kills) > 0 && !req.Every {
			break
		}
	}
	return kills, true, nil
}

// tryBinary is try for layers of one binary.
func (s *seat) tryBinary(ctx context.Context, req worker.Request, limit time.Duration) (kills []Kill, done bool, err error) {
	resp, err := s.do(ctx, s.baseline.home[req.Layers[0]], req, limit)
	var crash *pool.Crash
	switch {
	case errors.Is(err, pool.ErrTimeout):
		s.late = fmt.Sprintf("%v (limit %v)", err, limit)
		return nil, false, nil
	case errors.As(err, &crash):
		if !crash.Panic {
			s.late = "killed from outside"
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
		more, done, err := s.tryBinary(ctx, one, limit)
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
// verdict of this seat can be trusted.
func (s *seat) checkClean(ctx context.Context) error {
	for _, layer := range s.baseline.layers {
		if s.processes[s.baseline.home[layer]] == nil {
			continue
		}
		kills, done, err := s.try(ctx, s.request(job{layers: []string{layer}}), s.baseline.limit)
		switch {
		case err != nil:
			return err
		case !done:
			return fmt.Errorf("after the mutants, layer %s no longer ends within %v without one", layer, s.baseline.limit)
		case len(kills) > 0:
			return fmt.Errorf("mutants left state behind: without one, layer %s now says %s %s %s", layer, kills[0].How, kills[0].Check, kills[0].Message)
		}
	}
	return nil
}
