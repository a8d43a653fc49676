package bench

import (
	"cmp"
	"slices"
)

// baseKeys and basePeers are where the other axes of the curves are measured: the production bound, and the pool of the
// thresholds.
const (
	baseKeys  = 1 << 17
	basePeers = 512
)

// place is where a figure was measured.
type place struct {
	machine, op          string
	keys, sources, peers int
}

// figures are the best samples of a run by place: of each number the least over the repeats, since other work on the machine
// only adds.
type figures map[place]Sample

func collect(results []Result) figures {
	f := figures{}
	for _, r := range results {
		for _, s := range r.Samples {
			at := place{r.Case.Machine, s.Op, r.Case.Keys, r.Case.Sources, r.Case.Peers}
			if old, ok := f[at]; ok {
				s = least(old, s)
			}
			f[at] = s
		}
	}
	return f
}

func least(a, b Sample) Sample {
	a.CPU, a.Worst = min(a.CPU, b.CPU), min(a.Worst, b.Worst)
	a.Allocs, a.Bytes = min(a.Allocs, b.Allocs), min(a.Bytes, b.Bytes)
	a.RSS, a.Left = min(a.RSS, b.RSS), min(a.Left, b.Left)
	a.Touched, a.Most = min(a.Touched, b.Touched), min(a.Most, b.Most)
	return a
}

// Curve is a figure along one axis.
type Curve struct {
	Machine  string  `json:"machine"`
	Op       string  `json:"op"`
	Measure  string  `json:"measure"`        // a name in measures
	Axis     string  `json:"axis"`           // keys, sources or peers
	Keys     int     `json:"keys,omitempty"` // fixed, unless it is the axis; so the next two
	Sources  int     `json:"sources,omitempty"`
	Peers    int     `json:"peers,omitempty"`
	Points   []Point `json:"points"`
	Exponent float64 `json:"exponent"` // of the power law that fits best
}

// curved are the figures that are drawn.
var curved = []struct{ op, measure string }{
	{"forced-pass", "cpu"}, {"forced-pass", "rss"}, {"wake", "cpu"}, {"build", "cpu"},
}

// curves returns the curves of at least three points, in a fixed order.
func (f figures) curves() []Curve {
	var out []Curve
	for _, c := range curved {
		for _, axis := range []string{"keys", "sources", "peers"} {
			out = append(out, f.along(axis, c.op, c.measure)...)
		}
	}
	return out
}

// along gathers the figures of an operation into curves along an axis, one for each combination of the other two, of
// which keys and peers are at their base.
func (f figures) along(axis, op, measure string) []Curve {
	by := map[place]*Curve{}
	for at, s := range f {
		if at.op != op || axis != "keys" && at.keys != baseKeys || axis != "peers" && at.peers != basePeers {
			continue
		}
		fixed, x := at, 0
		switch axis {
		case "keys":
			x, fixed.keys = at.keys, 0
		case "sources":
			x, fixed.sources = at.sources, 0
		case "peers":
			x, fixed.peers = at.peers, 0
		}
		c := by[fixed]
		if c == nil {
			c = &Curve{
				Machine: at.machine, Op: op, Measure: measure, Axis: axis,
				Keys: fixed.keys, Sources: fixed.sources, Peers: fixed.peers,
			}
			by[fixed] = c
		}
		if y := measures[measure].of(s); y > 0 {
			c.Points = append(c.Points, Point{float64(x), y})
		}
	}
	var out []Curve
	for _, c := range by {
		if len(c.Points) < 3 {
			continue
		}
		slices.SortFunc(c.Points, func(a, b Point) int { return cmp.Compare(a.X, b.X) })
		c.Exponent, _ = exponent(c.Points)
		out = append(out, *c)
	}
	slices.SortFunc(out, func(a, b Curve) int {
		return cmp.Or(cmp.Compare(a.Machine, b.Machine), cmp.Compare(a.Sources, b.Sources))
	})
	return out
}
