package mutants

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fetchproof/mutants/engine"
)

// written is the path of a file with this text.
func written(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// at is a mutant of a function of a file.
func at(file, fn, change string) *engine.Mutant {
	return &engine.Mutant{File: &engine.File{Rel: file}, Func: fn, Operator: "negate", Change: change}
}

// sameViolations compares one by one: each must hold its text.
func sameViolations(t *testing.T, got, want []string) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("violations %q, want %q", got, want)
	}
	for i := range want {
		if !strings.Contains(got[i], want[i]) {
			t.Errorf("violation %q, want %q", got[i], want[i])
		}
	}
}

func TestLedger(t *testing.T) {
	l, err := ReadLedger(written(t, `# A comment.

a x/a.go F negate: a -> !a
b x/a.go:17 F negate: b -> !b
    Equivalent: the list is sorted
    # and a comment
    already.
c x/a.go F negate: c -> !c

d x/a.go F negate: d -> !d
	--
e x/a.go F negate: e -> !e
	gone
f x/a.go F negate: f -> !f
	killed after all
g x/a.go G negate: g -> !g
	of another function
`))
	if err != nil {
		t.Fatal(err)
	}
	const reason = "Equivalent: the list is sorted already."
	if l["a"].Reason != reason || l["b"].Reason != reason || l["b"].Line != 4 || l["c"].Reason != "" {
		t.Errorf("read %+v", l)
	}
	exists := map[string]*engine.Mutant{}
	for _, id := range []string{"a", "b", "c", "d", "f", "g"} {
		exists[id] = at("x/a.go", "F", id+"  ->  !"+id)
	}
	verdicts := map[string]Verdict{"a": {Status: Survived}, "b": {Status: Uncovered}, "c": {Status: Survived}, "f": {Status: Killed}}
	sameViolations(t, l.violations(exists, verdicts), []string{
		"line 10: mutant d has no reason", "line 12: no mutant e exists any more", "line 14: mutant f is killed", "line 16: mutant g is x/a.go F negate", "line 8: mutant c has no reason",
	})
}

func TestLedgerRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"a x\n  r\na y\n  r\n": ":3: a is listed twice",
		"a x\n\n  r\n":         ":3: a reason that belongs to nothing",
		"  r\n":                ":1: a reason",
	} {
		if _, err := ReadLedger(written(t, text)); !errors.Is(err, ErrUsage) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

func TestGaps(t *testing.T) {
	g, err := ReadGaps(written(t, `x/a.go (T).String
x/names.go *
	for people

x/a.go package level
	?
x/a.go Reached
	was not
x/a.go Gone
	is not
x/a.go Open
	no verdict yet
`))
	if err != nil {
		t.Fatal(err)
	}
	var all []*engine.Mutant
	verdicts := map[string]Verdict{}
	add := func(status Status, file, fn string) {
		m := at(file, fn, "")
		m.ID = strings.Repeat("m", len(all)+1)
		all = append(all, m)
		if status != "" {
			verdicts[m.ID] = Verdict{Status: status}
		}
	}
	add(Uncovered, "x/a.go", "(T).String")
	add(Killed, "x/a.go", "(T).String")
	add(Uncovered, "x/names.go", "F")
	add(Uncovered, "x/names.go", "G")
	add(Uncovered, "x/a.go", "")
	add(Survived, "x/a.go", "Reached")
	add("", "x/a.go", "Open")
	add(Killed, "x/a.go", "Open")
	add(Uncovered, "x/b.go", "F")
	add(Uncovered, "x/b.go", "F")
	sameViolations(t, g.violations(all, verdicts), []string{
		"line 5: x/a.go package level has no reason", "line 7: every mutant in x/a.go Reached is reached", "line 9: no mutant is in x/a.go Gone",
		"no layer reaches 2 mutants in x/b.go F",
	})
	for text, want := range map[string]string{"x/a.go\n": ":1: want a file and a function", "a F\na F\n": ":2: a F is listed twice"} {
		if _, err := ReadGaps(written(t, text)); !errors.Is(err, ErrUsage) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}
