package gate

import (
	"time"

	"fetchproof/props/subject"
)

// DefaultDeadline is how long a foreign subject may take for a line.
const DefaultDeadline = 10 * time.Second

// SubjectOptions say what is put under the suite: the built-in implementation, or a process.
type SubjectOptions struct {
	Command    string        // the process with its arguments; empty: the built-in implementation
	Deadline   time.Duration // how long it may take for a line
	StateEvery int           // compare the state after so many operations, at least 1
	// Factory, if set, is used in place of both: for tests of the gate itself.
	Factory subject.Factory
}

func (o *SubjectOptions) factory() subject.Factory {
	switch {
	case o.Factory != nil:
		return o.Factory
	case o.Command == "":
		return subject.BuiltinFactory
	default:
		return subject.ProcessFactory(o.Command, o.Deadline)
	}
}

func (o *SubjectOptions) stateEvery() int { return max(o.StateEvery, 1) }

// flag is the part of a command line that names the subject.
func (o *SubjectOptions) flag() string {
	if o.Command == "" {
		return ""
	}
	return " -subject '" + o.Command + "'"
}

// with makes a subject, hands it over and closes it.
func (o *SubjectOptions) with(use func(subject.Subject) error) error {
	s, err := o.factory()()
	if err != nil {
		return err
	}
	if closer, ok := s.(interface{ Close() error }); ok {
		defer func() { _ = closer.Close() }()
	}
	return use(s)
}
