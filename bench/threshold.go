package bench

import (
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

//go:embed thresholds.tsv
var thresholdsTSV string

// threshold is one line of thresholds.tsv.
type threshold struct {
	line     int
	short    bool   // measured by the short form, too
	op       string // a figure's operation
	sources  int    // 0: whatever was measured
	peers    int    // 0: whatever was measured
	machine  string // whose figure it is
	measure  string // a name in measures, or "exponent"
	ratio    bool   // to the twin's figure
	limit    float64
	goal     float64 // 0: none
	quantity quantity
}

// absolute reports whether the threshold depends on the speed of the machine.
func (t *threshold) absolute() bool { return !t.ratio && measures[t.measure].absolute }

// counted reports whether the measure is one that other work on the machine cannot touch.
func (t *threshold) counted() bool {
	return slices.Contains([]string{"allocs", "bytes", "left", "touched", "most"}, t.measure)
}

// atLeast reports whether larger is better.
func (t *threshold) atLeast() bool { return t.measure == "rate" }

// meets reports whether a value is on the right side of a bound.
func (t *threshold) meets(value, bound float64) bool {
	if t.atLeast() {
		return value >= bound
	}
	return value <= bound
}

// parseThresholds reads a threshold file; an error names the line.
func parseThresholds(text string) ([]threshold, error) {
	var out []threshold
	n := 0
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimRight(line, "\r\n")
		if line == "" || line[0] == '#' {
			continue
		}
		t, err := parseThreshold(strings.Split(line, "\t"))
		if err != nil {
			return nil, fmt.Errorf("thresholds.tsv:%d: %w", n, err)
		}
		t.line = n
		out = append(out, t)
	}
	return out, nil
}

// parseThreshold reads form, figure, sources, peers, measure, limit and goal.
func parseThreshold(f []string) (t threshold, err error) {
	if len(f) != 7 {
		return t, fmt.Errorf("%d fields, not 7", len(f))
	}
	if f[0] != "short" && f[0] != "full" {
		return t, fmt.Errorf("the form is %q, not short or full", f[0])
	}
	t.short, t.op, t.machine = f[0] == "short", f[1], Production
	if opLoads[t.op] == "" {
		return t, fmt.Errorf("no operation is named %q", t.op)
	}
	if t.sources, err = countOrAny(f[2]); err != nil {
		return t, err
	}
	if t.peers, err = countOrAny(f[3]); err != nil {
		return t, err
	}
	if t.measure, t.ratio = strings.CutSuffix(f[4], "/twin"); !t.ratio {
		if own, ok := strings.CutPrefix(f[4], "twin "); ok {
			t.machine, t.measure = Twin, own
		}
	}
	m, ok := measures[t.measure]
	if !ok && t.measure != "exponent" {
		return t, fmt.Errorf("no measure is named %q", f[4])
	}
	if !t.ratio {
		t.quantity = m.quantity
	}
	if t.limit, err = t.quantity.parse(f[5]); err != nil {
		return t, fmt.Errorf("limit: %w", err)
	}
	if f[6] == "-" {
		return t, nil
	}
	if t.goal, err = t.quantity.parse(f[6]); err != nil {
		return t, fmt.Errorf("goal: %w", err)
	}
	if !t.meets(t.goal, t.limit) {
		return t, fmt.Errorf("the goal %s is easier than the limit %s", f[6], f[5])
	}
	return t, nil
}

func countOrAny(s string) (int, error) {
	if s == "*" {
		return 0, nil
	}
	n, err := strconv.Atoi(s)
	if err != nil || n < 1 {
		return 0, fmt.Errorf("%q is neither a count nor *", s)
	}
	return n, nil
}

// Status is how a figure stands to its threshold.
type Status string

// The standings. Short and Missing fail a run.
const (
	Goal    Status = "goal"    // the goal is met
	Held    Status = "held"    // the limit is kept
	Short   Status = "short"   // the limit is not kept
	Missing Status = "missing" // the figure was not measured, or the machine does not have the operation
	Slow    Status = "slow"    // past a limit in absolute time, in a run that enforces ratios only
)

// Check is one threshold applied to one figure.
type Check struct {
	Line   int     `json:"line"`   // of thresholds.tsv
	Figure string  `json:"figure"` // what is judged
	Value  float64 `json:"value"`  // in the measure's base unit: ns, bytes, per second, or a number
	Limit  float64 `json:"limit"`
	Goal   float64 `json:"goal,omitempty"`
	Status Status  `json:"status"`
	Text   string  `json:"text"` // the judgement in a line

	of *threshold
	at value
}

// from reports whether a figure of the case is part of what is judged.
func (c *Check) from(p Case) bool {
	return c.of.measuredIn(p) && p.Sources == c.at.sources && p.Peers == c.at.peers
}

// measuredIn reports whether the case measures what the threshold is about, or part of it.
func (t *threshold) measuredIn(c Case) bool {
	slots := 0
	if _, n, ok := strings.Cut(t.op, "@"); ok {
		slots, _ = strconv.Atoi(n) // a number in every name of opLoads
	}
	return opLoads[t.op] == c.Load && c.Slots == slots && t.concerns(c.Sources, c.Peers) &&
		(c.Keys == baseKeys || t.measure == "exponent") && (c.Machine == t.machine || t.ratio && c.Machine == Twin)
}

// Failed reports whether the check makes a run fail.
func (c Check) Failed() bool { return c.Status == Short || c.Status == Missing }

// check applies the thresholds that the form of the run measures.
func check(thresholds []threshold, f figures, curves []Curve, o Options) []Check {
	var out []Check
	for i := range thresholds {
		t := &thresholds[i]
		if o.Short && !t.short {
			continue
		}
		values := t.values(f, curves)
		if len(values) == 0 {
			c := Check{Line: t.line, Figure: t.figure(t.sources, t.peers), Limit: t.limit, Goal: t.goal, Status: Missing}
			c.Text = fmt.Sprintf("thresholds.tsv:%d: %s: not measured", c.Line, c.Figure)
			out = append(out, c)
		}
		for _, v := range values {
			out = append(out, t.judge(v, o.RatiosOnly))
		}
	}
	return out
}

// value is a figure that a threshold applies to.
type value struct {
	sources, peers int
	x              float64
}

// values finds the figures of a threshold, in order of sources and peers.
func (t *threshold) values(f figures, curves []Curve) []value {
	var out []value
	if t.measure == "exponent" {
		for _, c := range curves {
			if c.Machine == t.machine && c.Op == t.op && c.Measure == "cpu" && c.Axis == "keys" && t.concerns(c.Sources, c.Peers) {
				out = append(out, value{c.Sources, c.Peers, c.Exponent})
			}
		}
		return out
	}
	of := measures[t.measure].of
	for at, s := range f {
		if at.machine != t.machine || at.op != t.op || at.keys != baseKeys || !t.concerns(at.sources, at.peers) {
			continue
		}
		x := of(s)
		if t.ratio {
			at.machine = Twin
			s, ok := f[at]
			if !ok || of(s) <= 0 {
				continue
			}
			x /= of(s)
		}
		out = append(out, value{at.sources, at.peers, x})
	}
	slices.SortFunc(out, func(a, b value) int { return (a.sources-b.sources)<<16 + a.peers - b.peers })
	return out
}

func (t *threshold) concerns(sources, peers int) bool {
	return (t.sources == 0 || t.sources == sources) && (t.peers == 0 || t.peers == peers)
}

func (t *threshold) figure(sources, peers int) string {
	name := t.op
	if t.machine == Twin {
		name = "the twin's " + name
	}
	for _, p := range []struct {
		label string
		n     int
	}{{"sources", sources}, {"peers", peers}} {
		if p.n > 0 {
			name += fmt.Sprintf(" %s=%d", p.label, p.n)
		}
	}
	if t.ratio {
		return name + " " + t.measure + " over the twin's"
	}
	return name + " " + t.measure
}

// judge compares a figure with the limit and the goal.
func (t *threshold) judge(v value, ratiosOnly bool) Check {
	c := Check{Line: t.line, Figure: t.figure(v.sources, v.peers), Value: v.x, Limit: t.limit, Goal: t.goal, of: t, at: v}
	goal := ""
	if t.goal > 0 {
		goal = ", goal " + t.quantity.format(t.goal)
	}
	switch {
	case t.goal > 0 && t.meets(v.x, t.goal):
		c.Status = Goal
	case t.meets(v.x, t.limit):
		c.Status = Held
	case ratiosOnly && t.absolute():
		c.Status = Slow
	default:
		c.Status = Short
	}
	x, limit := t.quantity.format(v.x), t.quantity.format(t.limit)
	if x == limit && !t.meets(v.x, t.limit) {
		x = "just past " + x
	}
	c.Text = fmt.Sprintf("thresholds.tsv:%d: %s: %s (limit %s%s)", c.Line, c.Figure, x, limit, goal)
	return c
}
