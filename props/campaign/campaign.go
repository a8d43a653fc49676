// Package campaign runs many programs: drawn from a seed, on every core, until a number of steps or the caller's patience is
// used up. Program i of a seed is the same on any machine, whichever worker draws it.
package campaign

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"fetchproof/model"
	"fetchproof/ops"
	"fetchproof/props/gen"
	"fetchproof/props/lockstep"
	"fetchproof/props/subject"
)

// Options say what to run.
type Options struct {
	Seed       uint64
	Steps      int64 // stop after about this many steps; 0: when ctx ends
	Programs   int64 // stop after this many programs; 0: no bound
	Length     int   // operations of every program; 0: as drawn
	Workers    int   // 0: one a core
	StateEvery int   // compare states after this many operations; 0 is 1
	Subject    subject.Factory
	// Machines are the machines to run; none means both, one program in eight of the responder.
	Machines []ops.Machine
}

// Report is what a campaign did.
type Report struct {
	Steps      int64
	Programs   int64
	Situations model.Situations
	// LeftOut are the operations that the subject does not have, by kind; Compared are the state fields that it gives.
	LeftOut  [ops.NumKinds]bool
	Compared ops.Fields
	// Found is the failing program with the smallest number, or nil.
	Found *Found
}

// Found is a program that failed.
type Found struct {
	Number  int64 // of the program within its seed
	Program lockstep.Program
	Failure *lockstep.Failure
}

// Progress is what a running campaign has done so far; it may be read at any time.
type Progress struct {
	Steps, Programs atomic.Int64
}

// Run runs a campaign. It ends early, without an error, when ctx does. An error means that the subject could not be made.
func Run(ctx context.Context, o Options, progress *Progress) (*Report, error) {
	if progress == nil {
		progress = &Progress{}
	}
	workers := o.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	c := &campaign{Options: o, ctx: ctx, progress: progress}
	c.failed.Store(int64(1) << 62)
	errs := make([]error, workers)
	var wait sync.WaitGroup
	for w := range workers {
		wait.Go(func() { errs[w] = c.work() })
	}
	wait.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	c.report.Steps, c.report.Programs = progress.Steps.Load(), progress.Programs.Load()
	return &c.report, nil
}

type campaign struct {
	Options
	ctx      context.Context
	progress *Progress
	next     atomic.Int64
	failed   atomic.Int64 // smallest failing program number so far

	mu     sync.Mutex
	report Report
}

func (c *campaign) work() error {
	s, err := c.Subject()
	if err != nil {
		return err
	}
	if closer, ok := s.(interface{ Close() error }); ok {
		defer func() { _ = closer.Close() }()
	}
	runner := lockstep.New(s)
	runner.StateEvery = max(c.StateEvery, 1)
	var scratch []ops.Op
	for {
		number := c.next.Add(1) - 1
		// Programs with smaller numbers than a failing one still run, so that the failure reported does not depend on
		// which worker was faster.
		if number > c.failed.Load() || c.done(number) {
			break
		}
		if f := c.program(runner, number, &scratch); f != nil {
			c.found(f)
		}
		c.progress.Programs.Add(1)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.report.Situations.Add(&runner.Situations)
	c.report.Compared |= runner.Compared
	if p, ok := s.(subject.Pipeline); ok {
		for k := range ops.NumKinds {
			c.report.LeftOut[k] = c.report.LeftOut[k] || p.Lacks(k)
		}
	}
	return nil
}

func (c *campaign) done(number int64) bool {
	return c.ctx.Err() != nil || c.Programs > 0 && number >= c.Programs || c.Steps > 0 && c.progress.Steps.Load() >= c.Steps
}

func (c *campaign) found(f *Found) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.report.Found == nil || f.Number < c.report.Found.Number {
		c.report.Found = f
		c.failed.Store(f.Number)
	}
}

func (c *campaign) machine(number int64) ops.Machine {
	switch {
	case len(c.Machines) > 0:
		return c.Machines[number%int64(len(c.Machines))]
	case number%8 == 7:
		return ops.ResponderMachine
	default:
		return ops.SchedulerMachine
	}
}

func (c *campaign) program(r *lockstep.Runner, number int64, scratch *[]ops.Op) *Found {
	before := r.Steps
	defer func() { c.progress.Steps.Add(r.Steps - before) }()
	defer func() {
		if v := recover(); v != nil {
			// The runner reports a subject's panic as a failure: this is a fault of the suite, which these numbers reproduce.
			panic(fmt.Sprintf("program %d of seed %d: %v", number, c.Seed, v))
		}
	}()
	f, p := Draw(r, gen.Seeded(c.Seed, uint64(number)), c.machine(number), c.Length, *scratch)
	*scratch = p.Ops
	if f == nil {
		return nil
	}
	p.Ops = slices.Clone(p.Ops)
	return &Found{number, p, f}
}

// Draw draws a program from src and runs it on r as it is drawn, then drains it. It returns the program, drain included as
// far as it went, and how it failed, if it did. With a length of 0 it has the length drawn. The program is built in scratch,
// which may be the previous program's.
func Draw(r *lockstep.Runner, src gen.Source, m ops.Machine, length int, scratch []ops.Op) (*lockstep.Failure, lockstep.Program) {
	g := gen.New(src, m)
	if length > 0 {
		g.SetLength(length)
	}
	p := lockstep.Program{Config: g.Config(), Ops: scratch[:0]}
	f, err := r.Begin(&p.Config)
	if err != nil {
		panic("the generator drew an impossible configuration: " + err.Error())
	}
	defer r.Finish()
	quiet := false
	for n := 0; f == nil && n < g.Length() && src.More(); n++ {
		p.Ops = append(p.Ops, g.Next(r.State()))
		r.Quiet = g.Filling() && n+1 < g.Length() && src.More()
		quiet = quiet || r.Quiet
		f = r.Step(&p.Ops[len(p.Ops)-1])
	}
	r.Quiet = false
	if f == nil {
		var made []ops.Op
		f, made = r.Drain()
		if f != nil {
			p.Ops = append(p.Ops, made...)
		}
	}
	if f != nil {
		// Operations may have run ahead of the answer that fails.
		p.Ops = p.Ops[:min(f.Step+1, len(p.Ops))]
	}
	if f != nil && quiet {
		// The first fault may have gone unseen: a second run looks at everything.
		if first, err := r.Run(&p, false); first != nil && err == nil {
			f, p.Ops = first, p.Ops[:first.Step+1]
		}
	}
	return f, p
}
