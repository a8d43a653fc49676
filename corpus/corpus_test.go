package corpus_test

import (
	"bytes"
	"flag"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fetchproof/corpus"
	"fetchproof/ops"
	"fetchproof/props/script"
	"fetchproof/props/subject"
)

var rewrite = flag.Bool("rewrite", false, "write what model and implementation agree on into the scenario files, in place of what they expect")

// TestScenarios: every file is in canonical form, model and implementation both give what it expects, its runs drain to
// nothing, and its two written forms convert into each other without loss.
func TestScenarios(t *testing.T) {
	files, err := corpus.Files()
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Fatal("no scenario file")
	}
	for _, f := range files {
		t.Run(f.Path, func(t *testing.T) {
			s := parse(t, f.Path, f.Text)
			if *rewrite {
				renew(t, f, s)
				return
			}
			if diff := cmp.Diff(string(f.Text), s.String()); diff != "" {
				t.Errorf("not in canonical form (- file, + printed): go test ./corpus -rewrite mends it\n%s", diff)
			}
			convert(t, s)
			replay(t, f.Path, s)
		})
	}
}

func parse(t *testing.T, path string, text []byte) *ops.Scenario {
	t.Helper()
	s, err := ops.Parse(path, bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func replay(t *testing.T, path string, s *ops.Scenario) {
	t.Helper()
	outcome, err := script.Run(s, subject.NewBuiltin(), 1, true)
	if err != nil {
		t.Fatal(err)
	}
	if outcome.Failure != nil {
		t.Error(outcome.Failure.Text(path))
	}
}

// renew writes the file anew. Where model and implementation differ it keeps the file and fails.
func renew(t *testing.T, f corpus.File, s *ops.Scenario) {
	t.Helper()
	outcome, err := script.Rewrite(s, subject.NewBuiltin())
	if err != nil {
		t.Fatal(err)
	}
	if outcome.Failure != nil {
		t.Fatal(outcome.Failure.Text(f.Path))
	}
	text := outcome.Actual.AppendText(nil)
	if bytes.Equal(text, f.Text) {
		return
	}
	if err := os.WriteFile(f.Path, text, 0o644); err != nil {
		t.Fatal(err)
	}
	t.Logf("rewritten: %s", f.Path)
}

// convert checks text, to JSON lines, to text, and to JSON lines again.
func convert(t *testing.T, s *ops.Scenario) {
	t.Helper()
	lines, err := s.AppendJSON(nil)
	if err != nil {
		t.Fatal(err)
	}
	back := parse(t, "JSON lines of "+s.Name, lines)
	if diff := cmp.Diff(s.String(), back.String()); diff != "" {
		t.Errorf("JSON lines lose something (- text, + text of JSON lines):\n%s", diff)
	}
	again, err := back.AppendJSON(nil)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(lines, again) {
		t.Error("JSON lines, read and written, are other JSON lines")
	}
}
