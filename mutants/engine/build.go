package engine

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"time"
)

// BuildError is a failed go build, with what it printed.
type BuildError struct {
	Package string
	Output  string
	err     error
}

func (e *BuildError) Error() string {
	return fmt.Sprintf("build %s with mutants: %v\n%s", e.Package, e.err, e.Output)
}

func (e *BuildError) Unwrap() error { return e.err }

// Build compiles the main package pkg, as seen from root, to the file out, with the sources of overlay in the place of
// those on disk. Scratch files go to the directory temp; nothing else is written.
func Build(ctx context.Context, root string, overlay map[string][]byte, pkg, out, temp string) error {
	return compile(ctx, root, overlay, pkg, temp, "build", "-o", out)
}

// BuildTest compiles the test binary of pkg likewise.
func BuildTest(ctx context.Context, root string, overlay map[string][]byte, pkg, out, temp string) error {
	return compile(ctx, root, overlay, pkg, temp, "test", "-c", "-vet=off", "-o", out)
}

// stopDelay is how long the go command has to stop.
const stopDelay = 5 * time.Second

func compile(ctx context.Context, root string, overlay map[string][]byte, pkg, temp string, args ...string) error {
	file, err := writeOverlay(overlay, temp)
	if err != nil {
		return err
	}
	// Without symbols and debugging information a link takes two thirds of the time; stack traces need neither.
	cmd := exec.CommandContext(ctx, "go", append(args, "-buildvcs=false", "-ldflags=-s -w", "-overlay", file, pkg)...)
	cmd.Dir = root
	// The go command is asked to stop, so that it clears up behind itself; what it leaves all the same is below temp.
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = stopDelay
	cmd.Env = append(os.Environ(), "GOTMPDIR="+temp)
	var output bytes.Buffer
	cmd.Stdout, cmd.Stderr = &output, &output
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return &BuildError{pkg, output.String(), err}
	}
	return nil
}

// writeOverlay writes the sources, and the file that tells the go command of them, below temp.
func writeOverlay(overlay map[string][]byte, temp string) (string, error) {
	dir, err := os.MkdirTemp(temp, "overlay")
	if err != nil {
		return "", fmt.Errorf("scratch directory for a build: %w", err)
	}
	spec := struct{ Replace map[string]string }{map[string]string{}}
	for i, path := range slices.Sorted(maps.Keys(overlay)) { // the same names every time, for the build cache
		name := filepath.Join(dir, fmt.Sprintf("%d_%s", i, filepath.Base(path)))
		if err := os.WriteFile(name, overlay[path], 0o600); err != nil {
			return "", fmt.Errorf("write rewritten source: %w", err)
		}
		spec.Replace[path] = name
	}
	text, err := json.Marshal(spec)
	if err != nil {
		return "", fmt.Errorf("encode overlay: %w", err)
	}
	file := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		return "", fmt.Errorf("write overlay: %w", err)
	}
	return file, nil
}

var compilerPosition = regexp.MustCompile(`(?m)^(\S+\.go):(\d+)`)

// Blame moves the mutants of every function that a failed build complains about to Apart, and reports whether there were
// any: then another build can be tried. It is for what the compiler refuses although the type checker accepts it.
func (c *Compiled) Blame(e *BuildError) bool {
	found := false
	for _, match := range compilerPosition.FindAllStringSubmatch(e.Output, -1) {
		line, err := strconv.Atoi(match[2])
		if err != nil {
			continue
		}
		for _, part := range c.parts {
			for _, f := range part.pkg.Files {
				if filepath.Base(f.Path) != filepath.Base(match[1]) {
					continue
				}
				for _, m := range part.mutantsIn(funcRef{f, lineFunc(c.Overlay[f.Path], line)}) {
					part.out[m] = true
					c.Apart = append(c.Apart, m)
					found = true
				}
			}
		}
	}
	if found {
		c.collect()
	}
	return found
}
