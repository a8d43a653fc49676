package ops

import "fmt"

// Scenario is a program as a file holds it: operations in blocks, each block with the output that is expected of it, and
// the prose that says what it shows.
type Scenario struct {
	Name   string // file name, for messages
	Blocks []Block
	JSON   bool // it was read from JSON lines
	// Ignored are fields of JSON lines that the language does not have: the first few of the first line that has any.
	Ignored Ignored
}

// Ignored are the unknown fields of a line. A trace may have fields of its own; but a misspelt field goes uncompared, so the
// unknown ones are reported.
type Ignored struct {
	Line  int // 0: no line has any
	Names []string
}

// Block is a run of operations whose results are written, and compared, together.
type Block struct {
	Comment   []string // prose before it, without the "# "
	Steps     []Step
	HasExpect bool
	Expect    []string // what the operations are expected to print
}

// Step is one operation of a scenario.
type Step struct {
	Op   Op
	Line int // line of the file, from 1; 0 if the step was never in one
	// A trace may bring what the operation answered and the state after it; both are compared if they are there.
	Result *Result
	Gives  Gives // what of the result it brings; 0: all of it
	State  *State
}

// Ops is every operation of the scenario, in order.
func (s *Scenario) Ops() []Op {
	var list []Op
	for i := range s.Blocks {
		for j := range s.Blocks[i].Steps {
			list = append(list, s.Blocks[i].Steps[j].Op)
		}
	}
	return list
}

// ScenarioOf is a scenario of one run without expectations.
func ScenarioOf(config Config, program []Op, comment ...string) *Scenario {
	steps := make([]Step, 0, len(program)+1)
	steps = append(steps, Step{Op: Op{Kind: Init, Config: &config}})
	for i := range program {
		steps = append(steps, Step{Op: program[i].Clone()})
	}
	return &Scenario{Blocks: []Block{{Comment: comment, Steps: steps}}}
}

// ParseError is bad input: where it is, and what is wrong with it.
type ParseError struct {
	File string
	Line int
	Err  error
}

// Error says where and what.
func (e *ParseError) Error() string { return fmt.Sprintf("%s:%d: %v", e.File, e.Line, e.Err) }

// Unwrap is what is wrong, without the place.
func (e *ParseError) Unwrap() error { return e.Err }
