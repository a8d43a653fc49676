package scheduler

import (
	"bytes"
	"slices"
)

// observer is the scratch of Observe: ids in the orders in which they are shown.
type observer struct {
	keys   []uint32 // keys in some stage, by their bytes
	queued []uint32 // queued keys, nearest first
	peers  []uint32 // peers, by their bytes
	rank   []uint32 // per peer id: its position in peers
	order  []uint32 // per key id: its position in queued
	pairs  []uint64 // index associations, rank of the source and order of the key
}

// Observe fills dst with the whole state at now, reusing dst's memory: with a dst
// of former use it does not allocate, unless the state has outgrown it. It is a
// query: it changes nothing and does not move the clock.
//
// Everything is read where decisions read it. The index is read from the
// sources' own lists, dead entries left out; for a key that was parked with the
// whole backlog and that no pass has examined since, it is read from the key's
// sources, where the pass that examines it will look (PRK-6). Whether a queued
// key is in Heap or in Parked is isParked, by which parks are counted. Charges
// and Reserved are the running counts by which capacity is judged; they and the
// rest of the bookkeeping are recounted by SelfCheck.
func (s *Scheduler) Observe(now Time, dst *State) {
	now = s.asOf(now)
	dst.keys, dst.peers = dst.keys[:0], dst.peers[:0]
	dst.Clock, dst.NextPlace, dst.Stopped = s.clock, s.next, s.stopped
	dst.Reserved, dst.Counters = s.reserved, s.counters
	dst.OverflowUntil = 0
	if now < s.overflowUntil {
		dst.OverflowUntil = s.overflowUntil
	}
	s.rankPeers()
	s.rankKeys()
	s.observeKeys(dst)
	s.observeQueue(dst)
	s.observeIndex(dst)
	s.observePeers(now, dst)
}

func (s *Scheduler) rankPeers() {
	o := &s.observer
	o.peers = o.peers[:0]
	for id := range s.peers {
		if s.hot[id].refs > 0 {
			o.peers = append(o.peers, uint32(id))
		}
	}
	sortIDs(o.peers, func(a, b uint32) int {
		return bytes.Compare(s.peers[a].name[:], s.peers[b].name[:])
	})
	o.rank = sized(o.rank, len(s.peers))
	for i, id := range o.peers {
		o.rank[id] = uint32(i)
	}
}

func (s *Scheduler) rankKeys() {
	o := &s.observer
	o.keys, o.queued = o.keys[:0], o.queued[:0]
	for id, k := range s.allKeys() {
		if k.stage < stagePending {
			continue
		}
		o.keys = append(o.keys, id)
		if k.stage == stageQueued {
			o.queued = append(o.queued, id)
		}
	}
	sortIDs(o.keys, func(a, b uint32) int {
		return bytes.Compare(s.detail(a).name[:], s.detail(b).name[:])
	})
	sortIDs(o.queued, func(a, b uint32) int {
		switch {
		case a == b:
			return 0
		case s.nearer(a, b):
			return -1
		}
		return 1
	})
	o.order = sized(o.order, s.idCount())
	for i, id := range o.queued {
		o.order[id] = uint32(i)
	}
}

// sortIDs sorts; most states that are observed are tiny.
func sortIDs(ids []uint32, compare func(a, b uint32) int) {
	if len(ids) > 16 {
		slices.SortFunc(ids, compare)
		return
	}
	for i := 1; i < len(ids); i++ {
		for j := i; j > 0 && compare(ids[j], ids[j-1]) < 0; j-- {
			ids[j], ids[j-1] = ids[j-1], ids[j]
		}
	}
}

func sized(b []uint32, n int) []uint32 {
	if cap(b) < n {
		return make([]uint32, n, 2*n)
	}
	return b[:n]
}

func (s *Scheduler) observeKeys(dst *State) {
	dst.Pending, dst.Queued, dst.InFlight = dst.Pending[:0], dst.Queued[:0], dst.InFlight[:0]
	for _, id := range s.observer.keys {
		k, m := s.key(id), s.detail(id)
		switch k.stage {
		case stagePending:
			dst.Pending = append(dst.Pending, PendingState{m.name, s.observeEntry(dst, id), s.entry(id).nextVerify})
		case stageQueued:
			q := QueuedState{Key: m.name, Distance: m.distance, HasRetry: k.hasEntry}
			q.Untried, q.Tried = s.observeSources(dst, k)
			q.Retry = s.observeEntry(dst, id)
			dst.Queued = append(dst.Queued, q)
		case stageInFlight:
			dst.InFlight = append(dst.InFlight, s.observeFlight(dst, id))
		}
	}
}

func (s *Scheduler) observeFlight(dst *State, id uint32) FlightState {
	k, m := s.key(id), s.detail(id)
	f := &s.flights[m.pos]
	st := FlightState{
		Key: m.name, Distance: m.distance, HasRetry: k.hasEntry,
		Attempt: f.place, Source: s.peers[f.source].name, Started: f.started, Tracked: f.tracked,
		Given: f.given, Answered: f.answered, Busy: f.busy,
	}
	st.Untried, st.Tried = s.observeSources(dst, k)
	st.Retry = s.observeEntry(dst, id)
	return st
}

func (s *Scheduler) observeSources(dst *State, k *keyRec) (untried, tried []Peer) {
	words := s.blocks.words(k.sources)
	from := len(dst.peers)
	for _, p := range words[:k.untried] {
		dst.peers = append(dst.peers, s.peers[p].name)
	}
	mid := len(dst.peers)
	for _, p := range words[k.untried : k.untried+k.tried] {
		dst.peers = append(dst.peers, s.peers[p].name)
	}
	to := len(dst.peers)
	untried, tried = dst.peers[from:mid:mid], dst.peers[mid:to:to]
	sortPeers(tried)
	return untried, tried
}

func (s *Scheduler) observeEntry(dst *State, id uint32) EntryState {
	if !s.key(id).hasEntry {
		return EntryState{}
	}
	m := s.entry(id)
	words := s.hintWords(m)
	from := len(dst.peers)
	for _, w := range words {
		dst.peers = append(dst.peers, s.peers[w>>1].name)
	}
	mid := len(dst.peers)
	for _, w := range words {
		if w&1 == 1 {
			dst.peers = append(dst.peers, s.peers[w>>1].name)
		}
	}
	to := len(dst.peers)
	e := EntryState{Owner: s.peers[m.owner].name, Created: m.created}
	e.Hints, e.Claimants = dst.peers[from:mid:mid], dst.peers[mid:to:to]
	sortPeers(e.Hints)
	sortPeers(e.Claimants)
	return e
}

func sortPeers(peers []Peer) {
	if len(peers) > 16 {
		slices.SortFunc(peers, func(a, b Peer) int { return bytes.Compare(a[:], b[:]) })
		return
	}
	for i := 1; i < len(peers); i++ {
		for j := i; j > 0 && bytes.Compare(peers[j][:], peers[j-1][:]) < 0; j-- {
			peers[j], peers[j-1] = peers[j-1], peers[j]
		}
	}
}

func (s *Scheduler) observeQueue(dst *State) {
	dst.Heap, dst.Parked = dst.Heap[:0], dst.Parked[:0]
	for _, id := range s.observer.queued {
		if s.isParked(s.key(id)) {
			dst.Parked = append(dst.Parked, s.detail(id).name)
		} else {
			dst.Heap = append(dst.Heap, s.detail(id).name)
		}
	}
}

func (s *Scheduler) observeIndex(dst *State) {
	o := &s.observer
	o.pairs = o.pairs[:0]
	for _, p := range o.peers {
		for id := range s.lists[p].all() {
			if s.key(id).filed {
				o.pairs = append(o.pairs, uint64(o.rank[p])<<32|uint64(o.order[id]))
			}
		}
	}
	for _, id := range o.queued {
		k := s.key(id)
		if k.filed || !s.isParked(k) {
			continue
		}
		for _, p := range s.untried(k) {
			o.pairs = append(o.pairs, uint64(o.rank[p])<<32|uint64(o.order[id]))
		}
	}
	slices.Sort(o.pairs)
	dst.Index = dst.Index[:0]
	for i := 0; i < len(o.pairs); {
		rank, from := o.pairs[i]>>32, len(dst.keys)
		for ; i < len(o.pairs) && o.pairs[i]>>32 == rank; i++ {
			dst.keys = append(dst.keys, s.detail(o.queued[uint32(o.pairs[i])]).name)
		}
		to := len(dst.keys)
		dst.Index = append(dst.Index, IndexState{s.peers[o.peers[rank]].name, dst.keys[from:to:to]})
	}
}

func (s *Scheduler) observePeers(now Time, dst *State) {
	dst.Contact, dst.Busy, dst.Charges = dst.Contact[:0], dst.Busy[:0], dst.Charges[:0]
	for _, p := range s.observer.peers {
		rec := &s.peers[p]
		if rec.tracked {
			c := ContactState{Source: rec.name, LastAnswer: rec.lastAnswer, LastUnanswered: rec.lastUnanswered}
			if rec.markPos >= 0 && now < rec.markedUntil {
				c.MarkedUntil = rec.markedUntil
			}
			dst.Contact = append(dst.Contact, c)
		}
		if rec.busyPos >= 0 {
			dst.Busy = append(dst.Busy, BusyState{rec.name, int(rec.streak), rec.busyLast, rec.busyUntil})
		}
		if rec.charge != 0 {
			dst.Charges = append(dst.Charges, ChargeState{rec.name, int(rec.charge)})
		}
	}
}
