package engine

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strconv"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
)

var arithmeticSwaps = map[token.Token]token.Token{
	token.ADD: token.SUB, token.SUB: token.ADD, token.MUL: token.QUO, token.QUO: token.MUL, token.REM: token.MUL,
	token.ADD_ASSIGN: token.SUB_ASSIGN, token.SUB_ASSIGN: token.ADD_ASSIGN, token.MUL_ASSIGN: token.QUO_ASSIGN,
	token.QUO_ASSIGN: token.MUL_ASSIGN, token.REM_ASSIGN: token.MUL_ASSIGN, token.INC: token.DEC, token.DEC: token.INC,
}

var bitSwaps = map[token.Token]token.Token{
	token.AND: token.OR, token.OR: token.AND, token.XOR: token.AND, token.AND_NOT: token.AND, token.SHL: token.SHR, token.SHR: token.SHL,
	token.AND_ASSIGN: token.OR_ASSIGN, token.OR_ASSIGN: token.AND_ASSIGN, token.XOR_ASSIGN: token.AND_ASSIGN,
	token.AND_NOT_ASSIGN: token.AND_ASSIGN, token.SHL_ASSIGN: token.SHR_ASSIGN, token.SHR_ASSIGN: token.SHL_ASSIGN,
}

func arithmetic(p *proposal, c inspector.Cursor) { swapOperator(p, c, arithmeticSwaps, token.SUB) }
func bits(p *proposal, c inspector.Cursor)       { swapOperator(p, c, bitSwaps, token.XOR) }

// swapOperator swaps a numeric operator by the table, and drops the unary one.
func swapOperator(p *proposal, c inspector.Cursor, table map[token.Token]token.Token, unary token.Token) {
	switch n := c.Node().(type) {
	case *ast.BinaryExpr:
		to, ok := table[n.Op]
		if !ok || !isNumeric(p.typeOf(n)) {
			return
		}
		if to.Precedence() == n.Op.Precedence() {
			p.operatorText(n, to)
			return
		}
		p.replace(n, n.Pos(), n.End(), "("+p.file.text(n.X)+" "+to.String()+" "+p.file.text(n.Y)+")")
	case *ast.AssignStmt:
		if to, ok := table[n.Tok]; ok && isNumeric(p.typeOf(n.Lhs[0])) {
			p.replace(n, n.TokPos, n.TokPos+token.Pos(len(n.Tok.String())), to.String())
		}
	case *ast.IncDecStmt:
		if to, ok := table[n.Tok]; ok {
			p.replace(n, n.TokPos, n.End(), to.String())
		}
	case *ast.UnaryExpr:
		if n.Op == unary {
			p.replace(n, n.Pos(), n.X.Pos(), "")
		}
	}
}

// isNumeric is false for strings, whose + has no opposite.
func isNumeric(t types.Type) bool {
	if t == nil {
		return false
	}
	if param, ok := t.(*types.TypeParam); ok {
		return !types.Satisfies(types.Typ[types.String], param.Constraint().Underlying().(*types.Interface))
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsNumeric != 0
}

func integer(p *proposal, c inspector.Cursor) {
	lit, ok := c.Node().(*ast.BasicLit)
	if !ok || lit.Kind != token.INT && lit.Kind != token.CHAR {
		return
	}
	v, exact := constant.Int64Val(constant.ToInt(p.info().Types[lit].Value))
	if !exact {
		return
	}
	values := neighbours(v, isUnsigned(p.typeOf(lit)))
	if p.fn == "" && !inLiteral(c) {
		values = []int64{v + 1}
	}
	for _, to := range values {
		text := strconv.FormatInt(to, 10)
		if to < 0 {
			text = "(" + text + ")"
		}
		p.replace(about(c), lit.Pos(), lit.End(), text)
	}
}

// neighbours are the values that v is replaced by, without repetition.
func neighbours(v int64, unsigned bool) []int64 {
	switch {
	case v == 0 && unsigned:
		return []int64{1}
	case v == 0:
		return []int64{1, -1}
	case v == 1:
		return []int64{2, 0}
	}
	return []int64{v + 1, v - 1, 0}
}

// about widens a bare literal to the operation, call or statement that it stands in, so that people see what it does and
// its id does not hang on its ordinal alone.
func about(c inspector.Cursor) ast.Node {
	for {
		kind, _ := c.ParentEdge()
		parent := c.Parent()
		switch n := parent.Node().(type) {
		case *ast.BinaryExpr, *ast.KeyValueExpr, *ast.IndexExpr, *ast.SliceExpr, *ast.CallExpr, *ast.ReturnStmt, *ast.AssignStmt, *ast.ValueSpec:
			return n
		case ast.Stmt:
			return c.Node()
		case ast.Expr:
			if kind == edge.CompositeLit_Elts {
				return c.Node()
			}
		default:
			return c.Node()
		}
		c = parent
	}
}

func isUnsigned(t types.Type) bool {
	if t == nil {
		return false
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsUnsigned != 0
}
