package gen

import (
	"slices"

	"fetchproof/ops"
)

// Universe fixes what programs are about, so that what the generator visits can be counted against all that there is: see
// package explore. The mix of operations, how they follow on one another and when time passes stay the generator's own.
type Universe struct {
	Config ops.Config
	Keys   []ops.Key
	Peers  []ops.Peer
	// Calls are the only operations, with their arguments: an operation is drawn as ever, and then given the arguments of a
	// call of its kind and key. Kinds without a call are never drawn.
	Calls []ops.Op
	Unit  ops.Duration // how far time passes on its own: deadlines are a few of these away
}

// Within draws a program within a universe.
func Within(src Source, u *Universe) *Generator {
	g := &Generator{src: src, within: u, config: u.Config, keys: u.Keys, peers: u.Peers}
	g.length = g.between(10, 120)
	if g.chance(40) {
		g.theme = theme(1 + g.src.Intn(int(themes)-1))
	}
	g.mix()
	return g
}

// has reports whether operations of kind k are drawn.
func (u *Universe) has(k ops.Kind) bool {
	return slices.ContainsFunc(u.Calls, func(c ops.Op) bool { return c.Kind == k })
}

// confine gives an operation the arguments of a call that there is, of the same key if there is one.
func (g *Generator) confine(op *ops.Op) {
	var same, any []*ops.Op
	for i := range g.within.Calls {
		if c := &g.within.Calls[i]; c.Kind == op.Kind {
			any = append(any, c)
			if c.Key == op.Key && c.Ref.Of == op.Ref.Of && c.Peer == op.Peer {
				same = append(same, c)
			}
		}
	}
	if len(same) == 0 {
		same = any
	}
	if len(same) == 0 {
		return // an arrival that goes before a report
	}
	c := pick(g, same...)
	switch op.Kind {
	case ops.Add, ops.Promote, ops.Enqueue, ops.Depart, ops.Remove, ops.Evict, ops.Ready, ops.Drained, ops.Request:
		now := op.Now
		*op = *c
		op.Now = now
	case ops.BusyReply:
		op.Wait = c.Wait
	}
}

// arrives reports whether answers arrive.
func (g *Generator) arrives() bool { return g.within == nil || g.within.has(ops.Arrive) }

// outcomeOf is one of the outcomes; of those that there are, if there is any.
func (g *Generator) outcomeOf(kinds []ops.OutcomeKind) ops.OutcomeKind {
	if g.within == nil {
		return pick(g, kinds...)
	}
	var there []ops.OutcomeKind
	for _, k := range kinds {
		if slices.ContainsFunc(g.within.Calls, func(c ops.Op) bool { return c.Kind == ops.Outcome && c.Outcome == k }) {
			there = append(there, k)
		}
	}
	if len(there) == 0 {
		there = kinds
	}
	return pick(g, there...)
}
