package explore

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"fetchproof/internal/cputime"
	"fetchproof/model"
	"fetchproof/ops"
	"fetchproof/props/lockstep"
	"fetchproof/props/subject"
)

// Options say how a scope is explored.
type Options struct {
	MaxStates int  // stop after so many; 0: no bound
	Raw       bool // do not merge symmetric peers
	Workers   int  // 0: one a core
	// Subject is stepped beside the model. nil is the model alone.
	Subject subject.Factory
	// Graph keeps every transition, which CheckLiveness and Measure need.
	Graph bool
	// Progress, if set, is told the states found and the transitions made so far.
	Progress func(states, transitions int)
}

// Result is what an exploration found.
type Result struct {
	Scope       *Scope
	Merged      int // states found, symmetric peers merged unless Options.Raw
	States      int // raw states: those that were merged counted apart
	Steps       int // transitions made, from merged states
	Transitions int // raw transitions: each as often as its state counts
	Depth       int // of the last state found: how many operations lead to it
	Complete    bool
	Time        time.Duration
	CPU         time.Duration
	Found       *Found // the shortest counterexample, or nil
	// LeftOut are operations that the subject does not have. Without them the counts differ.
	LeftOut []ops.Kind

	tree  *tree
	graph *graph
}

// Rate is transitions per CPU-second.
func (r *Result) Rate() int { return int(float64(r.Steps) / max(r.CPU.Seconds(), 1e-9)) }

// Found is a counterexample: a program and how it fails.
type Found struct {
	Program lockstep.Program
	Failure *lockstep.Failure
}

// Counts are the numbers that a scope is pinned to.
func (r *Result) Counts() Pin { return Pin{r.States, r.Transitions, r.Merged, r.Depth} }

const (
	chunkStates = 32      // states that a worker takes at a time
	batchChunks = 1 << 10 // chunks that are expanded before what they found is numbered, in order
)

// explorer is one exploration. Workers expand the states of a batch against the states known before it; then what they found
// is numbered in order. So numbers, counts and the counterexample do not depend on which worker was faster.
type explorer struct {
	Options
	scope   *Scope
	tree    *tree
	graph   *graph
	workers []*worker
	chunks  []chunk
	result  *Result
	failed  bool
	failure struct {
		state  uint32
		letter uint16
		panic  string
	}
}

// chunk is what came of expanding the states from first to end.
type chunk struct {
	first, end uint32
	novel      []novel
	to         []uint32 // by transition: the state, or novelBit and an index into novel
	via        []uint16
	degrees    []uint16
	failed     bool
	state      uint32 // where it failed
	letter     uint16
	panic      string
}

const novelBit = 1 << 31

// novel is a state that was not known before the batch.
type novel struct {
	hash   Hash
	parent uint32
	letter uint16
	orbit  uint8
	facts  facts
}

// Run explores a scope. It ends early, incomplete and without an error, when ctx does. An error means that the scope is
// impossible or that the subject failed as a process.
func Run(ctx context.Context, s *Scope, o Options) (*Result, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	x := &explorer{Options: o, scope: s, tree: newTree(), result: &Result{Scope: s}}
	if o.Graph {
		x.graph = &graph{}
	}
	if x.Workers <= 0 {
		x.Workers = runtime.GOMAXPROCS(0)
	}
	defer func() {
		for _, w := range x.workers {
			w.close()
		}
	}()
	for range x.Workers {
		w, err := newWorker(s, x.tree, !o.Raw, o.Subject)
		if err != nil {
			return nil, err
		}
		x.workers = append(x.workers, w)
	}
	started, cpu := time.Now(), cputime.Self()
	err := x.run(ctx)
	x.result.Time, x.result.CPU = time.Since(started), cputime.Self()-cpu
	if err != nil {
		return nil, err
	}
	return x.finish()
}

func (x *explorer) run(ctx context.Context) error {
	x.root()
	for from := 0; from < x.tree.size() && !x.failed; {
		x.tree.level = append(x.tree.level, uint32(from))
		to := x.tree.size() // the states of this depth
		for from < to && !x.failed {
			end := min(from+chunkStates*batchChunks, to)
			if err := x.batch(uint32(from), uint32(end)); err != nil {
				return err
			}
			from = end
			if x.Progress != nil {
				x.Progress(x.tree.size(), x.result.Steps)
			}
			if ctx.Err() != nil || x.MaxStates > 0 && x.tree.size() >= x.MaxStates {
				if x.result.Complete = from == x.tree.size(); !x.result.Complete {
					x.tree.level = append(x.tree.level, uint32(to)) // of states that are known and not expanded
				}
				return nil
			}
		}
	}
	x.result.Complete = !x.failed
	return nil
}

// root numbers the initial state.
func (x *explorer) root() {
	w := x.workers[0]
	model.New(&x.scope.Config).State(0, &w.modelAfter)
	hash, orbit := w.canon.sum(&w.modelAfter)
	x.tree.add(hash, 0, 0, uint8(orbit))
	x.result.States = orbit
	if x.graph != nil {
		x.graph.facts = append(x.graph.facts, factsOf(&w.modelAfter))
		x.graph.first = append(x.graph.first, 0)
	}
}

// batch expands the states from first to end.
func (x *explorer) batch(first, end uint32) error {
	n := 0
	for at := first; at < end; at += chunkStates {
		if n == len(x.chunks) {
			x.chunks = append(x.chunks, chunk{})
		}
		c := &x.chunks[n]
		c.reset(at, min(at+chunkStates, end))
		n++
	}
	var next, lowest atomic.Int64
	lowest.Store(int64(n))
	errs := make([]error, len(x.workers))
	var wait sync.WaitGroup
	for i, w := range x.workers {
		wait.Go(func() {
			for errs[i] == nil {
				at := next.Add(1) - 1
				if at >= int64(n) || at > lowest.Load() {
					return // chunks before a failing one are still expanded: the first failure counts
				}
				if errs[i] = x.expand(w, &x.chunks[at]); x.chunks[at].failed {
					lowest.Store(min(lowest.Load(), at))
				}
			}
		})
	}
	wait.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	for i := range x.chunks[:n] {
		x.number(&x.chunks[i])
		if x.failed {
			break
		}
	}
	return nil
}

func (c *chunk) reset(first, end uint32) {
	*c = chunk{first: first, end: end, novel: c.novel[:0], to: c.to[:0], via: c.via[:0], degrees: c.degrees[:0]}
}

// expand carries out every enabled letter in every state of the chunk. A panic of either machine is a failure of the step.
func (x *explorer) expand(w *worker, c *chunk) (err error) {
	defer func() {
		if p := recover(); p != nil {
			c.failed, c.panic = true, fmt.Sprint(p)
		}
	}()
	for n := c.first; n < c.end; n++ {
		c.state, c.letter = n, 0
		if err := w.stand(n); err != nil {
			return err
		}
		degree := uint16(0)
		for i := range x.scope.Letters {
			letter := &x.scope.Letters[i]
			if !x.scope.instance(letter, &w.levels[w.depth].state, &w.traits, &w.op) {
				continue
			}
			c.letter = uint16(i)
			held, err := w.step()
			if err == errUnsupported {
				continue
			}
			if err != nil {
				return fmt.Errorf("scope %s: %w", x.scope.Name, err)
			}
			if !held {
				c.failed = true
				return nil
			}
			c.add(x, w)
			degree++
		}
		c.degrees = append(c.degrees, degree)
	}
	return nil
}

// add notes the transition that w made.
func (c *chunk) add(x *explorer, w *worker) {
	hash, orbit := w.canon.sum(&w.modelAfter)
	to, _, known := x.tree.seen.find(hash)
	if !known {
		to = novelBit | uint32(len(c.novel))
		c.novel = append(c.novel, novel{hash, c.state, c.letter, uint8(orbit), factsOf(&w.modelAfter)})
	}
	if x.graph != nil {
		via := c.letter
		if endsAttempt(&w.op, &w.modelResult) {
			via |= ended
		}
		c.to, c.via = append(c.to, to), append(c.via, via)
	}
}

// number gives the states that the chunk found their numbers, in order.
func (x *explorer) number(c *chunk) {
	for i := range c.novel {
		n := &c.novel[i]
		number, added := x.tree.add(n.hash, n.parent, n.letter, n.orbit)
		if added {
			x.result.States += int(n.orbit)
			if x.graph != nil {
				x.graph.facts = append(x.graph.facts, n.facts)
			}
		}
		n.parent = number // where the transitions find it
	}
	for i, degree := range c.degrees {
		x.result.Steps += int(degree)
		x.result.Transitions += int(degree) * int(x.tree.orbit[int(c.first)+i])
	}
	if g := x.graph; g != nil {
		for i, to := range c.to {
			if to&novelBit != 0 {
				to = c.novel[to&^novelBit].parent
			}
			g.to, g.via = append(g.to, to), append(g.via, c.via[i])
		}
		for _, degree := range c.degrees {
			g.first = append(g.first, g.first[len(g.first)-1]+uint32(degree))
		}
	}
	if c.failed {
		x.failed = true
		x.failure.state, x.failure.letter, x.failure.panic = c.state, c.letter, c.panic
	}
}

func (x *explorer) finish() (*Result, error) {
	r := x.result
	r.Merged, r.tree, r.graph = x.tree.size(), x.tree, x.graph
	for k := range ops.NumKinds {
		if slices.ContainsFunc(x.workers, func(w *worker) bool { return w.leftOut[k] }) {
			r.LeftOut = append(r.LeftOut, k)
		}
	}
	r.Depth = int(x.tree.depth(uint32(x.tree.size() - 1)))
	if !x.failed {
		return r, nil
	}
	var err error
	r.Found, err = x.counterexample()
	return r, err
}
