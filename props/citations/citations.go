// Package citations knows where the source cites the rules: which functions of the model and of the implementation apply a
// rule, and which tests check it. The list is taken from the source and embedded, so that the command can print it
// wherever it runs; a test keeps it up to date.
package citations

import (
	_ "embed"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
)

// Kind says what cites a rule.
type Kind string

// The kinds.
const (
	Model          Kind = "model"
	Implementation Kind = "impl"
	Test           Kind = "test"
)

// Citation is one place that cites a rule.
type Citation struct {
	Rule  string
	Kind  Kind
	Place string // such as model/contact.go:answered
}

//go:embed citations.tsv
var embedded string

// All are the embedded citations, by rule, kind and place.
func All() ([]Citation, error) { return parse(embedded) }

func parse(text string) (list []Citation, err error) {
	n := 0
	for line := range strings.Lines(text) {
		n++
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(fields) != 3 {
			return nil, fmt.Errorf("citations.tsv:%d: want rule, kind and place", n)
		}
		list = append(list, Citation{fields[0], Kind(fields[1]), fields[2]})
	}
	return list, nil
}

// Format writes citations as the embedded file holds them.
func Format(list []Citation) string {
	var b strings.Builder
	for _, c := range list {
		fmt.Fprintf(&b, "%s\t%s\t%s\n", c.Rule, c.Kind, c.Place)
	}
	return b.String()
}

var ruleName = regexp.MustCompile(`\b(?:DET|SEQ|CON|SRC|FIL|PRK|OUT|BSY|PND|ADV|DEP|BOOT|SUM|RSP|WRK|TRU|WIR|LIV)-[0-9]+\b`)

// Scan takes the citations from the source below root: from the functions of model/ and impl/, with their comments, and
// from every test function.
func Scan(root fs.FS) ([]Citation, error) {
	var list []Citation
	err := fs.WalkDir(root, ".", func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || d.Name() == ".git") {
			return fs.SkipDir
		}
		kind, wanted := kindOf(file)
		if !wanted {
			return nil
		}
		src, err := fs.ReadFile(root, file)
		if err != nil {
			return err
		}
		found, err := scanFile(file, string(src), kind)
		list = append(list, found...)
		return err
	})
	slices.SortFunc(list, func(a, b Citation) int {
		return strings.Compare(a.Rule+"\t"+string(a.Kind)+a.Place, b.Rule+"\t"+string(b.Kind)+b.Place)
	})
	return slices.Compact(list), err
}

func kindOf(file string) (Kind, bool) {
	switch {
	case path.Ext(file) != ".go":
		return "", false
	case strings.HasSuffix(file, "_test.go"):
		return Test, true
	case strings.HasPrefix(file, "model/"):
		return Model, true
	default:
		return Implementation, strings.HasPrefix(file, "impl/")
	}
}

func scanFile(file, src string, kind Kind) (list []Citation, err error) {
	set := token.NewFileSet()
	parsed, err := parser.ParseFile(set, file, src, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	for _, decl := range parsed.Decls {
		f, ok := decl.(*ast.FuncDecl)
		if !ok || kind == Test && !isTest(f.Name.Name) {
			continue
		}
		start := f.Pos()
		if f.Doc != nil {
			start = f.Doc.Pos()
		}
		place := file + ":" + f.Name.Name
		for _, rule := range ruleName.FindAllString(src[set.Position(start).Offset:set.Position(f.End()).Offset], -1) {
			list = append(list, Citation{rule, kind, place})
		}
	}
	return list, nil
}

func isTest(name string) bool {
	return strings.HasPrefix(name, "Test") || strings.HasPrefix(name, "Fuzz") || strings.HasPrefix(name, "Benchmark")
}
