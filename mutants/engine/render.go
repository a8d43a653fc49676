package engine

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// The names that rewritten sources import the switch, and packages that only a rewritten type mentions, under.
const (
	switchName   = "mutswitch__"
	importPrefix = "mutimport"
)

// insertion is text that goes into a source, before the byte at offset at.
type insertion struct {
	at   int
	text string
}

// fuel is where a file burns fuel: at the head of every loop body, before every goto, and at the head of every function that calls another one (only
// those can recurse).
func (f *File) fuel() []insertion {
	var out []insertion
	burn := func(body *ast.BlockStmt) {
		out = append(out, insertion{f.offset(body.Lbrace) + 1, switchName + ".Burn();"})
	}
	ast.Inspect(f.ast, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ForStmt:
			burn(n.Body)
		case *ast.RangeStmt:
			burn(n.Body)
		case *ast.BranchStmt:
			if n.Tok == token.GOTO {
				out = append(out, insertion{f.offset(n.Pos()), switchName + ".Burn();"})
			}
		case *ast.FuncLit:
			if f.calls(n.Body) {
				burn(n.Body)
			}
		case *ast.FuncDecl:
			if n.Body != nil && f.calls(n.Body) {
				burn(n.Body)
			}
		}
		return true
	})
	return out
}

// calls reports whether body calls anything but builtins and conversions.
func (f *File) calls(body *ast.BlockStmt) bool {
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		if c, ok := n.(*ast.CallExpr); ok {
			tv := f.pkg.info.Types[c.Fun]
			found = found || !tv.IsType() && !tv.IsBuiltin()
		}
		return !found
	})
	return found
}

// renderer rewrites one file.
type renderer struct {
	file    *File
	units   []*unit // outer before inner, by start
	next    int     // the first unit not yet written
	inserts []insertion
	live    func(*Mutant) bool
	imports map[*types.Package]string
}

// render is the file with its live mutants behind the switch.
func (f *File) render(units []*unit, live func(*Mutant) bool) []byte {
	r := &renderer{file: f, inserts: f.fuel(), live: live, imports: map[*types.Package]string{}}
	for _, u := range units {
		for _, m := range u.mutants {
			if live(m) {
				r.units = append(r.units, u)
				break
			}
		}
	}
	if len(r.inserts) == 0 && len(r.units) == 0 {
		return f.Src
	}
	head := f.offset(f.ast.Name.End())
	body := r.full(head, len(f.Src))
	var b strings.Builder
	b.Write(f.Src[:head])
	fmt.Fprintf(&b, "; import %s %q", switchName, switchPath)
	for _, other := range sortedImports(r.imports) {
		fmt.Fprintf(&b, "; import %s %q", r.imports[other], other.Path())
	}
	b.WriteString(body)
	return []byte(b.String())
}

// sortedImports is in order of the names that full gave out.
func sortedImports(imports map[*types.Package]string) []*types.Package {
	out := make([]*types.Package, len(imports))
	for other, name := range imports {
		var i int
		fmt.Sscanf(name, importPrefix+"%d", &i)
		out[i] = other
	}
	return out
}

// full writes the source between two offsets with every unit in it rewritten.
func (r *renderer) full(start, end int) string {
	var b strings.Builder
	for r.next < len(r.units) && r.units[r.next].start < end {
		u := r.units[r.next]
		r.next++
		b.WriteString(r.plain(start, u.start))
		b.WriteString(r.choose(u, r.full(u.start, u.end)))
		start = u.end
	}
	b.WriteString(r.plain(start, end))
	return b.String()
}

// plain writes the source between two offsets with nothing but its insertions.
func (r *renderer) plain(start, end int) string {
	var b strings.Builder
	for _, in := range r.inserts {
		if start < in.at && in.at <= end {
			b.Write(r.file.Src[start:in.at])
			b.WriteString(in.text)
			start = in.at
		}
	}
	b.Write(r.file.Src[start:end])
	return b.String()
}

// edited writes a unit as mutant m has it.
func (r *renderer) edited(u *unit, m *Mutant) string {
	if u.kind == elseUnit {
		return ""
	}
	return r.plain(u.start, m.Start) + m.New + r.plain(m.End, u.end)
}

// alternative is one live mutant of a unit.
type alternative struct {
	index uint32
	text  string
}

func (r *renderer) alternatives(u *unit) []alternative {
	var out []alternative
	for i, m := range u.mutants {
		if r.live(m) {
			out = append(out, alternative{u.index(i), fmt.Sprintf(beginMark, u.index(i)) + r.edited(u, m) + endMark})
		}
	}
	return out
}

// The text of every mutant stands between two comments, so that an error in it can be put down to it.
const (
	beginMark = "/*mutant %d*/"
	endMark   = "/*mutant end*/"
)

// mutantAt is the index of the mutant whose text is around an offset of a rendered source; ok is false if none is.
func mutantAt(src []byte, offset int) (index uint32, ok bool) {
	before := src[:min(offset, len(src))]
	begin := bytes.LastIndex(before, []byte("/*mutant "))
	if begin < 0 || bytes.Contains(before[begin:], []byte(endMark)) {
		return 0, false
	}
	n, err := fmt.Sscanf(string(src[begin:min(begin+30, len(src))]), beginMark, &index)
	return index, n == 1 && err == nil
}

// choose writes the selection between the original text of a unit, its inner units already rewritten, and its mutants.
func (r *renderer) choose(u *unit, original string) string {
	alts := r.alternatives(u)
	in := fmt.Sprintf("%s.In(%d, %d)", switchName, u.lo, len(u.mutants))
	switch u.kind {
	case condUnit:
		out := fmt.Sprintf("%s.Out(%d, %d)", switchName, u.lo, len(u.mutants))
		if u.typ != types.Typ[types.Bool] { // && does not mix bool with a named one
			for i := range alts {
				alts[i].text = "bool(" + alts[i].text + ")"
			}
			original = "bool(" + original + ")"
		}
		return fmt.Sprintf("(%s && %s || %s && (%s))", in, conditions(alts), out, original)
	case valueUnit:
		return r.valueText(u, alts, in, original)
	case postUnit:
		return fmt.Sprintf("func() { if %s { %s } else { %s } }()", in, branches(alts, "", ""), original)
	case elseUnit:
		return fmt.Sprintf("{ if %s { } else { %s } }", in, original)
	default:
		text := fmt.Sprintf("if %s { %s } else { %s }", in, branches(alts, "", ""), original)
		if u.start == u.end {
			text += "; " // a statement of the list follows
		}
		return text
	}
}

// branches selects among statements. The last needs no test, and so the whole ends in a terminating statement if all do.
func branches(alts []alternative, prefix, suffix string) string {
	var b strings.Builder
	for i, a := range alts {
		if i < len(alts)-1 {
			fmt.Fprintf(&b, "if %s.On(%d) { %s%s%s } else ", switchName, a.index, prefix, a.text, suffix)
		} else if i > 0 {
			fmt.Fprintf(&b, "{ %s%s%s }", prefix, a.text, suffix)
		} else {
			b.WriteString(prefix + a.text + suffix)
		}
	}
	return b.String()
}

// conditions selects among conditions.
func conditions(alts []alternative) string {
	if len(alts) == 1 {
		return "(" + alts[0].text + ")"
	}
	parts := make([]string, len(alts))
	for i, a := range alts {
		parts[i] = fmt.Sprintf("%s.On(%d) && (%s)", switchName, a.index, a.text)
	}
	return "(" + strings.Join(parts, " || ") + ")"
}

// valueText selects among values, each evaluated only if it is chosen.
func (r *renderer) valueText(u *unit, alts []alternative, in, original string) string {
	result, prefix, suffix := types.TypeString(u.typ, r.qualify), "return ", ""
	if u.commaOK {
		prefix, suffix = "v__, ok__ := ", "; return v__, ok__"
	}
	text := fmt.Sprintf("func() %s { if %s { %s }; %s%s%s }()", result, in, branches(alts, prefix, suffix), prefix, original, suffix)
	if _, tuple := u.typ.(*types.Tuple); tuple {
		return text
	}
	return "(" + text + ")"
}

// qualify names a package in a type by an import of its own, since locals may shadow the file's.
func (r *renderer) qualify(other *types.Package) string {
	if other == r.file.pkg.types {
		return ""
	}
	if r.imports[other] == "" {
		r.imports[other] = fmt.Sprintf("%s%d__", importPrefix, len(r.imports))
	}
	return r.imports[other]
}

// renderApart is the file with m as a plain edit, and fuel where the edit leaves its place.
func (f *File) renderApart(m *Mutant) []byte {
	r := &renderer{file: f, inserts: f.fuel()}
	head := f.offset(f.ast.Name.End())
	if m.Start < head {
		return m.Apply()
	}
	imports := fmt.Sprintf("; import %s %q", switchName, switchPath)
	body := r.plain(head, m.Start) + m.New + r.plain(m.End, len(f.Src))
	return []byte(string(f.Src[:head]) + imports + body + "\nvar _ = " + switchName + ".Burn\n")
}
