package mutants

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// scratchPrefix begins the name of every scratch directory.
const scratchPrefix = "fetchproof-mutants-"

// scratch is a directory for what a campaign builds. It is locked for as long as the process lives: the kernel gives the lock
// back however that ends, so that what a killed campaign left behind is known by having no holder.
type scratch struct {
	dir  string
	lock *os.File
}

// newScratch makes a scratch directory, and removes those that campaigns of the same user left behind.
func newScratch() (*scratch, error) {
	temp := os.TempDir()
	left, err := filepath.Glob(filepath.Join(temp, scratchPrefix+"*"))
	if err != nil {
		left = nil // a strange TMPDIR; making the directory tells
	}
	for _, dir := range left {
		if s, err := lockScratch(dir); err == nil {
			s.remove()
		}
	}
	for {
		dir, err := os.MkdirTemp(temp, scratchPrefix)
		if err != nil {
			return nil, usage("scratch directory: %w", err)
		}
		s, err := lockScratch(dir)
		switch {
		case err == nil:
			return s, nil
		case !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.EWOULDBLOCK):
			_ = os.Remove(dir)
			return nil, usage("lock scratch directory: %w", err)
		}
		// Another campaign, which began just now, took it for one that was left behind: it removes it.
	}
}

// lockScratch takes the lock of a directory of this user's; [fs.ErrNotExist] is one that is gone, [syscall.EWOULDBLOCK] one
// whose campaign lives.
func lockScratch(dir string) (*scratch, error) {
	f, err := os.OpenFile(dir, os.O_RDONLY|syscall.O_DIRECTORY|syscall.O_NOFOLLOW, 0)
	if err != nil {
		return nil, err
	}
	err = ownScratch(dir, f)
	if err == nil {
		err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	}
	if err == nil {
		err = ownScratch(dir, f) // whoever had the lock may have removed it
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return &scratch{dir, f}, nil
}

// ownScratch is an error unless the open directory is the user's and still there by this name.
func ownScratch(dir string, f *os.File) error {
	open, err := f.Stat()
	if err != nil {
		return err
	}
	named, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	if !os.SameFile(open, named) {
		return fs.ErrNotExist
	}
	if stat, ok := open.Sys().(*syscall.Stat_t); !ok || int(stat.Uid) != os.Geteuid() {
		return fs.ErrPermission
	}
	return nil
}

// remove removes the directory, and then gives up the lock.
func (s *scratch) remove() {
	_ = os.RemoveAll(s.dir) // what cannot be removed now, the next campaign tries
	s.lock.Close()
}
