package gate

import (
	"fmt"
	"io"

	"fetchproof/model"
)

// ruleCount is how often the situations of one rule occurred.
type ruleCount struct {
	rule       string
	situations []model.Situation
	rarest     uint64
	total      uint64
}

// countByRule groups the situations by rule, rules in the order of the text.
func countByRule(counts *model.Situations) []ruleCount {
	var list []ruleCount
	at := map[string]int{}
	for _, s := range model.SituationTable {
		i, ok := at[s.Rule]
		if !ok {
			i = len(list)
			at[s.Rule] = i
			list = append(list, ruleCount{rule: s.Rule, rarest: counts[s.ID]})
		}
		r := &list[i]
		r.situations = append(r.situations, s)
		r.rarest = min(r.rarest, counts[s.ID])
		r.total += counts[s.ID]
	}
	return list
}

// writeCoverage prints, per rule, how often its situations occurred, the rarest of them apart: a rule is only as well
// exercised as that one.
func writeCoverage(w io.Writer, counts *model.Situations, every bool) {
	fmt.Fprintf(w, "\n%-10s %10s %12s %12s\n", "rule", "situations", "occurred", "rarest")
	for _, r := range countByRule(counts) {
		fmt.Fprintf(w, "%-10s %10d %12d %12d\n", r.rule, len(r.situations), r.total, r.rarest)
		if !every {
			continue
		}
		for _, s := range r.situations {
			fmt.Fprintf(w, "%22s %12d  %s\n", "", counts[s.ID], s.Text)
		}
	}
	fmt.Fprintln(w)
}
