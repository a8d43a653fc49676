package mutants

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"slices"

	"fetchproof/mutants/engine"
)

// The canary's gate: the main job, long enough for any named mutant that it can see.
const (
	canaryCommand = "./cmd/fetchproof"
	canarySteps   = "400000"
)

// canaryRuns are the main job, and its random programs alone: with the corpus before them they would not have to see anything.
var canaryRuns = []struct {
	name string
	args []string
}{
	{"the gate", nil},
	{"the gate without its corpus", []string{"-no-corpus"}},
}

// Canary builds the command anew with one named mutant in it, runs its main job, with the corpus and without, and reports
// whether that turned red each time: with exit code 1 and a failed check. It is the gate that is tested, so nothing stands
// between the mutant and it but the compiler's overlay; the sources stay as they are.
func Canary(ctx context.Context, out io.Writer, name string, seed uint64) (held bool, err error) {
	list, err := NamedMutants()
	if err != nil {
		return false, err
	}
	i := slices.IndexFunc(list, func(n Named) bool { return n.Name == name })
	if i < 0 {
		return false, usage("no mutant is named %s", name)
	}
	temp, err := newScratch()
	if err != nil {
		return false, err
	}
	defer temp.remove()
	binary, err := plant(ctx, list[i], temp.dir)
	if err != nil {
		return false, err
	}
	for _, run := range canaryRuns {
		args := append([]string{"check", "-steps", canarySteps, "-seed", fmt.Sprint(seed)}, run.args...)
		if held, err := sings(ctx, out, list[i], run.name, exec.CommandContext(ctx, binary, args...), temp.dir); !held || err != nil {
			return false, err
		}
	}
	return true, nil
}

// plant builds the command with the mutant, below temp.
func plant(ctx context.Context, n Named, temp string) (binary string, err error) {
	p, err := engine.Load(ctx, ".", "./"+filepath.Dir(n.File))
	if err != nil {
		return "", usage("%w", err)
	}
	m, err := p.Anchored(n.Name, n.File, n.Anchor, n.Text)
	if err != nil {
		return "", usage("%w", err)
	}
	binary = filepath.Join(temp, "fetchproof")
	return binary, engine.Build(ctx, p.Root, map[string][]byte{m.File.Path: m.Apply()}, canaryCommand, binary, temp)
}

// sings runs the gate on itself and reports whether it turned red.
func sings(ctx context.Context, out io.Writer, n Named, gate string, cmd *exec.Cmd, temp string) (bool, error) {
	cmd.Dir = temp // for the failing scenario that it writes
	output, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return false, ctx.Err()
	case err != nil && !errors.As(err, &exit):
		return false, fmt.Errorf("run the gate with the canary: %w", err)
	}
	code := cmd.ProcessState.ExitCode()
	verdict := []byte("\nFAIL ")
	if code == 1 && bytes.Contains(output, verdict) {
		line := output[bytes.LastIndex(output, verdict)+1:]
		_, err := fmt.Fprintf(out, "canary    %s (%s) turns %s red: %s\n", n.Name, n.File, gate, bytes.TrimSpace(line))
		return true, err
	}
	_, err = fmt.Fprintf(out, "FAIL      %s ends with exit code %d although %s is planted in %s\n%s", gate, code, n.Name, n.File, output)
	return false, err
}
