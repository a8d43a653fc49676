package ops

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
)

// The JSON-lines form of a scenario: the lines of the protocol, each operation together with what it answered where that
// is known, and lines of the file's own: {"block":true} begins a block, {"comment":…} is its prose, {"expect":[…]} is
// what its operations print.

func (p *parser) jsonLine(b []byte) error {
	if len(bytes.TrimSpace(b)) == 0 {
		return nil
	}
	var l jsonLine
	unknown, err := decodeNoting(b, &l, p.scenario.Ignored.Line == 0)
	if err != nil {
		return err
	}
	if len(unknown) > 0 {
		p.scenario.Ignored = Ignored{p.line, unknown}
	}
	if loneSurrogate(b) {
		return errors.New("half of a surrogate pair, which is no character")
	}
	switch {
	case l.Op != nil:
		return p.jsonStep(&l)
	case l.Block:
		p.endBlock()
	case l.Comment != nil:
		return p.jsonComment(*l.Comment)
	case l.Expect != nil:
		return p.jsonExpect(*l.Expect)
	default:
		return errors.New("no op in this line")
	}
	return nil
}

func (p *parser) jsonComment(comment string) error {
	if len(p.block.Steps) > 0 {
		return errors.New("a comment inside a block")
	}
	if err := oneLine("comment", comment); err != nil {
		return err
	}
	p.block.Comment = append(p.block.Comment, comment)
	p.open = true
	return p.prose(comment)
}

func (p *parser) jsonExpect(lines []string) error {
	if len(p.block.Steps) == 0 {
		return errors.New("expect without an operation before it")
	}
	if p.block.HasExpect {
		return errors.New("a second expect in one block")
	}
	p.block.HasExpect, p.block.Expect = true, lines
	for _, line := range lines {
		if line == "" {
			return errors.New("expect: an empty line, which ends a block of text")
		}
		if err := oneLine("expect", line); err != nil {
			return err
		}
		if err := p.prose(line); err != nil {
			return err
		}
	}
	return nil
}

// oneLine refuses a string that would not be the same line in scenario text, so that the two forms convert without loss.
func oneLine(what, s string) error {
	if strings.ContainsAny(s, "\n\x00") || strings.TrimRight(s, " \t\r") != s {
		return fmt.Errorf("%s: %q is no line, or ends in blanks", what, clip(s))
	}
	return nil
}

func (p *parser) jsonStep(l *jsonLine) error {
	op, err := l.op(p.machine)
	if err != nil {
		return err
	}
	if op.Kind == Init {
		return p.start(op.Config)
	}
	if !p.started {
		return fmt.Errorf("%s before init", op.Kind)
	}
	s := Step{Op: op}
	var answer Result
	if s.Gives, err = l.gives(op.Kind, &answer); err != nil {
		return err
	} else if s.Gives != 0 {
		s.Result = &answer
	}
	if l.State != nil {
		s.State = &State{}
		if err := l.State.fill(p.machine, s.State); err != nil {
			return err
		}
	}
	return p.add(s)
}

// AppendJSON writes the scenario as JSON lines.
func (s *Scenario) AppendJSON(dst []byte) (_ []byte, err error) {
	line := func(v any) {
		if err == nil {
			dst, err = appendLine(dst, v)
			dst = append(dst, '\n')
		}
	}
	for i := range s.Blocks {
		b := &s.Blocks[i]
		if i > 0 {
			line(jsonLine{Block: true})
		}
		for _, c := range b.Comment {
			line(jsonLine{Comment: &c})
		}
		for j := range b.Steps {
			st := &b.Steps[j]
			if err == nil {
				var l *jsonLine
				if l, err = traceLine(&st.Op, st.Result, st.State); err == nil {
					st.Gives.keep(l, st.Op.Kind)
					line(l)
				}
			}
		}
		if b.HasExpect {
			expect := b.Expect
			if expect == nil {
				expect = []string{}
			}
			line(jsonLine{Expect: &expect})
		}
	}
	return dst, err
}
