package mutants

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path"
	"strings"

	"fetchproof/mutants/engine"
)

// lines is a half-open range of 1-based lines.
type lines struct{ from, to int }

// changes is the lines of each file, by path relative to a directory, that changed since a revision.
type changes map[string][]lines

// everyLine is the range of a file that git does not know yet.
var everyLine = lines{1, 1 << 30}

// changedSince asks git what changed in the work tree below dir since rev.
func changedSince(ctx context.Context, dir, rev string) (changes, error) {
	// A hash cannot be taken for an option, nor for a range or a path.
	hash, err := git(ctx, dir, "rev-parse", "--verify", "--end-of-options", rev+"^{commit}")
	if err != nil {
		return nil, fmt.Errorf("revision %q: %w", rev, err)
	}
	diff, err := git(ctx, dir, "diff", "-U0", "--no-color", "--no-ext-diff", "--no-renames", "--relative", "--src-prefix=a/", "--dst-prefix=b/", strings.TrimSpace(hash), "--")
	if err != nil {
		return nil, err
	}
	c, err := parseDiff(diff)
	if err != nil {
		return nil, err
	}
	others, err := git(ctx, dir, "ls-files", "--others", "--exclude-standard")
	if err != nil {
		return nil, err
	}
	for name := range strings.Lines(others) {
		c[strings.TrimSpace(name)] = []lines{everyLine}
	}
	return c, nil
}

func git(ctx context.Context, dir string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", append([]string{"-c", "core.quotePath=false"}, args...)...)
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			err = fmt.Errorf("%w: %s", err, bytes.TrimSpace(exit.Stderr))
		}
		return "", usage("git %s: %w", args[0], err)
	}
	return string(out), nil
}

// parseDiff reads the output of git diff -U0. A hunk that only removes counts as a change of the lines around the gap.
func parseDiff(text string) (changes, error) {
	c := changes{}
	file := ""
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		switch {
		case strings.HasPrefix(line, "+++ "):
			file = strings.TrimPrefix(strings.TrimPrefix(line, "+++ "), "b/")
			file = path.Clean(strings.TrimSuffix(file, "\t"))
		case strings.HasPrefix(line, "@@ "):
			l, err := parseHunk(line)
			if err != nil {
				return nil, err
			}
			c[file] = append(c[file], l)
		}
	}
	return c, nil
}

func parseHunk(line string) (lines, error) {
	_, rest, _ := strings.Cut(line, " +")
	where, _, ok := strings.Cut(rest, " @@")
	from, n := 0, 1
	start, count, counted := strings.Cut(where, ",")
	if _, err := fmt.Sscanf(start, "%d", &from); err != nil || !ok {
		return lines{}, usage("git diff: unexpected hunk %q", line)
	}
	if counted {
		if _, err := fmt.Sscanf(count, "%d", &n); err != nil {
			return lines{}, usage("git diff: unexpected hunk %q", line)
		}
	}
	if n == 0 {
		return lines{from, from + 2}, nil
	}
	return lines{from, from + n}, nil
}

// has reports whether a mutant touches a changed line.
func (c changes) has(m *engine.Mutant) bool {
	for _, l := range c[m.File.Rel] {
		if m.Line() < l.to && m.EndLine() >= l.from {
			return true
		}
	}
	return false
}
