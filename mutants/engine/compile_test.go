package engine

import (
	"errors"
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"testing"
)

func changes(ms []*Mutant) []string {
	var out []string
	for _, m := range ms {
		out = append(out, m.Func+": "+strings.ReplaceAll(m.Change, "  ->  ", " -> "))
	}
	slices.Sort(out)
	return out
}

// All of the difficult shapes go behind the switch, but for these.
func TestCompileShapes(t *testing.T) {
	p, err := Load(t.Context(), ".", "../testdata/shapes")
	if err != nil {
		t.Fatal(err)
	}
	all := p.Mutants()
	c, err := p.Compile(all)
	if err != nil {
		t.Fatal(err)
	}
	apart := []string{
		": width = 4 -> width = 5", // fixed before the switch can be set
		// The type's name is hidden by a variable:
		"shadowed: count + 1 -> count + 0", "shadowed: count + 1 -> count + 2", "shadowed: count + 1 -> count - 1",
	}
	if got := changes(c.Apart); !slices.Equal(got, apart) {
		t.Errorf("apart:\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(apart, "\n"))
	}
	for _, d := range c.Dropped {
		if d.Reason == "" {
			t.Errorf("%v: dropped without a reason", d.Mutant)
		}
	}
	if n := len(c.Mutants) + len(c.Apart) + len(c.Dropped); n != len(all) {
		t.Errorf("%d of %d mutants are accounted for", n, len(all))
	}
	if len(c.Dropped) > len(all)/50 {
		t.Errorf("%d of %d mutants are no Go", len(c.Dropped), len(all))
	}
	seen := map[uint32]bool{0: true}
	for _, m := range c.Mutants {
		if seen[m.Index] || int(m.Index) >= c.Size || m.Site > m.Index {
			t.Errorf("%v: index %d, site %d of %d", m.Mutant, m.Index, m.Site, c.Size)
		}
		seen[m.Index] = true
	}
	for path, src := range c.Overlay {
		if _, err := parser.ParseFile(token.NewFileSet(), path, src, 0); err != nil {
			t.Error(err)
		}
	}
}

// A mutant that does not fit is left out alone, with the compiler's reason; the others of its function stay.
func TestCompileLeavesOutWhatDoesNotFit(t *testing.T) {
	p := snippet(t, []byte(`package sample

func f(xs []int, a int) int {
	b := a + 1
	return xs[0] * b
}
`))
	c, err := p.Compile(p.Mutants())
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Dropped) != 1 || !strings.Contains(c.Dropped[0].Reason, "must not be negative") {
		t.Errorf("dropped %+v, want xs[-1]", c.Dropped)
	}
	if len(c.Mutants) < 6 || len(c.Apart) != 0 {
		t.Errorf("%d behind the switch, %d apart", len(c.Mutants), len(c.Apart))
	}
}

const anchorSource = `package sample

func f(a, b int) int {
	total := 0
	if a < b { // the guard
		total = a
		total += b
	}
	return total
}

func g(a, b int) int {
	return a - b
}

func h(a int) int {
	switch {
	case a > 9:
		a++
		a += g(a, 1)
	case a > 5:
		return 5
	}
	b := a * 2
	a = b
	return a + b
}
`

func TestAnchored(t *testing.T) {
	p := snippet(t, []byte(anchorSource))
	const file = "mutants/testdata/sample/sample.go"
	for _, c := range []struct{ name, anchor, text, edit string }{
		{"condition", "if a < b { // the guard", "if a > b { // the guard", ">"},
		{"word", "return a - b", "return a - a", "a"},
		{"span", "total = a\n\t\ttotal += b", "total = b", "b"},
		{"insertion", "total = a\n", "total = a\n\t\ttotal++\n", "\t\ttotal++\n"},
		{"insertion before a brace", "if a < b { //", "if a < b || a == 0 { //", "|| a == 0 "},
		{"line removed", "\ta = b\n", "\n", ""},
		{"statements of a clause", "\t\ta++\n\t\ta += g(a, 1)", "\t\tc := g(a, 1)\n\t\ta += c", "c := g(a, 1)\n\t\ta += c"},
		{"clauses swapped", "\tcase a > 9:\n\t\ta++\n\t\ta += g(a, 1)\n\tcase a > 5:\n\t\treturn 5\n", "\tcase a > 5:\n\t\treturn 5\n\tcase a > 9:\n\t\ta++\n", "5:\n\t\treturn 5\n\tcase a > 9:\n\t\ta++"},
		{"declaration at the end", "b := a * 2\n\ta = b\n\treturn a + b", "b := a * 3\n\ta = b\n\treturn a", "3\n\ta = b\n\treturn a"},
		{"insertion before a declaration", "\tb := a * 2", "\tif a > 3 {\n\t\treturn a\n\t}\n\tb := a * 2", "if a > 3 {\n\t\treturn a\n\t}\n\t"},
		{"removal", "total = a\n\t\t", "", ""},
	} {
		m, err := p.Anchored(c.name, file, c.anchor, c.text)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if m.New != c.edit || m.ID != c.name {
			t.Errorf("%s: %v becomes %q, want %q", c.name, m, m.New, c.edit)
		}
		if got := string(m.Apply()); !strings.Contains(got, c.text) {
			t.Errorf("%s: applied it is\n%s", c.name, got)
		}
		if compiled, err := p.Compile([]*Mutant{m}); err != nil || len(compiled.Mutants) != 1 {
			t.Errorf("%s: not behind the switch: %+v, %v", c.name, compiled, err)
		}
	}
	for _, c := range []struct{ name, file, anchor, text string }{
		{"twice", file, "(a, b int) int", "(b, a int) int"},
		{"absent", file, "a >= b", "a > b"},
		{"same", file, "a < b", "a < b"},
		{"empty", file, "", "x"},
		{"no file", "sample.go", "a < b", "a > b"},
	} {
		if _, err := p.Anchored(c.name, c.file, c.anchor, c.text); !errors.Is(err, ErrAnchor) {
			t.Errorf("%s: %v, want a stale anchor", c.name, err)
		}
	}
}
