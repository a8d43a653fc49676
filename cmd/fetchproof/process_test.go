package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// asCommand makes this test binary the command itself: what signals and standard output do shows only in a process.
const asCommand = "FETCHPROOF_TEST_AS_COMMAND"

func TestMain(m *testing.M) {
	if os.Getenv(asCommand) != "" {
		main()
	}
	os.Exit(m.Run())
}

func process(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, self, args...)
	cmd.Env = append(os.Environ(), asCommand+"=1")
	cmd.Dir = t.TempDir()
	return cmd
}

// The first signal ends a command that reads standard input, although nothing more comes.
func TestSignalWhileReading(t *testing.T) {
	for _, args := range [][]string{{"replay", "-"}, {"shrink", "-"}, {"convert", "-"}, {"subject"}} {
		for _, signal := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
			cmd := process(t, args...)
			var stderr bytes.Buffer
			cmd.Stderr = &stderr
			in, err := cmd.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			// More than a pipe holds: once it is written, the command reads.
			if _, err := in.Write(bytes.Repeat([]byte("# prose\n"), 1<<15)); err != nil {
				t.Fatal(err)
			}
			if err := cmd.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			_ = cmd.Wait()
			if code := cmd.ProcessState.ExitCode(); code != 2 || stderr.String() != "fetchproof: interrupted\n" {
				t.Errorf("%q ends with exit code %d and says %q", args, code, &stderr)
			}
			_ = in.Close()
		}
	}
}

// The second signal ends a command whatever it waits for: here a subject that does not answer, within an hour's deadline.
func TestSecondSignal(t *testing.T) {
	started := filepath.Join(t.TempDir(), "started")
	if err := syscall.Mkfifo(started, 0o600); err != nil {
		t.Fatal(err)
	}
	hangs := fmt.Sprintf(`sh -c "echo > '%s'; while read line; do :; done"`, started)
	cmd := process(t, "check", "-no-corpus", "-subject", hangs, "-deadline", "1h")
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.ReadFile(started); err != nil { // waits until the subject runs
		t.Fatal(err)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(stderr).ReadString('\n')
	if want := "fetchproof: stopping; the next signal ends it at once\n"; err != nil || line != want {
		t.Fatalf("after the first signal it says %q, %v, want %q", line, err, want)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); !ok || status.Signal() != syscall.SIGINT {
		t.Errorf("it ends with %s, want the signal", cmd.ProcessState)
	}
}

// A verdict that could not be written is none.
func TestFullDisk(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("no /dev/full here")
	}
	defer full.Close()
	for _, args := range [][]string{{"check", "-no-corpus", "-steps", "100", "-seed", "1"}, {"explore", "-list"}, {"help"}, {"check", "-h"}} {
		cmd := process(t, args...)
		var stderr bytes.Buffer
		cmd.Stdout, cmd.Stderr = full, &stderr
		_ = cmd.Run()
		if code := cmd.ProcessState.ExitCode(); code != 2 || !strings.Contains(stderr.String(), "standard output: ") || !strings.Contains(stderr.String(), "no space left") {
			t.Errorf("%q ends with exit code %d and says %q", args, code, &stderr)
		}
	}
}
