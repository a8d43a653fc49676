package engine

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
)

// unitKind is how a piece of source can be selected at run time.
type unitKind uint8

const (
	stmtsUnit unitKind = iota // whole statements of one list, in both branches of an if
	condUnit                  // a condition of type bool, by short circuit
	valueUnit                 // any other expression, by a function literal that is called at once
	postUnit                  // the post statement of a loop, likewise
	elseUnit                  // an else branch that some mutants remove, in a block of its own
)

// unit is the smallest selectable piece of source around some mutants. Units of a file nest and never overlap otherwise.
type unit struct {
	kind       unitKind
	start, end int        // byte offsets
	typ        types.Type // of a condition or value unit
	commaOK    bool       // a value unit of two values that is no call
	fn         int        // which function declaration of its file it is in
	mutants    []*Mutant
	lo         uint32 // the index of the first mutant; the others follow
}

// index is the switch index of the i-th mutant.
func (u *unit) index(i int) uint32 { return u.lo + uint32(i) }

// place is the smallest unit around the edit of m, nil if there is none: outside functions, or where names are declared.
func (f *File) place(m *Mutant) *unit {
	cur, ok := f.root.FindByPos(f.pos(m.Start), f.pos(m.End))
	if !ok {
		return nil
	}
	if s, ok := cur.Node().(*ast.IfStmt); ok && s.Else != nil && m.New == "" && m.Start == f.offset(s.Body.End()) && m.End == f.offset(s.Else.End()) {
		return f.unit(elseUnit, s.Else.Pos(), s.Else.End())
	}
	for ; ; cur = cur.Parent() {
		switch cur.Node().(type) {
		case nil, *ast.File, *ast.FuncDecl:
			return nil
		}
		if u := f.header(cur); u != nil {
			return u
		}
		if listed(cur) && !isClause(cur.Node()) {
			return f.statementUnit(cur.Node().(ast.Stmt), m)
		}
		if list, from, ok := statements(cur.Node()); ok && f.offset(from) < m.Start && !holdsClauses(list) {
			if u := f.spanUnit(list, m); u != nil {
				return u
			}
		}
	}
}

func (f *File) unit(kind unitKind, start, end token.Pos) *unit {
	return &unit{kind: kind, start: f.offset(start), end: f.offset(end)}
}

// header is the unit of the node at c if it is an expression, or a post statement, with a place of its own.
func (f *File) header(c inspector.Cursor) *unit {
	n := c.Node()
	switch kind, _ := c.ParentEdge(); kind {
	case edge.IfStmt_Cond, edge.ForStmt_Cond:
		return f.cond(n.(ast.Expr))
	case edge.ForStmt_Post:
		return f.unit(postUnit, n.Pos(), n.End())
	case edge.CaseClause_List:
		if tagless(c.Parent()) {
			return f.cond(n.(ast.Expr))
		}
		return f.value(n.(ast.Expr), false)
	case edge.SwitchStmt_Tag, edge.RangeStmt_X:
		return f.value(n.(ast.Expr), false)
	case edge.AssignStmt_Rhs:
		s := c.Parent().Node().(*ast.AssignStmt)
		if s.Tok == token.DEFINE || !listed(c.Parent()) {
			return f.value(n.(ast.Expr), len(s.Lhs) == 2 && len(s.Rhs) == 1)
		}
	case edge.ValueSpec_Values:
		s := c.Parent().Node().(*ast.ValueSpec)
		if _, inside := c.Parent().Parent().Parent().Node().(*ast.DeclStmt); inside {
			return f.value(n.(ast.Expr), len(s.Names) == 2 && len(s.Values) == 1)
		}
	}
	return nil
}

func (f *File) cond(e ast.Expr) *unit {
	u := f.unit(condUnit, e.Pos(), e.End())
	u.typ = types.Default(f.pkg.info.TypeOf(e))
	return u
}

func (f *File) value(e ast.Expr, two bool) *unit {
	u := f.unit(valueUnit, e.Pos(), e.End())
	u.typ = types.Default(f.pkg.info.TypeOf(e))
	_, call := ast.Unparen(e).(*ast.CallExpr)
	u.commaOK = two && !call
	return u
}

// statementUnit is the unit of one statement of a list. One that declares names for the rest of the list must stay where it
// is: then there is only the empty unit in front of it, for an insertion there, or none.
func (f *File) statementUnit(s ast.Stmt, m *Mutant) *unit {
	switch {
	case !declares(s):
		return f.unit(stmtsUnit, s.Pos(), s.End())
	case m.Start == m.End && m.Start <= f.offset(s.Pos()):
		return f.unit(stmtsUnit, s.Pos(), s.Pos())
	}
	return nil
}

// isClause reports whether a statement of a list is a clause of a switch or select, which is none by itself.
func isClause(n ast.Node) bool {
	switch n.(type) {
	case *ast.CaseClause, *ast.CommClause:
		return true
	}
	return false
}

// holdsClauses reports whether a list is the body of a switch or select: an edit of several clauses is one of the whole.
func holdsClauses(list []ast.Stmt) bool { return len(list) > 0 && isClause(list[0]) }

func declares(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.AssignStmt:
		return s.Tok == token.DEFINE
	case *ast.DeclStmt:
		return true
	}
	return false
}

// spanUnit is the shortest run of statements in list that holds the edit; an insertion between two goes with the later.
func (f *File) spanUnit(list []ast.Stmt, m *Mutant) *unit {
	first, last := -1, -1
	for i, s := range list {
		end := f.offset(s.End())
		if end <= m.Start && !(m.Start == m.End && i == len(list)-1) {
			continue
		}
		if first < 0 {
			first = i
		}
		last = i
		if end >= m.End {
			break
		}
	}
	// What the rest of the list has no use for may be declared in a branch: what stands at the end of the list.
	if first < 0 || last < len(list)-1 && slices.ContainsFunc(list[first:last+1], declares) {
		return nil
	}
	u := f.unit(stmtsUnit, list[first].Pos(), list[last].End())
	if m.Start < u.start && m.End > u.start || m.End > u.end && m.Start < u.end {
		return nil // reaches over into the braces
	}
	u.start, u.end = min(u.start, m.Start), max(u.end, m.End)
	return u
}

// statements is the list of a node that has one, and the brace or colon in front of it: an insertion before that is not in
// the list.
func statements(n ast.Node) (list []ast.Stmt, from token.Pos, ok bool) {
	switch n := n.(type) {
	case *ast.BlockStmt:
		return n.List, n.Lbrace, true
	case *ast.CaseClause:
		return n.Body, n.Colon, true
	case *ast.CommClause:
		return n.Body, n.Colon, true
	}
	return nil, token.NoPos, false
}

// units groups the mutants of a file by unit, in nesting order (outer before inner), and returns those without one.
func (f *File) units(mutants []*Mutant) (units []*unit, homeless []*Mutant) {
	type key struct {
		kind       unitKind
		start, end int
	}
	byKey := map[key]*unit{}
	for _, m := range mutants {
		u := f.place(m)
		if u == nil {
			homeless = append(homeless, m)
			continue
		}
		k := key{u.kind, u.start, u.end}
		if byKey[k] == nil {
			byKey[k] = u
			u.fn = f.funcAt(u.start)
			units = append(units, u)
		}
		byKey[k].mutants = append(byKey[k].mutants, m)
	}
	slices.SortStableFunc(units, func(a, b *unit) int {
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(b.end, a.end))
	})
	return dropOverlaps(units, homeless)
}

// dropOverlaps keeps units that nest, first come first served; only anchored edits over several statements can overlap.
func dropOverlaps(units []*unit, homeless []*Mutant) ([]*unit, []*Mutant) {
	var open, kept []*unit
	for _, u := range units {
		for len(open) > 0 && open[len(open)-1].end <= u.start {
			open = open[:len(open)-1]
		}
		if len(open) > 0 && u.end > open[len(open)-1].end {
			homeless = append(homeless, u.mutants...)
			continue
		}
		open, kept = append(open, u), append(kept, u)
	}
	return kept, homeless
}

// funcAt is the ordinal, among the function declarations of the file, of the one around an offset; -1 if none is.
func (f *File) funcAt(offset int) int {
	pos := f.pos(offset)
	return funcOrdinal(f.ast, func(d *ast.FuncDecl) bool { return d.Pos() <= pos && pos < d.End() })
}

// funcDecl is the declaration that funcAt counts to, nil if there is none.
func (f *File) funcDecl(offset int) *ast.FuncDecl {
	pos := f.pos(offset)
	for _, d := range f.ast.Decls {
		if fd, ok := d.(*ast.FuncDecl); ok && fd.Pos() <= pos && pos < fd.End() {
			return fd
		}
	}
	return nil
}
