package mutants

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"

	"fetchproof/mutants/engine"
	"fetchproof/mutants/pool"
)

// hashSize is how much of a hash a log keeps, in hex digits.
const hashSize = 16

func digest(h hash.Hash) string { return hex.EncodeToString(h.Sum(nil))[:hashSize] }

// sourceHash is the hash of every mutated file.
func sourceHash(p *engine.Program) string {
	h := sha256.New()
	for _, pkg := range p.Packages {
		for _, f := range pkg.Files {
			fmt.Fprintf(h, "%s %d\n", f.Rel, len(f.Src))
			h.Write(f.Src)
		}
	}
	return digest(h)
}

// testHash is the hash of everything else that a verdict depends on: the sources that the runner is linked from (those of
// the main module by content, others by version), what the tests read from their testdata, the engine and the watch over the
// workers, the tool chain, and what the layers are given.
func testHash(ctx context.Context, p *engine.Program, o Options) (string, error) {
	mutated := map[string]bool{}
	for _, pkg := range p.Packages {
		mutated[pkg.Path] = true
	}
	args := []string{
		"list", "-deps", "-test", "-json=Dir,ImportPath,Standard,Module,GoFiles,EmbedFiles,TestGoFiles,XTestGoFiles,TestEmbedFiles,XTestEmbedFiles",
		reflect.TypeFor[engine.Mutant]().PkgPath(), reflect.TypeFor[pool.Process]().PkgPath(),
	}
	if o.Runner != "" {
		args = append(args, o.Runner)
	}
	cmd := exec.CommandContext(ctx, "go", append(args, o.Tests...)...)
	cmd.Dir = p.Root
	out, err := cmd.Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			err = fmt.Errorf("%w: %s", err, exit.Stderr)
		}
		return "", usage("list what the layers are linked from: %w", err)
	}
	h := sha256.New()
	fmt.Fprintf(h, "%s %s seed %d scale %d fuel %d every %v skip %q timed %q\n", runtime.Version(), runtime.GOARCH, o.Seed, o.Scale, o.FuelFactor, o.Every, o.Skip, o.Timed)
	dec := json.NewDecoder(strings.NewReader(string(out)))
	for {
		var l listed
		if err := dec.Decode(&l); errors.Is(err, io.EOF) {
			return digest(h), nil
		} else if err != nil {
			return "", fmt.Errorf("output of go list: %w", err)
		}
		if mutated[l.ImportPath] {
			l.GoFiles = nil // the source hash has them
		}
		if !l.Standard {
			if err := l.hash(h); err != nil {
				return "", err
			}
		}
		if slices.ContainsFunc(o.Tests, func(t string) bool { return t == l.ImportPath || filepath.Join(p.Root, t) == l.Dir }) {
			if err := l.hashTestdata(h); err != nil {
				return "", err
			}
		}
	}
}

// listed is one package as go list describes it.
type listed struct {
	Dir, ImportPath     string
	Standard            bool
	Module              *struct{ Path, Version string }
	GoFiles, EmbedFiles []string

	TestGoFiles, XTestGoFiles, TestEmbedFiles, XTestEmbedFiles []string
}

func (l *listed) hash(h hash.Hash) error {
	if l.Module != nil && l.Module.Version != "" {
		fmt.Fprintf(h, "%s %s\n", l.ImportPath, l.Module.Version)
		return nil
	}
	for _, name := range slices.Concat(l.GoFiles, l.EmbedFiles, l.TestGoFiles, l.XTestGoFiles, l.TestEmbedFiles, l.XTestEmbedFiles) {
		if filepath.IsAbs(name) { // the generated main of a test
			continue
		}
		text, err := os.ReadFile(filepath.Join(l.Dir, name))
		if err != nil {
			return usage("read the suite's source: %w", err)
		}
		fmt.Fprintf(h, "%s %s %d\n", l.ImportPath, name, len(text))
		h.Write(text)
	}
	return nil
}

// hashTestdata adds what the tests of the package read at run time: fuzz targets begin from the inputs there.
func (l *listed) hashTestdata(h hash.Hash) error {
	root := filepath.Join(l.Dir, "testdata")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil && path == root && errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		fmt.Fprintf(h, "%s %s %d\n", l.ImportPath, strings.TrimPrefix(path, l.Dir), len(text))
		h.Write(text)
		return nil
	})
	if err != nil {
		return usage("read what the suite's tests read: %w", err)
	}
	return nil
}

// source is the source half of a verdict's key: of a named mutant it includes the edit, which its name does not tell.
func (c *campaign) source(m *engine.Mutant) string {
	named, ok := c.named[m.ID]
	if !ok {
		return c.sourceHash
	}
	h := sha256.New()
	fmt.Fprintf(h, "%s %q", c.sourceHash, named)
	return digest(h)
}
