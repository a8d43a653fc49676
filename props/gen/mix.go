package gen

import "fetchproof/ops"

// baseWeights is the default mix. Half of all operations move attempts on, since an attempt takes three (fill, arrive,
// outcome) to go through and most rules speak of how it ends; keys come in about as fast as attempts end, so that queues
// are sometimes empty and sometimes full; what empties everything at once (departures, evictions, stop) is rare.
var baseWeights = [2][ops.NumKinds]int{
	ops.SchedulerMachine: {
		ops.Add:        22,
		ops.Promote:    20,
		ops.Enqueue:    14,
		ops.Fill:       26,
		ops.Arrive:     12,
		ops.Answer:     10,
		ops.BusyReply:  9,
		ops.Outcome:    40,
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

// always are the operations that a swarm run never leaves out: without them it exercises nothing.
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
				w = baseWeights[g.config.Machine][k]
			}
		}
		if kind == ops.Stop && !g.chance(15) {
			w = 0 // a stop ends almost everything, so most programs have none
		}
		if g.theme == storm {
			w = stormy(kind, w)
		}
		g.weights[k] = w
	}
	if g.config.Machine == ops.SchedulerMachine && g.weights[ops.Enqueue] == 0 && (g.weights[ops.Promote] == 0 || g.weights[ops.Add] == 0) {
		g.weights[ops.Enqueue] = 20 // a key must be able to come in
	}
	for _, w := range g.weights {
		g.total += w
	}
}

func (g *Generator) kind() ops.Kind {
	r := g.src.Intn(g.total)
	for k, w := range g.weights {
		if r -= w; r < 0 {
			return ops.Kind(k)
		}
	}
	return ops.Fill
}

// stormy is the weight of an operation in a storm: many answers are busy ones, few are of another kind.
func stormy(k ops.Kind, w int) int {
	switch k {
	case ops.BusyReply, ops.Enqueue:
		return 30
	case ops.Arrive, ops.Answer:
		return w / 4
	default:
		return w
	}
}
