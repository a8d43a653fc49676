package trace

import (
	"bufio"
	"fmt"
	"io"
	"sync"

	"fetchproof/ops"
)

// Writer writes the lines of one machine's trace. An error is remembered, stops the writing, and is returned by Flush: a
// node does not stop because its trace cannot be written.
type Writer struct {
	mu    sync.Mutex
	w     *bufio.Writer
	line  []byte
	op    ops.Op     // scratch of the caller that holds mu
	res   ops.Result // likewise
	lines int
	err   error
}

// NewWriter is a trace that goes to w.
func NewWriter(w io.Writer) *Writer { return &Writer{w: bufio.NewWriterSize(w, 64<<10)} }

// begin locks the writer for one line about an operation of kind k.
func (w *Writer) begin(k ops.Kind, now ops.Time) (*ops.Op, *ops.Result) {
	w.mu.Lock()
	w.res.Reset()
	w.op = ops.Op{Kind: k, Now: now, Hints: w.op.Hints[:0], Sources: w.op.Sources[:0], Keys: w.op.Keys[:0]}
	return &w.op, &w.res
}

// end writes the line and unlocks the writer.
func (w *Writer) end() {
	defer w.mu.Unlock()
	if w.err != nil {
		return
	}
	line, err := ops.AppendTraceLine(w.line[:0], &w.op, &w.res, nil)
	if err != nil {
		w.err = fmt.Errorf("trace: line %d: %w", w.lines+1, err)
		return
	}
	w.line = append(line, '\n')
	w.lines++
	if _, err := w.w.Write(w.line); err != nil {
		w.err = fmt.Errorf("trace: line %d: %w", w.lines, err)
	}
}

// Lines is how many lines were written, the first an init.
func (w *Writer) Lines() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.lines
}

// Flush writes out what is buffered, and returns the first error of the whole trace.
func (w *Writer) Flush() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err == nil {
		w.err = w.w.Flush()
	}
	return w.err
}
