package lockstep

import (
	"errors"
	"slices"
	"strings"

	"fetchproof/model"
	"fetchproof/ops"
	"fetchproof/props"
	"fetchproof/props/subject"
)

// judge holds what the subject answered against what the model expects, and the states around a step against the properties.
// It is handed what it judges, since the model may be far ahead.
type judge struct {
	config        *ops.Config
	counts        func(name string) bool // see [Runner.Judge]
	checker       props.Checker
	result        ops.Result // the subject's
	before, after *ops.State // the subject's
	then          ops.Time   // the now at which before was taken
	step          props.Step // being judged
	given         ops.Fields // what states the subject has given so far
}

func (j *judge) begin(config *ops.Config, counts func(name string) bool) {
	j.config, j.counts = config, counts
	j.checker.Begin()
	j.checker.Judge = counts
	j.result.Reset()
}

// answer compares the result.
func (j *judge) answer(e *expectation) *Failure {
	if e.result.Equal(&j.result) {
		return nil
	}
	name := "result/" + e.op.Kind.String()
	if !j.judges(name) {
		return nil
	}
	return j.fail(e, name, "the subject answers otherwise than the model", "")
}

// turn makes the state after the last step the one before the next, and returns the one after that, to be filled.
func (j *judge) turn() *ops.State {
	j.before, j.after = j.after, j.before
	j.after.Reset(j.config.Machine)
	return j.after
}

// state checks the properties of the step and compares the states.
func (j *judge) state(e *expectation) *Failure {
	j.given |= j.after.Fields
	then := j.then
	j.then = e.now
	if e.step >= 0 && e.single {
		// A property speaks of one operation, so it needs the states on both its sides.
		j.step = props.Step{Config: j.config, Op: &e.op, Result: &j.result, Before: j.before, Then: then, After: j.after}
		if v := j.checker.Check(&j.step); v != nil {
			f := j.fail(e, v.Property.Name, v.Err.Error(), j.statesText(e))
			f.Rules = v.Property.Rules
			return f
		}
	}
	if diff := e.state.Differs(j.after); diff != 0 {
		for first := range strings.SplitSeq(diff.String(), ",") {
			if name := "state/" + first; j.judges(name) {
				return j.fail(e, name, "the states differ in "+diff.String(), StateDiff(e.state, j.after))
			}
		}
	}
	return nil
}

func (j *judge) judges(name string) bool { return j.counts == nil || j.counts(name) }

// noAnswer is the failure of a subject that does not answer as a subject must.
func (j *judge) noAnswer(e *expectation, context string, err error) *Failure {
	j.result.Reset()
	property, detail := "subject", ""
	var t *subject.Trouble
	if errors.As(err, &t) {
		property, detail = property+"/"+t.Kind.String(), t.Detail()
	}
	return j.fail(e, property, context+err.Error(), detail)
}

func (j *judge) fail(e *expectation, property, message, detail string) *Failure {
	f := &Failure{
		Property: property, Step: e.step, Op: e.op.Clone(), Model: e.result.Clone(), Subject: j.result.Clone(),
		Message: message, Detail: detail, Rules: agreementRules(property),
	}
	if e.after != nil {
		f.Applied, f.Met = applied(e.after, &e.met)
	}
	return f
}

// applied are the rules whose situations the step met, and those situations.
func applied(now, before *model.Situations) (rules []string, met []model.Situation) {
	for _, s := range model.SituationTable {
		if now[s.ID] == before[s.ID] {
			continue
		}
		met = append(met, s)
		if !slices.Contains(rules, s.Rule) {
			rules = append(rules, s.Rule)
		}
	}
	return rules, met
}
