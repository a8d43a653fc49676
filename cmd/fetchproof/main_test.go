package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Bad input and bad usage: exit code 2, with the file and the line, or the field and the value.
func TestBadInput(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct{ name, text, want string }{
		{"syntax", "scheduler\nenqueue k1 from=A\n", "syntax:2: enqueue: at= is missing"},
		{"unknown operation", "scheduler\nfly k1\n", `unknown operation:2: unknown operation "fly" of the scheduler`},
		{"impossible configuration", "scheduler slots=0\n", "impossible configuration:1: slots=0: want 1 to 1073741824"},
		{"unknown field", "scheduler wings=2\n", `unknown field:1: unknown configuration field "wings" of the scheduler`},
		{"empty", "", "empty:1: no operation"},
		{"binary", "scheduler\n\x00\x01\xff\n", "binary:2: not text"},
		{"no header", "fill\n", `no header:1: "fill" before a line such as "scheduler slots=4"`},
		{"long line", "scheduler\n" + strings.Repeat("x", 2<<20), "long line:2: a line of more than 1048576 bytes"},
		{"json", "{\"op\":\"fill\",\"now\":1}\n", "json:1: fill before init"},
	} {
		t.Run(c.name, func(t *testing.T) {
			file := filepath.Join(dir, c.name)
			if err := os.WriteFile(file, []byte(c.text), 0o644); err != nil {
				t.Fatal(err)
			}
			for _, command := range []string{"replay", "shrink"} {
				var stdout, stderr bytes.Buffer
				if code := run(context.Background(), []string{command, file}, &stdout, &stderr); code != 2 {
					t.Errorf("%s: exit code %d, want 2\n%s", command, code, &stderr)
				}
				if !strings.Contains(stderr.String(), c.want) {
					t.Errorf("%s says %q, want %q", command, &stderr, c.want)
				}
			}
		})
	}
}

func TestUsage(t *testing.T) {
	file := filepath.Join(t.TempDir(), "scenario.txt")
	if err := os.WriteFile(file, []byte("scheduler\nfill\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		code int
		want string // on standard error; where the code is 0, on standard output
	}{
		{nil, 2, "usage: fetchproof COMMAND"},
		{[]string{"fly"}, 2, `unknown command "fly"`},
		{[]string{"help"}, 0, "usage: fetchproof COMMAND"},
		{[]string{"--help"}, 0, "usage: fetchproof COMMAND"},
		{[]string{"replay"}, 2, "replay: no FILE is given"},
		{[]string{"replay", "a", "b"}, 2, `replay: ["a" "b"]: one argument is wanted`},
		{[]string{"replay", "no-such-file"}, 2, "no-such-file: no such file"},
		{[]string{"replay", "-fly", file}, 2, "replay: flag provided but not defined: -fly"},
		{[]string{"replay", "-state-every", "0", file}, 2, "-state-every 0: want 1 or more"},
		{[]string{"replay", "-deadline", "-1s", file}, 2, "-deadline -1s: want more than 0"},
		{[]string{"replay", "-deadline", "NaN", file}, 2, `invalid value "NaN" for flag -deadline`},
		{[]string{"replay", "-subject", "", file}, 2, "-subject : want a command"},
		{[]string{"replay", "-subject", "no-such-command", file}, 2, `starting the subject: exec: "no-such-command"`},
		{[]string{"replay", "-json", "-print", file}, 2, "want no -print beside it"},
		{[]string{"replay", file, "-json"}, 0, `"held":true`},
		{[]string{"shrink", "-tries", "-1", file}, 2, "-tries -1: want 0 or more"},
		{[]string{"shrink", file}, 0, "there is nothing to shrink"},
		{[]string{"convert", file, "-o", filepath.Join(file, "x")}, 2, "not a directory"},
		{[]string{"check", "more"}, 2, `check: ["more"]: no argument is wanted`},
		{[]string{"check", "-seed", "x"}, 2, `seed "x"`},
		{[]string{"check", "-time", "soon"}, 2, "-time"},
		{[]string{"check", "-time", "0s"}, 2, "-time 0s: want more than 0"},
		{[]string{"check", "-time", "-5s"}, 2, "-time -5s: want more than 0"},
		{[]string{"check", "-steps", "0"}, 2, "-steps 0: want 1 or more"},
		{[]string{"check", "-steps", "1e6"}, 2, `invalid value "1e6" for flag -steps`},
		{[]string{"check", "-steps", "99999999999999999999"}, 2, "value out of range"},
		{[]string{"check", "-length", "-3"}, 2, "-length -3: want 1 to "},
		{[]string{"check", "-workers", "100000"}, 2, "-workers 100000: want 1 to 1024"},
		{[]string{"check", "-h"}, 0, "usage: fetchproof check"},
		{[]string{"mutate", "-shard", "3/2"}, 2, "shard 3/2"},
		{[]string{"mutate", "-merge", ""}, 2, "-merge : want one file or more"},
		{[]string{"mutate", "-log", ""}, 2, "-log : want a file"},
		{[]string{"mutate", "-canary", "no-such-bird"}, 2, "no mutant is named no-such-bird"},
		{[]string{"explore", "-list"}, 0, "responder"},
		{[]string{"explore", "responder", "-max-states", "100"}, 0, "incomplete"},
		{[]string{"explore", "responder", "-max-states", "-1"}, 2, "-max-states -1: want 0 or more"},
		{[]string{"explore", "nowhere"}, 2, `no scope "nowhere": there are share-parking-silence, `},
		{[]string{"net", "a", "b"}, 2, "one file is wanted"},
		{[]string{"net", filepath.Dir(file)}, 2, "this is a directory"},
		{[]string{"net", file}, 2, file + ": line 1: "},
		{[]string{"subject", "more"}, 2, "no argument is wanted"},
	} {
		var stdout, stderr bytes.Buffer
		if code := run(context.Background(), c.args, &stdout, &stderr); code != c.code {
			t.Errorf("%q: exit code %d, want %d", c.args, code, c.code)
		}
		said, silent := &stderr, &stdout
		if c.code == 0 {
			said, silent = &stdout, &stderr
		}
		if !strings.Contains(said.String(), c.want) || silent.Len() > 0 {
			t.Errorf("%q says %q and %q, want %q", c.args, said, silent, c.want)
		}
	}
}

func TestReplay(t *testing.T) {
	file := filepath.Join(t.TempDir(), "scenario.txt")
	write := func(text string) {
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("# A key starts at its first source. SRC-1.\nscheduler\nenqueue k1 at=1 from=B,A\nfill\n----\nstart k1 from A #1\n")
	var stdout, stderr bytes.Buffer
	if code := run(context.Background(), []string{"replay", file}, &stdout, &stderr); code != 1 {
		t.Errorf("exit code %d, want 1\n%s", code, &stderr)
	}
	if want := "  - start k1 from A #1\n  + start k1 from B #1\n"; !strings.Contains(stdout.String(), want) {
		t.Errorf("replay says\n%s\nwant\n%s", &stdout, want)
	}
	if code := run(context.Background(), []string{"replay", "-rewrite", file}, &stdout, &stderr); code != 0 {
		t.Errorf("exit code %d of -rewrite, want 0\n%s", code, &stderr)
	}
	if code := run(context.Background(), []string{"replay", file}, &stdout, &stderr); code != 0 {
		t.Errorf("exit code %d after -rewrite, want 0\n%s", code, &stdout)
	}
}

// What -rewrite writes has the mode that the file had, and is where a link to it leads; nothing else is left there.
func TestRewriteKeepsTheFile(t *testing.T) {
	dir := t.TempDir()
	file, link := filepath.Join(dir, "scenario.txt"), filepath.Join(t.TempDir(), "link.txt")
	if err := errors.Join(os.WriteFile(file, []byte("scheduler\nfill\n----\nwrong\n"), 0o600), os.Symlink(file, link)); err != nil {
		t.Fatal(err)
	}
	for _, mode := range []os.FileMode{0o600, 0o664} {
		if err := errors.Join(os.WriteFile(file, []byte("scheduler\nfill\n----\nwrong\n"), 0o600), os.Chmod(file, mode)); err != nil {
			t.Fatal(err)
		}
		var stdout, stderr bytes.Buffer
		if code := run(context.Background(), []string{"replay", "-rewrite", link}, &stdout, &stderr); code != 0 {
			t.Fatalf("exit code %d, want 0\n%s", code, &stderr)
		}
		if to, err := os.Readlink(link); err != nil || to != file {
			t.Errorf("the link leads to %q: %v", to, err)
		}
		info, err := os.Stat(file)
		if err != nil || info.Mode() != mode {
			t.Errorf("mode %v, want %v: %v", info.Mode(), mode, err)
		}
		if text, err := os.ReadFile(file); err != nil || bytes.Contains(text, []byte("wrong")) {
			t.Errorf("it is not rewritten: %q, %v", text, err)
		}
		if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
			t.Errorf("left beside it: %v, %v", left, err)
		}
	}
}

// A campaign that cannot start is no campaign that failed.
func TestMutateWithoutRoom(t *testing.T) {
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "none"))
	var stdout, stderr bytes.Buffer
	if code := run(context.Background(), []string{"mutate", "-named"}, &stdout, &stderr); code != 2 || !strings.Contains(stderr.String(), "scratch directory: ") {
		t.Errorf("exit code %d, want 2\n%s", code, &stderr)
	}
}
