// Package sabotage is test support: the production implementation with one fault put in from outside, to see that the suite
// catches it, shrinks it and reports it. The faults of package mutants are inside the implementation; these are for the
// tests of the suite itself.
package sabotage

import (
	"fmt"

	"fetchproof/ops"
	"fetchproof/props/subject"
)

// Fault is what goes wrong: it may change what was answered to an operation, or the state.
type Fault struct {
	Name   string
	Result func(op *ops.Op, res *ops.Result)
	State  func(st *ops.State)
	Before func(op *ops.Op) // before the operation is carried out
}

// Faults are one of each kind: a wrong result, a wrong state, an operation that is carried out wrongly, a crash.
var Faults = []Fault{
	{Name: "lost-start", Result: func(op *ops.Op, res *ops.Result) {
		if op.Kind == ops.Fill && len(res.Events) > 1 {
			res.Events = res.Events[:len(res.Events)-1]
		}
	}},
	{Name: "forgotten-mark", State: func(st *ops.State) {
		if c := st.Scheduler.Contact; len(c) > 1 {
			c[len(c)-1].MarkedUntil = 0
		}
	}},
	{Name: "wrong-charge", Result: func(op *ops.Op, res *ops.Result) {
		if op.Kind == ops.Outcome && op.Outcome == ops.StoreFailed && res.Code == ops.OK {
			res.Charge = ops.Malformed
		}
	}},
	{Name: "unordered-sources", Before: func(op *ops.Op) {
		if op.Kind == ops.Promote && len(op.Sources) > 1 {
			op.Sources[0], op.Sources[1] = op.Sources[1], op.Sources[0]
		}
	}},
	{Name: "leaked-reservation", State: func(st *ops.State) {
		if len(st.Scheduler.Parked) > 1 {
			st.Scheduler.Reserved++
		}
	}},
	{Name: "crash", Before: func(op *ops.Op) {
		if op.Kind == ops.Outcome && op.Outcome == ops.Unreachable && op.Now > ops.Time(5*ops.Second) {
			panic("index out of range")
		}
	}},
}

// Subject is the production implementation with a fault.
type Subject struct {
	*subject.Builtin
	fault *Fault
}

// Factory makes subjects with the fault of that name.
func Factory(name string) subject.Factory {
	return func() (subject.Subject, error) {
		for i := range Faults {
			if Faults[i].Name == name {
				return &Subject{subject.NewBuiltin(), &Faults[i]}, nil
			}
		}
		return nil, fmt.Errorf("no fault is called %q", name)
	}
}

// Apply carries out the operation, wrongly where the fault says so.
func (s *Subject) Apply(op *ops.Op, res *ops.Result) error {
	if s.fault.Before != nil {
		changed := op.Clone()
		s.fault.Before(&changed)
		op = &changed
	}
	if err := s.Builtin.Apply(op, res); err != nil {
		return err
	}
	if s.fault.Result != nil {
		s.fault.Result(op, res)
	}
	return nil
}

// State observes the state, wrongly where the fault says so.
func (s *Subject) State(now ops.Time, st *ops.State) error {
	if err := s.Builtin.State(now, st); err != nil {
		return err
	}
	if s.fault.State != nil && st.Machine == ops.SchedulerMachine {
		s.fault.State(st)
	}
	return nil
}
