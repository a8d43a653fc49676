package gate

import (
	"context"
	"strings"
	"testing"

	"fetchproof/props/golden"
	"fetchproof/props/subject/sabotage"
)

// What a small scope shows is shrunk and kept like what a random program does.
func TestScopeFailureIsShrunk(t *testing.T) {
	var out strings.Builder
	dir := t.TempDir()
	c := &check{CheckOptions: CheckOptions{Out: &out, FailureDir: dir, Subject: SubjectOptions{Factory: sabotage.Factory("lost-start")}}}
	if err := c.scopes(context.Background()); err != nil {
		t.Fatal(err)
	}
	if c.result.Failure == nil {
		t.Fatal("no scope shows it")
	}
	for _, want := range []string{"; shrinking that\n", "\nFAIL  ", "1-minimal", "\nreplay    fetchproof replay " + dir} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the output lacks %q:\n%s", want, &out)
		}
	}
}

// A vector that does not hold fails the check, which names it and the command that shows it again.
func TestMissedVector(t *testing.T) {
	var out strings.Builder
	c := &check{CheckOptions: CheckOptions{Out: &out}}
	c.missedVector(&golden.Miss{ID: "M71", Message: "no error, want truncated"})
	if c.result.Failure == nil || c.result.Failure.Property != "wire/M71" {
		t.Errorf("want the failure wire/M71: %+v", c.result.Failure)
	}
	if want := "\nFAIL  wire/M71\n      no error, want truncated\nvector    M71, see corpus/wire\n\nreplay    go test ./impl/wire -run Vectors/M71\n"; out.String() != want {
		t.Errorf("want the vector and its replay: %q", out.String())
	}
}
