package subject

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"fetchproof/ops"
)

// maxRequest bounds a line that a subject is sent.
const maxRequest = 16 << 20

// Serve answers the lines of in on out by the protocol of docs/PROTOCOL.md, until in ends. It makes a subject with factory
// for every init, so that an init that fails leaves the previous machine as it was. A line that cannot be carried out is
// answered with an error and changes nothing, the clock included. The error is of reading or writing, or of a subject that
// failed.
func Serve(in io.Reader, out io.Writer, name string, factory Factory) error {
	s := server{
		in: bufio.NewReaderSize(in, 64<<10), out: bufio.NewWriterSize(out, 64<<10), name: name, factory: factory,
	}
	// Answers are written out whatever happens, even if the subject panics: they show at which line that was.
	defer func() { _ = s.out.Flush() }()
	for {
		line, err := s.readLine()
		if errors.Is(err, io.EOF) {
			return s.out.Flush()
		} else if err != nil {
			return errors.Join(err, s.out.Flush())
		}
		if err := s.answer(line); err != nil {
			return errors.Join(err, s.out.Flush())
		}
	}
}

type server struct {
	in      *bufio.Reader
	out     *bufio.Writer
	name    string
	factory Factory

	long    []byte // a line that the reader's buffer does not hold whole
	subject Subject
	machine *ops.Machine // nil before the first init
	result  ops.Result
	state   ops.State
	line    []byte // the answer
}

// readLine is the next line without its end. What was answered is written out before it waits for more, and not before: many
// lines in flight are read and answered together. A last line without an end counts.
func (s *server) readLine() ([]byte, error) {
	s.long = s.long[:0]
	for {
		if waiting, _ := s.in.Peek(s.in.Buffered()); bytes.IndexByte(waiting, '\n') < 0 {
			if err := s.out.Flush(); err != nil {
				return nil, err
			}
		}
		part, err := s.in.ReadSlice('\n')
		switch {
		case err == nil && len(s.long) == 0:
			return part[:len(part)-1], nil
		case err == nil:
			return append(s.long, part[:len(part)-1]...), nil
		case errors.Is(err, bufio.ErrBufferFull):
			if len(s.long) > maxRequest {
				return nil, fmt.Errorf("a line of more than %d bytes", maxRequest)
			}
			s.long = append(s.long, part...)
		case errors.Is(err, io.EOF) && len(s.long)+len(part) > 0:
			return append(s.long, part...), nil
		default:
			return nil, err
		}
	}
}

func (s *server) answer(line []byte) error {
	op, err := ops.ParseRequest(s.machine, line)
	s.line = s.line[:0]
	switch {
	case errors.Is(err, ops.ErrUnknownOp):
		s.line, err = ops.AppendUnsupported(s.line), nil
	case err != nil:
		s.line, err = ops.AppendError(s.line, err)
	case op.Kind == ops.Init:
		err = s.init(&op)
	default:
		err = s.apply(&op)
	}
	if err != nil {
		return err
	}
	_, err = s.out.Write(append(s.line, '\n'))
	return err
}

func (s *server) init(op *ops.Op) (err error) {
	next, err := s.factory()
	if err != nil {
		return err
	}
	if refused := next.Init(op.Config); refused != nil {
		s.line, err = ops.AppendError(s.line, refused)
		return err
	}
	s.subject, s.machine = next, &op.Config.Machine
	s.line, err = ops.AppendWelcome(s.line, s.name)
	return err
}

func (s *server) apply(op *ops.Op) (err error) {
	if op.Kind == ops.StateQuery {
		if err := s.subject.State(op.Now, &s.state); err != nil {
			return err
		}
		if s.state.Fields == 0 {
			s.line = ops.AppendUnsupported(s.line)
			return nil
		}
		s.result.Reset()
		s.line, err = ops.AppendAnswer(s.line, op.Kind, &s.result, &s.state)
		return err
	}
	if err := s.subject.Apply(op, &s.result); err != nil {
		return err
	}
	if s.result.Code == ops.Unsupported {
		s.line = ops.AppendUnsupported(s.line)
		return nil
	}
	s.line, err = ops.AppendAnswer(s.line, op.Kind, &s.result, nil)
	return err
}
