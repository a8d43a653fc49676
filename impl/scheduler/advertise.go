package scheduler

// merge takes the advertisement read in s.hinted into a key that is in some
// stage (ADV-1 to ADV-4).
func (s *Scheduler) merge(id uint32) {
	k := s.key(id)
	if k.stage != stagePending {
		s.mergeSources(id, k)
	}
	if k.hasEntry {
		s.mergeEntry(s.entry(id))
	}
}

// mergeSources appends the claimants to a key's untried sources, up to the
// source cap over untried and tried ones (ADV-2). A filed key is filed under them
// at once (PRK-4).
func (s *Scheduler) mergeSources(id uint32, k *keyRec) {
	for _, h := range s.hinted {
		n := int(k.untried + k.tried)
		if n >= s.cfg.SourceCap {
			return
		}
		if h.claimant && !contains(s.blocks.words(k.sources)[:n], h.peer) {
			s.addSource(id, k, h.peer)
		}
	}
}

// addSource appends one untried source to a queued or flying key.
func (s *Scheduler) addSource(id uint32, k *keyRec, p uint32) {
	n := k.untried + k.tried
	if n == k.sources.words {
		k.sources = s.blocks.grow(k.sources, int(n)+1)
	}
	words := s.blocks.words(k.sources)
	words[n] = words[k.untried] // a tried one makes way; their order means nothing
	words[k.untried] = p
	k.untried++
	s.hot[p].refs++
	if k.stage != stageQueued {
		return
	}
	if s.isParked(k) {
		s.parkedAssoc++
	} else {
		s.heapAssoc++
	}
	s.addLive(p)
	if k.filed {
		s.file(id, p)
		k.listRefs++
	}
}

func contains(ids []uint32, id uint32) bool {
	for _, x := range ids {
		if x == id {
			return true
		}
	}
	return false
}

// mergeEntry merges the advertisement read in s.hinted into a key's entry under
// the bound on its hint sources (ADV-1). For a new entry it is the first
// admission, without an owner as yet.
func (s *Scheduler) mergeEntry(e *entryRec) {
	words := s.hintWords(e)
	for i := range s.hinted {
		h := &s.hinted[i]
		for j, w := range words {
			if w>>1 != h.peer {
				continue
			}
			h.present = true
			if h.claimant {
				words[j] |= 1
			}
			break
		}
	}
	for _, h := range s.hinted {
		if h.claimant && !h.present && !s.addHint(e, h) {
			s.displace(e, h.peer)
		}
	}
	for _, h := range s.hinted {
		if !h.claimant && !h.present {
			s.addHint(e, h)
		}
	}
}

// addHint gives a hint source a free place in an entry, if there is one.
func (s *Scheduler) addHint(e *entryRec, h hinted) bool {
	if int(e.hintCount) >= s.cfg.MaxHintSources {
		return false
	}
	if e.hintCount == e.hints.words {
		e.hints = s.blocks.grow(e.hints, int(e.hintCount)+1)
	}
	word := h.peer << 1
	if h.claimant {
		word |= 1
	}
	s.blocks.words(e.hints)[e.hintCount] = word
	e.hintCount++
	s.hot[h.peer].refs++
	return true
}

// displace puts a claimant in the place of the smallest paid-only advertiser that
// is not the owner; without one it is left out.
func (s *Scheduler) displace(e *entryRec, claimant uint32) {
	words := s.hintWords(e)
	victim := -1
	for i, w := range words {
		if w&1 == 1 || w>>1 == e.owner {
			continue
		}
		if victim < 0 || s.peerLess(w>>1, words[victim]>>1) {
			victim = i
		}
	}
	if victim < 0 {
		return
	}
	old := words[victim] >> 1
	words[victim] = claimant<<1 | 1
	s.hot[claimant].refs++
	s.unref(old)
}
