package bench

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// drawn is a chart and the file it goes to.
type drawn struct {
	file  string
	chart *chart
}

// charts draws every figure along every axis that has curves: a solid line for the production scheduler, a dashed one
// for the twin, a colour for each number of sources.
func charts(curves []Curve) []drawn {
	var out []drawn
	for _, f := range curved {
		for _, along := range []string{"keys", "sources", "peers"} {
			c := &chart{
				title: fmt.Sprintf("%s: %s against %s", strings.ReplaceAll(f.op, "-", " "), title(f.measure), along),
				x:     along, y: title(f.measure), q: measures[f.measure].quantity,
			}
			for _, curve := range curves {
				if curve.Op == f.op && curve.Measure == f.measure && curve.Axis == along {
					c.series = append(c.series, curve.series())
				}
			}
			if len(c.series) > 0 {
				out = append(out, drawn{fmt.Sprintf("%s-%s-%s.svg", f.op, f.measure, along), c})
			}
		}
	}
	return out
}

// title says what a measure is, on an axis.
func title(measure string) string {
	if measure == "rss" {
		return "peak RSS"
	}
	return "CPU time each"
}

func (c *Curve) series() series {
	s := series{label: c.Machine, dashed: c.Machine == Twin, points: c.Points}
	if c.Sources > 0 {
		s.label += ", " + plural(c.Sources, "source")
		s.rank = max(0, slices.Index(sourceCounts, c.Sources))
	}
	s.label += fmt.Sprintf(" (x^%s)", power(c.Exponent))
	return s
}

func plural(n int, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %ss", n, one)
}

// power writes an exponent with two digits, none of which is minus nought.
func power(x float64) string { return fmt.Sprintf("%.2f", math.Round(x*100)/100+0) }

// tick writes a value of the horizontal axis.
func tick(v float64) string {
	if n := int(v); n >= 1024 && n&(n-1) == 0 {
		if n >= 1<<20 {
			return strconv.Itoa(n>>20) + "Mi"
		}
		return strconv.Itoa(n>>10) + "Ki"
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

func sortedXs(points []Point) []float64 {
	var xs []float64
	for _, p := range points {
		xs = append(xs, p.X)
	}
	slices.Sort(xs)
	return slices.Compact(xs)
}
