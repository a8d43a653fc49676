package shrink

import (
	"fetchproof/ops"
	"fetchproof/props/lockstep"
)

// takeShortcuts puts one operation in place of two that come to the same: no removal of a single one finds that.
func (s *shrinker) takeShortcuts() (any bool) {
	for i := 0; i < len(s.best.Ops) && !s.spent(); i++ {
		if p, ok := s.shortcut(i); ok && s.try(p) {
			any = true
			i-- // an operation before it is gone
		}
	}
	return any
}

// shortcut is the program in which operation i does what another before it does as well: a key comes into the queue without
// having been pending, an outcome brings the answer that was reported before it.
func (s *shrinker) shortcut(i int) (p lockstep.Program, ok bool) {
	op := s.best.Ops[i].Clone()
	var first ops.Kind
	switch {
	case op.Kind == ops.Promote:
		first, op.Kind = ops.Add, ops.Enqueue
	case op.Kind == ops.Outcome && op.PlaceArg == ops.NoPlace:
		first = ops.Answer
	default:
		return p, false
	}
	for j := i - 1; j >= 0; j-- {
		before := &s.best.Ops[j]
		if before.Kind != first || before.Key != op.Key || before.Ref != op.Ref {
			continue
		}
		if first == ops.Answer {
			op.PlaceArg, op.Place = before.PlaceArg, before.Place
		}
		p = s.with(i, op)
		p.Ops = append(p.Ops[:j], p.Ops[j+1:]...)
		return p, true
	}
	return p, false
}
