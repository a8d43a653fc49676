package gen

import (
	"slices"

	"fetchproof/ops"
)

// stock is the many keys that come in first, in a program that is about what follows.
type stock struct {
	keys   int // how many they are, 0 in most programs
	came   int
	coming []delivery
	goods  goods
	heavy  int  // so many peers have almost all of the keys
	rare   int  // once in so many times another peer has one
	rows   int  // so many keys come first, three of each peer
	close  bool // the keys of rare peers are nearer than most
}

// delivery is a part of a stock.
type delivery struct {
	after int // so many operations of other kinds come before
	keys  int
	near  int // so many of a hundred keys are nearer than nearly all others
	rare  int // see stock
}

// goods are how the keys of a stock come in.
type goods uint8

const (
	queuedGoods   goods = iota // enqueued
	promotedGoods              // advertised and promoted
	pendingGoods               // advertised
)

// stockUp makes the program one with a stock of so many keys. It is short, for its state is large at every step. In some, three
// keys of each peer come first, of which a pass parks what is behind the share: then a key of a peer that has room again stands
// between those of the stock. In others some keys come when all is under way.
func (g *Generator) stockUp(n int) (keys, peers int) {
	g.shape = stocked
	s := &g.stock
	s.keys, s.heavy, s.close = n, g.between(1, 3), g.chance(50)
	s.goods = pick(g, queuedGoods, queuedGoods, queuedGoods, queuedGoods, promotedGoods, pendingGoods)
	peers = s.heavy + g.between(3, 5)
	keys = n
	if g.chance(40) {
		s.rows = 3 * peers
		s.coming = append(s.coming, delivery{keys: s.rows}, delivery{keys: n, rare: n})
		keys += s.rows
	} else {
		s.coming = append(s.coming, delivery{keys: n, rare: max(n/pick(g, 2, 3, 4), 8)})
		if more := min(n/2, 150); g.chance(50) {
			s.coming = append(s.coming, delivery{after: g.between(3, 12), keys: more, near: pick(g, 70, 0, 100), rare: n})
			keys += more
		}
	}
	g.length = keys + g.between(30, 70) + peers
	if n < 1000 {
		g.length += g.src.Intn(60)
	}
	if s.goods == promotedGoods {
		g.length += keys
	}
	return keys + 10, peers
}

// Filling reports whether what was drawn last only lays in a stock, with more to come: until there is no more, Next looks at no
// state.
func (g *Generator) Filling() bool {
	c := g.stock.coming
	return len(c) > 0 && c[0].after == 0 && c[0].keys > 0
}

// deliver draws the next operation of a delivery, if one is due.
func (g *Generator) deliver(st *ops.State) (op ops.Op, ok bool) {
	s := &g.stock
	if len(s.coming) == 0 {
		return op, false
	}
	switch d := &s.coming[0]; {
	case d.after > 0:
		d.after--
		return op, false
	case d.keys > 0:
		d.keys--
		s.came++
		s.rare = d.rare
		return g.stockKey(d), true
	}
	s.coming = s.coming[1:]
	return g.sweep(&st.Scheduler), true
}

// sweep is a pass. If attempts at rare peers are under way, one is ended first, best at a peer under which keys are parked:
// the pass then finds a key of that peer, behind many others.
func (g *Generator) sweep(st *ops.SchedulerState) ops.Op {
	ended := ops.Op{Kind: ops.Outcome, Now: g.now, Outcome: ops.Cancelled}
	for i := range st.InFlight {
		f := &st.InFlight[i]
		parked := slices.ContainsFunc(st.Index, func(e ops.IndexEntry) bool { return e.Source == f.Source })
		if g.isRare(f.Source) && (parked || !ended.Ref.Symbolic()) {
			ended.Ref = ops.Ref{Of: f.Key}
		}
	}
	pass := ops.Op{Kind: ops.Fill, Now: g.now}
	if !ended.Ref.Symbolic() {
		return pass
	}
	g.then(pass)
	return ended
}

// stockKey lets a key come in.
func (g *Generator) stockKey(d *delivery) ops.Op {
	if g.chance(2) {
		g.now = later(g.now, g.seconds(1, 5))
	}
	stride := 7 // so that the keys come in no order
	if len(g.keys)%stride == 0 {
		stride = 1
	}
	op := ops.Op{Kind: ops.Add, Now: g.now, Key: g.keys[g.stock.came*stride%len(g.keys)]}
	queue := op
	if g.stock.goods != queuedGoods {
		op.Hints = g.hints()
	}
	if g.stock.goods == pendingGoods {
		return op
	}
	queue.Kind, queue.Sources = ops.Promote, g.sources()
	switch {
	case g.stock.came <= g.stock.rows:
		queue.Sources = []ops.Peer{g.peers[(g.stock.came-1)/3%len(g.peers)]}
		queue.Distance = ops.DistanceOf(uint64(len(g.keys) + g.stock.came))
	case g.chance(d.near):
		queue.Distance = ops.DistanceOf(uint64(g.src.Intn(8)))
	case g.stock.close && slices.ContainsFunc(queue.Sources, g.isRare):
		queue.Distance = ops.DistanceOf(uint64(g.src.Intn(len(g.keys) / 2)))
	default:
		queue.Distance = g.distance()
	}
	if g.stock.goods == queuedGoods {
		queue.Kind = ops.Enqueue
		return queue
	}
	g.then(queue)
	return op
}

// stockPeer is mostly one of the few peers that have almost all keys. The next has few of them, so that its list has gaps, and
// the others so few that a pass which finds the rest full looks for a handful of keys among them all.
func (g *Generator) stockPeer() ops.Peer {
	heavy := min(g.stock.heavy, len(g.peers))
	rest := g.peers[heavy:]
	switch r := g.src.Intn(max(g.stock.rare, 1)); {
	case r > min(3, g.stock.rare-2) || len(rest) == 0:
		return g.peers[g.src.Intn(heavy)]
	case r > 0 || len(rest) == 1:
		return rest[0]
	}
	return rest[1+g.src.Intn(len(rest)-1)]
}

func (g *Generator) isRare(p ops.Peer) bool { return slices.Index(g.peers, p) > g.stock.heavy }

// sellOff is how a program with a stock ends: its peers depart, one after another, or draining it would take an operation or
// more for every key.
func (g *Generator) sellOff() (op ops.Op, ok bool) {
	left := g.length - g.given
	if g.stock.keys == 0 || left >= len(g.peers) || left < 0 {
		return op, false
	}
	return ops.Op{Kind: ops.Depart, Now: g.now, Peer: g.peers[left]}, true
}

// stockWeight is the weight of an operation where there is a stock: what works on many keys at once is more frequent.
func (g *Generator) stockWeight(k ops.Kind, w int) int {
	switch {
	case k == ops.Fill || k == ops.Outcome || k == ops.Enqueue && g.stock.goods != pendingGoods:
		return 30
	case g.stock.goods == pendingGoods && (k == ops.Evict || k == ops.Ready || k == ops.Depart):
		return 10
	}
	return w / 2
}

// stockConfig makes room for the stock, most of the time, and for a few attempts once its heavy peers are full.
func (g *Generator) stockConfig(c *ops.SchedulerConfig) {
	c.Share = int64(pick(g, 1, 1, 1, 2))
	c.Slots = int64(g.stock.heavy)*c.Share + int64(g.between(3, pick(g, 8, 8, 64)))
	if g.stock.rows > 0 {
		c.Slots = int64(g.between(g.stock.heavy+3, len(g.peers))) * c.Share // one rare peer with keys parked under it, at least
	}
	room := int64(len(g.keys) + 10)
	if g.stock.keys > 1000 || g.chance(80) {
		c.MaxQueued, c.MaxPending = room, room
	}
	if g.stock.keys > 1000 {
		c.Silence = g.chance(25) // a silent holder takes all that it has
	}
	c.ContactTable, c.BusyTable = int64(len(g.peers)), int64(len(g.peers))
}
