package lockstep

import (
	"strings"

	"fetchproof/ops"
)

// FailTrace is the failure of a trace that was made elsewhere, at the last operation: it brings an answer or, if that is nil,
// a state that is not the model's. Every operation must have been judged: see [Runner.Window].
func (r *Runner) FailTrace(property string, answer *ops.Result, state *ops.State) *Failure {
	if answer != nil {
		f := r.judge.fail(r.newest, property, "the trace answers otherwise than the model", "")
		f.Rules, f.Subject, f.other = agreementRules("result/"+f.Op.Kind.String()), answer.Clone(), traceSide
		return f
	}
	differs := r.oracle.state.Differs(state).String()
	f := r.judge.fail(r.newest, property, "the trace's state differs from the model's in "+differs, stateDiff(r.oracle.state, state, traceSide))
	first, _, _ := strings.Cut(differs, ",")
	f.Rules, f.Subject, f.other = agreementRules("state/"+first), f.Model, traceSide
	return f
}
