package mutants

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Only a gate that ends with exit code 1 and names a failed check has seen the canary.
func TestSings(t *testing.T) {
	for _, c := range []struct {
		name, script string
		held         bool
	}{
		{"red", "echo 'seed 1'; echo 'FAIL      state/contact'; exit 1", true},
		{"green", "echo 'ok        seed 1'", false},
		{"not at all", "echo 'cannot run'; exit 2", false},
		{"without a verdict", "echo 'oops'; exit 1", false},
		{"killed", "echo; echo 'FAIL      x'; kill -9 $$", false},
	} {
		dir := t.TempDir()
		binary := filepath.Join(dir, "gate")
		if err := os.WriteFile(binary, []byte("#!/bin/sh\n"+c.script+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		held, err := sings(t.Context(), &out, Named{Name: "some-bird", File: "a.go"}, "the gate", exec.Command(binary), dir)
		if held != c.held || err != nil || !bytes.Contains(out.Bytes(), []byte("some-bird")) {
			t.Errorf("%s: held: %t, %v\n%s", c.name, held, err, &out)
		}
	}
}
