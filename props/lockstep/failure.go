package lockstep

import (
	"fmt"
	"strings"

	"fetchproof/ops"
)

// Failure is the first step at which a subject broke a property or parted from the model.
type Failure struct {
	// Property is the stable name of what failed: one of package props, "result/<op>" or "state/<field>" where subject and
	// model part, "panic" or "subject" where the subject itself failed. Shrinking holds it fixed.
	Property string
	Rules    []string // the rules that the property serves
	Applied  []string // the rules whose situations the model met at this step: the suspects
	Step     int      // index of the operation in the program
	Op       ops.Op   // resolved
	Model    ops.Result
	Subject  ops.Result
	Message  string // what failed, in a line
	Detail   string // the state difference, a stack, or a subject's last words; may be empty
}

func (f *Failure) Error() string { return fmt.Sprintf("%s: %s", f.Property, f.Message) }

// Text is what a person reads first: what broke, at which operation, what both said. Every line fits a terminal.
func (f *Failure) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "FAIL  %s\n", f.Property)
	fmt.Fprintf(&b, "      %s\n", f.Message)
	if len(f.Rules) > 0 {
		fmt.Fprintf(&b, "rules     %s\n", strings.Join(f.Rules, " "))
	}
	if len(f.Applied) > 0 {
		fmt.Fprintf(&b, "applied   %s (the rules that the model applied at this step)\n", strings.Join(f.Applied, " "))
	}
	fmt.Fprintf(&b, "step %-4d %s\n", f.Step+1, f.Op.String())
	fmt.Fprintf(&b, "model     %s\n", resultText(&f.Op, &f.Model))
	fmt.Fprintf(&b, "subject   %s\n", resultText(&f.Op, &f.Subject))
	if f.Detail != "" {
		b.WriteString(clipLines(f.Detail, 30))
	}
	return b.String()
}

func resultText(op *ops.Op, r *ops.Result) string {
	lines := strings.Split(strings.TrimSuffix(string(ops.AppendResult(nil, op, r)), "\n"), "\n")
	text := strings.Join(lines, "; ")
	if text == "" {
		text = r.Code.String()
	}
	if text == "" {
		text = "nothing"
	}
	if r.Why != "" {
		text += " (" + r.Why + ")"
	}
	return text
}

// clipLines keeps the first n lines, so that a failure stays on one screen.
func clipLines(text string, n int) string {
	lines := strings.SplitAfter(text, "\n")
	if len(lines) <= n {
		return text
	}
	return strings.Join(lines[:n], "") + fmt.Sprintf("… %d lines more\n", len(lines)-n)
}
