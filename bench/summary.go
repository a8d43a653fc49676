package bench

import (
	"fmt"
	"io"
	"strings"
)

// published are the figures of section 20 of model/RULES.md for 131,072 parked keys, by number of sources: the range of
// the forced park pass in ms, and the peak RSS in MiB. They were measured on another machine, in Rust.
var published = []struct {
	sources int
	passMS  string
	rssMiB  string
}{
	{1, "74–99", "195"},
	{8, "181–239", "345"},
	{35, "652–960", "1,157"},
}

// prototypes are the figures that the pointer-tree prototype reached, which the twin is to stay near: CPU ms and MiB.
var prototypes = map[int][2]float64{1: {388, 49}, 8: {1162, 100}, 35: {5122, 324}}

// WriteSummary writes the report for people, in Markdown: the comparison with the published figures, the figures of
// both machines, the exponents, and the judgement line by line.
func (r *Report) WriteSummary(w io.Writer) error {
	l := &lines{w: w}
	form := "full form"
	if r.Short {
		form = "short form"
	}
	l.printf("# Scale benchmark, %s\n\n%s, %s/%s, %s, GOGC=%d, GOMAXPROCS=%d, took %.0f s.\n", form,
		r.Env.Go, r.Env.OS, r.Env.Arch, r.Env.CPU, r.Env.GOGC, r.Env.GOMAXPROCS, r.Env.Took.Seconds())
	f := collect(r.Results)
	summarisePublished(l, f)
	r.summariseFigures(l, f)
	r.summariseCurves(l)
	r.summariseChecks(l)
	return l.err
}

// summarisePublished sets the forced pass beside the published one.
func summarisePublished(l *lines, f figures) {
	l.printf("\n## Against the published figures\n\n")
	l.printf("131,072 keys, pool of 512. The published figures come from another machine and another language: compare\n")
	l.printf("shapes, and the two machines of this run with each other.\n\n")
	l.printf("| sources | | production | twin | twin / production | published | pointer-tree prototype |\n|---|---|---|---|---|---|---|\n")
	for _, p := range published {
		ours, twin := f[place{Production, "forced-pass", baseKeys, p.sources, basePeers}], f[place{Twin, "forced-pass", baseKeys, p.sources, basePeers}]
		l.printf("| %d | forced pass, CPU ms | %s | %s | %s | %s | %.0f |\n", p.sources,
			orDash(ours.CPU/1e6), orDash(twin.CPU/1e6), quotient(twin.CPU, ours.CPU), p.passMS, prototypes[p.sources][0])
		l.printf("| %d | peak RSS, MiB | %s | %s | %s | %s | %.0f |\n", p.sources,
			orDash(ours.RSS/(1<<20)), orDash(twin.RSS/(1<<20)), quotient(twin.RSS, ours.RSS), p.rssMiB, prototypes[p.sources][1])
	}
}

// summariseFigures lists the CPU time and the allocations of every operation at the bound.
func (r *Report) summariseFigures(l *lines, f figures) {
	l.printf("\n## Every operation at 131,072 keys\n\n")
	l.printf("CPU time each, and the dearest one where they were timed one by one; allocations each.\n\n")
	l.printf("| operation | sources | peers | production | worst | allocs | twin | worst | allocs | twin / production |\n|---|---|---|---|---|---|---|---|---|---|\n")
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

// columns are a sample's three columns.
func columns(s Sample) string {
	if s.N == 0 {
		return "– | – | –"
	}
	worst := "–"
	if s.Worst > 0 {
		worst = nanoseconds.format(s.Worst)
	}
	return strings.Join([]string{nanoseconds.format(s.CPU), worst, orZero(s.Allocs)}, " | ")
}

func (r *Report) summariseCurves(l *lines) {
	l.printf("\n## Exponents\n\n| figure | measure | along | sources | machine | from | to | exponent |\n|---|---|---|---|---|---|---|---|\n")
	for _, c := range r.Curves {
		sources := "–"
		if c.Sources > 0 {
			sources = fmt.Sprint(c.Sources)
		}
		l.printf("| %s | %s | %s | %s | %s | %s | %s | %.2f |\n", c.Op, c.Measure, c.Axis, sources, c.Machine,
			tick(c.Points[0].X), tick(c.Points[len(c.Points)-1].X), c.Exponent)
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

func orDash(x float64) string {
	if x == 0 {
		return "–"
	}
	return fmt.Sprintf("%.1f", x)
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
