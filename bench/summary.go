package bench

import (
	"fmt"
	"io"
	"strings"
)

// published are the figures of section 20 of model/RULES.md for 131,072 keys, which were measured on another machine, in
// Rust, and those that a pointer-tree prototype reached, to which the twin should stay close.
var published = []struct {
	sources              int
	what, op, measure    string
	published, prototype string
}{
	{1, "forced pass", "forced-pass", "cpu", "74–99 ms", "388 ms"},
	{8, "forced pass", "forced-pass", "cpu", "181–239 ms", "1,162 ms"},
	{35, "forced pass", "forced-pass", "cpu", "652–960 ms", "5,122 ms"},
	{1, "peak RSS", "forced-pass", "rss", "195 MiB", "49 MiB"},
	{8, "peak RSS", "forced-pass", "rss", "345 MiB", "100 MiB"},
	{35, "peak RSS", "forced-pass", "rss", "1,157 MiB", "324 MiB"},
	{1, "worst departure", "depart-parked", "worst", "at most 103 ms", "–"},
	{8, "worst departure", "depart-parked", "worst", "at most 103 ms", "–"},
	{35, "worst departure", "depart-parked", "worst", "at most 103 ms", "–"},
	{35, "dropping it all", "drop", "cpu", "211–315 ms", "–"},
	{8, "merging a source", "merge-one-parked", "cpu", "about 400 ns", "–"},
	{8, "merging a source, in batches", "merge-batch-parked", "cpu", "–", "–"},
}

// WriteSummary writes the report for people, in Markdown: the comparison with the published figures, the figures of
// both machines, the exponents, and the judgement line by line.
func (r *Report) WriteSummary(w io.Writer) error {
	l := &lines{w: w}
	form := "full form"
	if r.Short {
		form = "short form"
	}
	l.printf("# Scale benchmark, %s\n\n%s, %s/%s, %s, GOGC=%d, GOMAXPROCS=%d, took %.0f s.\nEach case ran in a process of its own.\n", form,
		r.Env.Go, r.Env.OS, r.Env.Arch, r.Env.CPU, r.Env.GOGC, r.Env.GOMAXPROCS, r.Env.Took.Seconds())
	f := collect(r.Results)
	summarisePublished(l, f)
	r.summariseFigures(l, f)
	r.summariseCurves(l)
	r.summariseChecks(l)
	return l.err
}

// summarisePublished sets what was published beside the same figures of this run.
func summarisePublished(l *lines, f figures) {
	l.printf("\n## Against the published figures\n\n")
	l.printf("131,072 keys, pool of 512, CPU time. The published figures are times and sizes on another machine, of a program in\n")
	l.printf("another language: compare shapes, and the two machines of this run with each other.\n\n")
	l.printf("| what | sources | production | twin | twin / production | published | pointer-tree prototype |\n|---|---|---|---|---|---|---|\n")
	for _, p := range published {
		m := measures[p.measure]
		at := place{Production, p.op, baseKeys, p.sources, basePeers}
		ours := m.of(f[at])
		at.machine = Twin
		twin := m.of(f[at])
		l.printf("| %s | %d | %s | %s | %s | %s | %s |\n", p.what, p.sources,
			m.quantity.orDash(ours), m.quantity.orDash(twin), quotient(twin, ours), p.published, p.prototype)
	}
}

// summariseFigures lists what every operation cost at the bound.
func (r *Report) summariseFigures(l *lines, f figures) {
	l.printf("\n## Every operation at 131,072 keys\n\n")
	l.printf("CPU time each; of those timed one by one the dearest; of passes the most entries that one looked at; allocations each.\n\n")
	l.printf("| operation | sources | peers | production | worst | most | allocs | twin | worst | most | allocs | twin / production |\n")
	l.printf("|---|---|---|---|---|---|---|---|---|---|---|---|\n")
	done := map[place]bool{}
	for _, res := range r.Results {
		for _, s := range res.Samples {
			at := place{Production, s.Op, res.Case.Keys, res.Case.Sources, res.Case.Peers}
			if done[at] || at.keys != baseKeys {
				continue
			}
			done[at] = true
			ours, other := f[at], at
			other.machine = Twin
			twin := f[other]
			l.printf("| %s | %d | %d | %s | %s | %s |\n", s.Op, at.sources, at.peers, columns(ours), columns(twin), quotient(twin.CPU, ours.CPU))
		}
	}
}

// columns are a sample's four columns.
func columns(s Sample) string {
	if s.N == 0 {
		return "– | – | – | –"
	}
	return strings.Join([]string{
		nanoseconds.format(s.CPU), nanoseconds.orDash(s.Worst), count.orDash(s.Most), orZero(s.Allocs),
	}, " | ")
}

func (r *Report) summariseCurves(l *lines) {
	l.printf("\n## Exponents\n\n| figure | measure | along | sources | machine | from | to | exponent |\n|---|---|---|---|---|---|---|---|\n")
	for _, c := range r.Curves {
		sources := "–"
		if c.Sources > 0 {
			sources = fmt.Sprint(c.Sources)
		}
		l.printf("| %s | %s | %s | %s | %s | %s | %s | %s |\n", c.Op, c.Measure, c.Axis, sources, c.Machine,
			tick(c.Points[0].X), tick(c.Points[len(c.Points)-1].X), power(c.Exponent))
	}
}

func (r *Report) summariseChecks(l *lines) {
	l.printf("\n## Thresholds\n\n")
	for _, c := range r.Checks {
		l.printf("- %-8s %s\n", c.Status, c.Text)
	}
	if n := len(r.Failures()); n > 0 {
		l.printf("\n%d of %d fell short.\n", n, len(r.Checks))
	} else {
		l.printf("\nAll %d hold.\n", len(r.Checks))
	}
}

// orDash writes a number that may not have been measured.
func (q quantity) orDash(x float64) string {
	if x == 0 {
		return "–"
	}
	return q.format(x)
}

func orZero(x float64) string {
	if x < 0.005 {
		return "0"
	}
	return count.format(x)
}

func quotient(a, b float64) string {
	if a == 0 || b == 0 {
		return "–"
	}
	return count.format(a / b)
}
