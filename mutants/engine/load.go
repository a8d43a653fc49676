package engine

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"reflect"
	"sort"

	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/packages"

	"fetchproof/mutants/mutswitch"
)

// switchPath is the import path of the run-time support that rewritten sources import.
var switchPath = reflect.TypeFor[mutswitch.Spent]().PkgPath()

// Program is the packages to be mutated, with types.
type Program struct {
	Packages []*Package // by import path
	Root     string     // directory of the module, absolute
	fset     *token.FileSet
	known    map[string]*types.Package // every package that the loaded ones reach, and the switch
}

// Package is one package of a [Program].
type Package struct {
	Path  string // import path
	Files []*File
	types *types.Package
	info  *types.Info
	sizes types.Sizes
}

// File is one source file of a [Package], tests excluded.
type File struct {
	Path string // absolute
	Rel  string // relative to the module's directory, with slashes
	Src  []byte
	pkg  *Package
	ast  *ast.File
	tok  *token.File
	root inspector.Cursor
}

// Load reads and type-checks the packages that the patterns name, as seen from dir. A package that does not type-check is
// an error: there is nothing sound to mutate.
func Load(ctx context.Context, dir string, patterns ...string) (*Program, error) {
	return load(ctx, dir, nil, patterns...)
}

// load is Load with some sources replaced, by absolute path.
func load(ctx context.Context, dir string, overlay map[string][]byte, patterns ...string) (*Program, error) {
	fset := token.NewFileSet()
	cfg := &packages.Config{
		Context: ctx, Dir: dir, Fset: fset, Overlay: overlay,
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedTypes |
			packages.NeedTypesSizes | packages.NeedSyntax | packages.NeedTypesInfo | packages.NeedModule,
	}
	loaded, err := packages.Load(cfg, append([]string{switchPath}, patterns...)...)
	if err != nil {
		return nil, fmt.Errorf("load %v: %w", patterns, err)
	}
	p := &Program{fset: fset, known: map[string]*types.Package{}}
	for _, l := range loaded {
		if err := packageError(l); err != nil {
			return nil, err
		}
		p.learn(l.Types)
		if l.PkgPath == switchPath {
			p.Root = l.Module.Dir
		}
	}
	for _, l := range loaded {
		if l.PkgPath == switchPath {
			continue
		}
		pkg, err := p.newPackage(l, overlay)
		if err != nil {
			return nil, err
		}
		p.Packages = append(p.Packages, pkg)
	}
	if len(p.Packages) == 0 {
		return nil, fmt.Errorf("load %v: no package matches", patterns)
	}
	sort.Slice(p.Packages, func(i, j int) bool { return p.Packages[i].Path < p.Packages[j].Path })
	return p, nil
}

func packageError(l *packages.Package) error {
	errs := make([]error, len(l.Errors))
	for i, e := range l.Errors {
		errs[i] = e
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("package %s does not compile: %w", l.PkgPath, err)
	}
	return nil
}

// learn remembers t and what it imports, for later type checks.
func (p *Program) learn(t *types.Package) {
	if old := p.known[t.Path()]; old != nil && old.Complete() {
		return
	}
	p.known[t.Path()] = t
	for _, dep := range t.Imports() {
		p.learn(dep)
	}
}

func (p *Program) newPackage(l *packages.Package, overlay map[string][]byte) (*Package, error) {
	pkg := &Package{Path: l.PkgPath, types: l.Types, info: l.TypesInfo, sizes: l.TypesSizes}
	for i, f := range l.Syntax {
		path := l.CompiledGoFiles[i]
		src, err := overlay[path], error(nil)
		if src == nil {
			src, err = os.ReadFile(path)
		}
		if err != nil {
			return nil, fmt.Errorf("read source of %s: %w", l.PkgPath, err)
		}
		rel, err := filepath.Rel(p.Root, path)
		if err != nil {
			return nil, fmt.Errorf("source of %s outside the module: %w", l.PkgPath, err)
		}
		tok := p.fset.File(f.FileStart)
		if tok.Size() != len(src) {
			return nil, fmt.Errorf("%s changed while it was loaded; run again", path)
		}
		file := &File{Path: path, Rel: filepath.ToSlash(rel), Src: src, pkg: pkg, ast: f, tok: tok}
		file.root = inspector.New([]*ast.File{f}).Root()
		pkg.Files = append(pkg.Files, file)
	}
	return pkg, nil
}

// Import makes a Program the importer of its own type checks.
func (p *Program) Import(path string) (*types.Package, error) {
	if t := p.known[path]; t != nil {
		return t, nil
	}
	return nil, fmt.Errorf("package %s is not among the dependencies of the mutated packages", path)
}

// offset is where pos is in the file, in bytes.
func (f *File) offset(pos token.Pos) int { return f.tok.Offset(pos) }

// pos is the inverse of offset.
func (f *File) pos(offset int) token.Pos { return f.tok.Pos(offset) }

// text is the source of a node.
func (f *File) text(n ast.Node) string { return string(f.Src[f.offset(n.Pos()):f.offset(n.End())]) }

// Line is the 1-based line of a byte offset.
func (f *File) Line(offset int) int { return f.tok.Line(f.pos(offset)) }

// Column is the 1-based column, in bytes, of a byte offset.
func (f *File) Column(offset int) int { return f.tok.Position(f.pos(offset)).Column }
