package mutants

import (
	"bufio"
	"cmp"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"

	"fetchproof/mutants/engine"
)

// Ledger is the accepted survivors and timeouts: for each mutant's id why it is equivalent or out of scope.
//
// In the file each stands in a line of its own, by its id and what the campaign prints after it ([engine.Mutant.Place]), and
// below it, indented, the reason, which may be that of several:
//
//	0123456789ab impl/scheduler/heap.go (*heap).up boundary: i > 0 -> i >= 0
//	9876543210fe impl/scheduler/heap.go (*heap).up constant: i > 0 -> i > -1
//	    Equivalent: the root is its own parent, so that one more round compares it with itself.
//
// Lines that begin with # are skipped. An id goes with the code that it stands for: once that changes, the entry is stale.
type Ledger map[string]Entry

// lineNumber is what a report has after the file and a ledger has no use for.
var lineNumber = regexp.MustCompile(`^(\S+\.go):\d+ `)

// Entry is one line of a ledger.
type Entry struct {
	Place  string // what the mutant is, for the reader
	Reason string
	File   string
	Line   int
}

func (e *Entry) at() string { return fmt.Sprintf("%s:%d", e.File, e.Line) }

// entryID is what an entry begins with: the id of a generated mutant. Named ones have to be killed.
var entryID = regexp.MustCompile(`^[0-9a-f]{12}$`)

// ReadLedger reads a ledger; an empty path is an empty one. What is no ledger is an error, which names the line.
func ReadLedger(path string) (Ledger, error) {
	l := Ledger{}
	blocks, err := readBlocks(path)
	if err != nil {
		return nil, err
	}
	for _, b := range blocks {
		id, place, _ := strings.Cut(b.head, " ")
		if !entryID.MatchString(id) {
			return nil, usage("%s:%d: %q: want the id of a mutant, 12 hex digits, and what it is", path, b.line, id)
		}
		if _, twice := l[id]; twice {
			return nil, usage("%s:%d: %s is listed twice", path, b.line, id)
		}
		l[id] = Entry{lineNumber.ReplaceAllString(place, "$1 "), b.reason, path, b.line}
	}
	return l, nil
}

// block is a line of a ledger with the reason that it has.
type block struct {
	head, reason string
	file         string
	line         int
}

// readBlocks reads lines that have, together with those directly above, an indented reason below. An empty path is empty.
func readBlocks(path string) ([]block, error) {
	if path == "" {
		return nil, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, usage("%w (a campaign runs at the root of the project)", err) // it names the file, which is a ledger or one of gaps
	}
	defer f.Close()
	var all []block
	first := 0 // of those that the reason is for
	s := bufio.NewScanner(f)
	for n := 1; s.Scan(); n++ {
		text := strings.TrimSpace(s.Text())
		switch indented := strings.HasPrefix(s.Text(), " ") || strings.HasPrefix(s.Text(), "\t"); {
		case strings.HasPrefix(text, "#"):
		case text == "":
			first = len(all)
		case !indented:
			if first < len(all) && all[first].reason != "" {
				first = len(all)
			}
			all = append(all, block{head: strings.Join(strings.Fields(text), " "), file: path, line: n})
		case first == len(all):
			return nil, usage("%s:%d: a reason that belongs to nothing", path, n)
		default:
			for i := range all[first:] {
				b := &all[first+i]
				b.reason = strings.TrimSpace(b.reason + " " + text)
			}
		}
	}
	if err := s.Err(); err != nil {
		return nil, usage("read %s: %w", path, err)
	}
	return all, nil
}

// hasReason is false for a reason that is none.
func hasReason(text string) bool { return strings.Trim(text, ".-–—?! ") != "" }

// violations is what is wrong with the ledger, given every mutant that there is and the verdicts of this campaign.
func (l Ledger) violations(exists map[string]*engine.Mutant, verdicts map[string]Verdict) []string {
	var out []string
	for _, id := range slices.SortedFunc(maps.Keys(l), func(a, b string) int { return cmp.Compare(l[a].Line, l[b].Line) }) {
		e, m := l[id], exists[id]
		switch status := verdicts[id].Status; {
		case m == nil:
			out = append(out, fmt.Sprintf("%s: no mutant %s exists any more: its code has changed, so look at it again (%s)", e.at(), id, e.Place))
		case e.Place != m.Place():
			out = append(out, fmt.Sprintf("%s: mutant %s is %s", e.at(), id, m.Place()))
		case !hasReason(e.Reason):
			out = append(out, fmt.Sprintf("%s: mutant %s has no reason", e.at(), id))
		case status == Killed || status == Invalid:
			out = append(out, fmt.Sprintf("%s: mutant %s is %s: it is no survivor", e.at(), id, status))
		}
	}
	return out
}
