package mutants

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const sampleFile = "mutants/testdata/sample/sample.go"

// sampleOptions is a campaign over the sample.
func sampleOptions() Options {
	return Options{
		Packages: []string{"./testdata/sample"}, Runner: "fetchproof/mutants/testdata/runner", Seed: 1,
		Named: []Named{{
			Name: "popped-unready", File: sampleFile, Anchor: "it.Ready && it.Rank > 0", Text: "it.Rank > 0", Layer: "random", Check: "queue",
		}},
	}
}

func statuses(r *Report) map[string]Status {
	out := map[string]Status{}
	for _, row := range r.Rows {
		out[row.ID] = row.Verdict.Status
	}
	return out
}

// byChange finds the mutant of a function with a change, such as "n--  ->  (removed)".
func byChange(t *testing.T, r *Report, fn, change string) Row {
	t.Helper()
	for _, row := range r.Rows {
		if row.Func == fn && row.Change == change {
			return row
		}
	}
	t.Fatalf("no mutant of %s: %s", fn, change)
	return Row{}
}

func TestCampaign(t *testing.T) {
	o := sampleOptions()
	o.Log = filepath.Join(t.TempDir(), "log.jsonl")
	r, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		fn, change string
		status     Status
		how        How
		layer      string
	}{
		{"Collatz", "n > 1  ->  n >= 1", Killed, ByFuel, "table"},
		{"Depth", "n-1  ->  n+1", Killed, ByFuel, "table"},
		{"Flags", "1 << i  ->  1 >> i", Killed, ByFailure, "table"},
		{"Spread", "n < 0  ->  n >= 0", Killed, ByCrash, "table"},
		{"(*Queue).Pop", "return it, true  ->  return it, false", Killed, ByFailure, "random"},
		{"(*Queue).Push", "q.refused++  ->  (removed)", Survived, "", ""},
		{"Unreached", "a + b  ->  a - b", Uncovered, "", ""},
		{"Spread", "out <- n  ->  (removed)", Timeout, "", ""},
		{"", "Capacity = 8  ->  Capacity = 9", Unbuilt, "", ""},
	} {
		v := byChange(t, r, c.fn, c.change).Verdict
		if v.Status != c.status || c.how != "" && (v.Kill.How != c.how || v.Kill.Layer != c.layer) {
			t.Errorf("%s %s: %+v %+v, want %s %s by %s", c.fn, c.change, v, v.Kill, c.status, c.how, c.layer)
		}
	}
	if named := r.Rows[0]; named.Named == nil || named.Verdict.Alone == nil || named.Verdict.Alone.Check != "queue" {
		t.Errorf("the named mutant: %+v", named.Verdict)
	}
	if r.ExitCode() != 1 || r.Tally().Killed < 80 {
		t.Errorf("exit code %d, %+v: the sample is not well tested, and not badly", r.ExitCode(), r.Tally())
	}
	checkText(t, r)
	checkElements(t, r)
	checkResume(t, o, r)
}

func checkText(t *testing.T, r *Report) {
	var b bytes.Buffer
	if err := r.WriteText(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"fetchproof/mutants/testdata/sample  ", "Survivors", "q.refused++ -> (removed)", "Timeouts", "Uncovered", "FAIL", "caught first by",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the report lacks %q:\n%s", want, &b)
		}
	}
}

// checkElements reads the report back as the schema has it.
func checkElements(t *testing.T, r *Report) {
	var b bytes.Buffer
	if err := r.WriteElements(&b); err != nil {
		t.Fatal(err)
	}
	var out elementsReport
	dec := json.NewDecoder(&b)
	dec.DisallowUnknownFields()
	if err := dec.Decode(&out); err != nil {
		t.Fatal(err)
	}
	f := out.Files[sampleFile]
	if out.SchemaVersion != "2" || f.Language != "go" || !strings.Contains(f.Source, "package sample") || len(f.Mutants) != len(r.Rows) {
		t.Fatalf("schema %s, file %s of %d mutants, want %d", out.SchemaVersion, f.Language, len(f.Mutants), len(r.Rows))
	}
	known := slices.Collect(maps.Values(elementsStatus))
	lines := strings.Split(f.Source, "\n")
	for _, m := range f.Mutants {
		l := m.Location
		after := l.End.Line > l.Start.Line || l.End.Line == l.Start.Line && l.End.Column > l.Start.Column
		if m.ID == "" || m.MutatorName == "" || !slices.Contains(known, m.Status) || l.Start.Line < 1 || l.Start.Column < 1 || !after || l.End.Line > len(lines) {
			t.Errorf("mutant %+v", m)
		}
		for _, layer := range m.KilledBy {
			if out.TestFiles[layer].Tests[0].ID != layer {
				t.Errorf("mutant %s is killed by %s, which is no test", m.ID, layer)
			}
		}
	}
}

// checkResume runs on from a log that lacks its last lines and ends in the middle of one.
func checkResume(t *testing.T, o Options, first *Report) {
	text, err := os.ReadFile(o.Log)
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.SplitAfter(text, []byte("\n"))
	keep := len(lines) - 20
	cut := append(bytes.Join(lines[:keep], nil), lines[keep][:30]...)
	if err := os.WriteFile(o.Log, cut, 0o600); err != nil {
		t.Fatal(err)
	}
	total := 0
	o.Progress = func(p Progress) { total = p.Total }
	again, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if want := len(first.Rows) - keep; total != want {
		t.Errorf("%d mutants ran again, want %d", total, want)
	}
	if !maps.Equal(statuses(again), statuses(first)) {
		t.Error("the verdicts differ after resuming")
	}
	// Nothing is left to run, so nothing is built; the ledger is judged all the same.
	o.Ledger = filepath.Join(t.TempDir(), "ledger")
	killed, survivor := byChange(t, first, "Flags", "1 << i  ->  1 >> i"), byChange(t, first, "(*Queue).Push", "q.refused++  ->  (removed)")
	ledger := killed.String() + "\n\tit counts\n" + survivor.String() + "\n\tno layer reads refused\n"
	if err := os.WriteFile(o.Ledger, []byte(ledger), 0o600); err != nil {
		t.Fatal(err)
	}
	judged, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if judged.Phases.Build.Wall != 0 || judged.Tally().Accepted != 1 || !strings.Contains(strings.Join(judged.Violations, "\n"), killed.ID+" is killed") {
		t.Errorf("built for %v, %+v, %q", judged.Phases.Build, judged.Tally(), judged.Violations)
	}
}

// Two shards together are the whole, and a shard stopped in the middle keeps what it has.
func TestShardsAndInterruption(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	dir := t.TempDir()
	o := sampleOptions()
	o.Named = nil
	o.Shard, o.Log = Shard{1, 2}, filepath.Join(dir, "1")
	ctx, cancel := context.WithCancel(t.Context())
	done := 0
	o.Progress = func(p Progress) {
		if done = p.Done; done == 30 {
			cancel()
		}
	}
	if _, err := Run(ctx, o); !errors.Is(err, context.Canceled) {
		t.Fatalf("interrupted: %v", err)
	}
	if left, err := os.ReadDir(temp); err != nil || slices.ContainsFunc(left, func(e os.DirEntry) bool { return strings.HasPrefix(e.Name(), scratchPrefix) }) {
		t.Errorf("left behind: %v, %v", left, err)
	}
	text, err := os.ReadFile(o.Log)
	if n := bytes.Count(text, []byte("\n")); err != nil || n < 30 {
		t.Errorf("%d verdicts in the log, want 30 at least: %v", n, err)
	}
	o.Progress = nil
	o.Shard, o.Log, o.Merge = Shard{2, 2}, filepath.Join(dir, "2"), []string{o.Log}
	r, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	first := 0
	for _, row := range r.Rows {
		if o.Shard.Has(row.ID) == (Shard{1, 2}).Has(row.ID) {
			t.Errorf("%s is in both shards or in none", row.ID)
		}
		if (Shard{1, 2}).Has(row.ID) {
			first++
		}
	}
	if first < 30 || len(r.Rows) == first || len(r.Rows) >= r.Total {
		t.Errorf("%d verdicts, %d of the first shard, of %d", len(r.Rows), first, r.Total)
	}
}

// What is selected: the packages asked for, and at most so many, always the same ones; named mutants in any case.
func TestSelection(t *testing.T) {
	o := sampleOptions()
	o.Packages = append(o.Packages, "./testdata/shapes")
	selected := func(change func(*Options)) (map[string]bool, int) {
		t.Helper()
		o := o
		change(&o)
		var todo map[string]bool
		leftOut := 0
		err := o.with(t.Context(), func(c *campaign) (err error) {
			todo, err = c.selection(t.Context())
			leftOut = c.leftOut
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return todo, leftOut
	}
	all, _ := selected(func(*Options) {})
	sample, _ := selected(func(o *Options) { o.In = []string{"mutants/testdata/sample"} })
	below, _ := selected(func(o *Options) { o.In = []string{"mutants/testdata/..."} })
	if len(sample) == 0 || len(sample) >= len(all) || len(below) != len(all) {
		t.Errorf("%d mutants in one package of two, %d in both, of %d", len(sample), len(below), len(all))
	}
	ten, leftOut := selected(func(o *Options) { o.Most = 10 })
	twenty, _ := selected(func(o *Options) { o.Most = 20 })
	if len(ten) != 11 || !ten["popped-unready"] || leftOut != len(all)-11 {
		t.Errorf("%d of %d mutants, %d left out, want 10 and the named one", len(ten), len(all), leftOut)
	}
	for id := range ten {
		if !twenty[id] {
			t.Errorf("%s is among 10 and not among 20", id)
		}
	}
	o.In = []string{"mutants/testdata"}
	err := o.with(t.Context(), func(c *campaign) error { _, err := c.selection(t.Context()); return err })
	if !errors.Is(err, ErrUsage) {
		t.Errorf("a package without mutants: %v", err)
	}
}

// The switch does what the edits do.
func TestAudit(t *testing.T) {
	o := sampleOptions()
	o.Named, o.Packages = nil, append(o.Packages, "./testdata/shapes")
	n := 8
	if os.Getenv("MUTANTS_AUDIT") != "" {
		n = 80
	}
	a, err := AuditEngine(t.Context(), o, n)
	if err != nil {
		t.Fatal(err)
	}
	if a.Compared < n/2 || len(a.Mismatches) > 0 {
		t.Errorf("compared %d of %d, refused %d:\n%s", a.Compared, n, a.Refused, strings.Join(a.Mismatches, "\n"))
	}
}

// The tests of a package are a layer, even if they have a TestMain; a mutant that spoils the package for those after it
// fails the campaign.
func TestTestsAsLayer(t *testing.T) {
	o := Options{
		Packages: []string{"./testdata/leaky"}, Tests: []string{"fetchproof/mutants/testdata/leaky"}, NoGenerated: true,
		Named: []Named{{
			Name: "thrice", File: "mutants/testdata/leaky/leaky.go", Anchor: "n + n", Text: "n + n + n",
			Layer: "test:mutants/testdata/leaky", Check: "TestTwice",
		}},
	}
	r, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if v := r.Rows[0].Verdict; v.Status != Killed || v.Kill.Check != "TestTwice" || v.Alone == nil || r.ExitCode() != 0 {
		t.Errorf("%+v %+v %q", v, v.Kill, r.Violations)
	}
	o.Named = []Named{{Name: "spoilt", File: "mutants/testdata/leaky/leaky.go", Anchor: "if really {", Text: "if !really {"}}
	if _, err := Run(t.Context(), o); err == nil || ExitCode(err) != 1 || !strings.Contains(err.Error(), "left state behind") {
		t.Errorf("a spoilt state: %v", err)
	}
}

// What fails once in a layer that depends on the real clock is not the mutant's doing.
func TestTimedLayersFailTwice(t *testing.T) {
	const layer = "test:mutants/testdata/flaky"
	o := Options{
		Packages: []string{"./testdata/flaky"}, Tests: []string{"fetchproof/mutants/testdata/flaky"}, NoGenerated: true,
		Named: []Named{{Name: "never-ready", File: "mutants/testdata/flaky/flaky.go", Anchor: "return true", Text: "return false"}},
	}
	for want, timed := range map[Status][]string{Killed: nil, Survived: {layer}} {
		o.Timed = timed
		r, err := Run(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		if v := r.Rows[0].Verdict; v.Status != want {
			t.Errorf("timed %q: %+v %+v, want %s", timed, v, v.Kill, want)
		}
	}
}

// What is fixed before the switch can be set is built apart, if that is asked for.
func TestApart(t *testing.T) {
	o := sampleOptions()
	o.NoGenerated, o.Apart = true, true
	o.Named = []Named{{Name: "roomier", File: sampleFile, Anchor: "const Capacity = 8", Text: "const Capacity = 9", Layer: "random", Check: "queue"}}
	r, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if v := r.Rows[0].Verdict; v.Status != Killed || v.Kill.Layer != "random" || v.Alone == nil || r.ExitCode() != 0 {
		t.Errorf("%+v, %q", v, r.Violations)
	}
}
