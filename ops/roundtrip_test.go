package ops_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"fetchproof/ops"
)

// eachKind runs check for every kind of operation of every machine.
func eachKind(t *testing.T, check func(d draw, m ops.Machine, o ops.Op)) {
	for _, m := range []ops.Machine{ops.SchedulerMachine, ops.ResponderMachine} {
		for _, k := range kinds(m) {
			t.Run(fmt.Sprint(m, " ", k), func(t *testing.T) {
				rapid.Check(t, func(t *rapid.T) {
					d := draw{t}
					check(d, m, d.op(k))
				})
			})
		}
	}
}

// sameResult is for go-cmp, which would call the method on a nil pointer.
func sameResult(a, b *ops.Result) bool { return a == b || a != nil && b != nil && a.Equal(b) }

func same(d draw, want, have any, written string) {
	d.Helper()
	if diff := cmp.Diff(want, have, cmpopts.EquateEmpty(), cmp.Comparer(sameResult)); diff != "" {
		d.Fatalf("written %s, read back otherwise (- written, + read):\n%s", written, diff)
	}
}

// TestOpText: a line of text, read back, is the operation, but for its time, which the file carries from line to line.
func TestOpText(t *testing.T) {
	eachKind(t, func(d draw, m ops.Machine, o ops.Op) {
		line := string(o.AppendText(nil))
		back, err := ops.ParseOp(m, line)
		if err != nil {
			d.Fatalf("%s: %v", line, err)
		}
		o.Now = 0
		same(d, o, back, line)
		if strings.ContainsAny(line, "\n\r") {
			d.Fatalf("%q is no line", line)
		}
	})
}

// TestOpTextArguments: named arguments may stand in any order.
func TestOpTextArguments(t *testing.T) {
	want := "enqueue k1 at=7 from=A,B"
	for _, line := range []string{want, "enqueue k1 from=A,B at=7", "  enqueue \t k1  at=7\tfrom=A,B "} {
		o, err := ops.ParseOp(ops.SchedulerMachine, line)
		if err != nil {
			t.Fatal(err)
		}
		if got := string(o.AppendText(nil)); got != want {
			t.Errorf("%q is printed %q", line, got)
		}
	}
}

// TestOpJSON: a line of the protocol, read back, is the operation, and each machine refuses the other's.
func TestOpJSON(t *testing.T) {
	eachKind(t, func(d draw, m ops.Machine, o ops.Op) {
		line, err := o.AppendJSON(nil)
		if err != nil {
			d.Fatal(err)
		}
		back, err := ops.ParseOpJSON(m, line)
		if err != nil {
			d.Fatalf("%s: %v", line, err)
		}
		same(d, o, back, string(line))
		if bytes.ContainsAny(line, "\n\r") {
			d.Fatalf("%q is no line", line)
		}
		if other := 1 - m; !o.Kind.On(other) {
			if _, err := ops.ParseOpJSON(other, line); err == nil {
				d.Fatalf("the %s takes %s", other, line)
			}
		}
	})
}

// TestScenarioText: text, read back, is the scenario.
func TestScenarioText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := draw{t}
		s := d.scenario()
		text := s.String()
		back, err := ops.Parse("", strings.NewReader(text))
		if err != nil {
			d.Fatalf("%v\n%s", err, text)
		}
		same(d, clean(s), clean(back), text)
		if back.String() != text {
			d.Fatalf("printed again it is other text:\n%s\n%s", text, back)
		}
	})
}

// TestScenarioJSON: text to JSON lines to text loses nothing.
func TestScenarioJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := draw{t}
		s := d.scenario()
		lines, err := s.AppendJSON(nil)
		if err != nil {
			d.Fatal(err)
		}
		back, err := ops.Parse("", bytes.NewReader(lines))
		if err != nil {
			d.Fatalf("%v\n%s", err, lines)
		}
		same(d, clean(s), clean(back), string(lines))
		if back.String() != s.String() {
			d.Fatalf("the text of the JSON lines is other text:\n%s\n%s", s, back)
		}
	})
}

// clean is the scenario without its line numbers.
func clean(s *ops.Scenario) []ops.Block {
	blocks := make([]ops.Block, len(s.Blocks))
	for i, b := range s.Blocks {
		b.Steps = append([]ops.Step(nil), b.Steps...)
		for j := range b.Steps {
			b.Steps[j].Line = 0
		}
		blocks[i] = b
	}
	return blocks
}

// TestConfig: a configuration in range is written and read back in both forms, derived fields that were set directly
// included.
func TestConfig(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := draw{t}
		c := d.config(d.machine())
		if err := c.Validate(); err != nil {
			d.Fatal(err)
		}
		if c.Machine == ops.ResponderMachine {
			c.Scheduler = ops.DefaultConfig(c.Machine).Scheduler
		}
		o := ops.Op{Kind: ops.Init, Config: c}
		text := string(o.AppendText(nil))
		s, err := ops.Parse("", strings.NewReader(text+"\n"))
		if err != nil {
			d.Fatalf("%s: %v", text, err)
		}
		same(d, c, s.Blocks[0].Steps[0].Op.Config, text)
		line, err := o.AppendJSON(nil)
		if err != nil {
			d.Fatal(err)
		}
		back, err := ops.ParseOpJSON(c.Machine, line)
		if err != nil {
			d.Fatalf("%s: %v", line, err)
		}
		same(d, c, back.Config, string(line))
	})
}
