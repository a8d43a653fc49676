package mutants

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
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
	hasty     bool   // the first task without an answer settles it: without fuel, a loop without end takes all of the clock
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
		p, err := pool.Start(ctx, path, b.dir, s.temp)
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
	dir, err := os.MkdirTemp(s.temp, "apart")
	if err != nil {
		return "", usage("scratch directory for a build apart: %w", err)
	}
	path := filepath.Join(dir, filepath.Base(b.path))
	if err := b.build(ctx, s.campaign, s.apart, path); err != nil {
		return "", err
	}
	if s.own == nil {
		s.own = map[*binary]string{}
	}
	s.own[b] = path
	return path, nil
}

// request is a run of the job's tasks.
func (s *seat) request(j job) worker.Request {
	return worker.Request{Op: worker.OpRun, Index: j.index, Seed: s.Seed, Scale: s.Scale, Tasks: j.tasks, Every: s.Every}
}

// settle runs a job and records its verdict; it reports false, and records nothing, if the clock ended it. patience
// multiplies what the clock gives.
func (s *seat) settle(ctx context.Context, j job, patience int) (bool, error) {
	start := time.Now()
	kills, done, err := s.try(ctx, s.request(j), patience)
	if !done || err != nil {
		return false, err
	}
	v := Verdict{Status: Survived, Reach: j.layers, Spared: j.spared && len(kills) == 0}
	if n, named := s.named[j.mutant.ID]; named && !s.Every {
		if v.Alone, done, err = s.alone(ctx, j, n, patience); !done || err != nil {
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
func (s *seat) alone(ctx context.Context, j job, n Named, patience int) (*Kill, bool, error) {
	if n.Layer == "" {
		return nil, true, nil
	}
	req := s.request(j)
	if s.baseline.home[n.Layer] == nil {
		return nil, false, usage("named mutant %s: there is no layer %s", n.Name, n.Layer)
	}
	req.Tasks, req.Check, req.Every = []worker.Task{s.baseline.whole(n.Layer)}, n.Check, false
	req.Scale *= aloneScale
	kills, done, err := s.try(ctx, req, patience)
	if !done || err != nil || len(kills) == 0 {
		return nil, done, err
	}
	return &kills[0], true, nil
}

// try runs the tasks of a request, binary by binary, and reads the kills from their outcomes; done is false if the clock,
// or something that is not the mutant, ended one, and no other killed.
func (s *seat) try(ctx context.Context, req worker.Request, patience int) (kills []Kill, done bool, err error) {
	unanswered := 0
	for _, group := range s.baseline.byBinary(req.Tasks) {
		one := req
		one.Tasks = group
		more, late, err := s.tryBinary(ctx, one, patience)
		if err != nil {
			return nil, false, err
		}
		unanswered += late
		if kills = append(kills, more...); len(kills) > 0 && !req.Every {
			return kills, true, nil
		}
		if late > 0 && s.hasty {
			break
		}
	}
	return kills, unanswered == 0, nil
}

// mostUnanswered is how many tasks of one binary may end without an answer. After one the others are run nevertheless: a
// kill by any of them is one, whichever happens to come first.
const mostUnanswered = 2

// patient is how many tasks of one binary may end without an answer.
func (s *seat) patient() int {
	if s.hasty {
		return 1
	}
	return mostUnanswered
}

// tryBinary is try for tasks of one binary; unanswered are those without an answer. What fails in a layer that depends on
// the real clock, or a network, has to fail twice: once may have been the machine. A deadlock never is.
func (s *seat) tryBinary(ctx context.Context, req worker.Request, patience int) (kills []Kill, unanswered int, err error) {
	for len(req.Tasks) > 0 && unanswered < s.patient() {
		found, ran, done, err := s.tryOnce(ctx, req, patience)
		if err == nil && done && len(found) > 0 && found[0].How != ByDeadlock && !req.Every && slices.Contains(s.Timed, req.Tasks[ran-1].Layer) {
			again := req
			again.Tasks = req.Tasks[ran-1 : ran]
			found, _, done, err = s.tryOnce(ctx, again, patience)
		}
		if err != nil {
			return nil, 0, err
		}
		if !done {
			unanswered++
		}
		if kills = append(kills, found...); len(kills) > 0 && !req.Every {
			break
		}
		req.Tasks = req.Tasks[ran:]
	}
	return kills, unanswered, nil
}

// tryOnce runs tasks of one binary until one fails, or its process ends. It tells how many have been run, at least one; done
// is false if the last has no answer.
func (s *seat) tryOnce(ctx context.Context, req worker.Request, patience int) (kills []Kill, ran int, done bool, err error) {
	limit := time.Duration(patience) * s.baseline.wall(req.Tasks) * time.Duration(max(req.Scale, s.Scale)) / time.Duration(s.Scale)
	resp, err := s.do(ctx, s.baseline.home[req.Tasks[0].Layer], req, limit)
	for _, o := range resp.Layers {
		if k := outcomeKill(o); k != nil {
			kills = append(kills, *k)
		}
	}
	if err == nil {
		return kills, max(len(resp.Layers), 1), true, nil
	}
	k, err := s.death(err, limit)
	if err != nil {
		return nil, 0, false, err
	}
	ran = min(len(resp.Layers)+1, len(req.Tasks))
	if k == nil {
		return kills, ran, false, nil
	}
	k.Layer = req.Tasks[ran-1].Layer
	return append(kills, *k), ran, true, nil
}

// death is the kill that the end of a process was; nil if it was none of the mutant's doing, or if nobody can tell.
func (s *seat) death(err error, limit time.Duration) (*Kill, error) {
	var crash *pool.Crash
	var deadlock *pool.Deadlock
	switch {
	case errors.As(err, &deadlock):
		return &Kill{How: ByDeadlock, Message: deadlock.Error()}, nil
	case errors.Is(err, pool.ErrTimeout):
		s.late = fmt.Sprintf("%v (limit %v)", err, limit)
		return nil, nil
	case !errors.As(err, &crash):
		return nil, err
	case !crash.Panic:
		s.late = "killed from outside"
		return nil, nil
	case crash.OutOfFuel():
		return &Kill{How: ByFuel, Message: crash.Reason()}, nil
	}
	return &Kill{How: ByCrash, Message: crash.Reason()}, nil
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

// checkClean runs the layers, but for what is slow, once more without a mutant: what fails now is state that some mutant left behind, and then no
// verdict of this seat can be trusted.
func (s *seat) checkClean(ctx context.Context) error {
	for _, layer := range s.baseline.layers {
		if s.processes[s.baseline.home[layer]] == nil {
			continue
		}
		kills, done, err := s.try(ctx, s.request(job{tasks: s.baseline.quick(layer)}), 1)
		switch {
		case err != nil:
			return err
		case !done:
			return red("after the mutants, layer %s no longer ends without one: %s", layer, s.late)
		case len(kills) > 0:
			return red("mutants left state behind: without one, layer %s now says %s %s %s", layer, kills[0].How, kills[0].Check, kills[0].Message)
		}
	}
	return nil
}
