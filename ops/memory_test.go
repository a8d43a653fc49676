package ops_test

import (
	"errors"
	"io"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"fetchproof/ops"
)

// endless is size bytes of begin and then of pattern, over and over. It watches the heap while it is read.
type endless struct {
	begin, pattern string
	size, given    int
	reads          int
	peak           uint64
}

func (e *endless) Read(b []byte) (int, error) {
	if e.given >= e.size {
		return 0, io.EOF
	}
	e.reads++
	if e.reads%4 == 0 {
		e.look()
	}
	n := 0
	for n < len(b) && e.given < e.size {
		next := e.pattern[max(e.given-len(e.begin), 0)%len(e.pattern):]
		if e.given < len(e.begin) {
			next = e.begin[e.given:]
		}
		took := copy(b[n:], next)
		n, e.given = n+took, e.given+took
	}
	return n, nil
}

func (e *endless) look() {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	e.peak = max(e.peak, m.HeapAlloc)
}

const mib = 1 << 20

// TestLargeFile: a file of 100 MB costs no more memory than a bound, garbage no more than its first line.
func TestLargeFile(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector has memory of its own")
	}
	noise := make([]byte, 4096)
	rng := rand.NewChaCha8([32]byte{1})
	if _, err := rng.Read(noise); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, begin, pattern string
		line                 int    // at which it is refused
		most                 uint64 // MiB, garbage that was not yet collected included
	}{
		{"noise", "", string(noise), 1, 8},
		{"noise after a good line", "scheduler\n", string(noise), 2, 8},
		{"one line", "", "x", 1, 8},
		{"zeros", "", "\x00", 1, 8},
		{"JSON without an end", "", "{", 1, 8},
		{"prose", "", "#\n", 1973791, 200},
		{"output", "scheduler\n----\n", "x\n", 1973793, 200},
		{"operations", "scheduler\n", "fill\n", 262145, 300},
		{"operations in JSON", scheduler(t), "{\"op\":\"arrive\",\"attempt\":1}\n", 262145, 400},
		{"long lists", "scheduler\n", "drained " + strings.Repeat("k ", 4096) + "\n", 1026, 400},
	} {
		t.Run(c.name, func(t *testing.T) {
			runtime.GC()
			in := &endless{begin: c.begin, pattern: c.pattern, size: 100e6}
			in.look()
			before := in.peak
			_, err := ops.Parse("in", in)
			var at *ops.ParseError
			if !errors.As(err, &at) || at.Line != c.line {
				t.Errorf("refused with %v, want line %d", err, c.line)
			}
			in.look()
			used := (in.peak - before) / mib
			t.Logf("%d MiB at most, after %d bytes: %v", used, in.given, err)
			if used > c.most {
				t.Errorf("took %d MiB, want at most %d", used, c.most)
			}
		})
	}
}
