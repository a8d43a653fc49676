package engine

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
)

var boundaries = map[token.Token]token.Token{
	token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR,
}

var opposites = map[token.Token]token.Token{
	token.LSS: token.GEQ, token.LEQ: token.GTR, token.GTR: token.LEQ, token.GEQ: token.LSS, token.EQL: token.NEQ, token.NEQ: token.EQL,
}

// operatorText replaces the operator of a binary expression by one of the same precedence.
func (p *proposal) operatorText(e *ast.BinaryExpr, to token.Token) {
	p.replace(e, e.OpPos, e.OpPos+token.Pos(len(e.Op.String())), to.String())
}

func boundary(p *proposal, c inspector.Cursor) {
	e, ok := c.Node().(*ast.BinaryExpr)
	if !ok || p.isConstant(e) {
		return
	}
	if to, ok := boundaries[e.Op]; ok {
		p.operatorText(e, to)
	}
}

func negate(p *proposal, c inspector.Cursor) {
	e, ok := c.Node().(ast.Expr)
	if !ok || p.isConstant(e) {
		return
	}
	switch e := e.(type) {
	case *ast.BinaryExpr:
		if to, ok := opposites[e.Op]; ok {
			p.operatorText(e, to)
		}
	case *ast.UnaryExpr:
		if e.Op == token.NOT {
			p.replace(e, e.Pos(), e.X.Pos(), "")
		}
	case *ast.Ident, *ast.SelectorExpr, *ast.CallExpr, *ast.IndexExpr:
		if decides(c) {
			p.replace(e, e.Pos(), e.End(), "!"+p.file.text(e))
		}
	}
}

// decides reports whether the expression at c is a condition, or a side of one, by itself. Under ! it is the ! that is
// negated.
func decides(c inspector.Cursor) bool {
	switch kind, _ := c.ParentEdge(); kind {
	case edge.IfStmt_Cond, edge.ForStmt_Cond:
		return true
	case edge.BinaryExpr_X, edge.BinaryExpr_Y:
		op := c.Parent().Node().(*ast.BinaryExpr).Op
		return op == token.LAND || op == token.LOR
	case edge.CaseClause_List:
		return tagless(c.Parent())
	}
	return false
}

// tagless reports whether the case clause at c belongs to a switch without a tag, whose cases are conditions.
func tagless(c inspector.Cursor) bool {
	s, ok := c.Parent().Parent().Node().(*ast.SwitchStmt)
	return ok && s.Tag == nil
}

func logic(p *proposal, c inspector.Cursor) {
	e, ok := c.Node().(*ast.BinaryExpr)
	if !ok || e.Op != token.LAND && e.Op != token.LOR || p.isConstant(e) {
		return
	}
	p.replace(e, e.Pos(), e.End(), p.file.text(e.X))
	p.replace(e, e.Pos(), e.End(), p.file.text(e.Y))
}

func boolean(p *proposal, c inspector.Cursor) {
	id, ok := c.Node().(*ast.Ident)
	if !ok {
		return
	}
	switch p.info().Uses[id] {
	case types.Universe.Lookup("true"):
		p.replace(c.Parent().Node(), id.Pos(), id.End(), "false")
	case types.Universe.Lookup("false"):
		p.replace(c.Parent().Node(), id.Pos(), id.End(), "true")
	}
}
