package subject

import "fetchproof/ops"

// Pipeline is a subject that can be given operations ahead of its answers. What it was sent is answered in order; Init
// forgets what is still due. A subject that is a process is one.
type Pipeline interface {
	Subject
	// Lacks reports whether the subject is known not to have operations of kind k: it has answered one unsupported. Such an
	// operation is not sent any more. What is learned outlives Init.
	Lacks(k ops.Kind) bool
	// Send gives an operation, or asks for the state, without waiting for the answer.
	Send(op *ops.Op) error
	// Receive waits for the answer to the earliest operation that has none, and fills res and, for a state query, st.
	Receive(res *ops.Result, st *ops.State) error
}
