package mutants

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"fetchproof/mutants/engine"
)

// binary is one executable with layers in it: the runner, or the tests of one package.
type binary struct {
	pkg  string // as the options name it
	path string // of the executable
	dir  string // to run it in
	test *testPackage
}

// testPackage is a package whose tests are a layer.
type testPackage struct {
	Dir, Name, ImportPath     string
	TestGoFiles, XTestGoFiles []string
	layer                     string
}

// testWorkerPath is what the TestMain of a test binary calls.
const testWorkerPath = "fetchproof/mutants/worker/testworker"

// listBinaries lists what has to be built. Tests run in a copy of the module: they may write beside their sources.
func (c *campaign) listBinaries(ctx context.Context) error {
	if c.Runner != "" {
		c.binaries = append(c.binaries, &binary{pkg: c.Runner, path: filepath.Join(c.temp, "runner"), dir: c.temp})
	}
	if len(c.Tests) == 0 {
		return nil
	}
	tree := filepath.Join(c.temp, "tree")
	if err := copyTree(tree, c.program.Root); err != nil {
		return err
	}
	for i, pattern := range c.Tests {
		t, err := c.testPackage(ctx, pattern)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(c.program.Root, t.Dir)
		if err != nil {
			return usage("tests outside the module: %w", err)
		}
		t.layer = "test:" + filepath.ToSlash(rel)
		path := filepath.Join(c.temp, fmt.Sprintf("tests-%d", i))
		c.binaries = append(c.binaries, &binary{pkg: t.ImportPath, path: path, dir: filepath.Join(tree, rel), test: t})
	}
	return nil
}

// copyTree copies the files of a module, without what begins with a dot.
func copyTree(to, from string) error {
	err := filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		switch hidden := rel != "." && strings.HasPrefix(d.Name(), "."); {
		case hidden && d.IsDir():
			return fs.SkipDir
		case d.IsDir():
			return os.MkdirAll(filepath.Join(to, rel), 0o755)
		case hidden || !d.Type().IsRegular():
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, rel), text, 0o644)
	})
	if err != nil {
		return usage("copy the module for its tests to run in: %w", err)
	}
	return nil
}

func (c *campaign) testPackage(ctx context.Context, pattern string) (*testPackage, error) {
	cmd := exec.CommandContext(ctx, "go", "list", "-json=Dir,Name,ImportPath,TestGoFiles,XTestGoFiles", pattern)
	cmd.Dir = c.program.Root
	out, err := cmd.Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			err = fmt.Errorf("%w: %s", err, exit.Stderr)
		}
		return nil, usage("list tests of %s: %w", pattern, err)
	}
	t := &testPackage{}
	if err := json.Unmarshal(out, t); err != nil {
		return nil, usage("tests of %s: want one package: %w", pattern, err)
	}
	if len(t.TestGoFiles)+len(t.XTestGoFiles) == 0 {
		return nil, usage("package %s has no tests", pattern)
	}
	return t, nil
}

// build compiles the binary with a set of sources in place.
func (b *binary) build(ctx context.Context, c *campaign, overlay map[string][]byte, path string) error {
	if b.test == nil {
		return engine.Build(ctx, c.program.Root, overlay, b.pkg, path, c.temp)
	}
	overlay = maps.Clone(overlay)
	if err := b.test.addMain(overlay, c.Skip); err != nil {
		return err
	}
	return engine.BuildTest(ctx, c.program.Root, overlay, b.pkg, path, c.temp)
}

// addMain gives the tests a TestMain that makes them a worker, and renames the one they have.
func (t *testPackage) addMain(overlay map[string][]byte, skip string) error {
	name := t.Name
	if len(t.TestGoFiles) == 0 {
		name += "_test"
	}
	for _, file := range append(t.TestGoFiles, t.XTestGoFiles...) {
		path := filepath.Join(t.Dir, file)
		src, err := os.ReadFile(path)
		if err != nil {
			return usage("read test: %w", err)
		}
		if renamed := renameMain(src); renamed != nil {
			overlay[path] = renamed
		}
	}
	overlay[filepath.Join(t.Dir, "zz_mutation_worker_test.go")] = fmt.Appendf(nil,
		"package %s\n\nimport (\n\t\"testing\"\n\n\tmutationworker %q\n)\n\nfunc TestMain(m *testing.M) { mutationworker.Main(m, %q, %q) }\n",
		name, testWorkerPath, t.layer, skip)
	return nil
}

// renameMain is the source with its TestMain under another name, nil if it has none.
func renameMain(src []byte) []byte {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "", src, parser.SkipObjectResolution)
	if err != nil {
		return nil // the compiler says so better
	}
	for _, d := range f.Decls {
		if fd, ok := d.(*ast.FuncDecl); ok && fd.Recv == nil && fd.Name.Name == "TestMain" {
			at := fset.Position(fd.Name.Pos()).Offset
			return []byte(string(src[:at]) + "originalTestMain" + string(src[at+len("TestMain"):]))
		}
	}
	return nil
}
