package ops

import "slices"

// Peers is the arena for the lists of peers inside the state's entries; Reset takes all of them back.
func (s *SchedulerState) Peers() *Arena[Peer] { return &s.peers }

// Keys is the arena for the lists of keys inside the state's entries.
func (s *SchedulerState) Keys() *Arena[Key] { return &s.keys }

// Reset empties the state and keeps its buffers.
func (s *SchedulerState) Reset() {
	s.peers.Reset()
	s.keys.Reset()
	s.Clock, s.NextPlace, s.Stopped, s.OverflowUntil, s.Reserved = 0, 0, false, 0, 0
	s.Pending, s.Heap, s.Parked, s.Index, s.Queued = s.Pending[:0], s.Heap[:0], s.Parked[:0], s.Index[:0], s.Queued[:0]
	s.InFlight, s.Contact, s.Busy, s.Charges = s.InFlight[:0], s.Contact[:0], s.Busy[:0], s.Charges[:0]
	s.Counters = [NumCounters]uint64{}
}

// Reset empties the state and keeps its buffers.
func (s *ResponderState) Reset() {
	*s = ResponderState{Peers: s.Peers[:0], Tickets: s.Tickets[:0], Sends: s.Sends[:0], Limiter: s.Limiter[:0]}
}

// Reset makes s the empty state of machine m with every field given.
func (s *State) Reset(m Machine) {
	s.Machine = m
	if m == SchedulerMachine {
		s.Fields = SchedulerFields
		s.Scheduler.Reset()
	} else {
		s.Fields = ResponderFields
		s.Responder.Reset()
	}
}

// CopyFrom makes s equal to o and independent of it.
func (s *State) CopyFrom(o *State) {
	s.Reset(o.Machine)
	s.Fields = o.Fields
	if o.Machine == SchedulerMachine {
		s.Scheduler.copyFrom(&o.Scheduler)
	} else {
		s.Responder.copyFrom(&o.Responder)
	}
}

func (s *SchedulerState) copyFrom(o *SchedulerState) {
	entry := func(e Entry) Entry {
		e.Hints, e.Claimants = s.peers.Copy(e.Hints), s.peers.Copy(e.Claimants)
		return e
	}
	s.Clock, s.NextPlace, s.Stopped = o.Clock, o.NextPlace, o.Stopped
	s.OverflowUntil, s.Reserved, s.Counters = o.OverflowUntil, o.Reserved, o.Counters
	s.Heap, s.Parked = append(s.Heap, o.Heap...), append(s.Parked, o.Parked...)
	s.Contact, s.Busy, s.Charges = append(s.Contact, o.Contact...), append(s.Busy, o.Busy...), append(s.Charges, o.Charges...)
	for _, p := range o.Pending {
		p.Entry = entry(p.Entry)
		s.Pending = append(s.Pending, p)
	}
	for _, x := range o.Index {
		x.Keys = s.keys.Copy(x.Keys)
		s.Index = append(s.Index, x)
	}
	for _, q := range o.Queued {
		q.Untried, q.Tried, q.Retry = s.peers.Copy(q.Untried), s.peers.Copy(q.Tried), entry(q.Retry)
		s.Queued = append(s.Queued, q)
	}
	for _, f := range o.InFlight {
		f.Untried, f.Tried, f.Retry = s.peers.Copy(f.Untried), s.peers.Copy(f.Tried), entry(f.Retry)
		s.InFlight = append(s.InFlight, f)
	}
}

func (s *ResponderState) copyFrom(o *ResponderState) {
	peers, tickets, sends, limiter := s.Peers, s.Tickets, s.Sends, s.Limiter
	*s = *o
	s.Peers, s.Tickets = append(peers, o.Peers...), append(tickets, o.Tickets...)
	s.Sends, s.Limiter = append(sends, o.Sends...), append(limiter, o.Limiter...)
}

func (e *Entry) equal(o *Entry) bool {
	return e.Owner == o.Owner && e.Created == o.Created && e.NextVerify == o.NextVerify &&
		slices.Equal(e.Hints, o.Hints) && slices.Equal(e.Claimants, o.Claimants)
}
