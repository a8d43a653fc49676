package engine

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ast/inspector"
)

func zero(p *proposal, c inspector.Cursor) {
	s, ok := c.Node().(*ast.ReturnStmt)
	if !ok {
		return
	}
	results := resultTypes(p, c)
	if results == nil || results.Len() != len(s.Results) {
		return // bare, or one call that gives all the results
	}
	for i, e := range s.Results {
		if text, ok := p.file.zeroText(results.At(i).Type()); ok && !p.isZero(e) {
			p.replace(s, e.Pos(), e.End(), text)
		}
	}
}

// resultTypes are those of the function around c, nil if unknown.
func resultTypes(p *proposal, c inspector.Cursor) *types.Tuple {
	for f := range c.Enclosing((*ast.FuncDecl)(nil), (*ast.FuncLit)(nil)) {
		var t types.Type
		switch n := f.Node().(type) {
		case *ast.FuncDecl:
			t = p.info().Defs[n.Name].Type()
		case *ast.FuncLit:
			t = p.typeOf(n)
		}
		if sig, ok := t.(*types.Signature); ok {
			return sig.Results()
		}
	}
	return nil
}

// isZero reports whether e is plainly the zero value already.
func (p *proposal) isZero(e ast.Expr) bool {
	if tv := p.info().Types[e]; tv.IsNil() {
		return true
	} else if v := tv.Value; v != nil {
		switch v.Kind() {
		case constant.Bool:
			return !constant.BoolVal(v)
		case constant.String:
			return constant.StringVal(v) == ""
		default:
			return constant.Sign(v) == 0
		}
	}
	lit, ok := ast.Unparen(e).(*ast.CompositeLit)
	if !ok || len(lit.Elts) > 0 {
		return false
	}
	switch p.typeOf(lit).Underlying().(type) {
	case *types.Struct, *types.Array:
		return true
	}
	return false
}

// zeroText writes the zero value of t as the file would; false if the file has no name for it.
func (f *File) zeroText(t types.Type) (string, bool) {
	if _, ok := types.Unalias(t).(*types.TypeParam); !ok {
		switch u := t.Underlying().(type) {
		case *types.Basic:
			switch {
			case u.Info()&types.IsBoolean != 0:
				return "false", true
			case u.Info()&types.IsString != 0:
				return `""`, true
			case u.Info()&types.IsNumeric != 0:
				return "0", true
			}
			return "nil", true // unsafe.Pointer
		case *types.Pointer, *types.Slice, *types.Map, *types.Chan, *types.Signature, *types.Interface:
			return "nil", true
		}
	}
	named := true
	name := types.TypeString(t, func(other *types.Package) string {
		if other == f.pkg.types {
			return ""
		}
		local := f.importName(other)
		named = named && local != ""
		return local
	})
	return "*new(" + name + ")", named
}

// importName is the name under which the file imports a package, empty if it does not.
func (f *File) importName(other *types.Package) string {
	for _, spec := range f.ast.Imports {
		obj := f.pkg.info.PkgNameOf(spec)
		if obj != nil && obj.Imported() == other && obj.Name() != "_" && obj.Name() != "." {
			return obj.Name()
		}
	}
	return ""
}

func swap(p *proposal, c inspector.Cursor) {
	e, ok := c.Node().(*ast.CallExpr)
	if !ok || p.isConstant(e) || isCommutative(p, e) {
		return
	}
	for i := range len(e.Args) - 1 {
		a, b := e.Args[i], e.Args[i+1]
		ta, tb := p.typeOf(a), p.typeOf(b)
		if ta == nil || tb == nil || p.info().Types[a].IsType() || !types.Identical(ta, tb) || e.Ellipsis.IsValid() && i+2 == len(e.Args) {
			continue
		}
		f := p.file
		between := string(f.Src[f.offset(a.End()):f.offset(b.Pos())])
		p.replace(e, a.Pos(), b.End(), f.text(b)+between+f.text(a))
	}
}

// isCommutative: the order of the arguments of min and max is nothing to get wrong.
func isCommutative(p *proposal, e *ast.CallExpr) bool {
	id, ok := ast.Unparen(e.Fun).(*ast.Ident)
	if !ok {
		return false
	}
	_, builtin := p.info().Uses[id].(*types.Builtin)
	return builtin && (id.Name == "min" || id.Name == "max")
}

func loop(p *proposal, c inspector.Cursor) {
	switch s := c.Node().(type) {
	case *ast.ForStmt:
		if s.Post != nil {
			p.replace(s.Post, s.Post.Pos(), s.Post.End(), "")
		}
		if e, ok := s.Cond.(*ast.BinaryExpr); ok && isNumeric(p.typeOf(e.Y)) {
			switch e.Op {
			case token.LSS, token.LEQ:
				p.replace(e, e.Y.Pos(), e.Y.End(), p.file.text(e.Y)+" - 1")
			case token.GTR, token.GEQ:
				p.replace(e, e.Y.Pos(), e.Y.End(), p.file.text(e.Y)+" + 1")
			}
		}
	case *ast.RangeStmt:
		shortenRange(p, s.X)
	}
}

// shortenRange drops the last or the first round of a range. Only operands that are names are sliced, as they are written twice.
func shortenRange(p *proposal, x ast.Expr) {
	text := p.file.text(x)
	switch u := p.typeOf(x).Underlying().(type) {
	case *types.Basic:
		if u.Info()&types.IsInteger != 0 {
			p.replace(x, x.Pos(), x.End(), text+" - 1")
		}
	case *types.Slice:
		if isName(x) {
			p.replace(x, x.Pos(), x.End(), text+"[:max(len("+text+"), 1)-1]")
			p.replace(x, x.Pos(), x.End(), text+"[min(len("+text+"), 1):]")
		}
	}
}

func isName(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Ident:
		return true
	case *ast.SelectorExpr:
		return isName(e.X)
	}
	return false
}
