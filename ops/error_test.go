package ops_test

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fetchproof/ops"
)

var rewrite = flag.Bool("rewrite", false, "write what is printed into testdata, in place of what it expects")

// badInput is a case of testdata/errors.txt: a line "=== name", a file, a line ">>>" and what Parse says of it.
type badInput struct{ name, file, says string }

const errorsFile = "testdata/errors.txt"

func readBadInputs(t *testing.T) (prose string, cases []badInput) {
	t.Helper()
	text, err := os.ReadFile(errorsFile)
	if err != nil {
		t.Fatal(err)
	}
	prose, rest, _ := strings.Cut(string(text), "=== ")
	for part := range strings.SplitSeq(rest, "\n=== ") {
		name, body, _ := strings.Cut(part, "\n")
		file, says, found := strings.Cut("\n"+body, "\n>>> ")
		if !found {
			t.Fatalf("%s: %s has no >>>", errorsFile, name)
		}
		cases = append(cases, badInput{name, strings.TrimPrefix(file+"\n", "\n"), strings.TrimSuffix(says, "\n")})
	}
	return prose, cases
}

// TestParseErrors: bad input gives its file and line, and says what was wanted.
func TestParseErrors(t *testing.T) {
	prose, cases := readBadInputs(t)
	renewed := prose
	for i, c := range cases {
		if c.file == "\n" {
			c.file = "" // an empty file, not an empty line
		}
		said := "nothing"
		_, err := ops.Parse("in", strings.NewReader(c.file))
		if err != nil {
			said = err.Error()
		}
		var at *ops.ParseError
		if err != nil && !errors.As(err, &at) {
			t.Errorf("%s: %v is no *ops.ParseError", c.name, err)
		}
		if said != c.says && !*rewrite {
			t.Errorf("%s says\n%s, want\n%s", c.name, said, c.says)
		}
		if i > 0 {
			renewed += "\n"
		}
		renewed += fmt.Sprintf("=== %s\n%s>>> %s", c.name, c.file, said)
	}
	if *rewrite {
		if err := os.WriteFile(errorsFile, []byte(renewed+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestNoText: what is no text has no place in testdata.
func TestNoText(t *testing.T) {
	long := strings.Repeat("x", 1<<20+1)
	for _, c := range []struct{ name, file, says string }{
		{"zeros", "\x00\x00\x00\x00", "in:1: not text: byte 1 is the control character U+0000; want a scenario in UTF-8"},
		{"a zero at the end", "scheduler\nfill\n\x00", "in:3: not text: byte 1 is the control character U+0000; want a scenario in UTF-8"},
		{"no UTF-8", "scheduler\nfill\xff\n", "in:2: not text: byte 5 is 0xff, which is no UTF-8; want a scenario in UTF-8"},
		{"a surrogate", "scheduler\nfill \xed\xa0\x80\n", "in:2: not text: byte 6 is 0xed, which is no UTF-8; want a scenario in UTF-8"},
		{"an executable", "\x7fELF\x02\x01\x01\x00\x00\n", "in:1: not text: byte 1 is the control character U+007F; want a scenario in UTF-8"},
		{"UTF-16", "\xff\xfes\x00c\x00", "in:1: not text: this is UTF-16; want a scenario in UTF-8"},
		{"lines of an old machine", "scheduler\rfill\r", "in:1: not text: byte 10 is the control character U+000D; want a scenario in UTF-8"},
		{"a byte order mark alone", "\ufeff", "in:1: no operation: want a line such as \"scheduler slots=4\" and operations after it"},
		{"a byte order mark inside", "scheduler\n\ufefffill\n", "in:2: unknown operation \"\\ufefffill\" of the scheduler"},
		{"deep JSON", "{\"comment\":" + strings.Repeat("[", 200_000) + "\n", "in:1: not a line of the protocol: invalid character '[' exceeded max depth (byte 10011)"},
		{"deep JSON that ends", "{\"x\":" + strings.Repeat("[", 9_000) + strings.Repeat("]", 9_000) + "}\n", "in:1: no op in this line"},
		{"a long line", "scheduler\n" + long + "\nfill\n", "in:2: a line of more than 1048576 bytes"},
		{"one long line", long, "in:1: a line of more than 1048576 bytes"},
		{"a long line of JSON", "{" + long, "in:1: a line of more than 1048576 bytes"},
		{"a long name", "scheduler\nenqueue " + long[:1000] + " at=1 from=A\n", "in:2: enqueue: name \"" + long[:77] + "...\": want a word of 1 to 32 letters, digits, _ or -, or 0x and 64 hex digits"},
	} {
		_, err := ops.Parse("in", strings.NewReader(c.file))
		if err == nil || err.Error() != c.says {
			t.Errorf("%s says %v, want %s", c.name, err, c.says)
		}
	}
}

// scheduler is the init of one, as a line.
func scheduler(t *testing.T) string {
	t.Helper()
	config := ops.DefaultConfig(ops.SchedulerMachine)
	line, err := (&ops.Op{Kind: ops.Init, Config: &config}).AppendJSON(nil)
	if err != nil {
		t.Fatal(err)
	}
	return string(line) + "\n"
}

// TestEditorsMarks: what editors and other systems put into a file is no part of it: a byte order mark, blank lines, carriage
// returns.
func TestEditorsMarks(t *testing.T) {
	text := "scheduler\nenqueue k1 at=1 from=A\n@5s fill\n----\nstart k1 from A #1\n"
	lines := scheduler(t) + "{\"op\":\"fill\",\"now\":5}\n"
	for _, c := range []struct {
		name, file string
		json       bool
	}{
		{"a mark", "\ufeff" + text, false},
		{"blanks and carriage returns", strings.ReplaceAll("\n \n"+text, "\n", "\r\n"), false},
		{"a mark before JSON", "\ufeff" + lines, true},
		{"blanks and carriage returns in JSON", strings.ReplaceAll("\n \t\n"+lines+"\n", "\n", "\r\n"), true},
	} {
		s, err := ops.Parse("in", strings.NewReader(c.file))
		switch {
		case err != nil:
			t.Errorf("%s: %v", c.name, err)
		case s.JSON != c.json:
			t.Errorf("%s: read as JSON: %t", c.name, s.JSON)
		case c.json && len(s.Ops()) != 2 || !c.json && s.String() != text:
			t.Errorf("%s is read as\n%s", c.name, s)
		}
	}
}

// TestIgnored: the unknown fields of a trace are ignored, whatever they hold, and the first of them told.
func TestIgnored(t *testing.T) {
	lines := scheduler(t) + `{"op":"fill","now":5}` + "\n" +
		`{"op":"fill","now":5,"evnets":[{"Event":1,"Event":2,"now":null},null],"Thread ID":{"a":1,"a":2}}` + "\n" +
		`{"op":"fill","now":5,"later":1}` + "\n"
	s, err := ops.Parse("in", strings.NewReader(lines))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(ops.Ignored{Line: 3, Names: []string{"evnets", "Thread ID"}}, s.Ignored); diff != "" {
		t.Errorf("ignored (- want, + have):\n%s", diff)
	}
}

// TestGivenTwice: a name that an object has twice is found in an object of any size, whatever its order.
func TestGivenTwice(t *testing.T) {
	const n = 10_000
	entry := func(i int) string { return fmt.Sprintf(`"%064x":1`, (i*7919)%n) } // in no order
	entries := make([]string, n)
	for i := range entries {
		entries[i] = entry(i)
	}
	line := func() string {
		return `{"op":"fill","now":1,"state":{"charges":{` + strings.Join(entries, ",") + "}}}\n"
	}
	if _, err := ops.Parse("in", strings.NewReader(scheduler(t)+line())); err != nil {
		t.Fatal(err)
	}
	for _, i := range []int{1, 50, 64, 65, n - 1} {
		entries[i] = entry(i - 1)
		_, err := ops.Parse("in", strings.NewReader(scheduler(t)+line()))
		if err == nil || !strings.Contains(err.Error(), "is given twice") {
			t.Errorf("entry %d is that before it, and Parse says %v", i, err)
		}
		entries[i] = entry(i)
	}
}

// TestCanonicalForm: every spelling has one form, and that form is what it prints.
func TestCanonicalForm(t *testing.T) {
	spelt := "#  a comment\n#without a space\n#\n\nscheduler share=2   slots=4 mark_lifetime=1m fetch_timeout=30s\n@1000ms fill\t\n\n\n" +
		"@1s add k1 hints=A,B!  \r\n@2s arrive #1\n"
	if _, err := ops.Parse("in", strings.NewReader(spelt)); err == nil {
		t.Error("an arrival with a time was read")
	}
	spelt = strings.ReplaceAll(spelt, "@2s arrive", "arrive")
	want := "#  a comment\n# without a space\n#\n\nscheduler slots=4\n@1s fill\n\nadd k1 hints=A,B!\narrive #1\n"
	for range 2 {
		s, err := ops.Parse("in", strings.NewReader(spelt))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, s.String()); diff != "" {
			t.Fatalf("- want, + printed:\n%s", diff)
		}
		spelt = s.String()
	}
}

// TestStepLines: every operation knows its line, in both forms.
func TestStepLines(t *testing.T) {
	text := "# prose\nscheduler\n\n# more\nfill\nfill\n----\n\nfill\n"
	s, err := ops.Parse("in", strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	lines, err := s.AppendJSON(nil)
	if err != nil {
		t.Fatal(err)
	}
	back, err := ops.Parse("in", bytes.NewReader(lines))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		s    *ops.Scenario
		want []int
	}{{s, []int{2, 5, 6, 9}}, {back, []int{2, 5, 6, 9}}} {
		var have []int
		for _, b := range c.s.Blocks {
			for _, step := range b.Steps {
				have = append(have, step.Line)
			}
		}
		if diff := cmp.Diff(c.want, have); diff != "" {
			t.Errorf("lines (- want, + have):\n%s", diff)
		}
	}
}
