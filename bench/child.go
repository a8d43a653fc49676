package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// childPackage is the program that a run builds, and starts for each case.
const childPackage = "fetchproof/bench/child"

// buildChild builds childPackage into the directory dir, from the module around the working directory.
func buildChild(ctx context.Context, dir string) (command []string, err error) {
	program := filepath.Join(dir, "child")
	build := exec.CommandContext(ctx, "go", "build", "-buildvcs=false", "-o", program, childPackage)
	if output, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("bench: building %s (this needs the go command, and the sources around the working directory): %w\n%s",
			childPackage, err, bytes.TrimSpace(output))
	}
	return []string{program}, nil
}

// child carries out a case in a process of its own.
func (o *Options) child(ctx context.Context, c Case) (Result, error) {
	in, err := json.Marshal(c)
	if err != nil {
		return Result{}, fmt.Errorf("bench: %w", err)
	}
	var out, log bytes.Buffer
	cmd := exec.CommandContext(ctx, o.Command[0], o.Command[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(in), &out, &log
	cmd.Env = childEnv(os.Environ())
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return Result{}, fmt.Errorf("bench: stopped at %v: %w", c, ctx.Err())
		}
		return Result{}, fmt.Errorf("bench: %v: %w: %s", c, err, bytes.TrimSpace(log.Bytes()))
	}
	var res Result
	if err := json.Unmarshal(out.Bytes(), &res); err != nil {
		return Result{}, fmt.Errorf("bench: %v: the child %s did not answer with a result: %w", c, strings.Join(o.Command, " "), err)
	}
	return res, nil
}

// childEnv is the environment with the runtime's settings pinned: they would show in memory and CPU time.
func childEnv(env []string) []string {
	env = slices.DeleteFunc(slices.Clone(env), func(s string) bool {
		name, _, _ := strings.Cut(s, "=")
		return slices.Contains([]string{"GOGC", "GOMAXPROCS", "GOMEMLIMIT", "GODEBUG", "GOTRACEBACK"}, name)
	})
	return append(env, fmt.Sprintf("GOGC=%d", childGOGC), fmt.Sprintf("GOMAXPROCS=%d", childGOMAXPROCS))
}

// cpuModel names the processor, or its architecture where the system does not say.
func cpuModel() string {
	info, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return runtime.GOARCH
	}
	for line := range strings.Lines(string(info)) {
		if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return runtime.GOARCH
}
