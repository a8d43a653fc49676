package input_test

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"fetchproof/internal/input"
)

func TestOpen(t *testing.T) {
	dir := t.TempDir()
	file, link, pipe := filepath.Join(dir, "file"), filepath.Join(dir, "link"), filepath.Join(dir, "pipe")
	if err := os.WriteFile(file, []byte("text"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(file, link); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(pipe, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{file, link} {
		f, err := input.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		if text, err := io.ReadAll(f); err != nil || string(text) != "text" {
			t.Errorf("%s holds %q, %v", path, text, err)
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
	for path, want := range map[string]string{
		dir:                         dir + ": this is a directory; want a regular file",
		pipe:                        pipe + ": this is a pipe; want a regular file", // and is not waited for
		"/dev/zero":                 "/dev/zero: this is a device; want a regular file",
		filepath.Join(dir, "none"):  "none: no such file or directory",
		filepath.Join(file, "none"): "none: not a directory",
	} {
		if f, err := input.Open(path); err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%s: %v, %v, want %s", path, f, err, want)
		}
	}
}
