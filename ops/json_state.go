package ops

import (
	"cmp"
	"fmt"
	"slices"
)

type jsonEntry struct {
	Hints      []hexID `json:"hints"`
	Claimants  []hexID `json:"claimants"`
	Owner      hexID   `json:"owner"`
	Created    Time    `json:"created"`
	NextVerify *Time   `json:"next_verify,omitempty"`
}

type jsonQueued struct {
	Distance hexID      `json:"distance"`
	Untried  []hexID    `json:"untried"`
	Tried    []hexID    `json:"tried"`
	Retry    *jsonEntry `json:"retry,omitempty"`
}

type jsonFlight struct {
	Attempt  uint64     `json:"attempt"`
	Source   hexID      `json:"source"`
	Started  Time       `json:"started"`
	Tracked  bool       `json:"tracked"`
	Distance hexID      `json:"distance"`
	Untried  []hexID    `json:"untried"`
	Tried    []hexID    `json:"tried"`
	Given    uint64     `json:"given,omitempty"`
	Answered bool       `json:"answered"`
	Busy     bool       `json:"busy"`
	Retry    *jsonEntry `json:"retry,omitempty"`
}

type jsonContact struct {
	LastAnswer     uint64 `json:"last_answer"`
	LastUnanswered uint64 `json:"last_unanswered"`
	MarkedUntil    Time   `json:"marked_until"`
}

type jsonCooldown struct {
	Streak uint32 `json:"streak"`
	Last   Time   `json:"last"`
	Until  Time   `json:"until"`
}

type jsonTicket struct {
	Peer  hexID `json:"peer"`
	Since Time  `json:"since"`
	Taken bool  `json:"taken"`
}

type jsonLimiter struct {
	Sending uint64 `json:"sending"`
	FullAt  Time   `json:"full_at"`
}

// jsonState is a state in the protocol's form. A field that is absent is not given, and not compared; both machines share
// the object, since their field names differ where the contents do.
type jsonState struct {
	Clock         *Time                   `json:"clock,omitempty"`
	NextPlace     *uint64                 `json:"next_place,omitempty"`
	Stopped       *bool                   `json:"stopped,omitempty"`
	Pending       *map[hexID]jsonEntry    `json:"pending,omitempty"`
	Heap          *[]hexID                `json:"heap,omitempty"`
	Parked        *[]hexID                `json:"parked,omitempty"`
	Index         *map[hexID][]hexID      `json:"index,omitempty"`
	Queued        *map[hexID]jsonQueued   `json:"queued,omitempty"`
	InFlight      *map[hexID]jsonFlight   `json:"in_flight,omitempty"`
	Contact       *map[hexID]jsonContact  `json:"contact,omitempty"`
	OverflowUntil *Time                   `json:"overflow_until,omitempty"`
	Busy          *map[hexID]jsonCooldown `json:"busy,omitempty"`
	Reserved      *uint64                 `json:"reserved,omitempty"`
	Charges       *map[hexID]uint64       `json:"charges,omitempty"`
	Counters      *map[string]uint64      `json:"counters,omitempty"`

	Outstanding  *uint64                `json:"outstanding,omitempty"`
	Peers        *map[hexID]uint64      `json:"peers,omitempty"`
	Tickets      *map[uint64]jsonTicket `json:"tickets,omitempty"`
	Sends        *map[uint64]hexID      `json:"sends,omitempty"`
	Limiter      *map[hexID]jsonLimiter `json:"limiter,omitempty"`
	GlobalFullAt *Time                  `json:"global_full_at,omitempty"`
}

func (e *Entry) json(pending bool) jsonEntry {
	j := jsonEntry{*hexPeers(e.Hints), *hexPeers(e.Claimants), hexID(e.Owner), e.Created, nil}
	if pending {
		next := e.NextVerify
		j.NextVerify = &next
	}
	return j
}

func retryJSON(has bool, e *Entry) *jsonEntry {
	if !has {
		return nil
	}
	j := e.json(false)
	return &j
}

func (s *State) json() *jsonState {
	j := &jsonState{}
	if s.Machine == SchedulerMachine {
		j.fromScheduler(&s.Scheduler)
	} else {
		j.fromResponder(&s.Responder)
	}
	j.keep(s.Fields)
	return j
}

// mapOf is the map form of a sorted list.
func mapOf[E any, K comparable, V any](list []E, entry func(*E) (K, V)) *map[K]V {
	m := make(map[K]V, len(list))
	for i := range list {
		k, v := entry(&list[i])
		m[k] = v
	}
	return &m
}

func (j *jsonState) fromScheduler(s *SchedulerState) {
	j.Clock, j.NextPlace, j.Stopped = &s.Clock, &s.NextPlace, &s.Stopped
	j.OverflowUntil, j.Reserved = &s.OverflowUntil, &s.Reserved
	j.Heap, j.Parked = hexKeys(s.Heap), hexKeys(s.Parked)
	j.Pending = mapOf(s.Pending, func(p *PendingKey) (hexID, jsonEntry) { return hexID(p.Key), p.Entry.json(true) })
	j.Index = mapOf(s.Index, func(x *IndexEntry) (hexID, []hexID) { return hexID(x.Source), *hexKeys(x.Keys) })
	j.Queued = mapOf(s.Queued, func(q *QueuedKey) (hexID, jsonQueued) {
		return hexID(q.Key), jsonQueued{
			hexID(q.Distance), *hexPeers(q.Untried), *hexPeers(q.Tried), retryJSON(q.HasRetry, &q.Retry),
		}
	})
	j.InFlight = mapOf(s.InFlight, func(f *Flight) (hexID, jsonFlight) {
		return hexID(f.Key), jsonFlight{
			f.Attempt, hexID(f.Source), f.Started, f.Tracked, hexID(f.Distance), *hexPeers(f.Untried), *hexPeers(f.Tried),
			f.Given, f.Answered, f.Busy, retryJSON(f.HasRetry, &f.Retry),
		}
	})
	j.Contact = mapOf(s.Contact, func(c *Contact) (hexID, jsonContact) {
		return hexID(c.Source), jsonContact{c.LastAnswer, c.LastUnanswered, c.MarkedUntil}
	})
	j.Busy = mapOf(s.Busy, func(c *Cooldown) (hexID, jsonCooldown) {
		return hexID(c.Source), jsonCooldown{c.Streak, c.Last, c.Until}
	})
	j.Charges = mapOf(s.Charges, func(c *OwnerCharge) (hexID, uint64) { return hexID(c.Owner), c.Charge })
	counters := map[string]uint64{}
	for c, n := range s.Counters {
		if n > 0 {
			counters[Counter(c).String()] = n
		}
	}
	j.Counters = &counters
}

func (j *jsonState) fromResponder(s *ResponderState) {
	j.Clock, j.Outstanding, j.GlobalFullAt = &s.Clock, &s.Outstanding, &s.GlobalFullAt
	j.Peers = mapOf(s.Peers, func(p *PeerOutstanding) (hexID, uint64) { return hexID(p.Peer), p.Outstanding })
	j.Tickets = mapOf(s.Tickets, func(t *Ticket) (uint64, jsonTicket) {
		return t.ID, jsonTicket{hexID(t.Peer), t.Since, t.Taken}
	})
	j.Sends = mapOf(s.Sends, func(x *Send) (uint64, hexID) { return x.ID, hexID(x.Peer) })
	j.Limiter = mapOf(s.Limiter, func(l *LimiterPeer) (hexID, jsonLimiter) {
		return hexID(l.Peer), jsonLimiter{l.Sending, l.FullAt}
	})
}

// listOf is the sorted list of a map of the protocol, and whether the field is given.
func listOf[K comparable, V, E any](m *map[K]V, compare func(a, b *E) int, entry func(K, V) E) ([]E, bool) {
	if m == nil {
		return nil, false
	}
	list := make([]E, 0, len(*m))
	for k, v := range *m {
		list = append(list, entry(k, v))
	}
	slices.SortFunc(list, func(a, b E) int { return compare(&a, &b) })
	return list, true
}

func peersOf(ids []hexID) []Peer {
	if len(ids) == 0 {
		return nil
	}
	list := make([]Peer, len(ids))
	for i, id := range ids {
		list[i] = Peer(id)
	}
	return list
}

func keysOf(ids []hexID) []Key {
	if len(ids) == 0 {
		return nil
	}
	list := make([]Key, len(ids))
	for i, id := range ids {
		list[i] = Key(id)
	}
	return list
}

func (j *jsonEntry) entry() Entry {
	e := Entry{Hints: peersOf(j.Hints), Claimants: peersOf(j.Claimants), Owner: Peer(j.Owner), Created: j.Created}
	if j.NextVerify != nil {
		e.NextVerify = *j.NextVerify
	}
	return e
}

func (j *jsonEntry) retry() (bool, Entry) {
	if j == nil {
		return false, Entry{}
	}
	return true, j.entry()
}

// fill makes st the state that j gives, and st.Fields what it gives.
func (j *jsonState) fill(m Machine, st *State) error {
	st.Reset(m)
	st.Fields = 0
	if m == SchedulerMachine {
		return j.fillScheduler(st)
	}
	j.fillResponder(st)
	return nil
}

func given[T any](st *State, f Fields, dst *T, v *T) {
	if v != nil {
		*dst = *v
		st.Fields |= f
	}
}

func givenList[T any](st *State, f Fields, dst *[]T) func([]T, bool) {
	return func(list []T, ok bool) {
		if ok {
			*dst = list
			st.Fields |= f
		}
	}
}

func (j *jsonState) fillScheduler(st *State) error {
	s := &st.Scheduler
	given(st, FieldClock, &s.Clock, j.Clock)
	given(st, FieldNextPlace, &s.NextPlace, j.NextPlace)
	given(st, FieldStopped, &s.Stopped, j.Stopped)
	given(st, FieldOverflow, &s.OverflowUntil, j.OverflowUntil)
	given(st, FieldReserved, &s.Reserved, j.Reserved)
	if j.Heap != nil {
		s.Heap, st.Fields = keysOf(*j.Heap), st.Fields|FieldHeap
	}
	if j.Parked != nil {
		s.Parked, st.Fields = keysOf(*j.Parked), st.Fields|FieldParked
	}
	givenList(st, FieldPending, &s.Pending)(listOf(j.Pending,
		func(a, b *PendingKey) int { return a.Key.Compare(b.Key) },
		func(k hexID, v jsonEntry) PendingKey { return PendingKey{Key(k), v.entry()} }))
	givenList(st, FieldIndex, &s.Index)(listOf(j.Index,
		func(a, b *IndexEntry) int { return a.Source.Compare(b.Source) },
		func(k hexID, v []hexID) IndexEntry { return IndexEntry{Peer(k), keysOf(v)} }))
	givenList(st, FieldQueued, &s.Queued)(listOf(j.Queued,
		func(a, b *QueuedKey) int { return a.Key.Compare(b.Key) },
		func(k hexID, v jsonQueued) QueuedKey { return v.queued(k) }))
	givenList(st, FieldInFlight, &s.InFlight)(listOf(j.InFlight,
		func(a, b *Flight) int { return a.Key.Compare(b.Key) },
		func(k hexID, v jsonFlight) Flight { return v.flight(k) }))
	givenList(st, FieldContact, &s.Contact)(listOf(j.Contact,
		func(a, b *Contact) int { return a.Source.Compare(b.Source) },
		func(k hexID, v jsonContact) Contact {
			return Contact{Peer(k), v.LastAnswer, v.LastUnanswered, v.MarkedUntil}
		}))
	givenList(st, FieldBusy, &s.Busy)(listOf(j.Busy,
		func(a, b *Cooldown) int { return a.Source.Compare(b.Source) },
		func(k hexID, v jsonCooldown) Cooldown { return Cooldown{Peer(k), v.Streak, v.Last, v.Until} }))
	givenList(st, FieldCharges, &s.Charges)(listOf(j.Charges,
		func(a, b *OwnerCharge) int { return a.Owner.Compare(b.Owner) },
		func(k hexID, v uint64) OwnerCharge { return OwnerCharge{Peer(k), v} }))
	return j.fillCounters(st)
}

func (j *jsonState) fillCounters(st *State) error {
	if j.Counters == nil {
		return nil
	}
	st.Fields |= FieldCounters
	for name, n := range *j.Counters {
		c := indexOf(counterNames[:], name)
		if c < 0 {
			return fmt.Errorf("unknown counter %q", clip(name))
		}
		st.Scheduler.Counters[c] = n
	}
	return nil
}

func (j jsonQueued) queued(k hexID) QueuedKey {
	q := QueuedKey{Key: Key(k), Distance: Distance(j.Distance), Untried: peersOf(j.Untried), Tried: peersOf(j.Tried)}
	q.HasRetry, q.Retry = j.Retry.retry()
	return q
}

func (j jsonFlight) flight(k hexID) Flight {
	f := Flight{
		Key: Key(k), Attempt: j.Attempt, Source: Peer(j.Source), Started: j.Started, Tracked: j.Tracked,
		Distance: Distance(j.Distance), Untried: peersOf(j.Untried), Tried: peersOf(j.Tried), Given: j.Given,
		Answered: j.Answered, Busy: j.Busy,
	}
	f.HasRetry, f.Retry = j.Retry.retry()
	return f
}

func (j *jsonState) fillResponder(st *State) {
	s := &st.Responder
	given(st, FieldClock, &s.Clock, j.Clock)
	given(st, FieldOutstanding, &s.Outstanding, j.Outstanding)
	given(st, FieldGlobalFullAt, &s.GlobalFullAt, j.GlobalFullAt)
	givenList(st, FieldPeers, &s.Peers)(listOf(j.Peers,
		func(a, b *PeerOutstanding) int { return a.Peer.Compare(b.Peer) },
		func(k hexID, v uint64) PeerOutstanding { return PeerOutstanding{Peer(k), v} }))
	givenList(st, FieldTickets, &s.Tickets)(listOf(j.Tickets,
		func(a, b *Ticket) int { return cmp.Compare(a.ID, b.ID) },
		func(k uint64, v jsonTicket) Ticket { return Ticket{k, Peer(v.Peer), v.Since, v.Taken} }))
	givenList(st, FieldSends, &s.Sends)(listOf(j.Sends,
		func(a, b *Send) int { return cmp.Compare(a.ID, b.ID) },
		func(k uint64, v hexID) Send { return Send{k, Peer(v)} }))
	givenList(st, FieldLimiter, &s.Limiter)(listOf(j.Limiter,
		func(a, b *LimiterPeer) int { return a.Peer.Compare(b.Peer) },
		func(k hexID, v jsonLimiter) LimiterPeer { return LimiterPeer{Peer(k), v.Sending, v.FullAt} }))
}
