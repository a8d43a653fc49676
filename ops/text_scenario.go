package ops

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxLine bounds a line of scenario text or JSON, so that no input makes a reader hold more than that.
const maxLine = 1 << 20

// MaxSteps bounds the operations of one scenario file.
const MaxSteps = 1 << 18

// A file is held in memory whole, so what can take more memory than its text is bounded: the keys and peers that its
// operations list, where two characters of text can take 33 bytes, and its prose and output, where one can take 17.
const (
	maxListed = 1 << 22
	maxProse  = 32 << 20 // bytes, a string's header included
)

// Parse reads a scenario: text, or JSON lines if its first character is a brace. A byte order mark before it is skipped.
// Errors are *ParseError, except those of reading. Parse stops at the first error, so that a large file of garbage
// costs no more than its first line.
func Parse(name string, r io.Reader) (*Scenario, error) {
	in := bufio.NewReaderSize(r, 64<<10)
	p := parser{scenario: &Scenario{Name: name}}
	read := p.textLine
	switch isJSON, err := beginning(in); {
	case errors.Is(err, errUTF16) || errors.Is(err, errList):
		return nil, &ParseError{name, 1, err}
	case err != nil:
		return nil, fmt.Errorf("%s: %w", name, err)
	case isJSON:
		read, p.scenario.JSON = p.jsonLine, true
	}
	lines := bufio.NewScanner(in)
	lines.Buffer(make([]byte, 0, 64<<10), maxLine)
	for lines.Scan() {
		p.line++
		if err := p.take(lines.Bytes(), read); err != nil {
			return nil, &ParseError{name, p.line, err}
		}
	}
	if err := lines.Err(); errors.Is(err, bufio.ErrTooLong) {
		return nil, &ParseError{name, p.line + 1, fmt.Errorf("a line of more than %d bytes", maxLine)}
	} else if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	p.endBlock()
	if p.steps == 0 {
		return nil, &ParseError{name, max(p.line, 1), errors.New("no operation: want a line such as \"scheduler slots=4\" and operations after it")}
	}
	return p.scenario, nil
}

// byteOrderMark is what some editors put before UTF-8.
const byteOrderMark = "\uFEFF"

var (
	errUTF16 = errors.New("not text: this is UTF-16; want a scenario in UTF-8")
	errList  = errors.New("a list of JSON; want JSON lines, an object on each")
)

// beginning skips a byte order mark and reports whether JSON lines follow: the first character that is no white space is a
// brace.
func beginning(in *bufio.Reader) (isJSON bool, err error) {
	start, err := in.Peek(len(byteOrderMark))
	if err != nil && !errors.Is(err, io.EOF) {
		return false, err
	}
	switch {
	case string(start) == byteOrderMark:
		if _, err := in.Discard(len(byteOrderMark)); err != nil {
			return false, err
		}
	case bytes.HasPrefix(start, []byte("\xff\xfe")) || bytes.HasPrefix(start, []byte("\xfe\xff")):
		return false, errUTF16
	}
	const blanks = 1 << 10 // nobody writes a file with more of them before a brace
	start, err = in.Peek(blanks)
	if err != nil && !errors.Is(err, io.EOF) {
		return false, err
	}
	start = bytes.TrimLeft(start, " \t\r\n")
	if bytes.HasPrefix(start, []byte("[")) {
		return false, errList
	}
	return bytes.HasPrefix(start, []byte("{")), nil
}

type parser struct {
	scenario *Scenario
	line     int
	steps    int
	listed   int // keys and peers in lists so far
	told     int // bytes of prose and output so far
	block    Block
	open     bool // the block has something
	expects  bool // past its ----
	machine  Machine
	started  bool // an init was seen
	now      Time
}

func (p *parser) take(line []byte, read func([]byte) error) error {
	line = bytes.TrimSuffix(line, []byte("\r"))
	if !utf8.Valid(line) || bytes.ContainsFunc(line, isControl) {
		return noText(line)
	}
	return read(line)
}

func isControl(r rune) bool { return unicode.IsControl(r) && r != '\t' }

// noText says what in a line is not text.
func noText(line []byte) error {
	for i := 0; i < len(line); {
		r, size := utf8.DecodeRune(line[i:])
		if r == utf8.RuneError && size == 1 {
			return fmt.Errorf("not text: byte %d is 0x%02x, which is no UTF-8; want a scenario in UTF-8", i+1, line[i])
		}
		if isControl(r) {
			return fmt.Errorf("not text: byte %d is the control character U+%04X; want a scenario in UTF-8", i+1, r)
		}
		i += size
	}
	return errors.New("not text: want a scenario in UTF-8")
}

func (p *parser) endBlock() {
	if p.open {
		p.scenario.Blocks = append(p.scenario.Blocks, p.block)
	}
	p.block, p.open, p.expects = Block{}, false, false
}

func (p *parser) add(s Step) error {
	p.steps++
	p.listed += len(s.Op.Hints) + len(s.Op.Sources) + len(s.Op.Keys)
	if p.steps > MaxSteps {
		return fmt.Errorf("more than %d operations", MaxSteps)
	}
	if p.listed > maxListed {
		return fmt.Errorf("more than %d keys and peers in lists", maxListed)
	}
	s.Line = p.line
	if n := len(p.block.Steps); n == cap(p.block.Steps) {
		p.block.Steps = slices.Grow(p.block.Steps, n+1) // a trace is one long block: append would copy it four times over
	}
	p.block.Steps = append(p.block.Steps, s)
	p.open = true
	return nil
}

// prose counts a line of comment or output.
func (p *parser) prose(line string) error {
	const header = 16 // of a string
	if p.told += len(line) + header; p.told > maxProse {
		return fmt.Errorf("more than %d MiB of comments and output", maxProse>>20)
	}
	return nil
}

func (p *parser) textLine(raw []byte) error {
	line := strings.TrimRightFunc(string(raw), unicode.IsSpace)
	switch {
	case line == "":
		p.endBlock()
		return nil
	case p.expects:
		p.block.Expect = append(p.block.Expect, line)
		return p.prose(line)
	case line == "----":
		if len(p.block.Steps) == 0 {
			return errors.New("---- without an operation before it")
		}
		p.block.HasExpect, p.expects = true, true
		return nil
	case line[0] == '#':
		if len(p.block.Steps) > 0 {
			return errors.New("a comment inside a block: put it before the block's first operation")
		}
		p.block.Comment = append(p.block.Comment, strings.TrimPrefix(line[1:], " "))
		p.open = true
		return p.prose(line)
	default:
		return p.textOp(line)
	}
}

func (p *parser) textOp(line string) error {
	words := strings.Fields(line)
	if indexOf(machineNames[:], words[0]) >= 0 {
		config, err := parseConfig(words)
		if err != nil {
			return err
		}
		return p.start(config)
	}
	if !p.started {
		return fmt.Errorf("%q before a line such as \"scheduler slots=4\"", clip(words[0]))
	}
	rest, timed := strings.CutPrefix(line, "@")
	if timed {
		word, after, _ := strings.Cut(rest, " ")
		now, err := parseNanos(word)
		if err != nil {
			return err
		}
		p.now, line = Time(now), after
	}
	op, err := ParseOp(p.machine, line)
	if err != nil {
		return err
	}
	if timed && !op.Kind.Timed() {
		return fmt.Errorf("%s carries no time", op.Kind)
	}
	if op.Kind.Timed() {
		op.Now = p.now
	}
	return p.add(Step{Op: op})
}

func (p *parser) start(config *Config) error {
	p.machine, p.started, p.now = config.Machine, true, 0
	return p.add(Step{Op: Op{Kind: Init, Config: config}})
}

// AppendText writes the scenario as text. A time is written where it changes.
func (s *Scenario) AppendText(dst []byte) []byte {
	now := Time(0)
	for i := range s.Blocks {
		if i > 0 {
			dst = append(dst, '\n')
		}
		dst = s.Blocks[i].appendText(dst, &now)
	}
	return dst
}

func (b *Block) appendText(dst []byte, now *Time) []byte {
	for _, c := range b.Comment {
		dst = append(dst, strings.TrimRight("# "+c, " ")...)
		dst = append(dst, '\n')
	}
	for i := range b.Steps {
		op := &b.Steps[i].Op
		if op.Kind == Init {
			*now = 0
		}
		if op.Kind.Timed() && op.Now != *now {
			*now = op.Now
			dst = append(append(append(dst, '@'), op.Now.String()...), ' ')
		}
		dst = append(op.AppendText(dst), '\n')
	}
	if b.HasExpect {
		dst = append(dst, "----\n"...)
	}
	for _, line := range b.Expect {
		dst = append(append(dst, line...), '\n')
	}
	return dst
}

// String is the scenario as text.
func (s *Scenario) String() string { return string(s.AppendText(nil)) }
