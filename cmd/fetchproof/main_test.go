package main

import (
	"bytes"
	"context"
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
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{nil, 2, "usage: fetchproof COMMAND"},
		{[]string{"fly"}, 2, `unknown command "fly"`},
		{[]string{"help"}, 0, ""},
		{[]string{"replay"}, 2, "0 arguments given, 1 wanted"},
		{[]string{"replay", "no-such-file"}, 2, "no-such-file: no such file"},
		{[]string{"check", "-seed", "x"}, 2, `seed "x"`},
		{[]string{"check", "-time", "soon"}, 2, "-time"},
		{[]string{"check", "-h"}, 0, "usage: fetchproof check"},
		{[]string{"mutate", "-shard", "3/2"}, 2, "shard 3/2"},
		{[]string{"mutate", "-canary", "no-such-bird"}, 2, "no mutant is named no-such-bird"},
		{[]string{"explore", "-list"}, 0, ""},
		{[]string{"explore", "responder", "-max-states", "100"}, 0, ""},
		{[]string{"explore", "nowhere"}, 2, `no scope "nowhere": there are share-parking-silence, `},
	} {
		var stdout, stderr bytes.Buffer
		if code := run(context.Background(), c.args, &stdout, &stderr); code != c.code {
			t.Errorf("%q: exit code %d, want %d", c.args, code, c.code)
		}
		if !strings.Contains(stderr.String(), c.want) {
			t.Errorf("%q says %q, want %q", c.args, &stderr, c.want)
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
