package gate

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"fetchproof/ops"
	"fetchproof/props/lockstep"
	"fetchproof/props/subject"
	"fetchproof/props/subject/sabotage"
)

// A failure of the corpus is shrunk like any other, by the check that it failed; the report names the file of the corpus, and
// the scenario that is kept fails on the faulty implementation and holds on the sound one.
func TestCorpusFailureIsShrunk(t *testing.T) {
	faulty := SubjectOptions{Factory: sabotage.Factory("wrong-charge")}
	dir := t.TempDir()
	var out bytes.Buffer
	held, err := Check(context.Background(), CheckOptions{Out: &out, Seed: 5, FailureDir: dir, Subject: faulty})
	if err != nil || held {
		t.Fatalf("held: %t, %v", held, err)
	}
	const shortest = "scheduler\nenqueue k1 at=0 from=A\nfill\narrive k1\noutcome k1 StoreFailed answered\n"
	for _, want := range []string{
		"FAIL  result/outcome\n", "\nat        corpus/scenarios/", "1-minimal", "\n" + shortest + "\n",
		"\nreplay    fetchproof replay " + dir + "/result-outcome-", "\ncorpus    fetchproof replay corpus/scenarios/", "\nFAIL      result/outcome\n",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the output lacks %q:\n%s", want, &out)
		}
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.txt"))
	if err != nil || len(files) != 1 {
		t.Fatalf("%d failure files, %v", len(files), err)
	}
	for _, c := range []struct {
		subject SubjectOptions
		held    bool
	}{{faulty, false}, {SubjectOptions{}, true}} {
		var replayed bytes.Buffer
		held, err := Replay(context.Background(), files[0], ReplayOptions{Out: &replayed, Subject: c.subject})
		if err != nil || held != c.held || !held && !strings.Contains(replayed.String(), "FAIL  result/outcome\n") {
			t.Errorf("replayed: held %t, want %t, %v\n%s", held, c.held, err, &replayed)
		}
	}

	out.Reset()
	if _, err := Check(context.Background(), CheckOptions{Out: &out, Seed: 5, FailureDir: dir, Subject: faulty, JSON: true}); err != nil {
		t.Fatal(err)
	}
	var result checkResult
	if err := json.Unmarshal(out.Bytes(), &result); err != nil {
		t.Fatal(err)
	}
	f := result.Failure
	if f == nil || !strings.HasPrefix(f.Corpus, "corpus/scenarios/") || f.Line == 0 || f.File != files[0] || !strings.HasSuffix(f.Scenario, shortest) || f.Model == f.Subject {
		t.Errorf("as JSON: %+v", f)
	}
}

// Where the scenario cannot be kept, the failure is told all the same, with all of the scenario.
func TestFailureThatCannotBeKept(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	held, err := Check(context.Background(), CheckOptions{
		Out: &out, Seed: 5, FailureDir: file + "/below", Subject: SubjectOptions{Factory: sabotage.Factory("wrong-charge")},
	})
	if err != nil || held {
		t.Fatalf("held: %t, %v", held, err)
	}
	for _, want := range []string{"\noutcome k1 StoreFailed answered\n", "with the lines above in FILE", "note      they could not be kept: mkdir ", "\nFAIL      result/outcome\n"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the output lacks %q:\n%s", want, &out)
		}
	}
}

// forgetful drops the last key of a large drop.
type forgetful struct{ *subject.Builtin }

func (f *forgetful) Apply(op *ops.Op, res *ops.Result) error {
	if err := f.Builtin.Apply(op, res); err != nil {
		return err
	}
	if n := len(res.Events); n >= 300 {
		res.Events = append(res.Events[:n/2:n/2], res.Events[n/2+1:]...)
	}
	return nil
}

// A failure with hundreds of events in a program of hundreds of operations takes one screen, with what differs on it. The file
// and the JSON have everything.
func TestLargeFailureFits(t *testing.T) {
	var text strings.Builder
	text.WriteString("scheduler\n")
	for i := range 300 {
		fmt.Fprintf(&text, "add k%d hints=A\n", 1000+i)
	}
	text.WriteString("@30m evict max_age=30m\n")
	dir := t.TempDir()
	file := filepath.Join(dir, "drop.txt")
	if err := os.WriteFile(file, []byte(text.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	faulty := SubjectOptions{Factory: func() (subject.Subject, error) { return &forgetful{subject.NewBuiltin()}, nil }}
	var out bytes.Buffer
	held, err := Replay(context.Background(), file, ReplayOptions{Out: &out, Subject: faulty})
	if held || err != nil {
		t.Fatal(held, err)
	}
	fitsScreen(t, out.String())
	for _, want := range []string{"left k1149 evicted; left k1150 evicted; left k1151 evicted; … 148 alike\n", "left k1149 evicted; left k1151 evicted; … 148 alike\n", "-json leaves nothing out\n"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, &out)
		}
	}
	out.Reset()
	if _, err := Replay(context.Background(), file, ReplayOptions{Out: &out, Subject: faulty, JSON: true}); err != nil {
		t.Fatal(err)
	}
	for i := range 300 {
		if event := fmt.Sprintf("left k%d evicted", 1000+i); strings.Count(out.String(), event) != 2 && i != 150 {
			t.Fatalf("the JSON lacks %q", event)
		}
	}
	c := &check{CheckOptions: CheckOptions{Out: &out, FailureDir: dir, Subject: faulty}}
	out.Reset()
	shrunk := c.shrunkFile(t, file)
	fitsScreen(t, out.String())
	if lines := strings.Count(shrunk, "\n"); lines != 304 {
		t.Errorf("the file has %d lines, want every one of 304", lines)
	}
	for _, want := range []string{"\nscheduler\n", " lines more …\n", "\n@30m0s evict max_age=30m0s\n", " has the whole scenario\n"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, &out)
		}
	}
}

// shrunkFile reports a program as check does, and returns the file that it keeps.
func (c *check) shrunkFile(t *testing.T, file string) string {
	t.Helper()
	scenario, err := readScenario(context.Background(), file, nil)
	if err != nil {
		t.Fatal(err)
	}
	list := scenario.Ops()
	p := lockstep.Program{Config: *list[0].Config, Ops: list[1:]}
	err = c.Subject.with(func(s subject.Subject) error {
		f, err := lockstep.New(s).Run(&p, false)
		if err != nil {
			return err
		}
		ended, end := context.WithCancel(context.Background())
		end() // as short as it is
		c.failed(c.shrunk(ended, p, f, s, "large"))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(c.result.Failure.File)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func fitsScreen(t *testing.T, text string) {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(text), "\n")
	if len(lines) > lockstep.Lines {
		t.Errorf("%d lines", len(lines))
	}
	for _, line := range lines {
		if n := utf8.RuneCountInString(line); n > lockstep.Columns && !strings.HasPrefix(line, "replay ") {
			t.Errorf("%d columns: %s", n, line)
		}
	}
	if t.Failed() {
		t.Log(text)
	}
}
