package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A mistake in the flags is found before anything is measured: exit code 2, with the field and the value.
func TestBadBenchFlags(t *testing.T) {
	file := filepath.Join(t.TempDir(), "taken")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"-repeat", "0"}, "bench: -repeat 0: want 1 to 100"},
		{[]string{"-repeat", "101"}, "bench: -repeat 101: want 1 to 100"},
		{[]string{"-repeat", "often"}, `invalid value "often" for flag -repeat`},
		{[]string{"-fast"}, "not defined: -fast"},
		{[]string{"thresholds.tsv"}, `"thresholds.tsv"]: no argument is wanted`},
		{[]string{"-o", ""}, "bench: -o : want a directory"},
		{[]string{"-o", file}, "taken: not a directory"},
	} {
		var stdout, stderr bytes.Buffer
		if code := run(context.Background(), append([]string{"bench"}, c.args...), &stdout, &stderr); code != 2 {
			t.Errorf("bench %q: exit code %d, want 2", c.args, code)
		}
		if !strings.Contains(stderr.String(), c.want) || stdout.Len() > 0 {
			t.Errorf("bench %q says %q and prints %q, want %q", c.args, &stderr, &stdout, c.want)
		}
	}
}
