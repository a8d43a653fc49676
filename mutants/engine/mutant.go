package engine

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"go/ast"
	"strings"
)

// Mutant is one planted fault: the bytes [Start, End) of a file replaced by New.
type Mutant struct {
	// ID names the mutant for as long as its own source text lives: 12 hex digits over package, file, function, operator,
	// normalised text, replacement and the statement around it, but not over positions. Where all that is the same twice
	// in a function, the ordinal tells. An anchored mutant has the name that it was given.
	ID       string
	Operator string // Name of an Operator, or AnchorOperator
	Pkg      string // import path
	File     *File
	Func     string // "F", "(*T).M"; empty at package level
	Start    int    // byte offsets into File.Src
	End      int
	New      string
	Change   string // for people: "a < b  ->  a <= b"
}

// Line is where the mutant is, 1-based.
func (m *Mutant) Line() int { return m.File.Line(m.Start) }

// EndLine is the line of the mutant's last changed byte.
func (m *Mutant) EndLine() int { return m.File.Line(max(m.Start, m.End-1)) }

// String is id and place, with the line, in one line.
func (m *Mutant) String() string {
	return m.ID + " " + m.place(fmt.Sprintf("%s:%d", m.File.Rel, m.Line()))
}

func (m *Mutant) place(file string) string {
	return fmt.Sprintf("%s %s %s: %s", file, cmp.Or(m.Func, PackageLevel), m.Operator, normalise(m.Change))
}

// PackageLevel stands for the function of a mutant that is in none.
const PackageLevel = "package level"

// Place is file, function, operator and change: what a reader knows a mutant by where lines may move.
func (m *Mutant) Place() string {
	return m.place(m.File.Rel)
}

// Apply is the file's source with the edit made.
func (m *Mutant) Apply() []byte {
	src := m.File.Src
	out := make([]byte, 0, len(src)+len(m.New))
	out = append(out, src[:m.Start]...)
	out = append(out, m.New...)
	return append(out, src[m.End:]...)
}

// normalise makes text independent of layout.
func normalise(text string) string { return strings.Join(strings.Fields(text), " ") }

// shorten keeps a change readable in a table.
func shorten(text string) string {
	const limit = 70
	if r := []rune(text); len(r) > limit {
		return string(r[:limit-1]) + "…"
	}
	return text
}

// mutantID hashes what a mutant is about. The parts are normalised already.
func mutantID(ordinal int, parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%d:%s;", len(p), p)
	}
	fmt.Fprintf(h, "%d", ordinal)
	return hex.EncodeToString(h.Sum(nil))[:12]
}

// funcName is the name of a declared function as Mutant.Func has it.
func funcName(d *ast.FuncDecl) string {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return d.Name.Name
	}
	star := ""
	t := ast.Unparen(d.Recv.List[0].Type)
	if ptr, ok := t.(*ast.StarExpr); ok {
		star, t = "*", ast.Unparen(ptr.X)
	}
	switch generic := t.(type) {
	case *ast.IndexExpr:
		t = generic.X
	case *ast.IndexListExpr:
		t = generic.X
	}
	return fmt.Sprintf("(%s%s).%s", star, t.(*ast.Ident).Name, d.Name.Name)
}
