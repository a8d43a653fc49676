package explore

import (
	"errors"
	"fmt"

	"fetchproof/props/lockstep"
)

// Liveness is the verdict on LIV-2: from every reachable state, if nothing is added, promoted or taken away any more, all that
// is in flight and queued drains; after a stop, all that is in flight.
//
// It is sound for both reductions. Renumbering and merging symmetric peers keep, for every state, what each letter can lead to
// (they are bisimulations), and what is asked for here, that attempts and queued keys are gone and that attempts end, is the same for
// exchanged peers. A run that comes back to a renumbered state can go on so for ever; one that comes back to it with peers
// exchanged does so after a few more rounds. The verdict asks for fairness to attempts as a whole, not to each of them, which
// merging would not keep. There is none on a space that was not explored to its end.
type Liveness struct {
	// Bound is how many attempts can end at most before all is drained, from any state under any fair schedule: attempts end,
	// and a fill pass follows what can make a key startable (WRK-1).
	Bound int
	Found *Stuck // what breaks LIV-2, or nil
}

// Stuck is a dead end, or a lasso: a path to a state and a loop from there back to it.
type Stuck struct {
	What    string
	Program lockstep.Program
}

// ErrIncomplete says that there is no verdict on a space that was not explored to its end.
var ErrIncomplete = errors.New("the space was not explored to its end: there is no verdict on what must happen in it")

// CheckLiveness judges an exploration that was complete and kept its graph.
func CheckLiveness(r *Result) (*Liveness, error) {
	if !r.Complete || r.graph == nil {
		return nil, ErrIncomplete
	}
	l := &liveness{Result: r}
	for _, check := range []func() *Stuck{l.deadEnd, l.idle, l.lasso, l.late} {
		if stuck := check(); stuck != nil {
			return &Liveness{Found: stuck}, nil
		}
	}
	return &Liveness{Bound: int(l.bound)}, nil
}

type liveness struct {
	*Result
	component []uint32 // of each state, in the order in which components are finished: those it leads to come first
	longest   []uint32 // by component
	bound     uint32
}

func (l *liveness) stuck(letters []uint16, format string, args ...any) *Stuck {
	return &Stuck{fmt.Sprintf(format, args...), programOf(l.Scope, letters)}
}

// deadEnd is a state from which no continuation drains.
func (l *liveness) deadEnd() *Stuck {
	into, from := l.reverse()
	drains := make([]bool, l.Merged)
	var todo []uint32
	for n := range l.graph.facts {
		if l.graph.facts[n].drained() {
			drains[n], todo = true, append(todo, uint32(n))
		}
	}
	for len(todo) > 0 {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, p := range from[into[n]:into[n+1]] {
			if !drains[p] {
				drains[p], todo = true, append(todo, p)
			}
		}
	}
	for n, ok := range drains {
		if !ok {
			f := l.graph.facts[n]
			return l.stuck(l.tree.letters(uint32(n)), "a dead end: %d in flight and %d queued, and no continuation drains them", f.flying, f.queued)
		}
	}
	return nil
}

// reverse is the transitions that progress by where they lead: those into n come from from[into[n]:into[n+1]].
func (l *liveness) reverse() (into, from []uint32) {
	into = make([]uint32, l.Merged+2)
	for n := range l.Merged {
		l.graph.edges(l.Scope, uint32(n), func(_, to uint32, _ bool) { into[to+2]++ })
	}
	for n := range l.Merged {
		into[n+2] += into[n+1]
	}
	from = make([]uint32, into[l.Merged+1])
	for n := range l.Merged {
		l.graph.edges(l.Scope, uint32(n), func(_, to uint32, _ bool) {
			from[into[to+1]] = uint32(n)
			into[to+1]++
		})
	}
	return into, from
}

// idle is a fill pass that leaves keys queued with nothing in flight: no attempt will end, so nothing will start them.
func (l *liveness) idle() *Stuck {
	for n := range l.Merged {
		var stuck *Stuck
		l.graph.edges(l.Scope, uint32(n), func(e, to uint32, _ bool) {
			f := l.graph.facts[to]
			if stuck == nil && l.isFill(e) && f.flying == 0 && !f.drained() {
				stuck = l.stuck(append(l.tree.letters(uint32(n)), l.graph.via[e]&^ended),
					"a dead end: the fill pass leaves %d queued with nothing in flight", f.queued)
			}
		})
		if stuck != nil {
			return stuck
		}
	}
	return nil
}

// late is a state from which more attempts can end than LIV-2 leaves room for.
func (l *liveness) late() *Stuck {
	for n := range l.Merged {
		bound := l.longest[l.component[n]]
		l.bound = max(l.bound, bound)
		if f := l.graph.facts[n]; bound > uint32(f.work) {
			return l.stuck(l.tree.letters(uint32(n)), "%d attempts can end before all is drained, and there are only %d to make", bound, f.work)
		}
	}
	return nil
}
