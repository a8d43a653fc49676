package engine

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"slices"
)

// checker type-checks rewritten versions of one package.
type checker struct {
	program *Program
	pkg     *Package
}

func newChecker(p *Program, pkg *Package) *checker { return &checker{p, pkg} }

// place of an error: a function declaration of a file by ordinal; -1 is outside all.
type funcRef struct {
	file *File
	fn   int
}

// fault is one type error.
type fault struct {
	at  funcRef
	msg string
}

// version is a package's sources; only, if set, names the one function whose body counts. The bodies of the others are
// left out, so that a check costs little.
type version struct {
	sources map[*File][]byte
	only    *funcRef
}

// check returns the errors of a version.
func (k *checker) check(v version) []fault {
	fset := token.NewFileSet()
	var faults []fault
	var files []*ast.File
	names := map[*ast.File]*File{}
	for _, f := range k.pkg.Files {
		parsed, err := parser.ParseFile(fset, f.Path, v.sources[f], parser.SkipObjectResolution)
		if err != nil {
			return append(faults, fault{funcRef{f, parseFunc(fset, parsed, err)}, err.Error()})
		}
		if v.only != nil {
			stripBodies(parsed, f, *v.only)
		}
		files = append(files, parsed)
		names[parsed] = f
	}
	cfg := types.Config{
		Importer: k.program, Sizes: k.pkg.sizes, GoVersion: k.pkg.types.GoVersion(), DisableUnusedImportCheck: true,
		Error: func(err error) {
			e := err.(types.Error)
			faults = append(faults, fault{locate(fset, files, names, e.Pos), e.Msg})
		},
	}
	cfg.Check(k.pkg.Path, fset, files, nil)
	return faults
}

// stripBodies empties every function of file but only.
func stripBodies(parsed *ast.File, file *File, only funcRef) {
	n := -1
	for _, d := range parsed.Decls {
		fd, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		if n++; fd.Body == nil || file == only.file && n == only.fn {
			continue
		}
		zero := &ast.BasicLit{Kind: token.INT, Value: "0", ValuePos: fd.Body.Lbrace}
		call := &ast.CallExpr{Fun: &ast.Ident{Name: "panic", NamePos: fd.Body.Lbrace}, Args: []ast.Expr{zero}}
		fd.Body.List = []ast.Stmt{&ast.ExprStmt{X: call}}
	}
}

// parseFunc is the function that the first syntax error is in, as far as the parser got.
func parseFunc(fset *token.FileSet, parsed *ast.File, err error) int {
	var list scanner.ErrorList
	if !errors.As(err, &list) || parsed == nil {
		return -1
	}
	return funcOrdinal(parsed, func(fd *ast.FuncDecl) bool {
		return fset.Position(fd.Pos()).Line <= list[0].Pos.Line && list[0].Pos.Line <= fset.Position(fd.End()).Line
	})
}

// locate finds the function around pos.
func locate(fset *token.FileSet, files []*ast.File, names map[*ast.File]*File, pos token.Pos) funcRef {
	for _, f := range files {
		if f.FileStart <= pos && pos <= f.FileEnd {
			return funcRef{names[f], funcOrdinal(f, func(fd *ast.FuncDecl) bool { return fd.Pos() <= pos && pos < fd.End() })}
		}
	}
	return funcRef{fn: -1}
}

// funcOrdinal is the ordinal of the first function declaration that holds, -1 if none does.
func funcOrdinal(f *ast.File, holds func(*ast.FuncDecl) bool) int {
	n := -1
	for _, d := range f.Decls {
		if fd, ok := d.(*ast.FuncDecl); ok {
			if n++; holds(fd) {
				return n
			}
		}
	}
	return -1
}

// fit takes out of part every mutant that does not type-check behind the switch, and returns them.
func (k *checker) fit(part *packageUnits) ([]*Mutant, error) {
	var misfits []*Mutant
	takeOut := func(ms []*Mutant) {
		for _, m := range ms {
			part.out[m] = true
		}
		misfits = append(misfits, ms...)
	}
	for round := 0; ; round++ {
		faults := k.check(version{sources: part.sources()})
		if len(faults) == 0 {
			return misfits, nil
		}
		var refs []funcRef
		for _, ft := range faults {
			if !slices.Contains(refs, ft.at) {
				refs = append(refs, ft.at)
			}
		}
		progress := false
		for _, ref := range refs {
			all := part.mutantsIn(ref)
			bad := all
			if round == 0 {
				bad = k.misfits(part, ref, all)
			}
			progress = progress || len(bad) > 0
			takeOut(bad)
		}
		if !progress {
			return nil, fmt.Errorf("package %s does not type-check once rewritten, whatever mutants are left out: %s", k.pkg.Path, faults[0].msg)
		}
	}
}

// mutantsIn is the mutants behind the switch in one function.
func (p *packageUnits) mutantsIn(ref funcRef) []*Mutant {
	var out []*Mutant
	for _, u := range p.units[ref.file] {
		if u.fn == ref.fn {
			for _, m := range u.mutants {
				if p.live(m) {
					out = append(out, m)
				}
			}
		}
	}
	return out
}

// misfits splits until it has found a largest set of mutants of a function, in order, that type-check together, and
// returns the others.
func (k *checker) misfits(part *packageUnits, ref funcRef, all []*Mutant) []*Mutant {
	kept := map[*Mutant]bool{}
	sources := map[*File][]byte{}
	for _, f := range k.pkg.Files {
		sources[f] = f.Src
	}
	fits := func(more []*Mutant) bool {
		for _, m := range more {
			kept[m] = true
		}
		sources[ref.file] = ref.file.render(part.units[ref.file], func(m *Mutant) bool { return kept[m] })
		if len(k.check(version{sources, &ref})) == 0 {
			return true
		}
		for _, m := range more {
			delete(kept, m)
		}
		return false
	}
	var bad []*Mutant
	var split func([]*Mutant)
	split = func(ms []*Mutant) {
		switch {
		case len(ms) == 0 || fits(ms):
		case len(ms) == 1:
			bad = append(bad, ms[0])
		default:
			split(ms[:len(ms)/2])
			split(ms[len(ms)/2:])
		}
	}
	split(all)
	return bad
}

// alone is why m does not compile as a plain edit, empty if it does.
func (k *checker) alone(m *Mutant) string {
	sources := map[*File][]byte{}
	for _, f := range k.pkg.Files {
		sources[f] = f.Src
	}
	sources[m.File] = m.Apply()
	only := funcRef{m.File, m.File.funcAt(m.Start)}
	if faults := k.check(version{sources, &only}); len(faults) > 0 {
		return faults[0].msg
	}
	return ""
}

// lineFunc is the ordinal of the function declaration around a line of a source.
func lineFunc(src []byte, line int) int {
	fset := token.NewFileSet()
	parsed, err := parser.ParseFile(fset, "", src, parser.SkipObjectResolution)
	if err != nil {
		return -1
	}
	return funcOrdinal(parsed, func(fd *ast.FuncDecl) bool {
		return fset.PositionFor(fd.Pos(), false).Line <= line && line <= fset.PositionFor(fd.End(), false).Line
	})
}
