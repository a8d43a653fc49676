package gen

import "fetchproof/ops"

// Generator draws one program. Its operations are symbolic (the newest attempt of k1, the place it was given), so that a
// program keeps its meaning when operations are taken out of it.
type Generator struct {
	src     Source
	config  ops.Config
	length  int
	keys    []ops.Key
	peers   []ops.Peer
	weights [ops.NumKinds]int
	total   int
	now     ops.Time
	theme   theme
	shape   shape
	crowd   bool // most keys share few sources
	wide    bool // names and distances use all of their 32 bytes
	spots   [3][32]byte
	stock   stock
	given   int
	queue   []ops.Op // operations that belong together, to be given before another is drawn
	scratch []ops.Time
	within  *Universe // nil: as drawn
}

// theme is what a program dwells on. Some rules need two rare things at once; a theme makes both common.
type theme uint8

const (
	plain     theme = iota
	storm           // marks and cooldowns are long and many, time is slow: silent and cooling sources at once
	forgetful       // a storm in which few of the busy sources are remembered: they say busy again while their lost cooldown runs
	tight           // a queue of one or two, a share of one: failed keys that find no place
	themes
)

// stormy reports whether there is a storm of either kind.
func (g *Generator) stormy() bool { return g.theme == storm || g.theme == forgetful }

// New draws what a program is about: its machine's configuration, its universe, its mix of operations, its length.
func New(src Source, m ops.Machine) *Generator {
	g := &Generator{src: src}
	g.config.Machine = m
	g.universe()
	if g.shape == small && g.chance(50) {
		g.theme = theme(1 + g.src.Intn(int(themes)-1))
	}
	if g.stormy() {
		g.peers = g.peers[:min(len(g.peers), g.between(2, 3))] // few enough to be all in trouble at once
	}
	g.mix()
	if m == ops.SchedulerMachine {
		g.schedulerConfig()
	} else {
		g.responderConfig()
	}
	g.now = g.origin()
	return g
}

// Config is the configuration that was drawn.
func (g *Generator) Config() ops.Config { return g.config }

// Length is how many operations the program is meant to have.
func (g *Generator) Length() int { return g.length }

// SetLength makes the program as long as the caller wants it.
func (g *Generator) SetLength(n int) { g.length = n }

// chance is true n times out of 100. With a source of zeros it is false.
func (g *Generator) chance(n int) bool { return g.src.Intn(100) >= 100-n }

// between is a number from lo to hi.
func (g *Generator) between(lo, hi int) int { return lo + g.src.Intn(hi-lo+1) }

// pick is one of the choices, the first being the simplest.
func pick[T any](g *Generator, choices ...T) T { return choices[g.src.Intn(len(choices))] }

// origin is the time at which the program begins: mostly 0, sometimes present-day Unix time, where products overflow,
// close before the largest time, where sums do, or before 0.
func (g *Generator) origin() ops.Time {
	switch r := g.src.Intn(20); {
	case r < 14:
		return 0
	case r < 17:
		return 1_800_000_000 * ops.Time(ops.Second)
	case r < 19:
		return 1<<63 - 1 - ops.Time(g.between(0, 60))*ops.Time(ops.Second)
	default:
		return -ops.Time(g.between(1, 20)) * ops.Time(ops.Second)
	}
}
