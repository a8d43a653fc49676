package gen

import "fetchproof/ops"

// moveTime draws the operation's now. Rules change at deadlines, so time mostly stands still or jumps to a deadline that
// the state shows: exactly, a nanosecond before, or one after. Sometimes it goes a little further on its own, and
// sometimes back, which the machines must not follow (DET-3).
func (g *Generator) moveTime(st *ops.State) {
	clock := st.Scheduler.Clock
	if st.Machine == ops.ResponderMachine {
		clock = st.Responder.Clock
	}
	still := 55
	if g.stormy() {
		still = 85
	}
	switch r := g.src.Intn(100); {
	case r < still:
	case r < max(still, 70):
		g.now = later(g.now, g.seconds(1, 5))
	case r < 73 && !g.stormy():
		g.now = later(g.now, g.seconds(1, 100))
	case r < 76:
		g.now -= ops.Time(g.seconds(1, 10))
	default:
		if t, ok := g.deadline(st, clock); ok {
			g.now = t
			switch g.src.Intn(4) {
			case 2:
				g.now--
			case 3:
				g.now = later(g.now, 1)
			}
		}
	}
}

// later is t + d, at most the largest time.
func later(t ops.Time, d ops.Duration) ops.Time {
	if sum := t + ops.Time(d); d < 0 || sum >= t {
		return sum
	}
	return 1<<63 - 1
}

// deadline is one of the instants after the clock at which something changes by itself, one of the two soonest more often
// than not: a jump past many deadlines shows less than a walk from one to the next.
func (g *Generator) deadline(st *ops.State, clock ops.Time) (ops.Time, bool) {
	times := g.scratch[:0]
	add := func(t ops.Time) {
		if t > clock {
			times = append(times, t)
		}
	}
	if st.Machine == ops.SchedulerMachine {
		g.schedulerDeadlines(&st.Scheduler, add)
	} else {
		g.responderDeadlines(&st.Responder, add)
	}
	g.scratch = times
	if len(times) == 0 {
		return 0, false
	}
	if g.chance(40) {
		return times[g.src.Intn(len(times))], true
	}
	soonest := times[0]
	for _, t := range times {
		soonest = min(soonest, t)
	}
	return soonest, true
}

func (g *Generator) schedulerDeadlines(st *ops.SchedulerState, add func(ops.Time)) {
	c := &g.config.Scheduler
	for i := range st.Contact {
		add(st.Contact[i].MarkedUntil)
	}
	add(st.OverflowUntil)
	for i := range st.Busy {
		add(st.Busy[i].Until)
		add(later(st.Busy[i].Last, c.BusyForgetAfter))
	}
	for i := range st.InFlight {
		add(later(st.InFlight[i].Started, c.FetchTimeout))
	}
	for i := range st.Pending {
		add(st.Pending[i].Entry.NextVerify)
	}
}

func (g *Generator) responderDeadlines(st *ops.ResponderState, add func(ops.Time)) {
	c := &g.config.Responder
	for i := range st.Tickets {
		add(later(st.Tickets[i].Since, c.FetchTimeout))
	}
	// A token comes back every 1/rate before the bucket is full, so the instants before full-at matter as much as it.
	step := func(full ops.Time, rate int64) {
		token := ops.Time(int64(ops.Second) / rate)
		for t, n := full, 0; n < 3; t, n = t-token, n+1 {
			add(t)
		}
	}
	for i := range st.Limiter {
		step(st.Limiter[i].FullAt, c.BusyPeerRate)
	}
	step(st.GlobalFullAt, c.BusyGlobalRate)
}
