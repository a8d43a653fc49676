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
	fset    *token.FileSet
	bare    map[*File]*ast.File // the files as they are, without the bodies of their functions
}

func newChecker(p *Program, pkg *Package) *checker {
	return &checker{p, pkg, token.NewFileSet(), map[*File]*ast.File{}}
}

// place of an error: a function declaration of a file by ordinal; -1 is outside all.
type funcRef struct {
	file *File
	fn   int
}

// fault is one type error.
type fault struct {
	at     funcRef
	offset int // in its file as it was checked
	msg    string
}

// version is a package's sources, those that differ from the files; only, if set, names the one function whose body counts.
// The bodies of the others are left out, so that a check costs little.
type version struct {
	sources map[*File][]byte
	only    *funcRef
}

// check returns the errors of a version.
func (k *checker) check(v version) []fault {
	var faults []fault
	var files []*ast.File
	names := map[*ast.File]*File{}
	for _, f := range k.pkg.Files {
		parsed, err := k.parse(v, f)
		if err != nil {
			return append(faults, k.syntaxFault(f, parsed, err))
		}
		files = append(files, parsed)
		names[parsed] = f
	}
	cfg := types.Config{
		Importer: k.program, Sizes: k.pkg.sizes, GoVersion: k.pkg.types.GoVersion(), DisableUnusedImportCheck: true,
		Error: func(err error) {
			e := err.(types.Error)
			faults = append(faults, fault{locate(files, names, e.Pos), k.fset.Position(e.Pos).Offset, e.Msg})
		},
	}
	cfg.Check(k.pkg.Path, k.fset, files, nil)
	return faults
}

// parse is one file of a version.
func (k *checker) parse(v version, f *File) (*ast.File, error) {
	src, edited := v.sources[f]
	if !edited {
		src = f.Src
	}
	bare := v.only != nil && !edited && v.only.file != f
	if bare && k.bare[f] != nil {
		return k.bare[f], nil
	}
	parsed, err := parser.ParseFile(k.fset, f.Path, src, parser.SkipObjectResolution)
	if err == nil && v.only != nil {
		stripBodies(parsed, f, *v.only)
	}
	if bare && err == nil {
		k.bare[f] = parsed
	}
	return parsed, err
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

// syntaxFault is the first syntax error, in its function as far as the parser got.
func (k *checker) syntaxFault(f *File, parsed *ast.File, err error) fault {
	ft := fault{funcRef{f, -1}, 0, err.Error()}
	var list scanner.ErrorList
	if !errors.As(err, &list) || parsed == nil {
		return ft
	}
	at := list[0].Pos
	ft.offset = at.Offset
	ft.at.fn = funcOrdinal(parsed, func(fd *ast.FuncDecl) bool {
		return k.fset.Position(fd.Pos()).Line <= at.Line && at.Line <= k.fset.Position(fd.End()).Line
	})
	return ft
}

// locate finds the function around pos.
func locate(files []*ast.File, names map[*ast.File]*File, pos token.Pos) funcRef {
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
	takeOut := func(ms []*Mutant) bool {
		for _, m := range ms {
			part.out[m] = true
		}
		misfits = append(misfits, ms...)
		return len(ms) > 0
	}
	split := map[funcRef]bool{}
	for {
		sources := part.sources()
		faults := k.check(version{sources: sources})
		if len(faults) == 0 {
			return misfits, nil
		}
		progress := takeOut(part.blamed(faults, sources))
		if !progress {
			for _, ft := range faults {
				bad := part.mutantsIn(ft.at)
				if !split[ft.at] {
					split[ft.at] = true
					bad = k.misfits(part, ft.at, bad)
				}
				progress = takeOut(bad) || progress
			}
		}
		if !progress {
			return nil, fmt.Errorf("package %s does not type-check once rewritten, whatever mutants are left out: %s", k.pkg.Path, faults[0].msg)
		}
	}
}

// blamed is the mutants whose own text has a fault in it.
func (p *packageUnits) blamed(faults []fault, sources map[*File][]byte) (out []*Mutant) {
	for _, ft := range faults {
		index, ok := mutantAt(sources[ft.at.file], ft.offset)
		if !ok {
			continue
		}
		for _, u := range p.units[ft.at.file] {
			if i := int(index) - int(u.lo); 0 <= i && i < len(u.mutants) && !slices.Contains(out, u.mutants[i]) {
				out = append(out, u.mutants[i])
			}
		}
	}
	return out
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
	sources := map[*File][]byte{m.File: m.Apply()}
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
