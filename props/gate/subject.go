package gate

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"fetchproof/ops"
	"fetchproof/props/lockstep"
	"fetchproof/props/subject"
)

// DefaultDeadline is how long a foreign subject may take for a line.
const DefaultDeadline = 10 * time.Second

// SubjectOptions say what is put under the suite: the built-in implementation, or a process.
type SubjectOptions struct {
	Command    string        // the process with its arguments; empty: the built-in implementation
	Deadline   time.Duration // how long it may take for a line
	StateEvery int           // compare the state after so many operations, at least 1
	// Watch, if set, watches the built-in implementation, which is called in this process and has no deadline.
	Watch *subject.Watch
	// Factory, if set, is used in place of both: for tests of the gate itself.
	Factory subject.Factory

	machines []ops.Machine // those that a process has; empty: both
}

func (o *SubjectOptions) factory() subject.Factory {
	switch {
	case o.Factory != nil:
		return o.Factory
	case o.Command == "" && o.Watch != nil:
		return o.Watch.Over(subject.BuiltinFactory)
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
	flag := " -subject " + subject.Quote(o.Command)
	if o.stateEvery() > 1 {
		flag += fmt.Sprintf(" -state-every %d", o.stateEvery())
	}
	if o.Deadline > 0 && o.Deadline != DefaultDeadline {
		flag += fmt.Sprintf(" -deadline %s", o.Deadline)
	}
	return flag
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

// meet learns which machines a process has. One that has none, or that fails at its first line, is a failure.
func (o *SubjectOptions) meet() (text string, failure *lockstep.Failure, err error) {
	if o.Command == "" || o.Factory != nil {
		return "", nil, nil
	}
	err = o.with(func(s subject.Subject) error {
		m, err := subject.Meet(s)
		var trouble *subject.Trouble
		switch {
		case errors.As(err, &trouble):
			failure = o.stranger("subject/"+trouble.Kind.String(), trouble.Message, trouble.Detail())
			return nil
		case err != nil:
			return err
		case len(m.Has) == 0:
			failure = o.stranger("subject/refused", fmt.Sprintf("the subject has neither machine: %s", m.Said), "")
			return nil
		}
		text = fmt.Sprintf("subject   %q has the %s", m.Name, m.Has[0])
		if o.machines = m.Has; len(m.Has) > 1 {
			o.machines = nil
			text += fmt.Sprintf(" and the %s", m.Has[1])
		} else {
			text += fmt.Sprintf("; the other machine is left out, it says %q", m.Said)
		}
		return nil
	})
	return text, failure, err
}

// stranger is the failure of a subject that cannot be put under the suite at all.
func (o *SubjectOptions) stranger(property, message, detail string) *lockstep.Failure {
	config := ops.DefaultConfig(ops.SchedulerMachine)
	return &lockstep.Failure{
		Property: property, Step: -1, Op: ops.Op{Kind: ops.Init, Config: &config}, Message: message, Detail: detail,
	}
}

// hasAll reports whether the subject has every machine that a scenario starts.
func (o *SubjectOptions) hasAll(s *ops.Scenario) bool {
	if len(o.machines) == 0 {
		return true
	}
	for _, op := range s.Ops() {
		if op.Kind == ops.Init && !slices.Contains(o.machines, op.Config.Machine) {
			return false
		}
	}
	return true
}
