package flaky

import (
	"os"
	"path/filepath"
	"testing"
)

// With a Ready that is false it fails the first time, as a machine may that is too slow for a test.
func TestOnce(t *testing.T) {
	mark := filepath.Join(os.TempDir(), "failed-before")
	if _, err := os.Stat(mark); Ready() || err == nil {
		return
	}
	if err := os.WriteFile(mark, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Error("too slow")
}
