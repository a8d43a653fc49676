// Package house keeps the rules of the house that a compiler does not: who may import whom, how long a file may be.
package house

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"strconv"
	"strings"
	"testing"
)

// mayImport says which of the project's packages a room may import, by prefix; the longest matching room counts. Every room
// may import packages below itself. Tests are free.
var mayImport = map[string][]string{
	"ops":               {},
	"model":             {"ops"},
	"impl":              {},
	"impl/node":         {"impl"},
	"corpus":            {"ops"},
	"internal":          {},
	"props":             {"ops", "model", "impl", "corpus", "internal", "mutants/catalogue"},
	"fuzz":              {"ops", "model", "impl", "props", "corpus"},
	"nettest":           {"ops", "model", "impl", "props"},
	"mutants":           {"ops", "model", "impl", "props", "corpus", "fuzz", "internal"},
	"mutants/catalogue": {},
	"bench":             {"ops", "impl", "internal"},
	"cmd/fetchproof":    {"ops", "model", "impl", "props", "corpus", "internal", "nettest", "mutants", "bench"},
}

// maxLines is the length beyond which a file is more than one thought.
const maxLines = 500

// sources calls visit for every Go file of the project, parsed, with its folder.
func sources(t *testing.T, visit func(dir, file string, src []byte, parsed *ast.File, set *token.FileSet)) {
	t.Helper()
	root := os.DirFS(".")
	err := fs.WalkDir(root, ".", func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || d.Name() == "tools" || strings.HasPrefix(d.Name(), ".") && d.Name() != ".") {
			return fs.SkipDir
		}
		if path.Ext(file) != ".go" {
			return nil
		}
		src, err := fs.ReadFile(root, file)
		if err != nil {
			return err
		}
		set := token.NewFileSet()
		parsed, err := parser.ParseFile(set, file, src, parser.ParseComments)
		if err != nil {
			return err
		}
		visit(path.Dir(file), file, src, parsed, set)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func roomOf(dir string) (room string, allowed []string) {
	for prefix, list := range mayImport {
		if (dir == prefix || strings.HasPrefix(dir, prefix+"/")) && len(prefix) > len(room) {
			room, allowed = prefix, list
		}
	}
	return room, allowed
}

func TestImports(t *testing.T) {
	checked := 0
	sources(t, func(dir, file string, _ []byte, parsed *ast.File, _ *token.FileSet) {
		if strings.HasSuffix(file, "_test.go") {
			return
		}
		room, allowed := roomOf(dir)
		if room == "" {
			t.Errorf("%s: the folder stands in no room of mayImport", file)
			return
		}
		for _, spec := range parsed.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			target, own := strings.CutPrefix(imported, "fetchproof/")
			if !own {
				continue
			}
			checked++
			if !within(target, append([]string{room}, allowed...)) {
				t.Errorf("%s: %s may not import %s", file, room, target)
			}
		}
	})
	if checked < 50 {
		t.Errorf("only %d imports were checked", checked)
	}
}

func within(target string, rooms []string) bool {
	for _, r := range rooms {
		if target == r || strings.HasPrefix(target, r+"/") {
			return true
		}
	}
	return false
}

// The state machines are passive (DET-1): no goroutine, no clock, no random source.
func TestPassive(t *testing.T) {
	passive := map[string]bool{"model": true, "impl/scheduler": true, "impl/responder": true}
	seen := map[string]bool{}
	sources(t, func(dir, file string, _ []byte, parsed *ast.File, set *token.FileSet) {
		if !passive[dir] || strings.HasSuffix(file, "_test.go") {
			return
		}
		seen[dir] = true
		for _, spec := range parsed.Imports {
			if strings.Contains(spec.Path.Value, "rand") {
				t.Errorf("%s imports %s", file, spec.Path.Value)
			}
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.GoStmt:
				t.Errorf("%s starts a goroutine", set.Position(n.Pos()))
			case *ast.SelectorExpr:
				if x, ok := n.X.(*ast.Ident); ok && x.Name == "time" && strings.Contains(" Now Since Until After Sleep Tick NewTimer AfterFunc ", " "+n.Sel.Name+" ") {
					t.Errorf("%s uses the clock", set.Position(n.Pos()))
				}
			}
			return true
		})
	})
	if len(seen) != len(passive) {
		t.Errorf("only %v were checked", seen)
	}
}

func TestFilesAreShort(t *testing.T) {
	sources(t, func(_, file string, src []byte, _ *ast.File, _ *token.FileSet) {
		if n := strings.Count(string(src), "\n"); n > maxLines {
			t.Errorf("%s has %d lines, at most %d wanted: is it one thought?", file, n, maxLines)
		}
	})
}
