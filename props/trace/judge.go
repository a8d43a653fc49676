package trace

import (
	"errors"
	"fmt"
	"io"

	"fetchproof/model"
	"fetchproof/ops"
)

// Rejected says where the model disagrees with a trace.
type Rejected struct {
	File string
	Line int
	Op   ops.Op
	Want ops.Result // the model's
	Got  ops.Result // the trace's
}

func (r *Rejected) Error() string {
	return fmt.Sprintf("%s:%d: %s\nthe rules say:\n%s\nthe node did:\n%s",
		r.File, r.Line, &r.Op, ops.AppendResult(nil, &r.Op, &r.Want), ops.AppendResult(nil, &r.Op, &r.Got))
}

// Judge replays a trace through the reference model and returns how many operations it accepted. The error is a *Rejected
// at the first line whose result is not the model's, or says why the file cannot be read.
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
			if st.Result == nil {
				return accepted, &ops.ParseError{File: name, Line: st.Line, Err: errors.New("no result: not a line of a trace")}
			}
			m.Apply(&st.Op, &want)
			if !st.Result.Equal(&want) {
				return accepted, &Rejected{name, st.Line, st.Op.Clone(), want.Clone(), st.Result.Clone()}
			}
			accepted++
		}
	}
	return accepted, nil
}
