// Package shrink makes a failing program as short as it gets: removing any one operation that is left, or simplifying any
// one argument, no longer fails the same way. The failing property is held fixed, so that a program never slides to
// another failure on the way.
package shrink

import (
	"context"

	"fetchproof/ops"
	"fetchproof/props/lockstep"
)

// Result is a shrunk program.
type Result struct {
	Program lockstep.Program
	Failure *lockstep.Failure
	Tries   int  // programs run
	Minimal bool // 1-minimal: every single removal and simplification was tried on it, and none fails the same way
}

// Runner runs a program from its start and reports how it fails.
type Runner func(*lockstep.Program) *lockstep.Failure

// Shrink shrinks p, which fails by failure. At most maxTries programs are run; 0 is no bound. Each is a new run of the
// subject from its start, so the result reproduces by itself.
func Shrink(p lockstep.Program, failure *lockstep.Failure, maxTries int, run Runner) Result {
	return ShrinkContext(context.Background(), p, failure, maxTries, run)
}

// ShrinkContext is Shrink, and tries nothing more once ctx has ended: the result is the shortest program until then.
func ShrinkContext(ctx context.Context, p lockstep.Program, failure *lockstep.Failure, maxTries int, run Runner) Result {
	s := &shrinker{ctx: ctx, run: run, maxTries: maxTries, best: clone(p), failure: failure}
	s.cutTail()
	for round := true; round && !s.spent(); {
		// Every pass tries everything on the best program so far. A round without any success is the proof of 1-minimality.
		removed := s.removeOps()
		removed = s.takeShortcuts() || removed
		simplified := s.simplifyConfig()
		simplified = s.simplifyTogether() || simplified
		simplified = s.simplifyArguments() || simplified
		round = removed || simplified
	}
	return Result{s.best, s.failure, s.tries, !s.spent()}
}

type shrinker struct {
	ctx      context.Context
	run      Runner
	best     lockstep.Program
	failure  *lockstep.Failure
	tries    int
	maxTries int
}

// spent reports whether nothing more is to be tried. Every loop over candidates looks, since there can be many.
func (s *shrinker) spent() bool { return s.ctx.Err() != nil || s.maxTries > 0 && s.tries >= s.maxTries }

// try keeps p if it fails by the same property.
func (s *shrinker) try(p lockstep.Program) bool {
	if s.spent() {
		return false
	}
	s.tries++
	f := s.run(&p)
	if f == nil || f.Property != s.failure.Property {
		return false
	}
	s.best, s.failure = p, f
	s.cutTail()
	return true
}

// cutTail drops what comes after the failing operation: it was never run.
func (s *shrinker) cutTail() {
	if n := s.failure.Step + 1; n >= 0 && n < len(s.best.Ops) {
		s.best.Ops = s.best.Ops[:n:n]
	}
}

// removeOps takes out ever smaller runs of operations, from the end, down to single ones.
func (s *shrinker) removeOps() (any bool) {
	for size := len(s.best.Ops) / 2; size >= 1; size /= 2 {
		for end := len(s.best.Ops); end >= size && !s.spent(); {
			if s.try(s.without(end-size, end)) {
				any = true
				end = min(end-size, len(s.best.Ops))
				continue
			}
			end -= max(size/2, 1)
		}
	}
	return any
}

func (s *shrinker) without(from, to int) lockstep.Program {
	p := lockstep.Program{Config: s.best.Config}
	p.Ops = append(append(make([]ops.Op, 0, len(s.best.Ops)), s.best.Ops[:from]...), s.best.Ops[to:]...)
	return p
}

// with is the best program with operation i replaced.
func (s *shrinker) with(i int, op ops.Op) lockstep.Program {
	p := lockstep.Program{Config: s.best.Config, Ops: append([]ops.Op(nil), s.best.Ops...)}
	p.Ops[i] = op
	return p
}

func (s *shrinker) simplifyConfig() (any bool) {
	for again := true; again && !s.spent(); {
		again = false
		for _, config := range s.best.Config.Simpler() {
			if s.try(lockstep.Program{Config: config, Ops: s.best.Ops}) {
				any, again = true, true
				break
			}
		}
	}
	return any
}

func (s *shrinker) simplifyArguments() (any bool) {
	for i := 0; i < len(s.best.Ops) && !s.spent(); i++ {
		for again := true; again && i < len(s.best.Ops); {
			again = false
			for _, op := range s.best.Ops[i].Simpler(s.previousTime(i)) {
				if s.try(s.with(i, op)) {
					any, again = true, true
					break
				}
			}
		}
	}
	return any
}

// previousTime is the now of the operation before i, which is the simplest for i to have.
func (s *shrinker) previousTime(i int) ops.Time {
	for i--; i >= 0; i-- {
		if s.best.Ops[i].Kind.Timed() {
			return s.best.Ops[i].Now
		}
	}
	return 0
}

func clone(p lockstep.Program) lockstep.Program {
	c := lockstep.Program{Config: p.Config, Ops: make([]ops.Op, len(p.Ops))}
	for i := range p.Ops {
		c.Ops[i] = p.Ops[i].Clone()
	}
	return c
}
