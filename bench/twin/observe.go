package twin

import (
	"bytes"
	"slices"

	"fetchproof/impl/scheduler"
)

// Observe fills dst with the whole state at now. It is a query: it changes nothing and does not move the clock.
func (s *Scheduler) Observe(now Time, dst *scheduler.State) {
	now = max(now, s.clock)
	dst.Clock, dst.NextPlace, dst.Stopped = s.clock, s.next, s.stopped
	dst.Reserved, dst.Counters = s.reserved, s.counters
	dst.OverflowUntil = 0
	if now < s.overflowUntil {
		dst.OverflowUntil = s.overflowUntil
	}
	s.observePending(dst)
	s.observeActive(dst)
	s.observeQueue(dst)
	s.observePeers(now, dst)
}

func (s *Scheduler) observePending(dst *scheduler.State) {
	dst.Pending = dst.Pending[:0]
	for _, r := range byKey(s.pending) {
		dst.Pending = append(dst.Pending, scheduler.PendingState{
			Key: r.key, Entry: observeEntry(r.entry), NextVerify: r.entry.nextVerify,
		})
	}
}

func (s *Scheduler) observeActive(dst *scheduler.State) {
	dst.Queued, dst.InFlight = dst.Queued[:0], dst.InFlight[:0]
	for _, r := range byKey(s.active) {
		tried := names(r.tried)
		slices.SortFunc(tried, func(a, b Peer) int { return bytes.Compare(a[:], b[:]) })
		if r.stage != stageInFlight {
			dst.Queued = append(dst.Queued, scheduler.QueuedState{
				Key: r.key, Distance: r.distance, Untried: names(r.untried), Tried: tried,
				HasRetry: r.entry != nil, Retry: observeEntry(r.entry),
			})
			continue
		}
		a := r.attempt
		dst.InFlight = append(dst.InFlight, scheduler.FlightState{
			Key: r.key, Attempt: a.place, Source: a.source.name, Started: a.started, Tracked: a.tracked,
			Distance: r.distance, Untried: names(r.untried), Tried: tried,
			Given: a.given, Answered: a.answered, Busy: a.busy,
			HasRetry: r.entry != nil, Retry: observeEntry(r.entry),
		})
	}
}

func (s *Scheduler) observeQueue(dst *scheduler.State) {
	heap := slices.Clone(s.heap.records)
	slices.SortFunc(heap, compareNear)
	dst.Heap = dst.Heap[:0]
	for _, r := range heap {
		dst.Heap = append(dst.Heap, r.key)
	}
	// The parked set is what the index holds: each key under its sources.
	var parked []*record
	seen := map[*record]bool{}
	dst.Index = dst.Index[:0]
	for _, p := range sortedPeers(s.indexed) {
		i := scheduler.IndexState{Source: p.name}
		p.parked.each(func(r *record) {
			i.Keys = append(i.Keys, r.key)
			if !seen[r] {
				seen[r] = true
				parked = append(parked, r)
			}
		})
		dst.Index = append(dst.Index, i)
	}
	slices.SortFunc(parked, compareNear)
	dst.Parked = dst.Parked[:0]
	for _, r := range parked {
		dst.Parked = append(dst.Parked, r.key)
	}
}

func (s *Scheduler) observePeers(now Time, dst *scheduler.State) {
	dst.Contact, dst.Busy, dst.Charges = dst.Contact[:0], dst.Busy[:0], dst.Charges[:0]
	for _, p := range sortedPeers(s.tracked) {
		c := scheduler.ContactState{
			Source: p.name, LastAnswer: p.contact.lastAnswer, LastUnanswered: p.contact.lastUnanswered,
		}
		if now < p.contact.markedUntil {
			c.MarkedUntil = p.contact.markedUntil
		}
		dst.Contact = append(dst.Contact, c)
	}
	for _, p := range sortedPeers(s.cooldowns) {
		dst.Busy = append(dst.Busy, scheduler.BusyState{
			Source: p.name, Streak: p.cooldown.streak, Last: p.cooldown.last, Until: p.cooldown.until,
		})
	}
	var owners []*peer
	for _, p := range s.peers {
		if p.charge != 0 {
			owners = append(owners, p)
		}
	}
	for _, p := range sortedPeers(owners) {
		dst.Charges = append(dst.Charges, scheduler.ChargeState{Owner: p.name, Charge: p.charge})
	}
}

func observeEntry(e *entry) scheduler.EntryState {
	if e == nil {
		return scheduler.EntryState{}
	}
	st := scheduler.EntryState{Owner: e.owner.name, Created: e.created}
	for _, h := range e.hints {
		st.Hints = append(st.Hints, h.peer.name)
		if h.claimant {
			st.Claimants = append(st.Claimants, h.peer.name)
		}
	}
	return st
}

func byKey(keys map[Key]*record) []*record {
	out := make([]*record, 0, len(keys))
	for _, r := range keys {
		out = append(out, r)
	}
	slices.SortFunc(out, func(a, b *record) int { return bytes.Compare(a.key[:], b.key[:]) })
	return out
}

func compareNear(a, b *record) int {
	switch {
	case a == b:
		return 0
	case nearer(a, b):
		return -1
	}
	return 1
}

func sortedPeers(peers []*peer) []*peer {
	out := slices.Clone(peers)
	slices.SortFunc(out, comparePeers)
	return out
}

func names(peers []*peer) []Peer {
	out := make([]Peer, 0, len(peers))
	for _, p := range peers {
		out = append(out, p.name)
	}
	return out
}
