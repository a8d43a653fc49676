package explore

import (
	"slices"

	"fetchproof/ops"
)

// farthest bounds what is kept of a length of time. In a scope none is longer: see [Scope.Validate].
const farthest = 255

func (c *canon) normalize(st *ops.SchedulerState) {
	c.key = [maxKeys]keyForm{}
	c.peer = [maxPeers]peerForm{}
	c.places = c.places[:0]
	c.contacts(st)
	c.cooldowns(st)
	for i := range st.Pending {
		k := &c.key[c.keys[lastByte(st.Pending[i].Key)]]
		k.stage = isPending
		c.entry(k, &st.Pending[i].Entry, st.Clock)
		if c.traits.ready {
			k.verify = clamp(st.Pending[i].Entry.NextVerify-st.Clock, farthest)
		}
	}
	for i := range st.Queued {
		q := &st.Queued[i]
		k := &c.key[c.keys[lastByte(q.Key)]]
		k.stage = inHeap
		c.work(k, q.Distance, q.Untried, q.Tried)
		if q.HasRetry {
			c.entry(k, &q.Retry, st.Clock)
		}
	}
	for _, key := range st.Parked {
		c.key[c.keys[lastByte(key)]].stage = isParked
	}
	for i := range st.InFlight {
		c.flight(st, &st.InFlight[i])
	}
	c.rank()
	c.window, c.stopped = clamp(st.OverflowUntil-st.Clock, farthest), 0
	if st.Stopped {
		c.stopped = 1
	}
}

func (c *canon) work(k *keyForm, distance ops.Distance, untried, tried []ops.Peer) {
	k.distance = distance[len(distance)-1]
	k.untriedN = uint8(len(untried))
	for i, p := range untried {
		k.untried[i] = c.index(p)
	}
	if c.traits.add {
		k.tried = c.set(tried)
	}
}

func (c *canon) entry(k *keyForm, e *ops.Entry, clock ops.Time) {
	k.retry = true
	k.hints, k.owner = c.set(e.Hints), c.index(e.Owner)
	if c.traits.add {
		k.claimants = c.set(e.Claimants)
	}
	if c.traits.evict {
		k.created = clamp(clock-e.Created, ops.Time(max(c.traits.maxAge, 0)))
	}
}

func (c *canon) contacts(st *ops.SchedulerState) {
	for i := range st.Contact {
		x := &st.Contact[i]
		f := &c.peer[c.index(x.Source)]
		f.contact = 1
		if x.MarkedUntil > 0 {
			f.contact = 1 + clamp(x.MarkedUntil-st.Clock, farthest-1)
		}
	}
}

func (c *canon) cooldowns(st *ops.SchedulerState) {
	cfg := &c.scope.Config.Scheduler
	mayBeFull := cfg.BusyTable < int64(len(c.scope.Peers))
	c.ended = c.ended[:0]
	for i := range st.Busy {
		if b := &st.Busy[i]; b.Until <= st.Clock && !slices.Contains(c.ended, b.Until) {
			c.ended = append(c.ended, b.Until)
		}
	}
	slices.Sort(c.ended)
	for i := range st.Busy {
		b := &st.Busy[i]
		f := &c.peer[c.index(b.Source)]
		if age := ops.Duration(st.Clock - b.Last); b.Streak > 0 && age < cfg.BusyForgetAfter {
			f.streak, f.last = uint8(b.Streak), clamp(age, farthest)
		}
		switch {
		case b.Until > st.Clock:
			f.until = 128 + clamp(b.Until-st.Clock, 127)
		case mayBeFull:
			f.until = 1 + uint8(slices.Index(c.ended, b.Until))
		}
	}
}

func (c *canon) flight(st *ops.SchedulerState, f *ops.Flight) {
	k := &c.key[c.keys[lastByte(f.Key)]]
	k.stage = isFlying
	c.work(k, f.Distance, f.Untried, f.Tried)
	if f.HasRetry {
		c.entry(k, &f.Retry, st.Clock)
	}
	k.source = c.index(f.Source)
	switch {
	case f.Busy:
		k.flags = flagAnswered | flagBusy
	case f.Answered:
		k.flags = flagAnswered
	default:
		c.open(st, f, k)
	}
}

// open is an attempt whose answer may still be applied.
func (c *canon) open(st *ops.SchedulerState, f *ops.Flight, k *keyForm) {
	if f.Given != 0 {
		k.flags |= flagGiven
	}
	if f.Tracked {
		k.flags |= flagTracked
	}
	if c.traits.busy {
		k.age = clamp(st.Clock-f.Started, farthest)
	}
	evidence := newestEvidence(st, f.Source)
	if f.Tracked && f.Attempt > evidence {
		c.places = append(c.places, placeOf{k.source, f.Attempt, &k.request})
	}
	if f.Given > evidence {
		c.places = append(c.places, placeOf{k.source, f.Given, &k.answer})
	}
}

// newestEvidence is the greater of a source's newest answer and newest unanswered request. A place of an open attempt that is
// not beyond it does nothing any more. For a request place r: below lastUnanswered it does nothing (CON-3); between that and
// a greater lastAnswer it sets no mark, and moves lastUnanswered, which stays below lastAnswer, so that nothing shows.
// For an answer place a: below lastAnswer it does nothing (CON-2); between that and a greater lastUnanswered it moves
// lastAnswer, which stays below it. For the same reason the smaller of the two numbers does not matter: every place that is
// compared with it in earnest is beyond the greater one. So of a source's places there remain the open ones beyond its newest
// evidence, in their order; whether its mark runs says the rest (CON-1).
func newestEvidence(st *ops.SchedulerState, source ops.Peer) uint64 {
	for i := range st.Contact {
		if x := &st.Contact[i]; x.Source == source {
			return max(x.LastAnswer, x.LastUnanswered)
		}
	}
	return 0
}

// rank numbers the places that are left, those of a source among themselves.
func (c *canon) rank() {
	for i := range c.places {
		p := &c.places[i]
		*p.rank = 1
		for j := range c.places {
			if o := &c.places[j]; o.source == p.source && o.place < p.place {
				*p.rank++
			}
		}
	}
}
