package lockstep_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"fetchproof/model"
	"fetchproof/ops"
	"fetchproof/props/lockstep"
)

// onScreen is the text of a failure, which must fit.
func onScreen(t *testing.T, f *lockstep.Failure) string {
	t.Helper()
	text := f.Text()
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if len(lines) > 28 { // which leaves the scenario its share of the screen
		t.Errorf("%d lines:\n%s", len(lines), text)
	}
	for _, line := range lines {
		if n := utf8.RuneCountInString(line); n > lockstep.Columns {
			t.Errorf("%d columns: %s", n, line)
		}
	}
	return text
}

func wants(t *testing.T, text string, list ...string) {
	t.Helper()
	for _, want := range list {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

func dropped(n int) (events []ops.Event) {
	for i := range n {
		events = append(events, ops.Event{Kind: ops.Left, Key: ops.KeyNamed(fmt.Sprintf("k%d", 1000+i)), Reason: ops.LeftDropped})
	}
	return events
}

// Of hundreds of events the one in the middle that differs is shown, with those beside it, and the others are counted.
func TestManyEvents(t *testing.T) {
	f := lockstep.Failure{
		Property: "result/evict", Op: ops.Op{Kind: ops.Evict}, Model: ops.Result{Events: dropped(300)}, Subject: ops.Result{Events: dropped(300)},
		Message: "the subject answers otherwise than the model",
	}
	f.Subject.Events[150].Reason = ops.LeftOrphaned
	text, whole := f.Screen()
	if whole {
		t.Error("it claims to be whole")
	}
	onScreen(t, &f)
	wants(t, text, "model     … 149 alike … left k1149 dropped; left k1150 dropped; left k1151 dropped; … 148 alike\n",
		"subject   … 149 alike … left k1149 dropped; left k1150 orphaned; left k1151 dropped; … 148 alike\n")

	f.Subject.Events = slices.Delete(f.Subject.Events, 150, 151)
	wants(t, onScreen(t, &f), "left k1149 dropped; left k1150 dropped; left k1151 dropped; … 148 alike\n", "left k1149 dropped; left k1151 dropped; … 148 alike\n")

	f.Subject.Events = nil
	wants(t, onScreen(t, &f), "model     left k1000 dropped; left k1001 dropped; ", " more\nsubject   nothing\n")
	model, _ := f.Answers()
	if n := strings.Count(model, "left k1"); n != 300 {
		t.Errorf("the whole answer has %d events, want 300", n)
	}
}

// Of what the model met at the step, each rule comes once before any comes twice, those that the broken property serves first.
func TestSuspectsFirst(t *testing.T) {
	f := lockstep.Failure{
		Property: "result/fill", Op: ops.Op{Kind: ops.Fill}, Message: "short", Rules: []string{"CON-8", "FIL-2"},
		Met: []model.Situation{
			{Rule: "CON-7", Text: "a"},
			{Rule: "CON-8", Text: "b"},
			{Rule: "CON-8", Text: "c"},
			{Rule: "SRC-2", Text: "d"},
			{Rule: "SRC-2", Text: "e"},
			{Rule: "FIL-2", Text: "f"},
			{Rule: "FIL-3", Text: "g"},
			{Rule: "FIL-3", Text: "h"},
		},
	}
	wants(t, onScreen(t, &f), `
rules     CON-8 FIL-2
applied   CON-8: b
          FIL-2: f
          CON-7: a
          SRC-2: d
          FIL-3: g
          CON-8: c
          … and 2 more, of SRC-2 FIL-3
`)
}

// What fits is shown as it is.
func TestFewEvents(t *testing.T) {
	f := lockstep.Failure{
		Property: "result/evict", Op: ops.Op{Kind: ops.Evict}, Model: ops.Result{Events: dropped(4)}, Message: "short",
		Detail: "state     - model, + subject\n  - heap       k1 k2\n  + heap       k2\n",
	}
	text, whole := f.Screen()
	if !whole || !strings.Contains(text, "left k1000 dropped; left k1001 dropped; left k1002 dropped; left k1003 dropped\n") || !strings.HasSuffix(text, f.Detail) {
		t.Errorf("whole: %t\n%s", whole, text)
	}
}

func keys(n int, but ...int) string {
	var list []string
	for i := range n {
		if !slices.Contains(but, i) {
			list = append(list, fmt.Sprintf("k%d", 1000+i))
		}
	}
	return strings.Join(list, " ")
}

// Of states with hundreds of keys what differs is shown: within a line, and of many lines the first of each field on each
// side.
func TestHugeStates(t *testing.T) {
	detail := "state     - model, + subject\n" +
		"  - heap       " + keys(400) + "\n  + heap       " + keys(400, 200) + "\n" +
		"  - index      A: " + keys(300) + "\n"
	for i := range 300 {
		detail += fmt.Sprintf("  - queued     k%d at %d untried A\n", i, i)
	}
	for i := range 300 {
		detail += fmt.Sprintf("  + queued     k%d at %d untried A,B\n", i, i)
	}
	detail += "  - charge     A 300\n  + charge     A 299\n"
	f := lockstep.Failure{
		Property: "state/heap", Op: ops.Op{Kind: ops.Fill}, Message: strings.Repeat("a word ", 300), Detail: detail,
		Rules: slices.Repeat([]string{"PND-10"}, 60), Met: model.SituationTable[:],
	}
	for i := range 500 {
		f.Op.Keys = append(f.Op.Keys, ops.KeyNamed(fmt.Sprintf("k%d", i)))
	}
	f.Op.Kind = ops.Drained
	wants(t, onScreen(t, &f), "\n  - heap       k1000 … 198 alike … k1199 k1200 k1201 … 198 alike\n", "\n  + heap       k1000 … 198 alike … k1199 k1201 … 198 alike\n",
		"\n  - index      A: k1000 k1001 ", "\n  - queued     k0 at 0 untried A\n", "\n  + queued     k0 at 0 untried A,B\n", "more of queued\n",
		"\n  - charge     A 300\n  + charge     A 299\n")
}

// What differs is shown in whatever order the lines of the two sides come: the subject's before the model's, and with those of
// other entries between them.
func TestSidesApart(t *testing.T) {
	for _, order := range [][]string{
		{"+ parked     S", "- parked     M", "+ index      A: S", "- index      A: M"},
		{"+ index      A: S", "+ parked     S", "- parked     M", "- index      A: M"},
		{"- parked     M", "+ index      A: S", "- index      A: M", "+ parked     S"},
		{"+ parked     S", "- index      A: M", "- index      B: k1", "- parked     M", "+ index      C: k1", "+ index      A: S"},
	} {
		lines := strings.NewReplacer("M", keys(80), "S", keys(80, 40)).Replace("  " + strings.Join(order, "\n  ") + "\n")
		f := lockstep.Failure{Property: "state/heap", Op: ops.Op{Kind: ops.Fill}, Message: "short", Detail: "state     - model, + subject\n" + lines}
		wants(t, onScreen(t, &f), "\n  - parked     k1000 … 38 alike … k1039 k1040 k1041 … 38 alike\n  + parked     k1000 … 38 alike … k1039 k1041 … 38 alike\n",
			"\n  - index      A: … 39 alike … k1039 k1040 k1041 … 38 alike\n  + index      A: … 39 alike … k1039 k1041 … 38 alike\n")
	}
}

// One word that is wider than the screen, and a stack with long lines, fit too.
func TestWideLines(t *testing.T) {
	wide := strings.Repeat("é", 1000)
	f := lockstep.Failure{Property: "panic", Op: ops.Op{Kind: ops.Fill}, Message: wide, Detail: strings.Repeat("\t"+wide+"\n", 100)}
	wants(t, onScreen(t, &f), "      é", "… ", " lines more\n")
}

// Of the long last words of a process, their end is shown.
func TestLastWords(t *testing.T) {
	f := lockstep.Failure{
		Property: "subject/crash", Op: ops.Op{Kind: ops.Evict}, Message: "it ended",
		Detail: "sent      {}\n" + strings.Repeat("stderr      File x\n", 60) + "stderr    RuntimeError: why\n",
	}
	wants(t, onScreen(t, &f), "\nmodel     nothing\nsubject   no answer\nsent      {}\n", " lines more\nstderr ", "\nstderr    RuntimeError: why\n")
}

// Lines that only one side has are shown, also where the other side has none at all.
func TestDiffLinesOfNothing(t *testing.T) {
	if got, want := lockstep.DiffLines(nil, []string{"a", "b"}), "  + a\n  + b\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := lockstep.DiffLines([]string{"a"}, nil), "  - a\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := lockstep.DiffLines(nil, []string{}); got != "" {
		t.Errorf("got %q of nothing", got)
	}
}
