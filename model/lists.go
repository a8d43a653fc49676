package model

import (
	"slices"

	"fetchproof/ops"
)

// Where a key, an attempt or a source stands in the machine's sorted lists.

func (s *Scheduler) pendingAt(key ops.Key) (int, bool) {
	return slices.BinarySearchFunc(s.pending, key, func(p pendingKey, k ops.Key) int { return p.key.Compare(k) })
}

// queuedAt looks through all queued keys: they are sorted by nearness, not by key.
func (s *Scheduler) queuedAt(key ops.Key) (int, bool) {
	for i := range s.queued {
		if s.queued[i].key == key {
			return i, true
		}
	}
	return 0, false
}

func (s *Scheduler) flightAt(key ops.Key) (int, bool) {
	for i := range s.flights {
		if s.flights[i].key == key {
			return i, true
		}
	}
	return 0, false
}

// inFlight is the flight of an attempt, nil if the attempt is not in flight any more or never was one (SEQ-2).
func (s *Scheduler) inFlight(attempt uint64) *flight {
	for i := range s.flights {
		if s.flights[i].attempt == attempt {
			return &s.flights[i]
		}
	}
	return nil
}

func (s *Scheduler) contactAt(source ops.Peer) (int, bool) {
	for i := range s.contact {
		if c := source.Compare(s.contact[i].source); c <= 0 {
			return i, c == 0
		}
	}
	return len(s.contact), false
}

// addPending puts a key into verification, where it stands by key.
func (s *Scheduler) addPending(p pendingKey) {
	i, _ := s.pendingAt(p.key)
	s.pending = slices.Insert(s.pending, i, p)
}

// addQueued puts a key into the queue, where it stands by nearness.
func (s *Scheduler) addQueued(q queuedKey) {
	i := 0
	for i < len(s.queued) && s.queued[i].nearerThan(&q.work) {
		i++
	}
	s.queued = slices.Insert(s.queued, i, q)
	s.noteQueued(i)
}

// nearerThan reports whether q is nearer than w: a total order (section 1), so that ties never show (DET-2).
func (q *queuedKey) nearerThan(w *work) bool { return ops.Nearer(q.distance, q.key, w.distance, w.key) }

// takeQueued takes the i-th nearest key out of the queue.
func (s *Scheduler) takeQueued(i int) queuedKey {
	q := s.queued[i]
	s.queued = slices.Delete(s.queued, i, i+1)
	return q
}

// addFlight puts a key in flight, where it stands by key.
func (s *Scheduler) addFlight(f flight) {
	i := 0
	for i < len(s.flights) && s.flights[i].key.Compare(f.key) < 0 {
		i++
	}
	s.flights = slices.Insert(s.flights, i, f)
}

// takeFlight takes a key out of flight, which frees its slot and its place in the share (OUT-1).
func (s *Scheduler) takeFlight(attempt uint64) flight {
	i := slices.IndexFunc(s.flights, func(f flight) bool { return f.attempt == attempt })
	f := s.flights[i]
	s.flights = slices.Delete(s.flights, i, i+1)
	return f
}

// insertPeer is the sorted list with peer added.
func insertPeer(list []ops.Peer, peer ops.Peer) []ops.Peer {
	i, _ := slices.BinarySearchFunc(list, peer, ops.Peer.Compare)
	return slices.Insert(list, i, peer)
}

// without is the list with peer left out.
func without(list []ops.Peer, peer ops.Peer) []ops.Peer {
	if i := slices.Index(list, peer); i >= 0 {
		return slices.Delete(list, i, i+1)
	}
	return list
}

// distinct is a fresh list of the sources, each at its first position (DET-4), at most limit of them, the first ones kept
// (PND-4).
func (s *Scheduler) distinct(sources []ops.Peer, limit int64) []ops.Peer {
	var list []ops.Peer
	for _, p := range sources {
		switch {
		case slices.Contains(list, p):
			s.saw(det4SourceTwice)
		case int64(len(list)) >= limit:
			s.saw(pnd4Capped)
		default:
			list = append(list, p)
		}
	}
	return list
}

// distinctHints is the advertisement by peer, each peer once, as a claimant if it is listed as one anywhere (DET-4). The
// list is good until the next call.
func (s *Scheduler) distinctHints(hints []ops.Hint) []ops.Hint {
	list := s.hintsBuf[:0]
	for _, h := range hints {
		i, listed := hintAt(list, h.Peer)
		if !listed {
			list = slices.Insert(list, i, h)
			continue
		}
		s.sawIf(list[i].Claimant != h.Claimant, det4BothWays)
		list[i].Claimant = list[i].Claimant || h.Claimant
	}
	s.hintsBuf = list
	return list
}

// hintAt is where peer stands in hints, which are by peer.
func hintAt(hints []ops.Hint, peer ops.Peer) (int, bool) {
	for i := range hints {
		if c := peer.Compare(hints[i].Peer); c <= 0 {
			return i, c == 0
		}
	}
	return len(hints), false
}
