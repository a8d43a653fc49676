package ops

import (
	"errors"
	"fmt"
)

// The JSON-lines form of a scenario: the lines of the protocol, each operation together with what it answered where that
// is known, and lines of the file's own: {"block":true} begins a block, {"comment":…} is its prose, {"expect":[…]} is
// what its operations print.

func (p *parser) jsonLine(b []byte) error {
	if len(b) == 0 {
		return nil
	}
	var l jsonLine
	if err := decodeLine(b, &l); err != nil {
		return err
	}
	switch {
	case l.Op != "":
		return p.jsonStep(&l)
	case l.Block:
		p.endBlock()
		p.open = true
	case l.Comment != nil:
		if len(p.block.Steps) > 0 {
			return errors.New("a comment inside a block")
		}
		p.block.Comment = append(p.block.Comment, *l.Comment)
		p.open = true
	case l.Expect != nil:
		if len(p.block.Steps) == 0 {
			return errors.New("expect without an operation before it")
		}
		p.block.HasExpect, p.block.Expect = true, *l.Expect
	default:
		return errors.New("no op in this line")
	}
	return nil
}

func (p *parser) jsonStep(l *jsonLine) error {
	op, err := l.op(p.machine)
	if err != nil {
		return err
	}
	if op.Kind == Init {
		p.start(op.Config)
		return nil
	}
	if !p.started {
		return fmt.Errorf("%s before init", op.Kind)
	}
	s := Step{Op: op}
	if l.answered(op.Kind) {
		s.Result = &Result{}
		if err := l.answer(op.Kind, s.Result); err != nil {
			return err
		}
	}
	if l.State != nil {
		s.State = &State{}
		if err := l.State.fill(p.machine, s.State); err != nil {
			return err
		}
	}
	p.add(s)
	return nil
}

// answered reports whether a line of a trace brings what the operation answered.
func (l *jsonLine) answered(k Kind) bool {
	return l.Result != "" || l.Events != nil || k == Drained && l.Drained != nil || k == Ready && l.Keys != nil
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
				dst, err = AppendTraceLine(dst, &st.Op, st.Result, st.State)
				dst = append(dst, '\n')
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
