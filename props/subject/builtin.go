package subject

import (
	"errors"

	"fetchproof/ops"
)

// Builtin is the production implementation of both machines, by the machine that Init names.
type Builtin struct {
	Forker
	scheduler *Scheduler
	responder *Responder
}

// NewBuiltin is the production implementation.
func NewBuiltin() *Builtin { return &Builtin{scheduler: NewScheduler(), responder: NewResponder()} }

// BuiltinFactory is the factory of the production implementation.
func BuiltinFactory() (Subject, error) { return NewBuiltin(), nil }

// Init starts the machine that config names.
func (b *Builtin) Init(config *ops.Config) error {
	switch config.Machine {
	case ops.SchedulerMachine:
		b.Forker = b.scheduler
	case ops.ResponderMachine:
		b.Forker = b.responder
	default:
		return errors.New("no such machine")
	}
	return b.Forker.Init(config)
}

// CopyFrom makes b a copy of src, another *Builtin.
func (b *Builtin) CopyFrom(src Forker) { b.Forker.CopyFrom(src.(*Builtin).Forker) }
