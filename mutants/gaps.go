package mutants

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"fetchproof/mutants/engine"
)

// Gaps says why no layer reaches some of the mutants: a function a line, and below it, indented, the reason, which may
// be that of several lines.
//
//	impl/scheduler/enums.go (Outcome).String
//	impl/scheduler/enums.go (Stage).String
//	    Names for people's logs: nothing in the product or the suite reads them.
//
// A * in place of the function stands for every one in the file.
type Gaps []block

// ReadGaps reads such a file; an empty path is an empty one.
func ReadGaps(path string) (Gaps, error) {
	g, err := readBlocks(path)
	for i, b := range g {
		if _, fn, ok := strings.Cut(b.head, " "); !ok || fn == "" {
			return nil, usage("%s:%d: want a file and a function of it, or *", path, b.line)
		}
		if slices.ContainsFunc(g[:i], func(other block) bool { return other.head == b.head }) {
			return nil, usage("%s:%d: %s is listed twice", path, b.line, b.head)
		}
	}
	return g, err
}

// covers reports whether the line is about the mutant.
func (b *block) covers(m *engine.Mutant) bool {
	file, fn, _ := strings.Cut(b.head, " ")
	return file == m.File.Rel && (fn == "*" || fn == m.Func || fn == engine.PackageLevel && m.Func == "")
}

// of is the line that is about the mutant, nil if none is.
func (g Gaps) of(m *engine.Mutant) *block {
	for i := range g {
		if g[i].covers(m) {
			return &g[i]
		}
	}
	return nil
}

// violations is what is wrong with the file, and the functions that it lacks, given every mutant that there is and the
// verdicts of this campaign.
func (g Gaps) violations(all []*engine.Mutant, verdicts map[string]Verdict) []string {
	type tally struct{ mutants, open, uncovered int }
	tallies := map[*block]*tally{}
	lacking := map[string]int{}
	for _, m := range all {
		b := g.of(m)
		status := verdicts[m.ID].Status
		if b == nil {
			if status == Uncovered {
				lacking[m.File.Rel+" "+cmp.Or(m.Func, engine.PackageLevel)]++
			}
			continue
		}
		if tallies[b] == nil {
			tallies[b] = &tally{}
		}
		t := tallies[b]
		t.mutants++
		switch status {
		case "":
			t.open++
		case Uncovered:
			t.uncovered++
		}
	}
	var out []string
	for i := range g {
		b := &g[i]
		switch t := tallies[b]; {
		case t == nil:
			out = append(out, fmt.Sprintf("%s:%d: no mutant is in %s", b.file, b.line, b.head))
		case !hasReason(b.reason):
			out = append(out, fmt.Sprintf("%s:%d: %s has no reason", b.file, b.line, b.head))
		case t.uncovered == 0 && t.open == 0:
			out = append(out, fmt.Sprintf("%s:%d: every mutant in %s is reached", b.file, b.line, b.head))
		}
	}
	for _, place := range sorted(lacking) {
		out = append(out, fmt.Sprintf("no layer reaches %d mutants in %s, and nothing says why", lacking[place], place))
	}
	return out
}
