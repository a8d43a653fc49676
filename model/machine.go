package model

import "fetchproof/ops"

// Machine is a reference machine: the scheduler with its busy tracker, or the responder (DET-1, DET-3).
type Machine interface {
	// Apply does one operation and fills res, which it resets first. References and places are numbers: a place is given
	// as ops.NoPlace or ops.ThisPlace. An ops.Init never comes here, and an ops.StateQuery answers nothing: see State. An
	// operation of the other machine is answered ops.Unsupported and changes nothing.
	Apply(op *ops.Op, res *ops.Result)

	// State fills dst with everything that the rules mention, as a query at now sees it: it changes nothing (DET-3).
	// What dst held before is overwritten, its buffers are kept.
	State(now ops.Time, dst *ops.State)

	// CopyFrom makes the machine's state and configuration equal to those of src, which must be a machine of the same
	// kind, and independent of it. Situations are not state: each machine goes on counting what it did itself.
	CopyFrom(src Machine)

	// Situations are the counts of what happened in this machine since it was made. The caller may read and zero them.
	Situations() *Situations
}

// New is the reference machine that cfg asks for. The configuration must be valid.
func New(cfg *ops.Config) Machine {
	if cfg.Machine == ops.SchedulerMachine {
		return NewScheduler(cfg.Scheduler)
	}
	return NewResponder(cfg.Responder)
}
