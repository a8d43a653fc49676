package mutants

import (
	"bufio"
	"fmt"
	"io"
	"sort"
	"strings"
	"text/tabwriter"
	"time"
)

// WriteText writes the report for people: the counts by package, by operator and by layer, then every mutant that needs a
// look, then what is wrong.
func (r *Report) WriteText(w io.Writer) error {
	b := bufio.NewWriter(w)
	r.tallies(b, "package", func(row Row) string { return row.Pkg })
	r.tallies(b, "operator", func(row Row) string { return row.Operator })
	r.killers(b)
	r.slow(b)
	for _, s := range []struct {
		status Status
		title  string
	}{
		{Survived, "Survivors (reached, and no layer failed)"},
		{Timeout, "Timeouts (twice, the second time alone)"},
		{Uncovered, "Uncovered (no layer reaches them)"},
		{Unbuilt, "To be built apart (not behind the switch)"},
	} {
		r.list(b, s.status, s.title)
	}
	r.ownChecks(b)
	r.extent(b)
	fmt.Fprintln(b, r.Phases)
	for _, v := range r.Violations {
		fmt.Fprintln(b, "FAIL", v)
	}
	return b.Flush()
}

// extent says what part of the mutants the report is about.
func (r *Report) extent(w io.Writer) {
	if len(r.Rows) < r.Total {
		fmt.Fprintf(w, "%d of %d mutants have a verdict\n", len(r.Rows), r.Total)
	}
	spared := 0
	for _, row := range r.Rows {
		if row.Verdict.Spared {
			spared++
		}
	}
	if spared > 0 {
		fmt.Fprintf(w, "%d survivors were spared the slow parts\n", spared)
	}
	if r.LeftOut > 0 {
		fmt.Fprintf(w, "a sample: %d more of those that were selected are left out\n", r.LeftOut)
	}
}

// tallies writes one table of counts, by some property of the mutants, with a line for all.
func (r *Report) tallies(w io.Writer, by string, key func(Row) string) {
	counts := map[string]*Tally{}
	var all Tally
	for _, row := range r.Rows {
		k := key(row)
		if counts[k] == nil {
			counts[k] = &Tally{}
		}
		counts[k].add(row)
		all.add(row)
	}
	keys := make([]string, 0, len(counts))
	for k := range counts {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(t, "%s\tkilled\tsurvived\taccepted\ttimeout\tuncovered\tunbuilt\tinvalid\tscore\t\n", by)
	for _, k := range keys {
		tallyLine(t, k, *counts[k])
	}
	tallyLine(t, "all", all)
	t.Flush()
	fmt.Fprintln(w)
}

func tallyLine(w io.Writer, name string, t Tally) {
	fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%.1f%%\t\n",
		name, t.Killed, t.Survived, t.Accepted, t.Timeout, t.Uncovered, t.Unbuilt, t.Invalid, 100*t.Score())
}

// killers writes how many mutants each layer caught first, and how.
func (r *Report) killers(w io.Writer) {
	type row map[How]int
	counts := map[string]row{}
	for _, x := range r.Rows {
		if k := x.Verdict.Kill; k != nil {
			if counts[k.Layer] == nil {
				counts[k.Layer] = row{}
			}
			counts[k.Layer][k.How]++
		}
	}
	keys := make([]string, 0, len(counts))
	for k := range counts {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(t, "caught first by\t%s\t%s\t%s\t%s\t%s\t\n", ByFailure, ByPanic, ByCrash, ByDeadlock, ByFuel)
	for _, k := range keys {
		c := counts[k]
		fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%d\t%d\t\n", k, c[ByFailure], c[ByPanic], c[ByCrash], c[ByDeadlock], c[ByFuel])
	}
	t.Flush()
	fmt.Fprintln(w)
}

// slowCost is what a piece takes that is worth a look: every mutant that reaches it and survives what is cheaper pays it.
const slowCost = 250 * time.Millisecond

// slow writes what each layer costs, and its slow pieces.
func (r *Report) slow(w io.Writer) {
	if len(r.pieces) == 0 {
		return // nothing was run
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(t, "layer\tpieces\tprocessor time\t\n")
	var slow []string
	for _, l := range r.layers {
		n, cost := 0, time.Duration(0)
		for _, p := range r.pieces {
			if p.layer != l {
				continue
			}
			n++
			cost += p.cost
			if p.part != "" && p.cost >= slowCost {
				slow = append(slow, fmt.Sprintf("  %.1fs %s %s", p.cost.Seconds(), l, p.part))
			}
		}
		fmt.Fprintf(t, "%s\t%d\t%.2fs\t\n", l, n, cost.Seconds())
	}
	t.Flush()
	if len(slow) > 0 {
		fmt.Fprintf(w, "slow pieces:\n%s\n", strings.Join(slow, "\n"))
	}
	fmt.Fprintln(w)
}

// list writes the mutants of a status, but for those that are counted as accepted.
func (r *Report) list(w io.Writer, status Status, title string) {
	first := true
	for _, row := range r.Rows {
		accepted := row.Accepted != "" && (status == Survived || status == Timeout)
		if row.Verdict.Status != status || accepted {
			continue
		}
		if first {
			fmt.Fprintln(w, title+":")
			first = false
		}
		fmt.Fprintln(w, " ", row.Mutant)
	}
	if !first {
		fmt.Fprintln(w)
	}
}
