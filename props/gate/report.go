package gate

import (
	"fmt"
	"strings"

	"fetchproof/props/lockstep"
)

// report is a failure as a person reads it, on one screen.
type report struct {
	failure  *lockstep.Failure
	at       string // where in a file that is; empty: in none
	scenario string // what shows it; may be empty
	file     string // that has the scenario; empty: none
	replay   string // the command that shows it again
	also     string // lines after that
}

func (r *report) text() string {
	text, whole := r.failure.Screen()
	if r.at != "" {
		text += "at        " + r.at + "\n"
	}
	end := "replay    " + r.replay + "\n" + r.also
	if r.scenario != "" {
		scenario, all := r.scenario, true
		if r.file != "" { // else nothing but the screen has it
			scenario, all = lockstep.Fit(r.scenario, lockstep.Lines-strings.Count(text+end, "\n")-4)
		}
		if !all {
			end += fmt.Sprintf("whole     %s has the whole scenario\n", r.file)
		}
		text += "\n" + strings.TrimRight(scenario, "\n") + "\n\n"
	}
	if !whole {
		end += "more      -json leaves nothing out\n"
	}
	return text + end
}

// failureJSON is a failure for machines, with everything that a screen has no room for.
type failureJSON struct {
	Property string   `json:"property"`
	Message  string   `json:"message"`
	Rules    []string `json:"rules,omitempty"`
	Applied  []string `json:"applied,omitempty"`
	Step     int      `json:"step"`
	Line     int      `json:"line,omitempty"`
	Op       string   `json:"op"`
	Model    string   `json:"model,omitempty"`
	Subject  string   `json:"subject,omitempty"`
	Detail   string   `json:"detail,omitempty"`
	Scenario string   `json:"scenario,omitempty"`
	File     string   `json:"file,omitempty"`
	Corpus   string   `json:"corpus,omitempty"` // the file of the corpus that failed
	Replay   string   `json:"replay,omitempty"`
}

func jsonOf(f *lockstep.Failure) *failureJSON {
	model, subject := f.Answers()
	return &failureJSON{
		Property: f.Property, Message: f.Message, Rules: f.Rules, Applied: f.Applied, Step: f.Step + 1, Op: f.Op.String(),
		Model: model, Subject: subject, Detail: f.Detail,
	}
}
