package gate

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"fetchproof/corpus"
	"fetchproof/internal/input"
	"fetchproof/ops"
)

// stdin is what a person writes for standard input, and stdinName what messages call it.
const (
	stdin     = "-"
	stdinName = "stdin"
)

// readScenario reads and parses a regular file, or in for "-". A file of the corpus that is not on disk is read from the
// command itself, so that what check prints can be replayed anywhere. Errors name the file and the line.
func readScenario(ctx context.Context, path string, in io.Reader) (*ops.Scenario, error) {
	return Interruptible(ctx, func() (*ops.Scenario, error) {
		if path == stdin {
			if in == nil {
				in = os.Stdin
			}
			return ops.Parse(stdinName, in)
		}
		f, err := input.Open(path)
		if errors.Is(err, fs.ErrNotExist) {
			if s := embedded(path); s != nil {
				return s, nil
			}
		}
		if err != nil {
			return nil, err
		}
		defer f.Close()
		return ops.Parse(path, f)
	})
}

// embedded is the scenario of the corpus with that name, or nil.
func embedded(path string) *ops.Scenario {
	scenarios, err := corpus.Scenarios()
	if err != nil {
		return nil
	}
	for _, s := range scenarios {
		if s.Name == path {
			return s
		}
	}
	return nil
}

// note says which fields of a scenario were ignored.
func note(s *ops.Scenario) string {
	if s.Ignored.Line == 0 {
		return ""
	}
	return fmt.Sprintf("note      %s:%d: ignored what the language does not have: %q\n", s.Name, s.Ignored.Line, s.Ignored.Names)
}
