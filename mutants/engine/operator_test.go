package engine

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// snippet loads package sample with its source replaced.
func snippet(t *testing.T, src []byte) *Program {
	t.Helper()
	path, err := filepath.Abs("../testdata/sample/sample.go")
	if err != nil {
		t.Fatal(err)
	}
	p, err := load(t.Context(), ".", map[string][]byte{path: src}, "../testdata/sample")
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func operatorsSource(t *testing.T) []byte {
	t.Helper()
	src, err := os.ReadFile("testdata/operators.go")
	if err != nil {
		t.Fatal(err)
	}
	return src
}

// Every operator proposes, for the function that is named after it, exactly this.
var proposed = map[string][]string{
	"boundary": {"a < b -> a <= b"},
	"negate":   {"ok -> !ok", "!ok -> ok", "a != b -> a == b"},
	"logic":    {"ok || !ok && a != b -> ok", "ok || !ok && a != b -> !ok && a != b", "!ok && a != b -> !ok", "!ok && a != b -> a != b"},
	"arithmetic": {
		"a *= b -> a /= b", "a++ -> a--", "-a + b%a -> -a - b%a", "-a -> a", "b%a -> b*a",
	},
	"bits":     {"a&b -> (a | b)", "^a<<b -> ^a>>b", "^a -> a"},
	"constant": {"fixed = 3 -> fixed = 4", "fixed = 3 -> fixed = 2", "fixed = 3 -> fixed = 0", "fixed + 2 -> fixed + 3", "fixed + 2 -> fixed + 1", "fixed + 2 -> fixed + 0", "u - 0 -> u - 1"},
	"boolean":  {"ok: true -> ok: false"},
	"statement": {
		"r.n = 1 -> (removed)", "continue -> (removed)", "return -> (removed)",
	},
	"assign": {
		"a, b = b, a -> b = a", "a, b = b, a -> a = b",
		"a, b, c = 1, c, a -> b, c = c, a", "a, b, c = 1, c, a -> a, c = 1, a", "a, b, c = 1, c, a -> a, b = 1, c",
	},
	"call":  {`delete(m, "x") -> (removed)`},
	"zero":  {"return r, s, *r, nil -> return nil, s, *r, nil", `return r, s, *r, nil -> return r, "", *r, nil`, "return r, s, *r, nil -> return r, s, *new(record), nil"},
	"else":  {"if n < 0 { n = 2 } else { n = 3 } -> (removed)", "{ n = 3 } -> (removed)"},
	"swap":  {`strings.HasPrefix(s, s+"x") -> strings.HasPrefix(s+"x", s)`},
	"loop":  {"i++ -> (removed)", "i < n -> i < n - 1", "xs -> xs[:max(len(xs), 1)-1]", "xs -> xs[min(len(xs), 1):]"},
	"elses": nil,
}

// in names the function that shows an operator, where it is not the operator's name.
var in = map[string]string{"logic": "negate", "call": "statement", "else": "elses"}

func TestOperators(t *testing.T) {
	all := snippet(t, operatorsSource(t)).Mutants()
	for _, op := range Operators {
		fn := in[op.Name]
		if fn == "" {
			fn = op.Name
		}
		var got []string
		for _, m := range all {
			if m.Operator == op.Name && m.Func == fn {
				got = append(got, strings.ReplaceAll(m.Change, "  ->  ", " -> "))
			}
		}
		want := slices.Sorted(slices.Values(proposed[op.Name]))
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%s:\ngot  %s\nwant %s", op.Name, strings.Join(got, "\n     "), strings.Join(want, "\n     "))
		}
	}
}

func ids(ms []*Mutant) []string {
	out := make([]string, len(ms))
	for i, m := range ms {
		out[i] = m.ID
	}
	return out
}

// Ids do not move with lines, layout or other functions, and are unique.
func TestIDsAreStable(t *testing.T) {
	src := string(operatorsSource(t))
	before := ids(snippet(t, []byte(src)).Mutants())
	moved := strings.Replace(src, "func boundary(", "// A comment.\n\nfunc other(a int) int { return a + 1 }\n\nfunc boundary(", 1)
	moved = strings.Replace(moved, "a != b {", "a !=\n\t\tb {", 1)
	after := map[string]bool{}
	all := snippet(t, []byte(moved)).Mutants()
	for _, m := range all {
		if after[m.ID] {
			t.Errorf("%v: its id is taken", m)
		}
		after[m.ID] = true
	}
	for _, id := range before {
		if !after[id] {
			t.Errorf("mutant %s is gone", id)
		}
	}
	if len(all) <= len(before) {
		t.Errorf("%d mutants, %d before a function was added", len(all), len(before))
	}
}

// An id goes with its statement: another one before it, with the same edit in it, does not take it over.
func TestIDsKnowTheirStatement(t *testing.T) {
	find := func(src, statement string) string {
		for _, m := range snippet(t, []byte(src)).Mutants() {
			if m.Change == "n + 1  ->  n - 1" && strings.HasSuffix(src[:m.Start], statement+" n ") {
				return m.ID
			}
		}
		t.Fatalf("no mutant of %s", statement)
		return ""
	}
	const before = "package p\n\nfunc f(n int) (a, b int) {\n\tb = n + 1\n\treturn\n}\n"
	const after = "package p\n\nfunc f(n int) (a, b int) {\n\ta = n + 1\n\tb = n + 1\n\treturn\n}\n"
	if find(before, "b =") != find(after, "b =") {
		t.Error("the mutant of b has another id since a stands before it")
	}
	if find(after, "a =") == find(after, "b =") {
		t.Error("the mutants of a and b have one id")
	}
}
