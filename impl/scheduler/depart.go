package scheduler

import "slices"

// Depart takes a departed peer out of every entry and every key's untried sources
// (section 13), and appends the keys that left or returned to pending to dst, in
// key order (DEP-6). Its running attempts, where it was tried, and the contact
// and busy tables stay as they are (DEP-2, DEP-4, DEP-5).
func (s *Scheduler) Depart(now Time, peer Peer, dst []Event) []Event {
	s.advance(now)
	p := s.findPeer(&peer, s.names.Of(peer[:]))
	if p == none {
		return dst
	}
	s.hot[p].refs++ // so that its id outlives the work
	s.dropIndex(p)
	s.picks = s.picks[:0]
	waited := false
	for id, k := range s.allKeys() {
		if s.departFrom(id, k, p) {
			s.picks = append(s.picks, id)
			waited = waited || k.waits()
		}
	}
	s.sortNames(s.picks)
	dst = slices.Grow(dst, len(s.picks))
	for _, id := range s.picks {
		dst = append(dst, s.departed(id))
	}
	if waited {
		s.backlogFilter()
	}
	s.unref(p)
	return dst
}

// departed ends what departFrom left without a source.
func (s *Scheduler) departed(id uint32) Event {
	if s.key(id).stage == stagePending {
		return s.dropPending(id, ReasonOrphaned) // DEP-1
	}
	s.unqueue(id)
	return s.giveUp(id, ReasonOrphaned) // DEP-3
}

// dropIndex takes a source out of the index as a whole. Its keys count as not
// filed under it, until dropSource takes it out of them.
func (s *Scheduler) dropIndex(p uint32) {
	hot := &s.hot[p]
	if hot.can {
		s.openAssoc += int(hot.filed)
	}
	hot.filed = 0
	s.settleReady(p)
	s.dropList(p)
}

// departFrom takes a peer out of one key, and reports whether that leaves a
// pending key without a hint source or a queued one without an untried source.
func (s *Scheduler) departFrom(id uint32, k *keyRec, p uint32) bool {
	if k.hasEntry && s.dropHint(s.entry(id), p) {
		if k.stage == stagePending {
			return true
		}
		s.discardRetry(id) // DEP-2
	}
	for pos, q := range s.untried(k) {
		if q == p {
			s.dropSource(k, p, pos)
			return k.stage == stageQueued && k.untried == 0
		}
	}
	return false
}

// dropSource takes the untried source p at pos out of a key.
func (s *Scheduler) dropSource(k *keyRec, p uint32, pos int) {
	words := s.blocks.words(k.sources)[:k.untried+k.tried]
	copy(words[pos:], words[pos+1:])
	k.untried--
	if k.stage == stageQueued {
		if s.isParked(k) {
			s.parkedAssoc--
		} else {
			s.heapAssoc--
		}
		s.dropLive(p, false) // its source list went as a whole
	}
	s.unref(p)
}

// dropHint takes a peer out of a key's entry and reports whether the entry is
// left without hint sources. If it was the owner, the smallest that is left takes
// over its charge (DEP-1).
func (s *Scheduler) dropHint(e *entryRec, p uint32) bool {
	words := s.hintWords(e)
	pos := 0
	for pos < len(words) && words[pos]>>1 != p {
		pos++
	}
	if pos == len(words) {
		return false
	}
	if len(words) == 1 {
		return true // whoever drops the entry drops the hint and the charge
	}
	last := len(words) - 1
	words[pos] = words[last]
	e.hintCount--
	if e.owner == p {
		heir := words[0] >> 1
		for _, w := range words[1:last] {
			if s.peerLess(w>>1, heir) {
				heir = w >> 1
			}
		}
		s.peers[p].charge--
		s.peers[heir].charge++
		e.owner = heir
	}
	s.unref(p)
	return false
}
