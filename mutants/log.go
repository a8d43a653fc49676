package mutants

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"
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

// verdictMark begins every line of a log.
const verdictMark = `{"mutant":"`

// readLog puts into found the verdicts of a log that are current, the last one of each mutant. Lines that are not whole are
// skipped; a file without any verdict in it must at least look like a log that a kill cut short.
func readLog(path string, found map[string]Verdict, current func(Verdict) bool) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return usage("read log: %w", err)
	}
	any, strange := false, 0 // the first line that does not even begin as one
	n := 0
	for line := range bytes.Lines(text) {
		n++
		var v Verdict
		if json.Unmarshal(line, &v) == nil && v.Mutant != "" {
			any = true
			if current(v) {
				found[v.Mutant] = v
			}
		} else if start := strings.TrimSuffix(string(line), "\n"); strange == 0 && !strings.HasPrefix(start, verdictMark) && !strings.HasPrefix(verdictMark, start) {
			strange = n
		}
	}
	if !any && strange > 0 {
		return usage("%s:%d: this is no verdict, nor is any line of the file: it is no log of a campaign", path, strange)
	}
	return nil
}
