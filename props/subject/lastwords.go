package subject

import (
	"bytes"
	"strings"
	"sync"
)

// lastWordsSize bounds what is kept of a subject's standard error: enough for a stack.
const lastWordsSize = 4 << 10

// lastWords keeps the end of what is written to it. It is safe for concurrent use.
type lastWords struct {
	mu   sync.Mutex
	tail []byte
	cut  bool
}

func (w *lastWords) Write(b []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.tail = append(w.tail, b...)
	if over := len(w.tail) - lastWordsSize; over > 0 {
		w.tail = append(w.tail[:0], w.tail[over:]...)
		w.cut = true
	}
	return len(b), nil
}

// String is what is kept, from the first whole line.
func (w *lastWords) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	tail := w.tail
	if i := bytes.IndexByte(tail, '\n'); w.cut && i >= 0 {
		tail = tail[i+1:]
	}
	return strings.ToValidUTF8(string(tail), "\uFFFD")
}

// shownLines is how many of the lines sent a failure shows.
const shownLines = 5

// sentLines keeps the lines that were sent and those few before them that a failure shows. Buffers are used again.
type sentLines struct {
	lines [][]byte // a ring; its length is a power of two
	sent  int      // lines sent so far
	done  int      // lines answered so far
}

// due is how many lines are not answered yet.
func (s *sentLines) due() int { return s.sent - s.done }

func (s *sentLines) add(line []byte) {
	if s.due()+shownLines > len(s.lines) {
		s.grow()
	}
	at := &s.lines[s.sent&(len(s.lines)-1)]
	*at = append((*at)[:0], line...)
	s.sent++
}

func (s *sentLines) grow() {
	old := s.lines
	s.lines = make([][]byte, max(2*len(old), 64))
	for i := max(s.sent-len(old), 0); i < s.sent; i++ {
		s.lines[i&(len(s.lines)-1)] = old[i&(len(old)-1)]
	}
}

// last is the line being answered and those before it, oldest first, from the last init on: what came before that was about
// another run.
func (s *sentLines) last() (shown []string) {
	end := min(s.done+1, s.sent)
	for i := max(end-shownLines, 0); i < end; i++ {
		line := s.lines[i&(len(s.lines)-1)]
		if bytes.HasPrefix(line, []byte(`{"op":"init"`)) {
			shown = shown[:0]
		}
		shown = append(shown, string(line))
	}
	return shown
}
