package explore

import (
	"errors"

	"fetchproof/model"
	"fetchproof/ops"
	"fetchproof/props"
	"fetchproof/props/subject"
)

// level is the machines at one depth of the path that a worker stands on. A state is not kept but made again from its parent:
// states of one level come in the order of their parents, so most of the path stays as it is from one state to the next.
type level struct {
	number  uint32 // of the state
	model   model.Machine
	subject subject.Forker // nil if the subject cannot be copied
	state   ops.State
	op      ops.Op // that led here, resolved
}

// errUnsupported says that the subject does not have an operation: it is left out.
var errUnsupported = errors.New("unsupported")

// worker expands states: it carries out every enabled letter on a copy of both machines and judges the step.
type worker struct {
	scope  *Scope
	tree   *tree
	traits traits
	canon  *canon
	levels []*level // by depth
	depth  int      // of the state that it stands on

	model    model.Machine
	subject  subject.Subject // nil: the model alone
	forker   subject.Forker  // the same, if it can be copied
	factory  subject.Factory
	checker  props.Checker
	subjects []subject.Subject // all that were made
	leftOut  [ops.NumKinds]bool

	op                  ops.Op
	modelResult, result ops.Result
	after, modelAfter   ops.State
}

func newWorker(s *Scope, t *tree, merge bool, factory subject.Factory) (*worker, error) {
	w := &worker{scope: s, tree: t, traits: s.traits(), canon: newCanon(s, merge), factory: factory, model: model.New(&s.Config)}
	if factory == nil {
		return w, nil
	}
	made, err := w.newSubject()
	if err != nil {
		return nil, err
	}
	w.subject = made
	w.forker, _ = made.(subject.Forker)
	return w, nil
}

func (w *worker) newSubject() (subject.Subject, error) {
	s, err := w.factory()
	if err != nil {
		return nil, err
	}
	w.subjects = append(w.subjects, s)
	return s, s.Init(&w.scope.Config)
}

// close ends subjects that are processes.
func (w *worker) close() {
	for _, s := range w.subjects {
		if closer, ok := s.(interface{ Close() error }); ok {
			_ = closer.Close()
		}
	}
}

// stand makes the machines of state n, from those of its nearest ancestor that the worker still has.
func (w *worker) stand(n uint32) error {
	path := w.tree.pathTo(n, func(depth int, ancestor uint32) bool {
		return depth < len(w.levels) && depth <= w.depth && w.levels[depth].number == ancestor
	})
	depth := int(w.tree.depth(n)) - len(path)
	if len(w.levels) == 0 {
		depth = -1
		path = append([]uint32{0}, path...)
	}
	for _, number := range path {
		if err := w.descend(depth, number); err != nil {
			return err
		}
		depth++
	}
	w.depth = depth
	return nil
}

// descend makes the level below depth that of state number, a child of the state at depth.
func (w *worker) descend(depth int, number uint32) error {
	if depth+1 == len(w.levels) {
		if err := w.addLevel(); err != nil {
			return err
		}
	}
	child := w.levels[depth+1]
	child.number = number
	if depth < 0 { // the initial state, which a new level holds
		child.model.State(0, &child.state)
		return nil
	}
	parent := w.levels[depth]
	letter := &w.scope.Letters[w.tree.letter[number]]
	w.scope.instance(letter, &parent.state, &w.traits, &child.op)
	child.model.CopyFrom(parent.model)
	child.model.Apply(&child.op, &w.modelResult)
	if child.subject != nil {
		child.subject.CopyFrom(parent.subject)
		if err := child.subject.Apply(&child.op, &w.result); err != nil {
			return err
		}
	}
	child.model.State(0, &child.state) // at the clock (DET-3)
	return nil
}

func (w *worker) addLevel() error {
	l := &level{model: model.New(&w.scope.Config)}
	if w.forker != nil {
		s, err := w.newSubject()
		if err != nil {
			return err
		}
		l.subject = s.(subject.Forker)
	}
	w.levels = append(w.levels, l)
	return nil
}

// prepare puts the machines of the state that the worker stands on into its own, to be stepped.
func (w *worker) prepare() error {
	here := w.levels[w.depth]
	w.model.CopyFrom(here.model)
	switch {
	case w.subject == nil:
	case w.forker != nil:
		w.forker.CopyFrom(here.subject)
	default: // from its start
		if err := w.subject.Init(&w.scope.Config); err != nil {
			return err
		}
		for _, l := range w.levels[1 : w.depth+1] {
			if err := w.subject.Apply(&l.op, &w.result); err != nil {
				return err
			}
		}
	}
	return nil
}

// step carries out the operation in w.op, after which the model's state at its clock is in modelAfter. It reports whether the
// subject agrees with the model and every property holds. Running the path again finds out why not, also if the subject failed
// as a process: see [explorer.counterexample]. The error is [errUnsupported] or none.
func (w *worker) step() (held bool, err error) {
	if err := w.prepare(); err != nil {
		return false, nil
	}
	w.model.Apply(&w.op, &w.modelResult)
	if w.subject != nil {
		if held, err := w.judge(); !held || err != nil {
			return held, err
		}
	}
	if w.subject == nil || w.op.Kind.IsQuery() { // a query may have looked further than the clock
		w.model.State(0, &w.modelAfter)
	}
	return true, nil
}

// judge carries out the operation on the subject and compares.
func (w *worker) judge() (held bool, err error) {
	here := w.levels[w.depth]
	now := w.op.Now
	if !w.op.Kind.Timed() {
		now = clockOf(&here.state)
	}
	if err := w.subject.Apply(&w.op, &w.result); err != nil {
		return false, nil
	}
	if w.result.Code == ops.Unsupported {
		w.leftOut[w.op.Kind] = true
		return false, errUnsupported
	}
	if !w.modelResult.Equal(&w.result) {
		return false, nil
	}
	if err := w.subject.State(now, &w.after); err != nil {
		return false, nil
	}
	w.model.State(now, &w.modelAfter)
	if w.modelAfter.Differs(&w.after) != 0 {
		return false, nil
	}
	w.checker.Begin() // each step starts from a history of its own
	step := props.Step{
		Config: &w.scope.Config, Op: &w.op, Result: &w.result, Before: &here.state, Then: clockOf(&here.state), After: &w.after,
	}
	return w.checker.Check(&step) == nil, nil
}
