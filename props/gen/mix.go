package gen

import "fetchproof/ops"

// baseWeights is the default mix. Half of all operations move attempts on, since an attempt takes three (fill, arrive,
// outcome) to go through and most rules speak of how it ends; keys come in faster than attempts end, so that several are in
// flight at once, their answers waiting, which is where most states of a small scope are; what empties everything at once
// (departures, evictions, stop) is rare.
var baseWeights = [2][ops.NumKinds]int{
	ops.SchedulerMachine: {
		ops.Add:        22,
		ops.Promote:    20,
		ops.Enqueue:    14,
		ops.Fill:       26,
		ops.Arrive:     12,
		ops.Answer:     10,
		ops.BusyReply:  9,
		ops.Outcome:    24,
		ops.Depart:     3,
		ops.Remove:     2,
		ops.Evict:      2,
		ops.Stop:       1,
		ops.Ready:      2,
		ops.Drained:    2,
		ops.StateQuery: 1,
	},
	ops.ResponderMachine: {
		ops.Request:    40,
		ops.Take:       10,
		ops.Release:    14,
		ops.SendDone:   12,
		ops.StateQuery: 1,
	},
}

// always are the operations that a swarm run never leaves out: without them it exercises nothing. It makes them rare instead:
// with few fill passes queues grow long, with few outcomes many attempts are in flight at once, their answers waiting.
var always = [ops.NumKinds]bool{ops.Fill: true, ops.Outcome: true, ops.Request: true}

// mix draws the swarm: a random subset of the operations, each with a factor of its own on its weight. Leaving
// operations out reaches states that the full mix walks past: a queue that only fills, marks that nothing clears.
func (g *Generator) mix() {
	swarm := g.chance(60)
	for k, w := range baseWeights[g.config.Machine] {
		kind := ops.Kind(k)
		if swarm && w > 0 {
			w *= pick(g, 2, 1, 4, 0)
			if w == 0 && always[kind] {
				w = baseWeights[g.config.Machine][k] / 8
			}
		}
		if kind == ops.Stop && !g.chance(15) {
			w = 0 // a stop ends almost everything, so most programs have none
		}
		if g.stormy() {
			w = inStorm(kind, w)
		}
		if g.shape == stocked {
			w = g.stockWeight(kind, w)
		}
		if g.shape == listed && kind == ops.Outcome {
			w *= 3
		}
		if g.within != nil && !g.within.has(kind) {
			w = 0
		}
		g.weights[k] = w
	}
	if g.config.Machine == ops.SchedulerMachine && g.weights[ops.Enqueue] == 0 && (g.weights[ops.Promote] == 0 || g.weights[ops.Add] == 0) {
		g.letIn()
	}
	for _, w := range g.weights {
		g.total += w
	}
}

// letIn sees to it that a key can come in.
func (g *Generator) letIn() {
	if g.within == nil || g.within.has(ops.Enqueue) {
		g.weights[ops.Enqueue] = 20
		return
	}
	g.weights[ops.Add], g.weights[ops.Promote] = 20, 20
}

// kind draws what to do. Mostly it draws again what could do nothing in the state at hand: in a small universe, half of all
// reports would be on attempts that are over.
func (g *Generator) kind(st *ops.State) ops.Kind {
	k := g.weighted()
	for tries := 0; tries < 3 && idle(k, st) && !g.chance(15); tries++ {
		k = g.weighted()
	}
	return k
}

// idle reports whether an operation of kind k finds nothing to work on.
func idle(k ops.Kind, st *ops.State) bool {
	s := &st.Scheduler
	switch k {
	case ops.Arrive, ops.Answer, ops.BusyReply, ops.Outcome:
		return len(s.InFlight) == 0
	case ops.Promote, ops.Remove, ops.Evict, ops.Ready:
		return len(s.Pending) == 0
	case ops.Fill:
		return len(s.Queued) == 0
	case ops.Take, ops.Release:
		return len(st.Responder.Tickets) == 0
	case ops.SendDone:
		return len(st.Responder.Sends) == 0
	}
	return false
}

func (g *Generator) weighted() ops.Kind {
	r := g.src.Intn(g.total)
	for k, w := range g.weights {
		if r -= w; r < 0 {
			return ops.Kind(k)
		}
	}
	return ops.Fill
}

// inStorm is the weight of an operation in a storm: many answers are busy ones, few are of another kind.
func inStorm(k ops.Kind, w int) int {
	switch k {
	case ops.BusyReply, ops.Enqueue:
		return 30
	case ops.Arrive, ops.Answer:
		return w / 4
	default:
		return w
	}
}
