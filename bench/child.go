package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
)

// child carries out a case in a process of its own.
func (o Options) child(ctx context.Context, c Case) (Result, error) {
	command := o.Command
	if len(command) == 0 {
		self, err := os.Executable()
		if err != nil {
			return Result{}, fmt.Errorf("bench: finding this executable, to start a child: %w", err)
		}
		command = []string{self, "bench", "--child"}
	}
	in, err := json.Marshal(c)
	if err != nil {
		return Result{}, fmt.Errorf("bench: %w", err)
	}
	var out, log bytes.Buffer
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(in), &out, &log
	cmd.Env = childEnv(os.Environ())
	if err := cmd.Run(); err != nil {
		return Result{}, fmt.Errorf("bench: %v: %w: %s", c, err, bytes.TrimSpace(log.Bytes()))
	}
	var res Result
	if err := json.Unmarshal(out.Bytes(), &res); err != nil {
		return Result{}, fmt.Errorf("bench: %v: the child %s did not answer with a result: %w", c, strings.Join(command, " "), err)
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
