package gate

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"fetchproof/ops"
	"fetchproof/props/script"
	"fetchproof/props/subject"
)

// ReplayOptions say how a scenario is replayed.
type ReplayOptions struct {
	Out     io.Writer
	JSON    bool
	Rewrite bool // write what the blocks print into the file
	Print   bool // print the scenario with what its blocks print
	Subject SubjectOptions
}

// readScenario reads and parses a file. Errors name the file and the line.
func readScenario(path string) (*ops.Scenario, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return ops.Parse(path, f)
}

// Replay runs a scenario or trace on the subject and reports whether it agrees with the model, with every property, and
// with what the file expects.
func Replay(_ context.Context, path string, o ReplayOptions) (held bool, err error) {
	scenario, err := readScenario(path)
	if err != nil {
		return false, err
	}
	if o.Rewrite || o.Print {
		expectEverything(scenario, o.Print)
	}
	var outcome *script.Outcome
	err = o.Subject.with(func(s subject.Subject) (err error) {
		if o.Rewrite || o.Print {
			outcome, err = script.Rewrite(scenario, s)
		} else {
			outcome, err = script.Run(scenario, s, o.Subject.stateEvery(), true)
		}
		return err
	})
	if err != nil {
		return false, err
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
	return outcome.Failure == nil, reportReplay(path, outcome, &o)
}

// expectEverything makes every block with operations expect something, so that a scenario that was just written down can be
// completed by what it prints.
func expectEverything(s *ops.Scenario, all bool) {
	for i := range s.Blocks {
		if b := &s.Blocks[i]; all && len(b.Steps) > 0 {
			b.HasExpect = true
		}
	}
}

// rewrite puts the scenario in place of the file, in one step.
func rewrite(path string, s *ops.Scenario) error {
	text := s.AppendText(nil)
	old, err := os.ReadFile(path)
	if err != nil || bytes.Equal(old, text) {
		return err
	}
	temp := path + ".new"
	if err := os.WriteFile(temp, text, 0o644); err != nil {
		return err
	}
	return os.Rename(temp, path)
}

func reportReplay(path string, outcome *script.Outcome, o *ReplayOptions) error {
	if o.JSON {
		return json.NewEncoder(o.Out).Encode(replayResult(path, outcome))
	}
	if outcome.Failure != nil {
		_, err := fmt.Fprintf(o.Out, "%sreplay    fetchproof replay %s%s\n", outcome.Failure.Text(path), path, o.Subject.flag())
		return err
	}
	if o.Print {
		return nil
	}
	_, err := fmt.Fprintf(o.Out, "ok    %s: %d operations agree\n", path, outcome.Steps)
	return err
}

// failureJSON is a failure for machines.
type failureJSON struct {
	Property string   `json:"property"`
	Message  string   `json:"message"`
	Rules    []string `json:"rules,omitempty"`
	Applied  []string `json:"applied,omitempty"`
	Step     int      `json:"step"`
	Line     int      `json:"line,omitempty"`
	Op       string   `json:"op"`
	Detail   string   `json:"detail,omitempty"`
	Scenario string   `json:"scenario,omitempty"`
	File     string   `json:"file,omitempty"`
}

func replayResult(path string, outcome *script.Outcome) any {
	result := struct {
		File    string       `json:"file"`
		Held    bool         `json:"held"`
		Steps   int64        `json:"steps"`
		Failure *failureJSON `json:"failure,omitempty"`
	}{File: path, Held: outcome.Failure == nil, Steps: outcome.Steps}
	if f := outcome.Failure; f != nil {
		result.Failure = &failureJSON{
			Property: f.Lockstep.Property, Message: f.Lockstep.Message, Rules: f.Lockstep.Rules, Applied: f.Lockstep.Applied,
			Step: f.Lockstep.Step + 1, Line: f.Line, Op: f.Lockstep.Op.String(), Detail: f.Lockstep.Detail,
		}
	}
	return result
}
