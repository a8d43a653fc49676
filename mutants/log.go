package mutants

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"
)

// log is the append-only file of the verdicts.
type log struct {
	mu   sync.Mutex
	file *os.File // nil if there is none
}

// openLog opens a log to append to. A line that a kill cut short is closed, so that the next one stands alone.
func openLog(path string) (*log, error) {
	if path == "" {
		return &log{}, nil
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR|os.O_APPEND, 0o644)
	if err != nil {
		return nil, usage("open log: %w", err)
	}
	info, err := f.Stat()
	if err == nil && info.Size() > 0 {
		last := make([]byte, 1)
		if _, err = f.ReadAt(last, info.Size()-1); err == nil && last[0] != '\n' {
			_, err = f.Write([]byte{'\n'})
		}
	}
	if err != nil {
		f.Close()
		return nil, usage("open log %s: %w", path, err)
	}
	return &log{file: f}, nil
}

// add writes a verdict in one write, so that processes that share a log do not mix their lines.
func (l *log) add(v Verdict) error {
	if l.file == nil {
		return nil
	}
	line, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("encode verdict: %w", err)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, err := l.file.Write(append(line, '\n')); err != nil {
		return fmt.Errorf("append to log: %w", err)
	}
	return nil
}

func (l *log) close() error {
	if l.file == nil {
		return nil
	}
	return l.file.Close()
}

// readLog puts into found the verdicts of a log that are current, the last one of each mutant. A file that is not there
// is empty; lines that are not whole are skipped.
func readLog(path string, found map[string]Verdict, current func(Verdict) bool) error {
	if path == "" {
		return nil
	}
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return usage("read log: %w", err)
	}
	for line := range bytes.Lines(text) {
		var v Verdict
		if json.Unmarshal(line, &v) == nil && current(v) {
			found[v.Mutant] = v
		}
	}
	return nil
}
