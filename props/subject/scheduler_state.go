package subject

import (
	"fetchproof/impl/scheduler"
	"fetchproof/ops"
	"fetchproof/props/terms"
)

// State observes the whole state.
func (s *Scheduler) State(now ops.Time, st *ops.State) error {
	from := &s.state
	s.machine.Observe(scheduler.Time(now), from)
	st.Reset(ops.SchedulerMachine)
	to := &st.Scheduler
	c := converter{to}
	to.Clock, to.NextPlace, to.Stopped = ops.Time(from.Clock), from.NextPlace, from.Stopped
	to.OverflowUntil, to.Reserved = ops.Time(from.OverflowUntil), uint64(from.Reserved)
	for i := range from.Pending {
		p := &from.Pending[i]
		e := c.entry(&p.Entry)
		e.NextVerify = ops.Time(p.NextVerify)
		to.Pending = append(to.Pending, ops.PendingKey{Key: ops.Key(p.Key), Entry: e})
	}
	for _, k := range from.Heap {
		to.Heap = append(to.Heap, ops.Key(k))
	}
	for _, k := range from.Parked {
		to.Parked = append(to.Parked, ops.Key(k))
	}
	for i := range from.Index {
		to.Index = append(to.Index, ops.IndexEntry{Source: ops.Peer(from.Index[i].Source), Keys: c.keys(from.Index[i].Keys)})
	}
	c.queued(from)
	c.inFlight(from)
	c.tables(from)
	to.Counters = counters(&from.Counters)
	return nil
}

// converter copies lists into the arenas of a state.
type converter struct{ to *ops.SchedulerState }

func (c converter) peers(list []scheduler.Peer) []ops.Peer {
	if len(list) == 0 {
		return nil
	}
	dst := c.to.Peers().Make(len(list))
	for i, p := range list {
		dst[i] = ops.Peer(p)
	}
	return dst
}

func (c converter) keys(list []scheduler.Key) []ops.Key {
	dst := c.to.Keys().Make(len(list))
	for i, k := range list {
		dst[i] = ops.Key(k)
	}
	return dst
}

func (c converter) entry(e *scheduler.EntryState) ops.Entry {
	return ops.Entry{
		Hints: c.peers(e.Hints), Claimants: c.peers(e.Claimants), Owner: ops.Peer(e.Owner), Created: ops.Time(e.Created),
	}
}

// retry is the entry that a key carries. If it carries none, e is ignored.
func (c converter) retry(has bool, e *scheduler.EntryState) ops.Entry {
	if !has {
		return ops.Entry{}
	}
	return c.entry(e)
}

func (c converter) queued(from *scheduler.State) {
	for i := range from.Queued {
		q := &from.Queued[i]
		c.to.Queued = append(c.to.Queued, ops.QueuedKey{
			Key: ops.Key(q.Key), Distance: ops.Distance(q.Distance), Untried: c.peers(q.Untried), Tried: c.peers(q.Tried),
			HasRetry: q.HasRetry, Retry: c.retry(q.HasRetry, &q.Retry),
		})
	}
}

func (c converter) inFlight(from *scheduler.State) {
	for i := range from.InFlight {
		f := &from.InFlight[i]
		c.to.InFlight = append(c.to.InFlight, ops.Flight{
			Key: ops.Key(f.Key), Attempt: f.Attempt, Source: ops.Peer(f.Source), Started: ops.Time(f.Started), Tracked: f.Tracked,
			Distance: ops.Distance(f.Distance), Untried: c.peers(f.Untried), Tried: c.peers(f.Tried), Given: f.Given,
			Answered: f.Answered, Busy: f.Busy, HasRetry: f.HasRetry, Retry: c.retry(f.HasRetry, &f.Retry),
		})
	}
}

func (c converter) tables(from *scheduler.State) {
	for i := range from.Contact {
		x := &from.Contact[i]
		c.to.Contact = append(c.to.Contact, ops.Contact{
			Source: ops.Peer(x.Source), LastAnswer: x.LastAnswer, LastUnanswered: x.LastUnanswered, MarkedUntil: ops.Time(x.MarkedUntil),
		})
	}
	for i := range from.Busy {
		x := &from.Busy[i]
		c.to.Busy = append(c.to.Busy, ops.Cooldown{
			Source: ops.Peer(x.Source), Streak: uint32(x.Streak), Last: ops.Time(x.Last), Until: ops.Time(x.Until),
		})
	}
	for _, x := range from.Charges {
		c.to.Charges = append(c.to.Charges, ops.OwnerCharge{Owner: ops.Peer(x.Owner), Charge: uint64(x.Charge)})
	}
}

func counters(from *scheduler.Counters) (to [ops.NumCounters]uint64) {
	to[ops.Started], to[ops.Parked], to[ops.Unanswered] = from.Started, from.Parked, from.Unanswered
	to[ops.BusyReports], to[ops.Overflows] = from.Busy, from.Overflows
	to[ops.MarksSet], to[ops.MarksRefreshed] = from.MarksSet, from.MarksRefreshed
	to[ops.MarksCleared], to[ops.MarksExpired] = from.MarksCleared, from.MarksExpired
	for k := range ops.NumOutcomes {
		to[ops.OutcomeCounter+ops.Counter(k)] = from.Outcomes[terms.ForScheduler(k)]
	}
	return to
}
