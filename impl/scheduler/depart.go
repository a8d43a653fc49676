package scheduler

// Depart takes a departed peer out of every entry and every key's untried sources
// (section 13), and appends the keys that left or returned to pending to dst, in
// key order (DEP-6). Its running attempts, where it was tried, and the contact
// and busy tables stay as they are (DEP-2, DEP-4, DEP-5).
func (s *Scheduler) Depart(now Time, peer Peer, dst []Event) []Event {
	s.advance(now)
	p := s.findPeer(&peer, hash(peer[:]))
	if p == none {
		return dst
	}
	s.peers[p].refs++ // so that its id outlives the work
	s.dropIndex(p)
	from := len(dst)
	filter := false
	for id, n := uint32(0), uint32(len(s.keys)); id < n; id++ {
		if s.keys[id].stage < stagePending {
			continue
		}
		waited := s.keys[id].stage == stageQueued && !s.keys[id].filed
		if e, moved := s.departFrom(id, p); moved {
			dst = append(dst, e)
			filter = filter || waited
		}
	}
	if filter {
		s.backlogFilter()
	}
	s.unref(p)
	sortEvents(dst[from:])
	return dst
}

// dropIndex takes a source out of the parked index as a whole. Its keys count as
// not filed under it, until dropSource takes it out of them.
func (s *Scheduler) dropIndex(p uint32) {
	hot := &s.hot[p]
	if hot.can {
		s.openAssoc += int(hot.indexed)
	}
	hot.indexed = 0
	s.settleReady(p)
	s.dropList(p)
}

// departFrom takes a peer out of one key, and reports what became of the key if
// it left or returned to pending.
func (s *Scheduler) departFrom(id, p uint32) (Event, bool) {
	if s.keys[id].hasEntry && s.dropHint(id, p) {
		if s.keys[id].stage == stagePending {
			return s.dropPending(id, ReasonOrphaned), true // DEP-1
		}
		s.discardRetry(id) // DEP-2
	}
	k := &s.keys[id]
	words := s.blocks.words(k.sources)[:k.untried]
	pos := 0
	for pos < len(words) && words[pos] != p {
		pos++
	}
	if pos == len(words) {
		return Event{}, false
	}
	s.dropSource(id, p, pos)
	if k.stage == stageQueued && k.untried == 0 {
		s.unqueue(id)
		return s.giveUp(id, ReasonOrphaned), true // DEP-3
	}
	return Event{}, false
}

// dropSource takes the untried source p at pos out of a key.
func (s *Scheduler) dropSource(id, p uint32, pos int) {
	k := &s.keys[id]
	words := s.blocks.words(k.sources)[:k.untried+k.tried]
	copy(words[pos:], words[pos+1:])
	k.untried--
	if k.stage == stageQueued {
		if s.isParked(k) {
			s.parkedAssoc--
		} else {
			s.heapAssoc--
		}
		s.dropLive(p, false) // its list went as a whole
	}
	s.unref(p)
}

// dropHint takes a peer out of a key's entry and reports whether the entry is
// left without hint sources. If it was the owner, the smallest that is left takes
// over its charge (DEP-1).
func (s *Scheduler) dropHint(id, p uint32) bool {
	m := s.detail(id)
	words := s.blocks.words(m.hints)[:m.hintCount]
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
	m.hintCount--
	if m.owner == p {
		heir := words[0] >> 1
		for _, w := range words[1:last] {
			if s.peerLess(w>>1, heir) {
				heir = w >> 1
			}
		}
		s.peers[p].charge--
		s.peers[heir].charge++
		m.owner = heir
	}
	s.unref(p)
	return false
}
