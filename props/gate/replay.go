package gate

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"fetchproof/internal/replace"
	"fetchproof/ops"
	"fetchproof/props/script"
	"fetchproof/props/subject"
)

// ReplayOptions say how a scenario is replayed.
type ReplayOptions struct {
	Out     io.Writer
	In      io.Reader // what "-" names; nil: standard input
	JSON    bool
	Rewrite bool // write what the blocks print into the file
	Print   bool // print the scenario with what its blocks print
	Subject SubjectOptions
}

// Replay runs a scenario or trace on the subject and reports whether it agrees with the model, with every property, and
// with what the file expects.
func Replay(ctx context.Context, path string, o ReplayOptions) (held bool, err error) {
	if o.Rewrite && path == stdin {
		return false, errors.New("-rewrite needs a file that it can write")
	}
	scenario, err := readScenario(ctx, path, o.In)
	if err != nil {
		return false, err
	}
	if o.Print {
		expectEverything(scenario)
	}
	var outcome *script.Outcome
	err = o.Subject.with(func(s subject.Subject) (err error) {
		if o.Rewrite || o.Print {
			outcome, err = script.RewriteContext(ctx, scenario, s)
		} else {
			outcome, err = script.RunContext(ctx, scenario, s, o.Subject.stateEvery(), true)
		}
		return err
	})
	if err != nil {
		return false, interrupted(ctx, err)
	}
	if o.Print && outcome.Failure == nil {
		if _, err := o.Out.Write(outcome.Actual.AppendText(nil)); err != nil {
			return false, err
		}
	}
	if o.Rewrite && outcome.Failure == nil {
		if err := rewrite(path, outcome.Actual); err != nil {
			return false, err
		}
	}
	return outcome.Failure == nil, reportReplay(path, scenario, outcome, &o)
}

// expectEverything makes every block with operations expect something, so that a scenario that was just written down can be
// completed by what it prints.
func expectEverything(s *ops.Scenario) {
	for i := range s.Blocks {
		if b := &s.Blocks[i]; len(b.Steps) > 0 {
			b.HasExpect = true
		}
	}
}

// rewrite puts the scenario in place of the file.
func rewrite(path string, s *ops.Scenario) error {
	text := s.AppendText(nil)
	old, err := os.ReadFile(path)
	if err != nil || bytes.Equal(old, text) {
		return err
	}
	return replace.File(path, func(w io.Writer) error { _, err := w.Write(text); return err })
}

func reportReplay(path string, scenario *ops.Scenario, outcome *script.Outcome, o *ReplayOptions) error {
	if o.JSON {
		return json.NewEncoder(o.Out).Encode(replayResult(path, scenario, outcome, o))
	}
	text := note(scenario)
	switch f := outcome.Failure; {
	case f != nil:
		r := report{failure: f.Lockstep, at: f.Where(scenario.Name), replay: o.command(path)}
		if f.Shrinkable() && path != stdin {
			r.also = fmt.Sprintf("shorter   fetchproof shrink %s%s\n", subject.Word(path), o.Subject.flag())
		}
		text = r.text() + text
	case o.Print:
		text = ""
	default:
		text = fmt.Sprintf("ok    %s: %s\n", scenario.Name, agreed(outcome)) + text
	}
	_, err := io.WriteString(o.Out, text)
	return err
}

// agreed counts the operations of a scenario that agrees.
func agreed(o *script.Outcome) string {
	text := fmt.Sprintf("%d operations agree", o.Steps-o.Drain)
	if o.Drain > 0 {
		text += fmt.Sprintf(", and %d more to drain the machine", o.Drain)
	}
	return text
}

// command is the command that replays a file.
func (o *ReplayOptions) command(path string) string {
	if path == stdin {
		return "fetchproof replay" + o.Subject.flag() + " - with the same input"
	}
	return "fetchproof replay " + subject.Word(path) + o.Subject.flag()
}

func replayResult(path string, scenario *ops.Scenario, outcome *script.Outcome, o *ReplayOptions) any {
	result := struct {
		File    string       `json:"file"`
		Held    bool         `json:"held"`
		Steps   int64        `json:"steps"`
		Ignored []string     `json:"ignored,omitempty"`
		Failure *failureJSON `json:"failure,omitempty"`
	}{File: scenario.Name, Held: outcome.Failure == nil, Steps: outcome.Steps, Ignored: scenario.Ignored.Names}
	if f := outcome.Failure; f != nil {
		result.Failure = jsonOf(f.Lockstep)
		result.Failure.Line, result.Failure.Replay = f.Line, o.command(path)
	}
	return result
}
