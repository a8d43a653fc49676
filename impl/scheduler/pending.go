package scheduler

import (
	"slices"
	"time"
)

// hinted is one peer of an advertisement, each peer once.
type hinted struct {
	peer     uint32
	claimant bool
	present  bool // was in the entry before the merge
}

// Add takes an advertisement of a key (PND-2, PND-3). A new key becomes pending,
// or is rejected for want of room, which changes nothing: it is work still owed.
// A key in any stage is merged into (section 12).
func (s *Scheduler) Add(now Time, key Key, hints []Hint) AddResult {
	s.advance(now)
	return s.add(&key, s.names.Of(key[:]), hints)
}

// add is Add at the clock's time, of a key with its hash.
func (s *Scheduler) add(key *Key, h uint32, hints []Hint) AddResult {
	if len(hints) == 0 {
		return AddInvalid // DET-4: whatever the stage, before capacity
	}
	id := s.findKey(key, h)
	if id == none && s.pendingCount()+s.reserved >= s.cfg.MaxPending {
		return CapacityRejected
	}
	s.readHints(hints)
	result := AlreadyPresent
	if id == none {
		s.admit(s.newKey(key, h))
		result = Admitted
	} else {
		s.merge(id)
	}
	for i := range s.hinted {
		s.unref(s.hinted[i].peer)
	}
	return result
}

// admit makes a new key pending with the hint sources read.
func (s *Scheduler) admit(id uint32) {
	e := s.newEntry(id)
	s.mergeEntry(e)
	owner := none
	for _, w := range s.hintWords(e) {
		if p := w >> 1; owner == none || s.peers[p].charge < s.peers[owner].charge ||
			s.peers[p].charge == s.peers[owner].charge && s.peerLess(p, owner) {
			owner = p
		}
	}
	e.owner = owner
	s.peers[owner].charge++
	s.joinPending(id)
}

// readHints reads an advertisement into s.hinted: each peer once, a claimant if
// it is listed as one at all (DET-4), in peer order. Each is referenced.
func (s *Scheduler) readHints(hints []Hint) {
	s.listing++
	s.hinted = s.hinted[:0]
	for i := range hints {
		p := s.hintPeer(&hints[i].Peer)
		rec := &s.peers[p]
		if rec.seen == s.listing {
			s.hot[p].refs--
			if hints[i].Claimant {
				s.hinted[rec.seenAt].claimant = true
			}
			continue
		}
		rec.seen, rec.seenAt = s.listing, int32(len(s.hinted))
		s.hinted = append(s.hinted, hinted{peer: p, claimant: hints[i].Claimant})
	}
	s.sortHinted()
}

// hintPeer is internPeer for a peer of an advertisement: most likely the one of
// the advertisement before, which comes from the same node. A peer that is
// referenced still has its id.
func (s *Scheduler) hintPeer(p *Peer) uint32 {
	if id := s.lastHint; int(id) < len(s.hot) && s.hot[id].refs > 0 && s.peers[id].name == *p {
		s.hot[id].refs++
		return id
	}
	s.lastHint = s.internPeer(p)
	return s.lastHint
}

// fewHinted is up to how many peers of an advertisement are sorted in place.
const fewHinted = 16

func (s *Scheduler) sortHinted() {
	h := s.hinted
	if len(h) > fewHinted {
		slices.SortFunc(h, func(a, b hinted) int { return s.comparePeers(a.peer, b.peer) })
		return
	}
	for i := 1; i < len(h); i++ {
		for j := i; j > 0 && s.peerLess(h[j].peer, h[j-1].peer); j-- {
			h[j], h[j-1] = h[j-1], h[j]
		}
	}
}

// dropPending ends the stay of a pending key.
func (s *Scheduler) dropPending(id uint32, why Reason) Event {
	e := Event{Kind: EventLeft, Key: s.detail(id).name, Reason: why}
	s.leavePending(id)
	s.dropEntry(id)
	s.freeKey(id)
	return e
}

// toPending returns a key that is in no other stage any more to pending with its
// retry entry (OUT-5): the reservation becomes the pending slot, of the same
// owner.
func (s *Scheduler) toPending(id uint32) Event {
	s.dropSources(id)
	id = s.freshKey(id)
	s.entry(id).nextVerify = after(s.clock, s.cfg.VerifyRetryDelay)
	s.reserved--
	s.joinPending(id)
	return Event{Kind: EventPending, Key: s.detail(id).name}
}

// leave ends the stay of a key that was queued or in flight.
func (s *Scheduler) leave(id uint32, why Reason) Event {
	e := Event{Kind: EventLeft, Key: s.detail(id).name, Reason: why}
	s.dropSources(id)
	s.discardRetry(id)
	s.freeKey(id)
	return e
}

// giveUp ends a fetch episode: back to pending with a retry entry, else out of
// the pipeline with the given reason (OUT-4, DEP-3).
func (s *Scheduler) giveUp(id uint32, why Reason) Event {
	if s.key(id).hasEntry {
		return s.toPending(id)
	}
	return s.leave(id, why)
}

// Remove drops a pending key (PND-9). The event is meaningful with Removed.
func (s *Scheduler) Remove(now Time, key Key) (Event, RemoveResult) {
	s.advance(now)
	id := s.findKey(&key, s.names.Of(key[:]))
	if id == none || s.key(id).stage != stagePending {
		return Event{}, RemoveNotPending
	}
	return s.dropPending(id, ReasonRemoved), Removed
}

// Evict drops the pending keys that are maxAge old or older, which all are if it
// is 0 or less, and appends what left to dst in key order (PND-9).
func (s *Scheduler) Evict(now Time, maxAge time.Duration, dst []Event) []Event {
	s.advance(now)
	old := s.picks[:0]
	for _, heap := range [2][]uint32{s.due, s.waiting} {
		for _, id := range heap {
			if time.Duration(s.clock-s.entry(id).created) >= maxAge {
				old = append(old, id)
			}
		}
	}
	s.sortNames(old)
	dst = slices.Grow(dst, len(old))
	for _, id := range old {
		dst = append(dst, s.dropPending(id, ReasonEvicted))
	}
	s.picks = old
	return dst
}
