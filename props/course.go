package props

import (
	"fmt"
	"slices"

	"fetchproof/ops"
)

// courseFields are what it takes to follow an operation.
const courseFields = stageFields | ops.FieldContact | ops.FieldOverflow | ops.FieldBusy | ops.FieldClock | ops.FieldStopped

// course follows an operation from the state before it, start by start as reported: which sources are tracked, silent and full
// at each choice. So each choice is judged by the state at that moment (FIL-1), also where the operation itself
// forgets a source, tracks one or opens the window (CON-7, CON-8).
type course struct {
	v       *view
	contact []ops.Contact           // by source; MarkedUntil is 0 unless the source is silent
	loads   []load                  // by source
	window  ops.Time                // 0 unless it is open
	grew    [ops.NumCounters]uint64 // overflows, marks set, refreshed and cleared

	queue []waiting // nearest first
	next  int       // no key before it can start

	movesTo ops.Peer // where the key of an outcome can move on to, if it can
	movesOn bool

	// What is wrong with the first wrong start, which is the last one followed.
	nearest, share, source, tracked error
}

type load struct {
	source ops.Peer
	n      int64
}

type waiting struct {
	*ops.QueuedKey
	started bool
}

// follow is the course of the step, or nil if the state before does not show all that it depends on.
func (v *view) follow() *course {
	if v.blind() {
		return nil
	}
	c := &v.course
	if !v.followed {
		v.followed = true
		*c = course{v: v, contact: c.contact[:0], loads: c.loads[:0], queue: c.queue[:0]}
		c.begin()
		c.evidence()
		c.starts()
	}
	return c
}

// begin does what time alone does: it ends marks and the window. A query changes nothing and sees what has ended at its now.
func (c *course) begin() {
	st := c.v.before
	if st.OverflowUntil > c.v.at {
		c.window = st.OverflowUntil
	}
	for i := range st.Contact {
		e := st.Contact[i]
		if e.MarkedUntil <= c.v.at {
			e.MarkedUntil = 0
		}
		c.contact = append(c.contact, e)
	}
	if k := c.v.Op.Kind; k == ops.Fill || k == ops.Outcome { // else nothing starts
		for i := range st.InFlight {
			c.load(st.InFlight[i].Source).n++
		}
	}
}

func (c *course) tracks(p ops.Peer) (int, bool) {
	return slices.BinarySearchFunc(c.contact, p, func(e ops.Contact, p ops.Peer) int { return e.Source.Compare(p) })
}

func (c *course) load(p ops.Peer) *load {
	i, found := slices.BinarySearchFunc(c.loads, p, func(l load, p ops.Peer) int { return l.source.Compare(p) })
	if !found {
		c.loads = slices.Insert(c.loads, i, load{source: p})
	}
	return &c.loads[i]
}

// evidence is what a report says of its source: an answer (CON-2), or that there was none (CON-3). A slot and a share that an
// outcome frees are free before its key moves (OUT-1).
func (c *course) evidence() {
	v := c.v
	f := v.attempt()
	if v.Result.Code != ops.OK || f == nil {
		return
	}
	switch v.Op.Kind {
	case ops.Answer, ops.BusyReply:
		c.answered(f.Source, v.Op.Place)
	case ops.Outcome:
		c.load(f.Source).n--
		if v.Op.PlaceArg != ops.NoPlace {
			c.answered(f.Source, v.Op.Place)
		}
		if v.unanswered() && f.Tracked {
			c.unanswered(f)
		}
	}
}

// unanswered reports whether the operation is an outcome that says that no answer came, and none of the attempt was applied
// before (CON-5, OUT-6).
func (v *view) unanswered() bool {
	f := v.attempt()
	return v.applied(ops.Outcome) && (v.Op.Outcome == ops.Timeout || v.Op.Outcome == ops.Unreachable) && f != nil && !f.Answered
}

func (c *course) answered(p ops.Peer, place uint64) {
	i, tracked := c.tracks(p)
	if !tracked {
		return // CON-9
	}
	e := &c.contact[i]
	e.LastAnswer = max(e.LastAnswer, place)
	if e.MarkedUntil != 0 && e.LastUnanswered <= e.LastAnswer {
		e.MarkedUntil = 0
		c.grew[ops.MarksCleared]++
	}
}

func (c *course) unanswered(f *ops.Flight) {
	i, tracked := c.tracks(f.Source)
	if !tracked || f.Attempt <= c.contact[i].LastUnanswered {
		return
	}
	e := &c.contact[i]
	e.LastUnanswered = f.Attempt
	if f.Attempt <= e.LastAnswer || !c.v.cfg.Silence {
		return
	}
	was := e.MarkedUntil
	if e.MarkedUntil = after(c.v.at, c.v.cfg.MarkLifetime); e.MarkedUntil == c.v.at {
		e.MarkedUntil = 0 // at the largest time it ends before it begins (DET-4)
	}
	switch {
	case was != 0:
		c.grew[ops.MarksRefreshed]++
	case e.MarkedUntil != 0:
		c.grew[ops.MarksSet]++
	}
}

// starts follows the reported starts and judges each.
func (c *course) starts() {
	v := c.v
	switch f := v.attempt(); {
	case v.applied(ops.Outcome) && f != nil:
		c.movesTo, c.movesOn = c.choose(f.Untried)
		for e := range v.events(ops.Start) {
			c.start(e, f.Untried)
			return // there is at most one: moves-on
		}
	case v.Op.Kind == ops.Fill:
		c.lineUp()
		for e := range v.events(ops.Start) {
			if !c.take(e) {
				return
			}
		}
	}
}

// lineUp puts the queued keys in order: heap and parked set alike (FIL-1).
func (c *course) lineUp() {
	st := c.v.before
	heap, parked := st.Heap, st.Parked
	var h, p *ops.QueuedKey
	for {
		if h == nil && len(heap) > 0 {
			h, heap = st.FindQueued(heap[0]), heap[1:]
		}
		if p == nil && len(parked) > 0 {
			p, parked = st.FindQueued(parked[0]), parked[1:]
		}
		switch {
		case h != nil && (p == nil || ops.Nearer(h.Distance, h.Key, p.Distance, p.Key)):
			c.queue = append(c.queue, waiting{QueuedKey: h})
			h = nil
		case p != nil:
			c.queue = append(c.queue, waiting{QueuedKey: p})
			p = nil
		case len(heap)+len(parked) == 0:
			return
		}
	}
}

// take follows a start of a fill pass: it must be that of the nearest key that can start (FIL-1).
func (c *course) take(e *ops.Event) (followed bool) {
	q := c.nearestThatCanStart()
	switch {
	case q == nil:
		c.nearest = fmt.Errorf("%s started though no queued key could start", e.Key)
	case q.Key != e.Key:
		c.nearest = fmt.Errorf("%s started and %s, the nearest that could start, did not", e.Key, q.Key)
	default:
		q.started = true
		return c.start(e, q.Untried)
	}
	return false
}

func (c *course) nearestThatCanStart() *waiting {
	for ; c.next < len(c.queue); c.next++ {
		if q := &c.queue[c.next]; !q.started && slices.ContainsFunc(q.Untried, c.canStart) {
			return q
		}
	}
	return nil
}

func (c *course) silent(p ops.Peer) bool {
	if i, tracked := c.tracks(p); tracked {
		return c.contact[i].MarkedUntil != 0
	}
	return c.window != 0
}

func (c *course) canStart(p ops.Peer) bool { return c.load(p).n < c.v.cfg.Share || c.silent(p) }

// choose is SRC-2: the least by (cooling, silent, preference position) of the sources that can start.
func (c *course) choose(untried []ops.Peer) (best ops.Peer, ok bool) {
	least := 4
	for _, p := range untried {
		rank := 2*boolToInt(c.cooling(p)) + boolToInt(c.silent(p))
		if rank < least && c.canStart(p) {
			best, least, ok = p, rank, true
		}
	}
	return best, ok
}

// cooling is BSY-5. No operation that starts something moves the end of a cooldown.
func (c *course) cooling(p ops.Peer) bool {
	e := c.v.before.FindCooldown(p)
	return e != nil && c.v.at < e.Until
}

// start follows a start at one of the untried sources of its key.
func (c *course) start(e *ops.Event, untried []ops.Peer) (followed bool) {
	best, ok := c.choose(untried)
	switch {
	case c.load(e.Source).n >= c.v.cfg.Share && !c.silent(e.Source):
		c.share = fmt.Errorf("%s started at %s, which answers and has %d in flight of a share of %d", e.Key, e.Source, c.load(e.Source).n, c.v.cfg.Share)
		return false
	case !ok || best != e.Source:
		c.source = fmt.Errorf("%s started at %s%s, %s is to be preferred%s", e.Key, e.Source, c.how(e.Source), best, c.how(best))
		return false
	}
	tracked := c.track(e.Source)
	c.load(e.Source).n++
	f := c.v.after.FindFlight(e.Key)
	if f != nil && f.Attempt == e.Attempt && f.Tracked != tracked {
		c.tracked = fmt.Errorf("#%d says that %s was tracked when it started: %t, want %t", f.Attempt, e.Source, f.Tracked, tracked)
		return false
	}
	return true
}

// how says of a source what its choice depends on.
func (c *course) how(p ops.Peer) string {
	text := ", answering"
	if c.silent(p) {
		text = ", silent"
	}
	if c.cooling(p) {
		text += ", cooling"
	}
	return " (" + text[2:] + ")"
}

// track is CON-7, and CON-8 if there is no room.
func (c *course) track(p ops.Peer) bool {
	i, tracked := c.tracks(p)
	if tracked {
		return true
	}
	if c.full() {
		c.contact = slices.DeleteFunc(c.contact, func(e ops.Contact) bool { return e.MarkedUntil == 0 && c.load(e.Source).n == 0 })
		i, _ = c.tracks(p)
	}
	if !c.full() {
		c.contact = slices.Insert(c.contact, i, ops.Contact{Source: p})
		return true
	}
	if c.v.cfg.Silence {
		c.grew[ops.Overflows]++
		if c.window = after(c.v.at, c.v.cfg.MarkLifetime); c.window == c.v.at {
			c.window = 0 // at the largest time it ends before it begins (DET-4)
		}
		c.next = 0 // for the rest of the same pass too (CON-8)
	}
	return false
}

func (c *course) full() bool { return int64(len(c.contact)) >= c.v.cfg.ContactTable }

// complete reports whether every start was followed, so that the course predicts the state after.
func (c *course) complete() bool {
	return c != nil && c.nearest == nil && c.share == nil && c.source == nil && c.tracked == nil
}
