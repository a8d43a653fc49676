package trace

import (
	"errors"
	"fmt"
	"io"

	"fetchproof/model"
	"fetchproof/ops"
	"fetchproof/props/lockstep"
)

// Rejected says where the model disagrees with a trace.
type Rejected struct {
	File string
	Line int
	Op   ops.Op
	Want ops.Result // the model's
	Got  ops.Result // the trace's
	// States is how the state that the line brings differs from the model's; empty: it brings none, or the results differ.
	States string
}

// Error is file and line, the operation, and both answers or the difference of the states.
func (r *Rejected) Error() string {
	if r.States != "" {
		return fmt.Sprintf("%s:%d: %s\n%s", r.File, r.Line, &r.Op, r.States)
	}
	return fmt.Sprintf("%s:%d: %s\nthe rules say:\n%s\nthe node did:\n%s",
		r.File, r.Line, &r.Op, ops.AppendResult(nil, &r.Op, &r.Want), ops.AppendResult(nil, &r.Op, &r.Got))
}

// Judge replays a trace through the reference model and returns how many operations it accepted. The error is a *Rejected
// at the first line whose result, or state if it brings one, is not the model's, or says why the file cannot be read. A wrong
// time that decides no result goes unnoticed unless a state shows it: the clock alone is enough.
func Judge(name string, r io.Reader) (accepted int, err error) {
	file, err := ops.Parse(name, r)
	if err != nil {
		return 0, err
	}
	var m model.Machine
	var want ops.Result
	for i := range file.Blocks {
		for j := range file.Blocks[i].Steps {
			st := &file.Blocks[i].Steps[j]
			if st.Op.Kind == ops.Init {
				m = model.New(st.Op.Config)
				continue
			}
			if st.Op.Kind == ops.StateQuery && st.State != nil {
				st.Result = &ops.Result{} // the state is its answer
			}
			if st.Result == nil {
				return accepted, &ops.ParseError{File: name, Line: st.Line, Err: errors.New("no result: not a line of a trace")}
			}
			m.Apply(&st.Op, &want)
			if r := rejected(m, st, &want); r != nil {
				r.File = name
				return accepted, r
			}
			accepted++
		}
	}
	return accepted, nil
}

// rejected compares a line with what the model answers and the state that it is in then.
func rejected(m model.Machine, st *ops.Step, want *ops.Result) *Rejected {
	r := &Rejected{Line: st.Line}
	if st.Gives.Agrees(st.Result, want) {
		if st.State == nil {
			return nil
		}
		var have ops.State
		have.Reset(st.State.Machine)
		m.State(st.Op.Now, &have) // after an arrival, which has no time, that is the latest seen
		if r.States = lockstep.StateDiff(&have, st.State); r.States == "" {
			return nil
		}
	}
	r.Op, r.Want, r.Got = st.Op.Clone(), want.Clone(), st.Result.Clone()
	return r
}
