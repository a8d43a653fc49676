package mutants

import (
	"bufio"
	"fmt"
	"io"
	"slices"
)

// MaxDiffering is the largest share of the mutants whose verdict may depend on the seed.
const MaxDiffering = 0.005

// Differing is a mutant on which campaigns do not agree: its verdicts, campaign by campaign.
type Differing struct {
	Mutant   string
	Verdicts []Verdict
}

// CompareLogs finds the mutants whose verdicts differ between campaigns over the same sources, in order. It tells how many
// mutants all of them have a verdict on. A named mutant has a source of its own, its edit: so each is compared with itself.
func CompareLogs(paths []string) (common int, differing []Differing, err error) {
	if len(paths) < 2 {
		return 0, nil, usage("%d logs to compare, want two or more", len(paths))
	}
	logs := make([]map[string]Verdict, len(paths))
	for i, path := range paths {
		logs[i] = map[string]Verdict{}
		if err := readLog(path, logs[i], func(Verdict) bool { return true }); err != nil {
			return 0, nil, err
		}
		if len(logs[i]) == 0 {
			return 0, nil, usage("%s has no verdict", path)
		}
	}
	for _, id := range sorted(logs[0]) {
		verdicts := make([]Verdict, 0, len(logs))
		for i, l := range logs {
			v, ok := l[id]
			if ok && v.Source != logs[0][id].Source {
				return 0, nil, usage("%s and %s are of different sources: see mutant %s", paths[0], paths[i], id)
			}
			if ok {
				verdicts = append(verdicts, v)
			}
		}
		if len(verdicts) < len(logs) {
			continue
		}
		common++
		if slices.ContainsFunc(verdicts, func(v Verdict) bool { return v.Status != verdicts[0].Status }) {
			differing = append(differing, Differing{id, verdicts})
		}
	}
	if common == 0 {
		return 0, nil, usage("the logs have no mutant in common")
	}
	return common, differing, nil
}

// GateCompare writes what [CompareLogs] finds, and reports whether it is little enough.
func GateCompare(w io.Writer, paths []string) (held bool, err error) {
	common, differing, err := CompareLogs(paths)
	if err != nil {
		return false, err
	}
	b := bufio.NewWriter(w)
	for _, d := range differing {
		fmt.Fprintln(b, d.Mutant)
		for i, v := range d.Verdicts {
			fmt.Fprintf(b, "  %s: %s", paths[i], v.Status)
			if v.Kill != nil {
				fmt.Fprintf(b, " by %s", v.Kill.where())
			}
			fmt.Fprintln(b)
		}
	}
	share := float64(len(differing)) / float64(common)
	fmt.Fprintf(b, "%d of %d mutants differ (%.2f%%; %.2f%% may) between %d campaigns\n", len(differing), common, 100*share, 100*MaxDiffering, len(paths))
	return share <= MaxDiffering, b.Flush()
}
