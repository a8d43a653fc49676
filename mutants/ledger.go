package mutants

import (
	"bufio"
	"fmt"
	"os"
	"sort"
	"strings"
)

// Ledger is the accepted survivors and timeouts: for each mutant's id the reason why it is equivalent or out of scope.
//
// The file has one a line, the id, white space, and the reason to the end of the line. Empty lines and lines that begin
// with # are skipped.
type Ledger map[string]string

// ReadLedger reads a ledger; an empty path is an empty one. An id that is there twice is an error, which names the line.
func ReadLedger(path string) (Ledger, error) {
	l := Ledger{}
	if path == "" {
		return l, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, usage("open ledger: %w", err)
	}
	defer f.Close()
	s := bufio.NewScanner(f)
	for n := 1; s.Scan(); n++ {
		line := strings.TrimSpace(s.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		id, reason := line, ""
		if i := strings.IndexAny(line, " \t"); i >= 0 {
			id, reason = line[:i], strings.TrimSpace(line[i:])
		}
		if _, twice := l[id]; twice {
			return nil, usage("%s:%d: %s is listed twice", path, n, id)
		}
		l[id] = reason
	}
	if err := s.Err(); err != nil {
		return nil, usage("read ledger %s: %w", path, err)
	}
	return l, nil
}

// violations is what is wrong with the ledger, given every mutant that there is and the verdicts of this campaign.
func (l Ledger) violations(exists map[string]bool, verdicts map[string]Verdict) []string {
	var out []string
	for id, reason := range l {
		switch status := verdicts[id].Status; {
		case !exists[id]:
			out = append(out, fmt.Sprintf("ledger: no mutant %s exists any more: remove it, or find what became of it", id))
		case strings.Trim(reason, ".-–—?! ") == "":
			out = append(out, fmt.Sprintf("ledger: mutant %s has no reason", id))
		case status == Killed || status == Invalid:
			out = append(out, fmt.Sprintf("ledger: mutant %s is %s: it is no survivor", id, status))
		}
	}
	sort.Strings(out)
	return out
}
