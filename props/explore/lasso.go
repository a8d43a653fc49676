package explore

import (
	"slices"

	"fetchproof/ops"
)

func (l *liveness) isFill(e uint32) bool {
	return l.Scope.Letters[l.graph.via[e]&^ended].Op.Kind == ops.Fill
}

// lasso is a loop in which attempts end for ever and nothing drains. It also finds, for every state, how many attempts can
// end from there.
func (l *liveness) lasso() *Stuck {
	l.components()
	for n := range l.Merged {
		var stuck *Stuck
		own := l.component[n]
		l.graph.edges(l.Scope, uint32(n), func(e, to uint32, ends bool) {
			if ends && l.component[to] == own && stuck == nil {
				loop := append([]uint16{l.graph.via[e] &^ ended}, l.back(to, uint32(n))...)
				stuck = l.stuck(append(l.tree.letters(uint32(n)), loop...), "a lasso: the last %d operations can be repeated for ever, attempts end in them, and nothing drains", len(loop))
			}
		})
		if stuck != nil {
			return stuck
		}
	}
	l.measure()
	return nil
}

// measure is the longest way through the components, by attempts that end. Components come after those that they lead to.
func (l *liveness) measure() {
	order := make([]uint32, l.Merged)
	for n := range order {
		order[n] = uint32(n)
	}
	slices.SortStableFunc(order, func(a, b uint32) int { return int(l.component[a]) - int(l.component[b]) })
	for _, n := range order {
		own := l.component[n]
		l.graph.edges(l.Scope, n, func(_, to uint32, ends bool) {
			if other := l.component[to]; other != own {
				length := l.longest[other]
				if ends {
					length++
				}
				l.longest[own] = max(l.longest[own], length)
			}
		})
	}
}

// back is the letters of a shortest way from one state to another of its component.
func (l *liveness) back(from, to uint32) (letters []uint16) {
	type came struct {
		from uint32
		via  uint16
	}
	seen := map[uint32]came{from: {}}
	for todo := []uint32{from}; len(todo) > 0 && from != to; todo = todo[1:] {
		n := todo[0]
		l.graph.edges(l.Scope, n, func(e, next uint32, _ bool) {
			if _, known := seen[next]; !known && l.component[next] == l.component[from] {
				seen[next] = came{n, l.graph.via[e] &^ ended}
				todo = append(todo, next)
			}
		})
		if _, done := seen[to]; done {
			break
		}
	}
	for n := to; n != from; n = seen[n].from {
		letters = append(letters, seen[n].via)
	}
	slices.Reverse(letters)
	return letters
}

// components finds the strongly connected components of the transitions that progress (Tarjan), without recursion.
func (l *liveness) components() {
	const none = ^uint32(0)
	t := tarjan{liveness: l, low: make([]uint32, l.Merged), index: make([]uint32, l.Merged), next: 1}
	l.component = make([]uint32, l.Merged)
	for n := range l.component {
		l.component[n] = none
	}
	for n := range uint32(l.Merged) {
		if t.index[n] == 0 {
			t.visit(n, none)
		}
	}
	l.longest = make([]uint32, t.found)
}

type tarjan struct {
	*liveness
	index, low []uint32 // 0: not visited
	next       uint32
	open       []uint32 // visited, component not known yet
	calls      []call
	found      uint32
}

// call is a state being visited, and the transition to go on with.
type call struct{ state, edge uint32 }

func (t *tarjan) visit(root, none uint32) {
	t.enter(root)
	for len(t.calls) > 0 {
		c := &t.calls[len(t.calls)-1]
		n := c.state
		if c.edge == t.graph.first[n+1] {
			t.leave(n)
			continue
		}
		e := c.edge
		c.edge++
		if !t.Scope.Letters[t.graph.via[e]&^ended].progresses() {
			continue
		}
		switch to := t.graph.to[e]; {
		case t.index[to] == 0:
			t.enter(to)
		case t.component[to] == none:
			t.low[n] = min(t.low[n], t.index[to])
		}
	}
}

func (t *tarjan) enter(n uint32) {
	t.index[n], t.low[n] = t.next, t.next
	t.next++
	t.open = append(t.open, n)
	t.calls = append(t.calls, call{n, t.graph.first[n]})
}

func (t *tarjan) leave(n uint32) {
	t.calls = t.calls[:len(t.calls)-1]
	if len(t.calls) > 0 {
		parent := t.calls[len(t.calls)-1].state
		t.low[parent] = min(t.low[parent], t.low[n])
	}
	if t.low[n] != t.index[n] {
		return
	}
	for {
		member := t.open[len(t.open)-1]
		t.open = t.open[:len(t.open)-1]
		t.component[member] = t.found
		if member == n {
			break
		}
	}
	t.found++
}
