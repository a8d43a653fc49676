package replace_test

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fetchproof/internal/replace"
)

func text(s string) func(io.Writer) error {
	return func(w io.Writer) error { _, err := io.WriteString(w, s); return err }
}

// A new file is made, an old one keeps its mode, a link its target; what cannot be written leaves what there was, and nothing else.
func TestFile(t *testing.T) {
	dir := t.TempDir()
	file, link := filepath.Join(dir, "file"), filepath.Join(dir, "link")
	holds := func(want string, mode fs.FileMode) {
		t.Helper()
		got, err := os.ReadFile(file)
		info, statErr := os.Stat(file)
		if err != nil || statErr != nil || string(got) != want || info.Mode().Perm() != mode {
			t.Errorf("%q, %v, %v; want %q, %v", got, info.Mode(), errors.Join(err, statErr), want, mode)
		}
	}
	if err := replace.File(file, text("one")); err != nil {
		t.Fatal(err)
	}
	holds("one", 0o644)
	if err := errors.Join(os.Chmod(file, 0o600), os.Symlink("file", link), replace.File(link, text("two"))); err != nil {
		t.Fatal(err)
	}
	holds("two", 0o600)
	if info, err := os.Lstat(link); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("the link is %v, %v", info.Mode(), err)
	}
	broken := errors.New("broken")
	if err := replace.File(file, func(w io.Writer) error { return errors.Join(text("thr")(w), broken) }); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
	holds("two", 0o600)
	if err := replace.File(filepath.Join(dir, "none", "file"), text("x")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 2 {
		t.Errorf("%d files, %v", len(left), err)
	}
}

// Possible says beforehand what File would, and leaves nothing behind.
func TestPossible(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	for range 2 { // the second time the file is there
		if err := replace.Possible(file); err != nil {
			t.Error(err)
		}
		if err := replace.File(file, text("one")); err != nil {
			t.Fatal(err)
		}
	}
	if err := replace.Possible(filepath.Join(dir, "none", "file")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
	if err := replace.Possible(dir); err == nil || !strings.Contains(err.Error(), "is a directory") {
		t.Errorf("got %v of a directory", err)
	}
	got, err := os.ReadFile(file)
	if left, listErr := os.ReadDir(dir); err != nil || string(got) != "one" || listErr != nil || len(left) != 1 {
		t.Errorf("%q and %d files, %v", got, len(left), errors.Join(err, listErr))
	}
}
