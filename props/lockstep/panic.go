package lockstep

import (
	"fmt"
	"runtime/debug"
	"strings"

	"fetchproof/internal/stacks"
)

// panicked turns a panic into a failure. A panic of the model, which was ahead, counts only if every answer that the subject
// owes agrees. After a panic of the subject, the model still says what the answer should have been.
func (r *Runner) panicked(p any) *Failure {
	who, where := stack()
	e, doing := r.at, r.doing
	r.doing = judging
	switch doing {
	case making:
		if f := r.settleAnswers(); f != nil {
			return f
		}
	case asking:
		who = theSubject
		r.judge.result.Reset()
		r.makeAlone(e)
	}
	return r.judge.fail(e, "panic", who+" panics: "+fmt.Sprint(p), where)
}

// makeAlone lets the model make an operation that the subject has not answered, to say what the answer should have been.
func (r *Runner) makeAlone(e *expectation) {
	defer func() {
		if recover() != nil {
			e.result.Reset()
			e.after = nil
		}
	}()
	r.oracle.make(e, r.StateEvery, r.Quiet)
}

const (
	theSubject  = "the subject"
	stackFrames = 10
)

// stack tells who panics, and where: the innermost frames, without what differs from run to run, down to those of the
// lockstep itself.
func stack() (who, where string) {
	frames := stacks.Frames(string(debug.Stack()))
	origin := 0
	for i, f := range frames {
		if f.Function == "panic" {
			origin = i + 1 // a later one is that of a panic that went on
		}
	}
	frames = frames[origin:]
	label := "stack     "
	for _, f := range frames[:min(len(frames), stackFrames)] {
		if strings.HasPrefix(f.Function, "fetchproof/props/lockstep.") {
			break
		}
		if who == "" {
			who = panicking(f.Function)
		}
		where += label + f.Function + " " + f.Place + "\n"
		label = gutter
	}
	if who == "" {
		who = "the lockstep"
	}
	return who, where
}

// panicking names the side that a function is part of, or is "".
func panicking(function string) string {
	for _, of := range []struct{ prefix, who string }{
		{"fetchproof/impl/", theSubject},
		{"fetchproof/props/subject.", theSubject},
		{"fetchproof/model.", "the model"},
		{"fetchproof/props.", "a property"},
	} {
		if strings.HasPrefix(function, of.prefix) {
			return of.who
		}
	}
	return ""
}
