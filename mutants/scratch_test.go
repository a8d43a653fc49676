package mutants

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// What a killed campaign left behind goes when the next one starts; what has a holder, or is no scratch directory, stays.
func TestScratch(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	live, err := newScratch()
	if err != nil {
		t.Fatal(err)
	}
	left, err := newScratch()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(left.dir, "runner"), []byte("x"), 0o700); err != nil {
		t.Fatal(err)
	}
	left.lock.Close() // as the end of its process does
	elsewhere := t.TempDir()
	link, file, other := filepath.Join(temp, scratchPrefix+"1"), filepath.Join(temp, scratchPrefix+"2"), filepath.Join(temp, "mutants3")
	if err := errors.Join(os.Symlink(elsewhere, link), os.WriteFile(file, nil, 0o600), os.Mkdir(other, 0o700)); err != nil {
		t.Fatal(err)
	}
	next, err := newScratch()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(left.dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("what was left behind: %v", err)
	}
	for _, path := range []string{live.dir, next.dir, link, elsewhere, file, other} {
		if _, err := os.Lstat(path); err != nil {
			t.Errorf("it does not stay: %v", err)
		}
	}
	live.remove()
	next.remove()
	for _, dir := range []string{live.dir, next.dir} {
		if _, err := os.Lstat(dir); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s is left: %v", dir, err)
		}
	}
}

// Campaigns that start at once do not take one another's directories.
func TestScratchAtOnce(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	const many = 16
	all := make(chan *scratch, many)
	for range many {
		go func() {
			s, err := newScratch()
			if err != nil {
				t.Error(err)
			}
			all <- s
		}()
	}
	seen := map[string]bool{}
	for range many {
		s := <-all
		if s == nil {
			continue
		}
		defer s.remove()
		seen[s.dir] = true
	}
	for dir := range seen {
		if _, err := os.Lstat(dir); err != nil {
			t.Error(err)
		}
	}
	if len(seen) != many {
		t.Errorf("%d directories for %d campaigns", len(seen), many)
	}
}

// A campaign that cannot start for want of a scratch directory has shown nothing.
func TestNoScratch(t *testing.T) {
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "none"))
	if _, err := Run(t.Context(), sampleOptions()); ExitCode(err) != 2 || !errors.Is(err, ErrUsage) {
		t.Errorf("campaign: %v", err)
	}
	list, err := NamedMutants()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Canary(t.Context(), nil, list[0].Name, 1); ExitCode(err) != 2 || !errors.Is(err, ErrUsage) {
		t.Errorf("canary: %v", err)
	}
}
