// Package props holds the properties: what must hold of every step of every program, whichever machine, generator or
// process it came from. A property looks at one step (the state before, the operation, its result, the state after) and
// recomputes what the rules say from the state alone, so that it judges the production implementation, the model and a
// foreign subject alike. A checker per family of rules, a file per checker.
package props

import (
	"fmt"

	"fetchproof/ops"
)

// Step is one operation on a machine, as a property sees it.
type Step struct {
	Config *ops.Config
	Op     *ops.Op // resolved
	Result *ops.Result
	Before *ops.State // after the operation before
	Then   ops.Time   // the now at which Before was taken: a query may have been later than this operation is
	After  *ops.State // at the operation's now
}

// Property is something that must hold of every step.
type Property struct {
	Name  string // stable: shrinking holds it fixed, mutants name it
	Rules []string
	Text  string // what must hold, in a sentence
	// Needs are the state fields that it reads: where a subject does not give them, it is not checked.
	Needs   ops.Fields
	Machine ops.Machine
	check   func(*view) error
}

// Violation is a property that does not hold.
type Violation struct {
	Property *Property
	Err      error
}

// Error is the property's name, and what was wrong.
func (v *Violation) Error() string { return fmt.Sprintf("%s: %v", v.Property.Name, v.Err) }

// Scheduler and Responder are the properties of each machine, in the order in which they are checked.
var (
	Scheduler = concat(stageProperties, indexProperties, choiceProperties, sourceProperties, contactProperties, busyProperties,
		pendingProperties, conservationProperties, counterProperties, queryProperties, reportProperties, moveProperties,
		mergeProperties, departureProperties, shapeProperties)
	Responder = concat(responderProperties, limiterProperties, responderShapes)
)

// Of is the properties of machine m.
func Of(m ops.Machine) []*Property {
	if m == ops.SchedulerMachine {
		return Scheduler
	}
	return Responder
}

func concat(families ...[]*Property) (all []*Property) {
	for _, f := range families {
		all = append(all, f...)
	}
	return all
}

// Checker checks the properties of one machine step by step and keeps its scratch memory between steps. The zero value
// is ready.
type Checker struct {
	// Judge, if set, says which properties are checked, by name.
	Judge func(property string) bool

	view view
}

// Begin forgets the run before.
func (c *Checker) Begin() { c.view.replies = c.view.replies[:0] }

// Check is the first property that does not hold of the step, or nil.
func (c *Checker) Check(s *Step) *Violation {
	c.view.reset(s)
	fields := s.Before.Fields & s.After.Fields
	for _, p := range Of(s.After.Machine) {
		if p.Needs&^fields != 0 || c.Judge != nil && !c.Judge(p.Name) {
			continue
		}
		if err := p.check(&c.view); err != nil {
			return &Violation{p, err}
		}
	}
	return nil
}
