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
	temp, _, err := begin(path)
	if err != nil {
		return err
	}
	return errors.Join(temp.Close(), os.Remove(temp.Name()))
}

// File writes what write writes in place of a file, in one step: a reader sees the old content or the new, and after an error
// the old. The file keeps its mode, and a link to it stays one; a new file is readable by all.
func File(path string, write func(io.Writer) error) error {
	temp, target, err := begin(path)
	if err != nil {
		return err
	}
	err = errors.Join(write(temp), temp.Close())
	if err == nil {
		err = os.Rename(temp.Name(), target)
	}
	if err != nil {
		_ = os.Remove(temp.Name())
	}
	return err
}

// begin makes the file that is to take the place of another, beside it and with its mode, and tells where that place is.
func begin(path string) (temp *os.File, target string, err error) {
	mode := fs.FileMode(0o644)
	target, err = filepath.EvalSymlinks(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		target = path
	case err != nil:
		return nil, "", err
	default:
		info, err := os.Stat(target)
		if err != nil {
			return nil, "", err
		}
		if info.IsDir() {
			return nil, "", &fs.PathError{Op: "replace", Path: path, Err: errors.New("is a directory")}
		}
		mode = info.Mode().Perm()
	}
	temp, err = os.CreateTemp(filepath.Dir(target), filepath.Base(target)+".new")
	if err != nil {
		return nil, "", err
	}
	if err := temp.Chmod(mode); err != nil {
		return nil, "", errors.Join(err, temp.Close(), os.Remove(temp.Name()))
	}
	return temp, target, nil
}
