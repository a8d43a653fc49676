// Package console shows how far long work has come: a line that is overwritten on a terminal, a plain line now and then
// elsewhere.
package console

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"
)

// Progress shows the state of one piece of work.
type Progress struct {
	out      io.Writer
	terminal bool
	every    time.Duration
	shown    int // length of the line on the terminal
	mu       sync.Mutex
	stop     chan struct{} // nil while nothing is shown
	done     sync.WaitGroup
}

// New is a progress on w. It overwrites its line if w is a terminal.
func New(w io.Writer) *Progress {
	p := &Progress{out: w, every: 10 * time.Second}
	if f, ok := w.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
			p.terminal, p.every = true, 200*time.Millisecond
		}
	}
	return p
}

// Start shows line, again and again, until Stop. A nil Progress shows nothing.
func (p *Progress) Start(line func() string) {
	if p == nil {
		return
	}
	stop := make(chan struct{})
	p.mu.Lock()
	p.stop = stop
	p.mu.Unlock()
	p.done.Go(func() {
		tick := time.NewTicker(p.every)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				p.show(line())
			case <-stop:
				p.clear()
				return
			}
		}
	})
}

// Stop ends the showing and clears the line of a terminal. Anybody may call it, at any time.
func (p *Progress) Stop() {
	if p == nil {
		return
	}
	p.mu.Lock()
	stop := p.stop
	p.stop = nil
	p.mu.Unlock()
	if stop != nil {
		close(stop)
	}
	p.done.Wait()
}

func (p *Progress) show(line string) {
	if !p.terminal {
		fmt.Fprintln(p.out, line)
		return
	}
	fmt.Fprintf(p.out, "\r%s%s", line, strings.Repeat(" ", max(p.shown-len(line), 0)))
	p.shown = len(line)
}

func (p *Progress) clear() {
	if p.terminal && p.shown > 0 {
		fmt.Fprintf(p.out, "\r%s\r", strings.Repeat(" ", p.shown))
		p.shown = 0
	}
}
