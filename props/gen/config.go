package gen

import "fetchproof/ops"

// schedulerConfig draws a configuration in which bounds are met: one slot or a few, a share of one or two, tables of a
// few entries, each sometimes left large so that the others show.
func (g *Generator) schedulerConfig() {
	g.config = ops.DefaultConfig(ops.SchedulerMachine)
	c := &g.config.Scheduler
	c.Slots = int64(pick(g, 2, 1, 3, 4, 6, 8))
	c.Share = int64(pick(g, 1, 2, 1, 2, 3))
	if g.crowd {
		c.Slots = int64(g.between(4, 12))
	}
	if g.shape != small && g.chance(15) {
		c.Slots = int64(g.between(13, 64))
	}
	c.FetchTimeout = g.seconds(2, 30)
	c.MaxHintSources = int64(g.between(1, 4))
	c.CloseGroup, c.PaidListCloseGroup = int64(g.between(1, 3)), int64(g.between(1, 3))
	c.Derive()
	if g.chance(30) {
		c.SourceCap = int64(g.between(1, 5))
	}
	if g.chance(30) {
		c.MarkLifetime = g.seconds(1, 20)
	}
	if g.shape == listed {
		c.MaxHintSources = int64(g.between(1, len(g.peers)))
		c.SourceCap = int64(pick(g, 35, g.between(10, len(g.peers)+1)))
	}
	c.ContactTable = g.bound(len(g.peers))
	c.BusyTable = g.bound(len(g.peers))
	c.MaxQueued = g.bound(len(g.keys))
	c.MaxPending = g.bound(len(g.keys))
	c.Silence = !g.chance(6)
	c.BusyWaitMin = g.seconds(1, 5)
	c.BusyWaitMax = c.BusyWaitMin + g.seconds(1, 5) - ops.Second
	c.BusyMultiplierMax = int64(pick(g, 8, 4, 2, 1, 16))
	c.BusyCooldownCap = g.seconds(2, 60)
	c.BusyForgetAfter = g.seconds(2, 60)
	c.VerifyRetryDelay = g.seconds(1, 15)
	g.themed(c)
	if g.chance(3) {
		g.vastWaits(c)
	}
	if g.shape == stocked {
		g.stockConfig(c)
	}
}

// themed sets what the theme dwells on.
func (g *Generator) themed(c *ops.SchedulerConfig) {
	switch g.theme {
	case storm, forgetful:
		c.Slots, c.Share = int64(g.between(3, 8)), int64(g.between(1, 2))
		c.Silence = true
		c.MarkLifetime = g.seconds(20, 120)
		c.BusyCooldownCap, c.BusyForgetAfter = g.seconds(30, 300), g.seconds(30, 300)
		c.BusyWaitMin = g.seconds(5, 20)
		c.BusyWaitMax = c.BusyWaitMin + g.seconds(1, 20)
		c.BusyMultiplierMax = int64(pick(g, 8, 4, 16, 1))
		c.ContactTable, c.BusyTable = int64(len(g.peers)), int64(len(g.peers))
		if g.theme == forgetful {
			c.Share, c.BusyTable, c.BusyWaitMin = int64(g.between(2, 4)), int64(g.between(1, 2)), g.seconds(1, 5)
		}
	case tight:
		c.Slots, c.Share = int64(g.between(2, 6)), 1
		c.MaxQueued = int64(g.between(1, 2))
		c.Silence = g.chance(50)
	}
}

// vastWaits lets a peer ask for waits whose multiples are past the largest time (DET-4), under a cap that is or is not near it.
func (g *Generator) vastWaits(c *ops.SchedulerConfig) {
	const largest = ops.Duration(1<<63 - 1)
	c.BusyWaitMax = pick(g, largest, largest/2+1, largest/4, largest/16+1)
	c.BusyMultiplierMax = int64(pick(g, 8, 16, 2))
	if g.chance(50) {
		c.BusyCooldownCap = pick(g, largest, largest/2, largest/8)
	}
}

func (g *Generator) responderConfig() {
	g.config = ops.DefaultConfig(ops.ResponderMachine)
	c := &g.config.Responder
	c.PeerShare, c.Pool = int64(g.between(1, 3)), int64(g.between(1, 6))
	c.FetchTimeout = g.seconds(1, 10)
	c.BusySendPermits = int64(pick(g, 48, 1, 2, 3, 4))
	c.BusyPeerBurst, c.BusyPeerRate = int64(g.between(1, 3)), int64(pick(g, 1, 2, 3, 7))
	c.BusyPeerInFlight = int64(g.between(1, 3))
	c.BusyGlobalBurst, c.BusyGlobalRate = int64(pick(g, 32, 1, 2, 4)), int64(pick(g, 16, 1, 3, 7))
	c.BusyPeerTable = g.bound(len(g.peers))
	if g.shape == crowded {
		g.crowdedResponder(c)
	}
}

// crowdedResponder lets most of a crowd be refused and remembered, at rates whose tokens come at fractions of a nanosecond.
func (g *Generator) crowdedResponder(c *ops.ResponderConfig) {
	c.BusySendPermits = int64(pick(g, 48, 4, 8))
	c.BusyPeerBurst, c.BusyPeerInFlight = int64(g.between(1, 6)), int64(g.between(1, 6))
	c.BusyPeerRate = int64(pick(g, 1, 3, 7, 13, 999, 999_999_937, 1_000_000_007))
	c.BusyGlobalBurst, c.BusyGlobalRate = int64(pick(g, 1000, 32, 3)), int64(pick(g, 16, 1000, 7))
}

// seconds is a whole number of seconds, now and then an odd number of nanoseconds.
func (g *Generator) seconds(lo, hi int) ops.Duration {
	if g.within != nil {
		return g.within.Unit
	}
	d := ops.Duration(g.between(lo, hi)) * ops.Second
	if g.chance(5) {
		d += ops.Duration(g.between(1, 999))
	}
	return d
}

// bound is a bound on a table of n possible entries: half the time one that is reached.
func (g *Generator) bound(n int) int64 {
	if g.chance(50) {
		return int64(g.between(1, max(n-1, 1)))
	}
	return int64(n + g.src.Intn(8))
}
