package subject

import (
	"errors"

	"fetchproof/ops"
)

// Acquaintance is what a subject says of itself.
type Acquaintance struct {
	Name string        // what it calls itself; may be empty
	Has  []ops.Machine // the machines that it has
	Said string        // what it answered for a machine that it does not have
}

// Meet starts each machine of the subject with the default configuration, to learn which it has: it lacks a machine whose init
// it answers with an error or with unsupported. Any other failure is an error.
func Meet(s Subject) (a Acquaintance, err error) {
	for _, m := range []ops.Machine{ops.SchedulerMachine, ops.ResponderMachine} {
		config := ops.DefaultConfig(m)
		err := s.Init(&config)
		var t *Trouble
		switch {
		case err == nil:
			a.Has = append(a.Has, m)
		case errors.As(err, &t) && (t.Kind == Error || t.Kind == Refused):
			a.Said = t.Message
		default:
			return a, err
		}
	}
	if named, ok := s.(interface{ Name() string }); ok {
		a.Name = named.Name()
	}
	return a, nil
}
