package bench

import (
	"iter"
	"slices"
)

// planned is a case and how often it runs.
type planned struct {
	Case
	repeat int
}

// rounds lists every repeat of the cases, each case once a round: a machine that is busy for a while then spoils one
// repeat of many cases and not every repeat of a few.
func rounds(cases []planned) iter.Seq[Case] {
	return func(yield func(Case) bool) {
		for round, more := 0, true; more; round++ {
			more = false
			for _, p := range cases {
				if round >= p.repeat {
					continue
				}
				more = true
				if !yield(p.Case) {
					return
				}
			}
		}
	}
}

// retries is how often the cases behind figures that fell short run again.
const retries = 4

// again lists the planned cases behind figures that fell short, each once, in the order of the plan. Counts would come out the
// same again, so they run none.
func again(planned []planned, checks []Check) []Case {
	var out []Case
	for _, p := range planned {
		if slices.ContainsFunc(checks, func(c Check) bool { return c.Status == Short && !c.of.counted() && c.from(p.Case) }) {
			out = append(out, p.Case)
		}
	}
	return out
}

// twinAssociations is the most pairs of a key and a source for which the twin runs: beyond, it takes minutes and
// gigabytes, and its curve is known.
const twinAssociations = 1 << 23

// sourceCounts are the numbers of sources that the thresholds speak of.
var sourceCounts = []int{1, 8, 35}

// plan lists the cases of a run.
func plan(o Options) []planned {
	p := &planner{repeat: o.Repeat}
	if o.Short {
		p.short()
	} else {
		p.full()
	}
	return p.cases
}

type planner struct {
	repeat int
	cases  []planned
	seen   map[Case]bool
}

// add plans a case on the production scheduler, and on the twin if that is wanted and it can.
func (p *planner) add(c Case, twin bool) {
	if p.seen[c] {
		return
	}
	if p.seen == nil {
		p.seen = map[Case]bool{}
	}
	p.seen[c] = true
	c.Machine = Production
	p.cases = append(p.cases, planned{c, p.repeat})
	if twin && c.Keys*c.Sources <= twinAssociations {
		c.Machine = Twin
		p.cases = append(p.cases, planned{c, (p.repeat + 1) / 2})
	}
}

// short is what the thresholds marked short need: the pool of the thresholds, the twin where a ratio is judged, and
// one curve.
func (p *planner) short() {
	for _, s := range sourceCounts {
		at := Case{Keys: baseKeys, Sources: s, Peers: basePeers}
		for _, load := range []string{"park", "idle", "depart", "depart-parked", "merge-parked"} {
			at.Load = load
			p.add(at, load == "park" || s == 8)
		}
	}
	for _, load := range []string{"dispatch-free", "dispatch-full"} {
		p.add(Case{Load: load, Keys: baseKeys, Sources: 8, Peers: basePeers, Slots: 8}, true)
		for _, slots := range []int{8, 64} {
			p.add(Case{Load: load, Keys: baseKeys, Sources: 35, Peers: basePeers, Slots: slots}, false)
		}
	}
	p.add(Case{Load: "pending", Keys: baseKeys, Sources: 8, Peers: basePeers}, false)
	p.keys(8, false)
}

// full is every load at the bound with every number of sources and peers, and the curves along all three axes.
func (p *planner) full() {
	for _, peers := range []int{64, basePeers, 4096} {
		for _, s := range sourceCounts {
			at := Case{Keys: baseKeys, Sources: s, Peers: peers}
			for _, load := range []string{"park", "idle", "depart", "depart-parked", "merge", "merge-parked", "pending"} {
				at.Load = load
				p.add(at, true)
			}
			for _, load := range []string{"dispatch-free", "dispatch-full"} {
				for _, slots := range []int{8, 64} {
					p.add(Case{Load: load, Keys: baseKeys, Sources: s, Peers: peers, Slots: slots}, true)
				}
			}
		}
	}
	for _, s := range []int{2, 4, 16} {
		p.add(Case{Load: "park", Keys: baseKeys, Sources: s, Peers: basePeers}, true)
	}
	for _, s := range sourceCounts {
		p.keys(s, true)
	}
}

// keys plans the curve along keys, to eight times the bound.
func (p *planner) keys(sources int, twin bool) {
	for n := baseKeys / 4; n <= baseKeys*8; n *= 2 {
		p.add(Case{Load: "park", Keys: n, Sources: sources, Peers: basePeers}, twin)
	}
}
