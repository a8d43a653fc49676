package ops_test

import (
	"cmp"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"fetchproof/ops"
)

// answers are the results that an operation can have, and what of a result goes with each.
var answers = map[ops.Kind][]ops.Code{
	ops.Add: {ops.Admitted, ops.AlreadyPresent, ops.CapacityRejected, ops.Invalid}, ops.Promote: {ops.Queued, ops.NotPending, ops.NoSource, ops.QueueFull},
	ops.Enqueue: {ops.Queued, ops.Present, ops.NoSource, ops.QueueFull}, ops.Fill: {ops.None}, ops.Arrive: {ops.OK, ops.Stale, ops.Invalid},
	ops.Answer: {ops.OK, ops.Stale, ops.Invalid}, ops.BusyReply: {ops.OK, ops.Stale, ops.Invalid}, ops.Outcome: {ops.OK, ops.Stale, ops.Invalid},
	ops.Depart: {ops.None}, ops.Remove: {ops.OK, ops.NotPending}, ops.Evict: {ops.None}, ops.Stop: {ops.OK}, ops.Ready: {ops.None},
	ops.Drained: {ops.None}, ops.Request: {ops.Admitted, ops.Busy, ops.Silent}, ops.Take: {ops.Serve, ops.Shed, ops.Stale},
	ops.Release: {ops.OK, ops.Stale}, ops.SendDone: {ops.OK, ops.Stale}, ops.StateQuery: {ops.None},
}

func (d draw) event() ops.Event {
	e := ops.Event{Kind: ops.EventKind(rapid.IntRange(int(ops.Start), int(ops.Left)).Draw(d.T, "event")), Key: d.key()}
	switch e.Kind {
	case ops.Start:
		e.Source, e.Attempt = d.peer(), d.number()
	case ops.Left:
		e.Reason = ops.Reason(rapid.IntRange(int(ops.LeftStored), int(ops.LeftOrphaned)).Draw(d.T, "reason"))
	}
	return e
}

func (d draw) result(k ops.Kind) ops.Result {
	r := ops.Result{Code: rapid.SampledFrom(append([]ops.Code{ops.Unsupported}, answers[k]...)).Draw(d.T, "code")}
	done := r.Code == ops.OK || r.Code == ops.None
	switch k {
	case ops.Fill, ops.Depart, ops.Remove, ops.Evict, ops.Outcome:
		if done {
			r.Events = few(d, d.event)
		}
		if done && k == ops.Outcome {
			r.Charge = ops.Charge(rapid.IntRange(int(ops.NoCharge), int(ops.ConnectionTimeout)).Draw(d.T, "charge"))
		}
	case ops.Arrive:
		if done {
			r.Place = d.number()
		}
	case ops.BusyReply:
		if done {
			r.Cooldown, r.Due = d.duration(), d.time()
		}
	case ops.Ready:
		if done {
			r.Keys = few(d, d.key)
		}
	case ops.Drained:
		r.Drained = done && d.flag()
	case ops.Request:
		d.decision(&r)
	}
	return r
}

func (d draw) decision(r *ops.Result) {
	switch r.Code {
	case ops.Admitted:
		r.Ticket = d.number()
	case ops.Busy:
		r.Send = d.number()
	}
	if r.Code == ops.Busy || r.Code == ops.Silent {
		r.Reason = ops.RefusalReason(rapid.IntRange(int(ops.RefusedPeerShare), int(ops.RefusedPool)).Draw(d.T, "reason"))
	}
	if r.Code == ops.Silent {
		r.Limiter = ops.LimiterBound(rapid.IntRange(int(ops.NoBound), int(ops.GlobalRate)).Draw(d.T, "bound"))
	}
}

// TestAnswers: what an operation answered is written and read back as a line of the protocol.
func TestAnswers(t *testing.T) {
	eachKind(t, func(d draw, m ops.Machine, o ops.Op) {
		if o.Kind == ops.StateQuery {
			return // TestStates
		}
		r := d.result(o.Kind)
		line, err := ops.AppendAnswer(nil, o.Kind, &r, nil)
		if err != nil {
			d.Fatal(err)
		}
		var back ops.Result
		if err := ops.ParseAnswer(line, m, o.Kind, &back, nil); err != nil {
			d.Fatalf("%s: %v", line, err)
		}
		if !back.Equal(&r) {
			same(d, r, back, string(line))
			d.Fatalf("%s is read as %+v", line, back)
		}
	})
}

func (d draw) entry(pending bool) ops.Entry {
	e := ops.Entry{Hints: d.peers(), Claimants: d.peers(), Owner: d.peer(), Created: d.time()}
	if pending {
		e.NextVerify = d.time()
	}
	return e
}

func (d draw) peers() []ops.Peer {
	return sorted(d, func(p *ops.Peer) [32]byte { return *p }, d.peer)
}

func (d draw) queued() ops.QueuedKey {
	q := ops.QueuedKey{Key: d.key(), Distance: d.distance(), Untried: few(d, d.peer), Tried: d.peers(), HasRetry: d.flag()}
	if q.HasRetry {
		q.Retry = d.entry(false)
	}
	return q
}

func (d draw) flight() ops.Flight {
	f := ops.Flight{
		Key: d.key(), Attempt: d.number(), Source: d.peer(), Started: d.time(), Tracked: d.flag(), Distance: d.distance(),
		Untried: few(d, d.peer), Tried: d.peers(), Given: d.number(), Answered: d.flag(), Busy: d.flag(), HasRetry: d.flag(),
	}
	if f.HasRetry {
		f.Retry = d.entry(false)
	}
	return f
}

func (d draw) scheduler(s *ops.SchedulerState) {
	s.Clock, s.NextPlace, s.Stopped, s.OverflowUntil, s.Reserved = d.time(), d.number(), d.flag(), d.time(), d.number()
	s.Pending = sorted(d, func(p *ops.PendingKey) [32]byte { return p.Key },
		func() ops.PendingKey { return ops.PendingKey{Key: d.key(), Entry: d.entry(true)} })
	s.Heap, s.Parked = few(d, d.key), few(d, d.key)
	s.Index = sorted(d, func(x *ops.IndexEntry) [32]byte { return x.Source },
		func() ops.IndexEntry { return ops.IndexEntry{Source: d.peer(), Keys: few(d, d.key)} })
	s.Queued = sorted(d, func(q *ops.QueuedKey) [32]byte { return q.Key }, d.queued)
	s.InFlight = sorted(d, func(f *ops.Flight) [32]byte { return f.Key }, d.flight)
	s.Contact = sorted(d, func(c *ops.Contact) [32]byte { return c.Source },
		func() ops.Contact {
			return ops.Contact{Source: d.peer(), LastAnswer: d.number(), LastUnanswered: d.number(), MarkedUntil: d.time()}
		})
	s.Busy = sorted(d, func(c *ops.Cooldown) [32]byte { return c.Source },
		func() ops.Cooldown { return ops.Cooldown{Source: d.peer(), Streak: 3, Last: d.time(), Until: d.time()} })
	s.Charges = sorted(d, func(c *ops.OwnerCharge) [32]byte { return c.Owner },
		func() ops.OwnerCharge { return ops.OwnerCharge{Owner: d.peer(), Charge: d.number()} })
	for i := range s.Counters {
		if d.flag() {
			s.Counters[i] = d.number()
		}
	}
}

func (d draw) responder(s *ops.ResponderState) {
	s.Clock, s.Outstanding, s.GlobalFullAt = d.time(), d.number(), d.time()
	s.Peers = sorted(d, func(p *ops.PeerOutstanding) [32]byte { return p.Peer },
		func() ops.PeerOutstanding { return ops.PeerOutstanding{Peer: d.peer(), Outstanding: d.number()} })
	s.Limiter = sorted(d, func(l *ops.LimiterPeer) [32]byte { return l.Peer },
		func() ops.LimiterPeer { return ops.LimiterPeer{Peer: d.peer(), Sending: d.number(), FullAt: d.time()} })
	s.Tickets = few(d, func() ops.Ticket { return ops.Ticket{ID: d.number(), Peer: d.peer(), Since: d.time(), Taken: d.flag()} })
	slices.SortFunc(s.Tickets, func(a, b ops.Ticket) int { return cmp.Compare(a.ID, b.ID) })
	s.Tickets = slices.CompactFunc(s.Tickets, func(a, b ops.Ticket) bool { return a.ID == b.ID })
	s.Sends = few(d, func() ops.Send { return ops.Send{ID: d.number(), Peer: d.peer()} })
	slices.SortFunc(s.Sends, func(a, b ops.Send) int { return cmp.Compare(a.ID, b.ID) })
	s.Sends = slices.CompactFunc(s.Sends, func(a, b ops.Send) bool { return a.ID == b.ID })
}

// TestStates: a state is written and read back as the answer to a query. What a subject does not give stays out.
func TestStates(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := draw{t}
		st, has := ops.State{}, ops.SchedulerFields
		if m := d.machine(); m == ops.SchedulerMachine {
			st.Reset(m)
			d.scheduler(&st.Scheduler)
		} else {
			st.Reset(m)
			has = ops.ResponderFields
			d.responder(&st.Responder)
		}
		st.Fields = has & ops.Fields(rapid.Uint32().Draw(t, "fields"))
		r := ops.Result{}
		line, err := ops.AppendAnswer(nil, ops.StateQuery, &r, &st)
		if err != nil {
			t.Fatal(err)
		}
		var back ops.State
		if err := ops.ParseAnswer(line, st.Machine, ops.StateQuery, &r, &back); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if back.Machine != st.Machine || back.Fields != st.Fields {
			t.Fatalf("%s gives %s of %s, want %s of %s", line, back.Fields, back.Machine, st.Fields, st.Machine)
		}
		if diff := st.Differs(&back); diff != 0 {
			t.Fatalf("%s differs in %s", line, diff)
		}
		if want, have := text(&st), text(&back); want != have {
			t.Fatalf("%s is printed\n%s, want\n%s", line, have, want)
		}
	})
}

func text(st *ops.State) string { return string(ops.AppendStateText(nil, st, 0)) }
