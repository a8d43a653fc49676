// Package input opens what a person names on a command line.
package input

import (
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// Open opens a regular file for reading. Anything else is an error that names what it is: opening a named pipe or reading a
// terminal would wait, reading a device might never end.
func Open(path string) (*os.File, error) {
	// Without O_NONBLOCK, opening a pipe already waits for somebody to write into it. To a regular file it makes no
	// difference.
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s: this is %s; want a regular file", path, kind(info.Mode()))
	}
	if err != nil {
		_ = f.Close()
		return nil, err
	}
	return f, nil
}

func kind(m fs.FileMode) string {
	switch {
	case m.IsDir():
		return "a directory"
	case m&fs.ModeNamedPipe != 0:
		return "a pipe"
	case m&fs.ModeSocket != 0:
		return "a socket"
	case m&fs.ModeDevice != 0:
		return "a device"
	default:
		return "no regular file"
	}
}
