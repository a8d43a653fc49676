// Package replace puts new content in the place of a file.
package replace

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Possible reports why File could not put anything in the place of a file: for a caller with long work before it writes.
func Possible(path string) error {
	target, err := filepath.EvalSymlinks(path)
	if errors.Is(err, fs.ErrNotExist) {
		target, err = path, nil
	}
	if err != nil {
		return err
	}
	temp, err := create(target)
	if err != nil {
		return err
	}
	return errors.Join(temp.Close(), os.Remove(temp.Name()))
}

// create makes the file that takes the place of another, beside it.
func create(target string) (*os.File, error) {
	return os.CreateTemp(filepath.Dir(target), filepath.Base(target)+".new")
}

// File writes what write writes in place of a file, in one step: a reader sees the old content or the new, and after an error
// the old. The file keeps its mode, and a link to it stays one; a new file is readable by all.
func File(path string, write func(io.Writer) error) error {
	mode := fs.FileMode(0o644)
	target, err := filepath.EvalSymlinks(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		target = path
	case err != nil:
		return err
	default:
		info, err := os.Stat(target)
		if err != nil {
			return err
		}
		mode = info.Mode().Perm()
	}
	temp, err := create(target)
	if err != nil {
		return err
	}
	err = errors.Join(write(temp), temp.Chmod(mode), temp.Close())
	if err == nil {
		err = os.Rename(temp.Name(), target)
	}
	if err != nil {
		_ = os.Remove(temp.Name())
	}
	return err
}
