package model

import "fetchproof/ops"

// Scheduler is the reference of sections 3 to 15: the scheduler with its busy tracker. Its state is five sorted lists and
// a few numbers; whatever else the rules speak of (the parked index, who is full, charges, reservations) is found by scanning
// them.
type Scheduler struct {
	cfg ops.SchedulerConfig

	clock     ops.Time // the latest now seen (DET-3)
	lastPlace uint64   // the latest place handed out, 0 before the first (SEQ-1)
	stopped   bool     // OUT-8

	// A key is in one of these three at most (PND-1).
	pending []pendingKey // by key
	queued  []queuedKey  // nearest first: the heap and the parked set
	flights []flight     // by key

	contact       []contact  // tracked sources, by source (section 5)
	overflowUntil ops.Time   // end of the overflow window, 0 if none was opened (CON-8)
	busy          []cooldown // by source (section 10)

	counters [ops.NumCounters]uint64 // SUM-1

	seen      Situations
	witness   witness
	forgotten []cooldown // entries that made room while cooling: only a situation reads them (see noteStranger)
	hintsBuf  []ops.Hint // the hints of the call at hand, see distinctHints
}

// entry is a verification entry: that of a pending key, or the retry entry that a promoted key carries.
type entry struct {
	hints      []ops.Hint // its hint sources by peer, each with whether it is a claimant too
	owner      ops.Peer   // one of them (PND-8)
	created    ops.Time
	nextVerify ops.Time // of a pending key only; 0 in a retry entry
}

// pendingKey is a key in verification.
type pendingKey struct {
	key   ops.Key
	entry entry
}

// work is what a promoted or enqueued key takes along through queue and flight.
type work struct {
	key      ops.Key
	distance ops.Distance
	untried  []ops.Peer // preference order (SRC-1)
	tried    []ops.Peer // by peer
	hasRetry bool
	retry    entry // its reservation lives as long as hasRetry (PND-6)
}

// queuedKey is a key in the heap, or parked.
type queuedKey struct {
	work
	parked bool
}

// flight is a key in flight with its attempt.
type flight struct {
	work
	attempt  uint64 // its request place (SEQ-1)
	source   ops.Peer
	started  ops.Time
	tracked  bool   // the source was tracked when the attempt started (CON-9)
	given    uint64 // the place that its answer took, 0 if none arrived (SEQ-1)
	answered bool   // an answer of it was applied (CON-5)
	busy     bool   // that answer was a busy report (SEQ-3)
}

// NewScheduler is a scheduler to which nothing has happened yet. The configuration must be valid.
func NewScheduler(cfg ops.SchedulerConfig) *Scheduler { return &Scheduler{cfg: cfg} }

// Situations implements [Machine].
func (s *Scheduler) Situations() *Situations { return &s.seen }

// Apply implements [Machine].
func (s *Scheduler) Apply(op *ops.Op, res *ops.Result) {
	res.Reset()
	switch op.Kind {
	case ops.Arrive:
		s.arrive(op.Ref.N, res)
	case ops.Ready:
		s.ready(op.Now, op.Limit, res)
	case ops.Drained:
		s.drained(op.Keys, res)
	case ops.StateQuery:
	case ops.Add, ops.Promote, ops.Enqueue, ops.Fill, ops.Answer, ops.BusyReply, ops.Outcome, ops.Depart, ops.Remove,
		ops.Evict, ops.Stop:
		before, expired := s.clock, s.counters[ops.MarksExpired]
		s.change(op, s.advance(op.Now), res)
		s.noteResult(res.Code, before, expired)
	default:
		res.Code = ops.Unsupported
	}
}

// change does an operation that carries now, which is the clock already (DET-3).
func (s *Scheduler) change(op *ops.Op, now ops.Time, res *ops.Result) {
	switch op.Kind {
	case ops.Add:
		s.add(op.Key, op.Hints, now, res)
	case ops.Promote:
		s.promote(op, res)
	case ops.Enqueue:
		s.enqueue(op, res)
	case ops.Fill:
		s.fill(now, res)
	case ops.Answer:
		s.answer(op, now, res)
	case ops.BusyReply:
		s.busyReply(op, now, res)
	case ops.Outcome:
		s.outcome(op, now, res)
	case ops.Depart:
		s.depart(op.Peer, now, res)
	case ops.Remove:
		s.remove(op.Key, res)
	case ops.Evict:
		s.evict(op.MaxAge, now, res)
	case ops.Stop:
		s.stopped = true // OUT-8
		res.Code = ops.OK
	}
}

// advance moves the clock to now, never back, and returns it (DET-3). It counts the marks that end by then (SUM-1).
func (s *Scheduler) advance(now ops.Time) ops.Time {
	s.sawIf(now < s.clock, det3Earlier)
	old := s.clock
	s.clock = s.asOf(now)
	for i := range s.contact {
		c := &s.contact[i]
		if c.silent(old) && !c.silent(s.clock) {
			s.counters[ops.MarksExpired]++
			s.noteExpired(c)
		}
	}
	s.sawIf(old < s.overflowUntil && s.overflowUntil <= s.clock, con8Closed)
	return s.clock
}

// asOf is now, or the clock if that is later (DET-3).
func (s *Scheduler) asOf(now ops.Time) ops.Time { return max(now, s.clock) }

// takePlace hands out the next place (SEQ-1).
func (s *Scheduler) takePlace() uint64 {
	s.lastPlace++
	return s.lastPlace
}

// left reports that a key's stay in the pipeline ended (OUT-7).
func (s *Scheduler) left(key ops.Key, why ops.Reason, res *ops.Result) {
	res.Events = append(res.Events, ops.Event{Kind: ops.Left, Key: key, Reason: why})
	s.saw(out7Stored + SituationID(why-ops.LeftStored))
}

// invalid answers a call that makes no sense (DET-4).
func invalid(res *ops.Result, why string) {
	res.Code, res.Why = ops.Invalid, why
}
