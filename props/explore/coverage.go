package explore

import (
	"cmp"
	"slices"

	"fetchproof/model"
	"fetchproof/ops"
	"fetchproof/props/gen"
	"fetchproof/props/lockstep"
)

// Coverage is how much of a scope the random generator visits.
type Coverage struct {
	Scope         *Scope
	Steps         int64 // operations drawn
	Outside       int64 // of these, those that led to a state outside the scope
	States, Of    int   // states visited, of how many
	Edges, OfEdge int   // distinct transitions visited, of how many: state, kind of operation, state
	// Missed are the states nearest to the initial one that were not visited, and the transitions nearest to it: there the
	// generator is blindest.
	Missed []Miss
}

// Miss is a state or transition that the generator did not visit, as a shortest program that does.
type Miss struct {
	What    string
	Program lockstep.Program
}

// Measure draws programs within the scope of r, which must be complete and have its graph, for a number of steps, and counts
// what they visit. It reports up to missed of the states, and of the transitions, that they do not visit.
func Measure(r *Result, seed uint64, steps int64, missed int) (*Coverage, error) {
	if !r.Complete || r.graph == nil {
		return nil, ErrIncomplete
	}
	m := &measure{Result: r, coverage: &Coverage{Scope: r.Scope}, visited: make([]bool, r.Merged), walked: map[edge]bool{}}
	m.canon = newCanon(r.Scope, r.Merged != r.States)
	u := universeOf(r.Scope)
	for program := uint64(0); m.coverage.Steps < steps; program++ {
		m.program(gen.Within(gen.Seeded(seed, program), u), steps)
	}
	m.count(missed)
	return m.coverage, nil
}

// universeOf is the scope as the generator wants it.
func universeOf(s *Scope) *gen.Universe {
	u := &gen.Universe{Config: s.Config, Keys: s.Keys, Peers: s.Peers, Unit: 1}
	for i := range s.Letters {
		if l := &s.Letters[i]; !l.Tick {
			u.Calls = append(u.Calls, l.Op)
		}
	}
	return u
}

// edge is a transition in the form in which the generator's are compared: letters differ in details that renumbering leaves
// out.
type edge struct {
	from, to uint32
	kind     ops.Kind
}

type measure struct {
	*Result
	coverage *Coverage
	canon    *canon
	visited  []bool
	walked   map[edge]bool
	names    ops.Resolver
}

// program runs one program on the model.
func (m *measure) program(g *gen.Generator, steps int64) {
	machine := model.New(&m.Scope.Config)
	m.names.Reset()
	var st ops.State
	var resolved ops.Op
	var res ops.Result
	machine.State(0, &st)
	at, inside := m.number(&st)
	for n := 0; n < g.Length() && m.coverage.Steps < steps; n++ {
		op := g.Next(&st)
		m.names.Resolve(&op, &resolved)
		machine.Apply(&resolved, &res)
		m.names.Watch(&resolved, &res)
		machine.State(0, &st)
		m.coverage.Steps++
		to, now := m.number(&st)
		if !now {
			m.coverage.Outside++
		} else if m.visited[to] = true; inside {
			m.walked[edge{at, to, op.Kind}] = true
		}
		at, inside = to, now
	}
}

// number is the number of a state, if it is of the scope.
func (m *measure) number(st *ops.State) (uint32, bool) {
	hash, _ := m.canon.sum(st)
	n, _, ok := m.tree.seen.find(hash)
	return n, ok
}

// count compares what was visited with all that there is. States are numbered from near to far, so the first misses are the
// nearest.
func (m *measure) count(missed int) {
	c := m.coverage
	c.Of = m.Merged
	for n := range uint32(m.Merged) {
		if n == 0 || m.visited[n] {
			c.States++
		} else if len(c.Missed) < missed {
			c.Missed = append(c.Missed, m.miss("a state that was not visited", m.tree.letters(n)))
		}
	}
	room := missed
	for n := range uint32(m.Merged) {
		for _, e := range m.edgesOf(n) {
			c.OfEdge++
			if m.walked[e.edge] {
				c.Edges++
			} else if room > 0 && m.visited[e.to] && (n == 0 || m.visited[n]) {
				room--
				c.Missed = append(c.Missed, m.miss("a transition that was not made", append(m.tree.letters(n), e.letter)))
			}
		}
	}
}

func (m *measure) miss(what string, letters []uint16) Miss {
	return Miss{what, programOf(m.Scope, letters)}
}

type lettered struct {
	edge
	letter uint16
}

// edgesOf are the distinct transitions from state n, except those that are there for the clock alone.
func (m *measure) edgesOf(n uint32) (list []lettered) {
	for e := m.graph.first[n]; e < m.graph.first[n+1]; e++ {
		letter := m.graph.via[e] &^ ended
		if l := &m.Scope.Letters[letter]; !l.Tick {
			list = append(list, lettered{edge{n, m.graph.to[e], l.Op.Kind}, letter})
		}
	}
	slices.SortStableFunc(list, func(a, b lettered) int { return cmp.Or(cmp.Compare(a.to, b.to), cmp.Compare(a.kind, b.kind)) })
	return slices.CompactFunc(list, func(a, b lettered) bool { return a.edge == b.edge })
}
