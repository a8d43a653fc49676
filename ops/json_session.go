package ops

import (
	"encoding/json"
	"fmt"
)

// The lines of a session with a subject that are no answers of a machine.

// AppendWelcome writes the answer to an init: name is what the subject calls itself.
func AppendWelcome(dst []byte, name string) ([]byte, error) {
	return appendLine(dst, &jsonLine{Result: OK.String(), Protocol: Protocol, Name: name})
}

// ParseWelcome reads the answer to an init that is ok, and returns the subject's name, which may be empty.
func ParseWelcome(line []byte) (name string, err error) {
	var l jsonLine
	if err := decodeLine(line, &l); err != nil {
		return "", err
	}
	if l.Protocol != Protocol {
		return "", fmt.Errorf("protocol %d: want %d", l.Protocol, Protocol)
	}
	return clip(l.Name), nil
}

// AppendUnsupported writes the answer to an operation that the subject does not have.
func AppendUnsupported(dst []byte) []byte { return append(dst, `{"result":"unsupported"}`...) }

// AppendError writes the answer to a line that cannot be carried out.
func AppendError(dst []byte, err error) ([]byte, error) {
	return appendLine(dst, struct {
		Error string `json:"error"`
	}{err.Error()})
}

// ParseRequest reads a line sent to a subject, for machine m, which is nil before the first init. It is stricter than files
// are read: references and places must be numbers. [ErrUnknownOp] is to be answered with unsupported, any other error with an
// error.
func ParseRequest(m *Machine, line []byte) (Op, error) {
	machine := SchedulerMachine
	if m != nil {
		machine = *m
	}
	var l jsonLine
	if err := decodeLine(line, &l); err != nil {
		if m != nil && !machine.has(line) {
			err = ErrUnknownOp // whatever its fields are
		}
		return Op{}, err
	}
	if m == nil && l.Op != nil && *l.Op != Init.String() {
		return Op{}, fmt.Errorf("%q before init", clip(*l.Op))
	}
	op, err := l.op(machine)
	switch {
	case err != nil:
		return Op{}, err
	case op.Ref.Symbolic():
		return Op{}, fmt.Errorf("%s: %s is no number", op.Kind, kindSpecs[op.Kind].refKey)
	case op.PlaceArg == GivenPlace:
		return Op{}, fmt.Errorf("%s: place is no number", op.Kind)
	}
	return op, nil
}

// has reports whether the machine has the operation that a malformed line names, or the line names none.
func (m Machine) has(line []byte) bool {
	var fields map[string]json.RawMessage
	var name *string
	if json.Unmarshal(line, &fields) != nil || json.Unmarshal(fields["op"], &name) != nil || name == nil {
		return true
	}
	k := indexOf(kindNames[:], *name)
	return k == int(Init) || k >= 0 && Kind(k).On(m)
}
