package engine

import (
	"go/ast"
	"go/token"
	"strings"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
)

// listed reports whether the statement at c stands in a list of statements, where it can be left out.
func listed(c inspector.Cursor) bool {
	switch kind, _ := c.ParentEdge(); kind {
	case edge.BlockStmt_List, edge.CaseClause_Body, edge.CommClause_Body:
		return true
	}
	return false
}

func statement(p *proposal, c inspector.Cursor) {
	s, ok := c.Node().(ast.Stmt)
	if !ok || !listed(c) || !removable(s) {
		return
	}
	if r, ok := s.(*ast.ReturnStmt); ok && (len(r.Results) > 0 || closesFunction(c)) {
		return
	}
	p.replace(s, s.Pos(), s.End(), "")
}

func removable(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.AssignStmt:
		return s.Tok != token.DEFINE && !allBlank(s.Lhs)
	case *ast.BranchStmt:
		return s.Tok != token.FALLTHROUGH // removed below, as a call is, it would not be the last statement of its guard
	case *ast.IncDecStmt, *ast.SendStmt, *ast.GoStmt, *ast.DeferStmt, *ast.ReturnStmt:
		return true
	}
	return false
}

func allBlank(lhs []ast.Expr) bool {
	for _, e := range lhs {
		if id, ok := e.(*ast.Ident); !ok || id.Name != "_" {
			return false
		}
	}
	return true
}

// closesFunction reports whether the statement at c is the last of its function: a bare return there does nothing.
func closesFunction(c inspector.Cursor) bool {
	body, ok := c.Parent().Node().(*ast.BlockStmt)
	if !ok || body.List[len(body.List)-1] != c.Node() {
		return false
	}
	kind, _ := c.Parent().ParentEdge()
	return kind == edge.FuncDecl_Body || kind == edge.FuncLit_Body
}

// assign leaves one of several values that are assigned together as it was.
func assign(p *proposal, c inspector.Cursor) {
	s, ok := c.Node().(*ast.AssignStmt)
	if !ok || !listed(c) || s.Tok != token.ASSIGN || len(s.Lhs) < 2 || len(s.Lhs) != len(s.Rhs) {
		return
	}
	for i := range s.Lhs {
		var to, from []string
		for j := range s.Lhs {
			if j != i {
				to, from = append(to, p.file.text(s.Lhs[j])), append(from, p.file.text(s.Rhs[j]))
			}
		}
		p.replace(s, s.Pos(), s.End(), strings.Join(to, ", ")+" = "+strings.Join(from, ", "))
	}
}

func call(p *proposal, c inspector.Cursor) {
	if s, ok := c.Node().(*ast.ExprStmt); ok && listed(c) {
		if _, ok := ast.Unparen(s.X).(*ast.CallExpr); ok {
			p.replace(s, s.Pos(), s.End(), "")
		}
	}
}

func elseBranch(p *proposal, c inspector.Cursor) {
	if s, ok := c.Node().(*ast.IfStmt); ok && s.Else != nil {
		p.replace(s.Else, s.Body.End(), s.Else.End(), "")
	}
}
