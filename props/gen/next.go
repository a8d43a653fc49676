package gen

import "fetchproof/ops"

// Next draws the next operation, given the state before it. The operation is valid until the next call.
func (g *Generator) Next(st *ops.State) ops.Op {
	g.given++
	if op, ok := g.sellOff(); ok {
		return op
	}
	if len(g.queue) > 0 {
		op := g.queue[0]
		g.queue = g.queue[1:]
		return op
	}
	if op, ok := g.deliver(st); ok {
		return op
	}
	op := ops.Op{Kind: g.kind(st)}
	g.moveTime(st)
	op.Now = g.now
	if g.config.Machine == ops.SchedulerMachine {
		g.scheduler(&op, &st.Scheduler)
	} else {
		g.responder(&op, &st.Responder)
	}
	if g.within != nil {
		g.confine(&op)
	}
	if !op.Kind.Timed() {
		op.Now = 0
	}
	return op
}

// then gives op after the operation being drawn.
func (g *Generator) then(op ops.Op) {
	if len(g.queue) == 0 {
		g.queue = g.queue[:0:cap(g.queue)]
	}
	g.queue = append(g.queue, op)
}

func (g *Generator) scheduler(op *ops.Op, st *ops.SchedulerState) {
	switch op.Kind {
	case ops.Add:
		op.Key, op.Hints = g.addKey(st), g.hints()
	case ops.Promote:
		op.Key = g.promoteKey(st)
		op.Distance, op.Sources = g.distance(), g.sources()
	case ops.Enqueue:
		op.Key = g.enqueueKey(st)
		op.Distance, op.Sources = g.distance(), g.sources()
	case ops.Arrive, ops.Answer, ops.BusyReply, ops.Outcome:
		g.report(op, st)
	case ops.Depart:
		op.Peer = g.peer()
	case ops.Remove:
		op.Key = g.promoteKey(st)
	case ops.Evict:
		op.MaxAge = g.maxAge(st)
	case ops.Ready:
		op.Limit = int64(pick(g, 100, 1, 2, 0, -1, len(g.keys)))
	case ops.Drained:
		for range g.src.Intn(3) {
			op.Keys = append(op.Keys, pick(g, g.keys...))
		}
	}
}

// addKey is mostly any key; often one in flight or queued, for which an advertisement merges (ADV-2, ADV-3).
func (g *Generator) addKey(st *ops.SchedulerState) ops.Key {
	switch r := g.src.Intn(10); {
	case r >= 8 && len(st.InFlight) > 0:
		return st.InFlight[g.src.Intn(len(st.InFlight))].Key
	case r >= 6 && len(st.Queued) > 0:
		return st.Queued[g.src.Intn(len(st.Queued))].Key
	}
	return pick(g, g.keys...)
}

// enqueueKey is mostly a key that is not there, if one of a few tries finds one.
func (g *Generator) enqueueKey(st *ops.SchedulerState) ops.Key {
	k := pick(g, g.keys...)
	for tries := 0; tries < 3 && st.Has(k) && !g.chance(15); tries++ {
		k = pick(g, g.keys...)
	}
	return k
}

// promoteKey is mostly a pending key, or the call would do nothing.
func (g *Generator) promoteKey(st *ops.SchedulerState) ops.Key {
	if len(st.Pending) > 0 && !g.chance(8) {
		return st.Pending[g.src.Intn(len(st.Pending))].Key
	}
	return pick(g, g.keys...)
}

func (g *Generator) peer() ops.Peer {
	if g.Filling() || g.shape == stocked && !g.chance(10) {
		return g.stockPeer()
	}
	if g.crowd && g.chance(70) {
		return g.peers[g.src.Intn(min(3, len(g.peers)))]
	}
	return pick(g, g.peers...)
}

// sources is mostly one to three peers, in any order; sometimes none, sometimes one listed twice.
func (g *Generator) sources() []ops.Peer {
	n := pick(g, 1, 2, 1, 2, 3, 1, 2, 3, 4, 6)
	if g.chance(2) {
		n = 0
	}
	if g.shape == listed && g.chance(60) {
		return g.run()
	}
	list := make([]ops.Peer, 0, n)
	for range n {
		list = append(list, g.peer())
	}
	return list
}

func (g *Generator) hints() []ops.Hint {
	n := pick(g, 1, 2, 3, 1, 2, 4, 6)
	if g.chance(3) {
		n = 0
	}
	list := make([]ops.Hint, 0, n)
	if g.shape == listed && g.chance(60) {
		for _, p := range g.run() {
			list = append(list, ops.Hint{Peer: p, Claimant: g.chance(50)})
		}
		return list
	}
	for range n {
		list = append(list, ops.Hint{Peer: g.peer(), Claimant: g.chance(50)})
	}
	return list
}

// run is a dozen peers or more in one of many orders, mostly each once: a stride that divides the number of peers comes round.
func (g *Generator) run() []ops.Peer {
	n := len(g.peers)
	list := make([]ops.Peer, 0, n)
	at, stride := g.src.Intn(n), pick(g, 1, n-1, 7, 11)
	for range g.between(min(13, n), n) {
		list = append(list, g.peers[at%n])
		at += stride
	}
	return list
}

// maxAge is exactly the age of a pending key, or one nanosecond beside it, or anything.
func (g *Generator) maxAge(st *ops.SchedulerState) ops.Duration {
	if len(st.Pending) > 0 && g.chance(70) {
		age := max(g.now, st.Clock) - st.Pending[g.src.Intn(len(st.Pending))].Entry.Created
		return ops.Duration(age) + ops.Duration(pick(g, 0, 1, -1))
	}
	return ops.Duration(g.between(-1, 40)) * ops.Second
}
