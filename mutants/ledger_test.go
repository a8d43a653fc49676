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
	path := written(t, `# A comment.

aaaaaaaaaaaa x/a.go F negate: a -> !a
bbbbbbbbbbbb x/a.go:17 F negate: b -> !b
    Equivalent: the list is sorted
    # and a comment
    already.
cccccccccccc x/a.go F negate: c -> !c

dddddddddddd x/a.go F negate: d -> !d
	--
eeeeeeeeeeee x/a.go F negate: e -> !e
	gone
ffffffffffff x/a.go F negate: f -> !f
	killed after all
000000000000 x/a.go G negate: 0 -> !0
	of another function
`)
	l, err := ReadLedger(path)
	if err != nil {
		t.Fatal(err)
	}
	id := func(letter string) string { return strings.Repeat(letter, 12) }
	const reason = "Equivalent: the list is sorted already."
	if l[id("a")].Reason != reason || l[id("b")].Reason != reason || l[id("b")].Line != 4 || l[id("c")].Reason != "" {
		t.Errorf("read %+v", l)
	}
	exists := map[string]*engine.Mutant{}
	for _, letter := range []string{"a", "b", "c", "d", "f", "0"} {
		exists[id(letter)] = at("x/a.go", "F", letter+"  ->  !"+letter)
	}
	verdicts := map[string]Verdict{id("a"): {Status: Survived}, id("b"): {Status: Uncovered}, id("c"): {Status: Survived}, id("f"): {Status: Killed}}
	sameViolations(t, l.violations(exists, verdicts), []string{
		path + ":8: mutant cccccccccccc has no reason", path + ":10: mutant dddddddddddd has no reason",
		path + ":12: no mutant eeeeeeeeeeee exists any more: its code has changed, so look at it again (x/a.go F", path + ":14: mutant ffffffffffff is killed",
		path + ":16: mutant 000000000000 is x/a.go F negate",
	})
}

func TestLedgerRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"0123456789ab x\n  r\n0123456789ab y\n  r\n": ":3: 0123456789ab is listed twice",
		"0123456789ab x\n\n  r\n":                    ":3: a reason that belongs to nothing",
		"  r\n":                                      ":1: a reason",
		"# a comment\n\ngarbage\n  r\n":              ":3: \"garbage\": want the id of a mutant",
		"0123456789abc x\n  r\n":                     ":1: \"0123456789abc\": want",
	} {
		if _, err := ReadLedger(written(t, text)); !errors.Is(err, ErrUsage) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

func TestGaps(t *testing.T) {
	path := written(t, `x/a.go (T).String
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
`)
	g, err := ReadGaps(path)
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
		path + ":5: x/a.go package level has no reason", path + ":7: every mutant in x/a.go Reached is reached", path + ":9: no mutant is in x/a.go Gone",
		"no layer reaches 2 mutants in x/b.go F",
	})
	for text, want := range map[string]string{"x/a.go\n": ":1: want a file and a function", "a F\na F\n": ":2: a F is listed twice"} {
		if _, err := ReadGaps(written(t, text)); !errors.Is(err, ErrUsage) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}
