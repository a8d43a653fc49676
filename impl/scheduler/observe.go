package scheduler

import "slices"

// observer is the scratch of Observe: ids in the orders in which they are shown.
type observer struct {
	keys   []uint32 // keys in some stage, by their bytes
	queued []uint32 // queued keys, nearest first
	peers  []uint32 // peers, by their bytes
	rank   []uint32 // per peer id: its position in peers
	order  []uint32 // per key id: its position in queued
	pairs  []uint64 // index associations, rank of the source and order of the key
	ranked []uint32 // ranks of the peers of a list, twice that and one of a claimant
}

// Observe fills dst with the whole state at now, reusing dst's memory: with a dst
// of former use it does not allocate, unless the state has outgrown it. It is a
// query: it changes nothing and does not move the clock.
//
// Everything is read where decisions read it. The index is read from the source
// lists, dead entries left out; for a parked key that is not filed, it is read
// from the key's sources, where the pass that examines it will look (PRK-6).
// Whether a queued key is in Heap or in Parked is isParked, by which parks are
// counted. Charges and Reserved are the running counts by which capacity is
// judged; they and the rest of the bookkeeping are recounted by SelfCheck.
func (s *Scheduler) Observe(now Time, dst *State) {
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
		o.peers = append(o.peers, uint32(id)) // nothing is shown of one that is free
	}
	slices.SortFunc(o.peers, s.comparePeers)
	o.rank = slices.Grow(o.rank[:0], len(s.peers))[:len(s.peers)]
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
	s.sortNames(o.keys)
	s.sortNearest(o.queued)
	n := s.idCount()
	o.order = slices.Grow(o.order[:0], n)[:n]
	for i, id := range o.queued {
		o.order[id] = uint32(i)
	}
}

// extend makes a slice one longer, by a zero.
func extend[T any](s []T) ([]T, *T) {
	s = append(s, *new(T))
	return s, &s[len(s)-1]
}

func (s *Scheduler) observeKeys(dst *State) {
	dst.Pending, dst.Queued, dst.InFlight = dst.Pending[:0], dst.Queued[:0], dst.InFlight[:0]
	for _, id := range s.observer.keys {
		k, m := s.key(id), s.detail(id)
		switch k.stage {
		case stagePending:
			var p *PendingState
			dst.Pending, p = extend(dst.Pending)
			p.Key, p.NextVerify = m.name, s.entry(id).nextVerify
			s.observeEntry(dst, id, &p.Entry)
		case stageQueued:
			var q *QueuedState
			dst.Queued, q = extend(dst.Queued)
			q.Key, q.Distance, q.HasRetry = m.name, m.distance, k.hasEntry
			q.Untried, q.Tried = s.observeSources(dst, k)
			s.observeEntry(dst, id, &q.Retry)
		default: // in flight
			var f *FlightState
			dst.InFlight, f = extend(dst.InFlight)
			s.observeFlight(&s.flights[m.pos], f)
			f.Key, f.Distance, f.HasRetry = m.name, m.distance, k.hasEntry
			f.Untried, f.Tried = s.observeSources(dst, k)
			s.observeEntry(dst, id, &f.Retry)
		}
	}
}

func (s *Scheduler) observeFlight(f *flight, to *FlightState) {
	to.Attempt, to.Source, to.Started, to.Tracked = f.place, s.peers[f.source].name, f.started, f.tracked
	to.Given, to.Answered, to.Busy = f.given, f.answered, f.busy
}

func (s *Scheduler) observeSources(dst *State, k *keyRec) (untried, tried []Peer) {
	words := s.blocks.words(k.sources)
	from := len(dst.peers)
	for _, p := range words[:k.untried] {
		dst.peers = append(dst.peers, s.peers[p].name)
	}
	mid := len(dst.peers)
	o := &s.observer
	o.ranked = o.ranked[:0]
	for _, p := range words[k.untried : k.untried+k.tried] {
		o.ranked = append(o.ranked, o.rank[p])
	}
	slices.Sort(o.ranked)
	for _, rank := range o.ranked {
		dst.peers = append(dst.peers, s.peers[o.peers[rank]].name)
	}
	to := len(dst.peers)
	return dst.peers[from:mid:mid], dst.peers[mid:to:to]
}

func (s *Scheduler) observeEntry(dst *State, id uint32, to *EntryState) {
	if !s.key(id).hasEntry {
		return
	}
	e, o := s.entry(id), &s.observer
	o.ranked = o.ranked[:0]
	for _, w := range s.hintWords(e) {
		o.ranked = append(o.ranked, o.rank[w>>1]<<1|w&1)
	}
	slices.Sort(o.ranked)
	from := len(dst.peers)
	for _, r := range o.ranked {
		dst.peers = append(dst.peers, s.peers[o.peers[r>>1]].name)
	}
	mid := len(dst.peers)
	for _, r := range o.ranked {
		if r&1 == 1 {
			dst.peers = append(dst.peers, s.peers[o.peers[r>>1]].name)
		}
	}
	end := len(dst.peers)
	to.Hints, to.Claimants = dst.peers[from:mid:mid], dst.peers[mid:end:end]
	to.Owner, to.Created = s.peers[e.owner].name, e.created
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
		for _, id := range s.lists[p].all() {
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
