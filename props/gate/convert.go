package gate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"fetchproof/ops"
)

// ConvertOptions say how a scenario is converted.
type ConvertOptions struct {
	Out  io.Writer
	In   io.Reader // what "-" names; nil: standard input
	File string    // where the result is written; empty: to Out
	Drop bool      // leave out the results and states of a trace
}

// ErrLossy is a scenario that the other form cannot hold.
var ErrLossy = errors.New("cannot be converted without loss")

// Convert writes a scenario in the other form: text as JSON lines, JSON lines as text. What comes out is read again and
// compared, so that nothing is lost without a word: a file that the other form cannot hold is an error that wraps ErrLossy.
func Convert(ctx context.Context, path string, o ConvertOptions) error {
	scenario, err := readScenario(ctx, path, o.In)
	if err != nil {
		return err
	}
	toText := scenario.JSON
	if err := traceAsText(scenario, toText, o.Drop); err != nil {
		return err
	}
	converted, err := convert(scenario, toText)
	if err != nil {
		return fmt.Errorf("%s: %w", scenario.Name, err)
	}
	if o.File != "" {
		return os.WriteFile(o.File, converted, 0o644)
	}
	_, err = o.Out.Write(converted)
	return err
}

// traceAsText takes out what only a trace has, if that is wanted, or refuses it.
func traceAsText(s *ops.Scenario, toText, drop bool) error {
	if !toText {
		return nil
	}
	if s.Ignored.Line != 0 && !drop {
		return &ops.ParseError{
			File: s.Name, Line: s.Ignored.Line,
			Err: fmt.Errorf("%w: the language does not have %q (-drop leaves it out)", ErrLossy, s.Ignored.Names),
		}
	}
	for i := range s.Blocks {
		for j := range s.Blocks[i].Steps {
			step := &s.Blocks[i].Steps[j]
			if (step.Result != nil || step.State != nil) && !drop {
				return &ops.ParseError{
					File: s.Name, Line: step.Line,
					Err: fmt.Errorf("%w: it brings a result or a state, which text has no place for (-drop leaves them out)", ErrLossy),
				}
			}
			step.Result, step.State = nil, nil
		}
	}
	return nil
}

func convert(s *ops.Scenario, toText bool) (converted []byte, err error) {
	if toText {
		converted = s.AppendText(nil)
	} else if converted, err = s.AppendJSON(nil); err != nil {
		return nil, err
	}
	again, err := ops.Parse(s.Name, bytes.NewReader(converted))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrLossy, err)
	}
	want, err := s.AppendJSON(nil)
	if err != nil {
		return nil, err
	}
	have, err := again.AppendJSON(nil)
	if err != nil {
		return nil, err
	}
	if !bytes.Equal(want, have) {
		return nil, fmt.Errorf("%w: it does not read back as it was written", ErrLossy)
	}
	return converted, nil
}
