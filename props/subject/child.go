package subject

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"syscall"
	"time"
)

const (
	// maxAnswer bounds a line that a subject writes, so that none can make the suite hold more.
	maxAnswer = 32 << 20
	// goodbye is how long a process may take to end by itself once its standard input has ended.
	goodbye = time.Second
	// turn is how long one direction waits for the subject before the other has its turn.
	turn = 5 * time.Millisecond
)

// What readLine reports, besides an error of the operating system.
var (
	errEnded   = errors.New("the subject ended")
	errLate    = errors.New("no line within the deadline")
	errTooLong = fmt.Errorf("a line of more than %d bytes", maxAnswer)
)

// child is a process with its standard streams, in a process group of its own.
type child struct {
	cmd    *exec.Cmd
	in     *os.File // its standard input
	out    *os.File // its standard output
	words  lastWords
	exited chan struct{} // closed once it was waited for
	status error         // how it ended; valid once exited is closed

	buf    []byte // read from it and not taken: buf[from:]
	from   int
	looked int  // no line ends in buf[from:looked]
	deaf   bool // it has closed its standard input, or ended
	ended  bool // its standard output has ended
}

// start starts a process.
func start(words []string) (*child, error) {
	c := &child{cmd: exec.Command(words[0], words[1:]...), exited: make(chan struct{})}
	inRead, inWrite, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	outRead, outWrite, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, inRead.Close(), inWrite.Close())
	}
	c.in, c.out = inWrite, outRead
	c.cmd.Stdin, c.cmd.Stdout, c.cmd.Stderr = inRead, outWrite, &c.words
	c.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	// A child of the subject may hold standard error open after the subject has ended.
	c.cmd.WaitDelay = goodbye
	err = c.cmd.Start()
	_, _ = inRead.Close(), outWrite.Close()
	if err != nil {
		return nil, errors.Join(err, inWrite.Close(), outRead.Close())
	}
	go c.wait()
	return c, nil
}

func (c *child) wait() {
	c.status = c.cmd.Wait()
	close(c.exited)
}

// write sends what the pipe takes of b without waiting for long, and returns the rest. A subject that no longer listens is no
// error here: its end shows where its answer is missing.
func (c *child) write(b []byte) (rest []byte, err error) {
	if err := c.in.SetWriteDeadline(time.Now().Add(turn)); err != nil {
		return b, err
	}
	for len(b) > 0 && !c.deaf {
		n, err := c.in.Write(b)
		b = b[n:]
		if errors.Is(err, os.ErrDeadlineExceeded) {
			return b, nil
		}
		c.deaf = err != nil
	}
	return nil, nil
}

// fill reads once. The end of the output is no error: it shows as ended.
func (c *child) fill() error {
	if c.ended {
		return nil
	}
	if c.from > 0 && c.from == len(c.buf) {
		c.buf, c.from, c.looked = c.buf[:0], 0, 0
	}
	if cap(c.buf)-len(c.buf) < 4<<10 {
		c.buf = append(make([]byte, 0, 2*(len(c.buf)-c.from)+64<<10), c.buf[c.from:]...)
		c.looked = max(c.looked-c.from, 0)
		c.from = 0
	}
	n, err := c.out.Read(c.buf[len(c.buf):cap(c.buf)])
	c.buf = c.buf[:len(c.buf)+n]
	if errors.Is(err, io.EOF) {
		c.ended = true
		return nil
	}
	return err
}

// buffered is the next line without its end, if it is there already. It is valid until the next read.
func (c *child) buffered() ([]byte, bool) {
	c.looked = max(c.looked, c.from)
	i := bytes.IndexByte(c.buf[c.looked:], '\n')
	if i < 0 {
		c.looked = len(c.buf)
		return nil, false
	}
	line := c.buf[c.from : c.looked+i]
	c.from = c.looked + i + 1
	return line, true
}

// readLine waits for the next line at most until deadline. Meanwhile it sends the bytes of out, and returns the unsent rest: a
// subject blocked on writing does not read, so neither waits for the other.
func (c *child) readLine(out []byte, deadline time.Time) (line, rest []byte, err error) {
	for {
		if line, ok := c.buffered(); ok {
			return line, out, nil
		}
		if c.ended {
			return nil, out, errEnded
		}
		if len(c.buf)-c.from > maxAnswer {
			return nil, out, errTooLong
		}
		until := deadline
		if len(out) > 0 {
			if out, err = c.write(out); err != nil {
				return nil, out, err
			}
			if len(out) > 0 {
				until = time.Now().Add(turn)
			}
		}
		if err := c.out.SetReadDeadline(until); err != nil {
			return nil, out, err
		}
		if err := c.fill(); errors.Is(err, os.ErrDeadlineExceeded) {
			if !time.Now().Before(deadline) {
				return nil, out, errLate
			}
		} else if err != nil {
			return nil, out, err
		}
	}
}

// ending is how the process ended, or that it goes on without its standard output.
func (c *child) ending() string {
	select {
	case <-c.exited:
		if c.status == nil {
			return "exit status 0"
		}
		return c.status.Error()
	case <-time.After(goodbye):
		return "it closed its standard output and goes on"
	}
}

// kill ends the process and everything in its group, and returns when it is gone.
func (c *child) kill() {
	// The group may outlive its leader.
	_ = syscall.Kill(-c.cmd.Process.Pid, syscall.SIGKILL)
	<-c.exited
	_, _ = c.in.Close(), c.out.Close()
}

// close lets the process end by itself, since its standard input ends, and kills what is left of its group.
func (c *child) close() {
	_ = c.in.Close()
	// Nothing reads any more, so that a subject in the middle of an answer does not wait for ever.
	_ = c.out.Close()
	select {
	case <-c.exited:
	case <-time.After(goodbye):
	}
	c.kill()
}
