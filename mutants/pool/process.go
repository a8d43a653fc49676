package pool

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"fetchproof/mutants/mutswitch"
	"fetchproof/mutants/worker"
)

// ErrTimeout is returned when a worker did not answer in time; it has been killed.
var ErrTimeout = errors.New("no answer in time")

// ErrBlocked is the [ErrTimeout] of a worker that would not have answered in any time: all its threads slept.
var ErrBlocked = fmt.Errorf("blocked: %w", ErrTimeout)

// Crash is the error of a worker that died by itself.
type Crash struct {
	Output string // the end of its standard error
	// Panic is whether the Go runtime ended the process: an unrecovered panic or a fatal error. If not, it was killed
	// from outside, which says nothing about the mutant.
	Panic bool
}

func (c *Crash) Error() string { return "worker died: " + c.Reason() }

// Reason is the line that says why.
func (c *Crash) Reason() string {
	for line := range strings.Lines(c.Output) {
		for _, mark := range []string{"panic: ", "fatal error: ", "runtime: goroutine stack exceeds"} {
			if strings.HasPrefix(line, mark) {
				return strings.TrimSpace(line)
			}
		}
	}
	return "without a Go stack trace"
}

// OutOfFuel is whether the crash is an unrecovered end of fuel, in a goroutine of the code's own.
func (c *Crash) OutOfFuel() bool {
	return c.Panic && strings.Contains(c.Output, mutswitch.SpentMessage)
}

// Process is one running worker.
type Process struct {
	cmd     *exec.Cmd
	in      io.WriteCloser
	answers chan worker.Response // closed when the worker's side is
	asked   int                  // how often it was asked where its goroutines are, without an answer yet
	stderr  tail
}

// Start starts the worker binary at path in the directory dir; what it leaves behind in a directory for temporary files is
// below temp. The context's end kills it.
func Start(ctx context.Context, path, dir, temp string) (*Process, error) {
	p := &Process{answers: make(chan worker.Response)}
	r, w, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("pipe for a worker: %w", err)
	}
	defer w.Close()
	p.cmd = exec.CommandContext(ctx, path)
	p.cmd.Dir = dir
	p.cmd.Env = append(os.Environ(), worker.EnvWorker+"=1", "GOTRACEBACK=single", "GOMAXPROCS=2", "GOGC=300", "TMPDIR="+temp)
	p.cmd.ExtraFiles = []*os.File{w}
	p.cmd.Stderr = &p.stderr
	p.cmd.WaitDelay = time.Second
	if p.in, err = p.cmd.StdinPipe(); err == nil {
		err = p.cmd.Start()
	}
	if err != nil {
		r.Close()
		return nil, fmt.Errorf("start worker %s: %w", path, err)
	}
	go p.read(r)
	return p, nil
}

func (p *Process) read(r *os.File) {
	defer close(p.answers)
	defer r.Close()
	dec := json.NewDecoder(bufio.NewReader(r))
	for {
		var resp worker.Response
		if dec.Decode(&resp) != nil {
			return
		}
		p.answers <- resp
	}
}

// Do sends one request and waits for its answer, at most for limit. The error is [ErrTimeout] (or [ErrBlocked]), a
// [*Deadlock], a [*Crash] or the context's; after any of them the process is gone, and the response is what came before.
func (p *Process) Do(ctx context.Context, req worker.Request, limit time.Duration) (worker.Response, error) {
	line, err := json.Marshal(req)
	if err != nil {
		return worker.Response{}, fmt.Errorf("encode request: %w", err)
	}
	// A failed write means that the worker died; the closed answers say so too.
	_, _ = p.in.Write(append(line, '\n'))
	timer := time.NewTimer(limit)
	defer timer.Stop()
	watched, stop := context.WithCancel(ctx)
	defer stop()
	asleep := make(chan time.Duration)
	go watch(watched, p.cmd.Process.Pid, asleep)
	var resp worker.Response
	for alive := true; alive && err == nil && ctx.Err() == nil; {
		var piece worker.Response
		select {
		case piece, alive = <-p.answers:
			resp.Layers = append(resp.Layers, piece.Layers...)
			switch {
			case piece.Done:
				resp.Done, resp.Last = true, piece.Last
				p.forget()
				return resp, nil
			case piece.Where != "":
				p.asked--
				if d := readDump(piece.Where); d != nil {
					err = d
				}
			}
		case slept := <-asleep:
			if slept >= blockedAfter {
				err = ErrBlocked
			} else {
				p.ask()
			}
		case <-timer.C:
			err = ErrTimeout
		case <-ctx.Done():
		}
	}
	status := p.kill()
	switch {
	case ctx.Err() != nil:
		return resp, ctx.Err()
	case err != nil:
		return resp, err
	}
	out := p.stderr.String()
	return resp, &Crash{Output: out, Panic: status == 2 && strings.Contains(out, "\ngoroutine ")}
}

// ask asks where the goroutines are.
func (p *Process) ask() {
	line, _ := json.Marshal(worker.Request{Op: worker.OpWhere})
	_, _ = p.in.Write(append(line, '\n')) // see Do
	p.asked++
}

// forget drops the answers to what was asked during a request that is done.
func (p *Process) forget() {
	for ; p.asked > 0; p.asked-- {
		<-p.answers
	}
}

// kill ends the process, drains its answers and returns its exit status, -1 for a signal.
func (p *Process) kill() int {
	_ = p.in.Close() // ends a live worker at once; the kill is for one that does not get to run
	timer := time.AfterFunc(time.Second, func() { _ = p.cmd.Process.Kill() })
	defer timer.Stop()
	for range p.answers {
	}
	_ = p.cmd.Wait() // its status is asked below
	return p.cmd.ProcessState.ExitCode()
}

// Close ends the process.
func (p *Process) Close() { p.kill() }

// tail keeps the end of what is written, enough for a stack trace of one goroutine.
type tail struct {
	mu   sync.Mutex
	text []byte
}

const tailLimit = 64 << 10

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, b...)
	if over := len(t.text) - tailLimit; over > 0 {
		t.text = t.text[over:]
	}
	return len(b), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.text)
}
