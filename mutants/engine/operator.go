package engine

import (
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"sort"
	"strings"

	"golang.org/x/tools/go/ast/inspector"
)

// Operator proposes faults of one kind.
type Operator struct {
	Name string
	Doc  string // one line: what is changed into what
	// propose is called once for every node below a function body or a package-level value, in source order, types and
	// package names excepted.
	propose func(*proposal, inspector.Cursor)
}

// Operators is every operator, in the order of the reports.
var Operators = []Operator{
	{"boundary", "< to <=, > to >=, and back", boundary},
	{"negate", "a comparison or a condition to its opposite", negate},
	{"logic", "one side of && or || dropped", logic},
	{"arithmetic", "+ to -, * to /, % to *, ++ to --, and back; a minus sign dropped", arithmetic},
	{"bits", "& to |, ^ to &, &^ to &, << to >>, and back; a complement dropped", bits},
	{"constant", "an integer to one more, one less, and 0", integer},
	{"boolean", "true to false and back", boolean},
	{"statement", "a statement removed", statement},
	{"assign", "one of several values assigned together left as it was", assign},
	{"call", "a call whose results nobody uses removed", call},
	{"zero", "a returned value to the zero value of its type", zero},
	{"else", "an else branch removed", elseBranch},
	{"swap", "two neighbouring arguments of one type swapped", swap},
	{"loop", "a loop one round shorter, or without its step", loop},
}

// proposal is where an operator puts its proposals for one function.
type proposal struct {
	file     *File
	fn       string
	operator string
	count    map[string]int // ordinals, by everything else that goes into an id
	out      []*Mutant
}

func (p *proposal) info() *types.Info { return p.file.pkg.info }

// typeOf is the type of an expression after conversion to its context, nil if it has none.
func (p *proposal) typeOf(e ast.Expr) types.Type { return p.info().TypeOf(e) }

// isConstant reports whether the compiler evaluates e.
func (p *proposal) isConstant(e ast.Expr) bool { return p.info().Types[e].Value != nil }

// replace proposes the text new in place of the bytes from start to end. about is the node that tells the mutant apart
// from others and is shown to people.
func (p *proposal) replace(about ast.Node, start, end token.Pos, text string) {
	f := p.file
	from, to := f.offset(start), f.offset(end)
	base, stop := f.offset(about.Pos()), f.offset(about.End())
	before := normalise(f.text(about))
	after := normalise(string(f.Src[min(base, from):from]) + text + string(f.Src[to:max(stop, to)]))
	if before == after {
		return
	}
	if after == "" {
		after = "(removed)"
	}
	within := f.statementText(from, to)
	key := strings.Join([]string{p.operator, before, after, within}, "\x00")
	p.count[key]++
	p.out = append(p.out, &Mutant{
		ID:       mutantID(p.count[key], f.pkg.Path, filepath.Base(f.Path), p.fn, p.operator, before, after, within),
		Operator: p.operator, Pkg: f.pkg.Path, File: f, Func: p.fn, Start: from, End: to, New: text,
		Change: shorten(before) + "  ->  " + shorten(after),
	})
}

// statementText is the statement around an edit, of one that holds others its head: an edit like another of its function is
// told from it by that, not by how many come before it.
func (f *File) statementText(from, to int) string {
	cur, ok := f.root.FindByPos(f.pos(from), f.pos(to))
	for ; ok && cur.Node() != nil; cur = cur.Parent() {
		start, end := cur.Node().Pos(), cur.Node().End()
		switch s := cur.Node().(type) {
		case *ast.File, *ast.FuncDecl:
			return ""
		case *ast.IfStmt:
			end = s.Body.Lbrace
		case *ast.ForStmt:
			end = s.Body.Lbrace
		case *ast.RangeStmt:
			end = s.Body.Lbrace
		case *ast.SwitchStmt:
			end = s.Body.Lbrace
		case *ast.TypeSwitchStmt:
			end = s.Body.Lbrace
		case *ast.CaseClause:
			end = s.Colon
		case *ast.BlockStmt, *ast.SelectStmt, *ast.CommClause, *ast.LabeledStmt:
			continue
		case ast.Stmt, *ast.ValueSpec:
		default:
			continue
		}
		return normalise(string(f.Src[f.offset(start):f.offset(end)]))
	}
	return ""
}

// Mutants is everything that the operators propose, in source order.
func (p *Program) Mutants() []*Mutant {
	var all []*Mutant
	for _, pkg := range p.Packages {
		for _, f := range pkg.Files {
			all = append(all, f.mutants()...)
		}
	}
	return all
}

func (f *File) mutants() []*Mutant {
	var all []*Mutant
	counts := map[string]map[string]int{} // several init functions share their ordinals
	for cur := range f.root.Preorder((*ast.FuncDecl)(nil), (*ast.GenDecl)(nil)) {
		var fn string
		switch d := cur.Node().(type) {
		case *ast.FuncDecl:
			if d.Body == nil {
				continue
			}
			fn = funcName(d)
			cur, _ = cur.FindNode(d.Body)
		case *ast.GenDecl:
			_, inside := cur.Parent().Node().(*ast.DeclStmt)
			if inside || d.Tok != token.VAR && d.Tok != token.CONST {
				continue
			}
		}
		if counts[fn] == nil {
			counts[fn] = map[string]int{}
		}
		all = append(all, f.propose(cur, fn, counts[fn])...)
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].Start < all[j].Start })
	return all
}

// propose runs every operator over the tree at cur. A value at package level is fixed before the switch can be set, so that
// each of its mutants is built apart: there only the integers get one, one more than they are.
func (f *File) propose(cur inspector.Cursor, fn string, count map[string]int) []*Mutant {
	p := &proposal{file: f, fn: fn, count: count}
	cur.Inspect(nil, func(c inspector.Cursor) bool {
		if e, ok := c.Node().(ast.Expr); ok && f.pkg.info.Types[e].IsType() {
			return false
		}
		fixed := fn == "" && !inLiteral(c)
		for _, op := range Operators {
			if fixed && op.Name != "constant" {
				continue
			}
			p.operator = op.Name
			op.propose(p, c)
		}
		return true
	})
	return p.out
}

// inLiteral reports whether c is in the body of a function literal.
func inLiteral(c inspector.Cursor) bool {
	for range c.Enclosing((*ast.FuncLit)(nil)) {
		return true
	}
	return false
}
