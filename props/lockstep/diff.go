package lockstep

import (
	"strings"

	"github.com/google/go-cmp/cmp"

	"fetchproof/ops"
)

// StateDiff is the difference of a subject's state from the model's, line by line, or nothing if they agree. It is only built once
// something failed.
func StateDiff(model, subject *ops.State) string { return stateDiff(model, subject, subjectSide) }

// The sides that the model is compared with.
const (
	subjectSide = "subject"
	traceSide   = "trace"
)

func stateDiff(model, subject *ops.State, side string) string {
	diff := model.Differs(subject)
	if diff == 0 {
		return ""
	}
	return "state     - model, + " + side + "\n" + DiffLines(stateLines(model, diff), stateLines(subject, diff))
}

func stateLines(s *ops.State, show ops.Fields) []string {
	return strings.Split(strings.TrimSuffix(string(ops.AppendStateText(nil, s, show)), "\n"), "\n")
}

// DiffLines reports the lines that only one list has.
func DiffLines(want, have []string) string {
	var reporter lineReporter
	// Lists that are nil would differ as a whole.
	cmp.Equal(append([]string{}, want...), append([]string{}, have...), cmp.Reporter(&reporter))
	return reporter.text.String()
}

// lineReporter writes the differing lines as cmp finds them, so that the alignment of the two lists is cmp's.
type lineReporter struct {
	path cmp.Path
	text strings.Builder
}

func (r *lineReporter) PushStep(s cmp.PathStep) { r.path = append(r.path, s) }
func (r *lineReporter) PopStep()                { r.path = r.path[:len(r.path)-1] }

func (r *lineReporter) Report(result cmp.Result) {
	if result.Equal() {
		return
	}
	model, subject := r.path.Last().Values()
	if model.IsValid() {
		r.text.WriteString(minusLabel + model.String() + "\n")
	}
	if subject.IsValid() {
		r.text.WriteString(plusLabel + subject.String() + "\n")
	}
}

// statesText is what a person needs to judge a property: how the two states differ, or else how the step moved the
// subject's.
func (j *judge) statesText(e *expectation) string {
	if text := StateDiff(e.state, j.after); text != "" {
		return text
	}
	const show = ops.AllFields &^ (ops.FieldCounters | ops.FieldQueued)
	moved := j.before.Differs(j.after) | ops.FieldContact
	return "state     - before, + after\n" + DiffLines(stateLines(j.before, moved&show), stateLines(j.after, moved&show))
}
