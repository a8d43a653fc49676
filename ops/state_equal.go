package ops

import (
	"slices"
	"strings"
)

// Fields is the set of state fields that a subject gives. The names are the protocol's.
type Fields uint32

// The fields, the scheduler's first.
const (
	FieldClock Fields = 1 << iota
	FieldNextPlace
	FieldStopped
	FieldPending
	FieldHeap
	FieldParked
	FieldIndex
	FieldQueued
	FieldInFlight
	FieldContact
	FieldOverflow
	FieldBusy
	FieldReserved
	FieldCharges
	FieldCounters
	FieldOutstanding
	FieldPeers
	FieldTickets
	FieldSends
	FieldLimiter
	FieldGlobalFullAt
	fieldEnd

	AllFields = fieldEnd - 1
	// SchedulerFields and ResponderFields are the fields of each machine; both have the clock.
	SchedulerFields = FieldOutstanding - 1
	ResponderFields = AllFields&^SchedulerFields | FieldClock
)

// fieldNames are in the order of the bits.
var fieldNames = [...]string{
	"clock", "next_place", "stopped", "pending", "heap", "parked", "index", "queued", "in_flight", "contact", "overflow_until",
	"busy", "reserved", "charges", "counters", "outstanding", "peers", "tickets", "sends", "limiter", "global_full_at",
}

// String lists the fields by name.
func (f Fields) String() string {
	var words []string
	for i, name := range fieldNames {
		if f&(1<<i) != 0 {
			words = append(words, name)
		}
	}
	return strings.Join(words, ", ")
}

// Differs is the set of fields that both states give and that are not equal.
func (s *State) Differs(o *State) Fields {
	both := s.Fields & o.Fields
	if s.Machine == SchedulerMachine {
		return s.Scheduler.differs(&o.Scheduler, both)
	}
	return s.Responder.differs(&o.Responder, both)
}

func (s *SchedulerState) differs(o *SchedulerState, both Fields) (diff Fields) {
	check := func(f Fields, equal bool) {
		if !equal {
			diff |= f
		}
	}
	check(FieldClock, s.Clock == o.Clock)
	check(FieldNextPlace, s.NextPlace == o.NextPlace)
	check(FieldStopped, s.Stopped == o.Stopped)
	check(FieldPending, slices.EqualFunc(s.Pending, o.Pending, func(a, b PendingKey) bool {
		return a.Key == b.Key && a.Entry.equal(&b.Entry)
	}))
	check(FieldHeap, slices.Equal(s.Heap, o.Heap))
	check(FieldParked, slices.Equal(s.Parked, o.Parked))
	check(FieldIndex, slices.EqualFunc(s.Index, o.Index, func(a, b IndexEntry) bool {
		return a.Source == b.Source && slices.Equal(a.Keys, b.Keys)
	}))
	check(FieldQueued, equalPtr(s.Queued, o.Queued, (*QueuedKey).equal))
	check(FieldInFlight, equalPtr(s.InFlight, o.InFlight, (*Flight).equal))
	check(FieldContact, slices.Equal(s.Contact, o.Contact))
	check(FieldOverflow, s.OverflowUntil == o.OverflowUntil)
	check(FieldBusy, slices.Equal(s.Busy, o.Busy))
	check(FieldReserved, s.Reserved == o.Reserved)
	check(FieldCharges, slices.Equal(s.Charges, o.Charges))
	check(FieldCounters, s.Counters == o.Counters)
	return diff & both
}

func (s *ResponderState) differs(o *ResponderState, both Fields) (diff Fields) {
	check := func(f Fields, equal bool) {
		if !equal {
			diff |= f
		}
	}
	check(FieldClock, s.Clock == o.Clock)
	check(FieldOutstanding, s.Outstanding == o.Outstanding)
	check(FieldPeers, slices.Equal(s.Peers, o.Peers))
	check(FieldTickets, slices.Equal(s.Tickets, o.Tickets))
	check(FieldSends, slices.Equal(s.Sends, o.Sends))
	check(FieldLimiter, slices.Equal(s.Limiter, o.Limiter))
	check(FieldGlobalFullAt, s.GlobalFullAt == o.GlobalFullAt)
	return diff & both
}

// equalPtr compares lists of large elements without copying them.
func equalPtr[T any](a, b []T, equal func(*T, *T) bool) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !equal(&a[i], &b[i]) {
			return false
		}
	}
	return true
}

func equalRetry(has, otherHas bool, a, b *Entry) bool { return has == otherHas && (!has || a.equal(b)) }

func (q *QueuedKey) equal(o *QueuedKey) bool {
	return q.Key == o.Key && q.Distance == o.Distance && slices.Equal(q.Untried, o.Untried) && slices.Equal(q.Tried, o.Tried) &&
		equalRetry(q.HasRetry, o.HasRetry, &q.Retry, &o.Retry)
}

func (f *Flight) equal(o *Flight) bool {
	return f.Key == o.Key && f.Attempt == o.Attempt && f.Source == o.Source && f.Started == o.Started && f.Tracked == o.Tracked &&
		f.Distance == o.Distance && f.Given == o.Given && f.Answered == o.Answered && f.Busy == o.Busy &&
		slices.Equal(f.Untried, o.Untried) && slices.Equal(f.Tried, o.Tried) &&
		equalRetry(f.HasRetry, o.HasRetry, &f.Retry, &o.Retry)
}
