// Package subject puts an implementation behind one interface: the built-in scheduler and responder, or a process that
// speaks the protocol of docs/PROTOCOL.md.
package subject

import "fetchproof/ops"

// Subject is a machine under test. A built-in one never returns an error; one that is a process does when the process
// crashes, hangs or talks nonsense.
type Subject interface {
	// Init starts afresh with a configuration.
	Init(config *ops.Config) error
	// Apply carries out one resolved operation and fills res. An operation that the subject does not have is answered
	// [ops.Unsupported] and changes nothing.
	Apply(op *ops.Op, res *ops.Result) error
	// State fills st with the state at now, a query; st.Fields tells what of it the subject gives.
	State(now ops.Time, st *ops.State) error
}

// Forker is a subject whose state can be copied, so that the explorer need not replay a path for every step.
type Forker interface {
	Subject
	// CopyFrom makes the receiver equal to src, which has the same type and configuration, and independent of it.
	CopyFrom(src Forker)
}

// Factory makes a subject. A campaign makes one a worker.
type Factory func() (Subject, error)
