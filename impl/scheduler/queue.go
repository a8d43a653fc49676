package scheduler

// Promote moves a pending key to the heap with its verified sources, in
// preference order (PND-4). Its entry becomes its retry entry and its pending
// slot a reservation of the same owner.
func (s *Scheduler) Promote(now Time, key Key, distance Distance, sources []Peer) EnqueueResult {
	s.advance(now)
	id := s.findKey(&key, s.names.Of(key[:]))
	switch {
	case id == none || s.key(id).stage != stagePending:
		return NotPending
	case len(sources) == 0:
		return NoSource
	case s.queued() >= s.cfg.MaxQueued:
		return QueueFull
	}
	s.leavePending(id)
	s.reserved++
	s.queue(id, &distance, sources)
	return Queued
}

// Enqueue puts a key that is in no stage straight into the heap, with no retry
// entry and no reservation (PND-5).
func (s *Scheduler) Enqueue(now Time, key Key, distance Distance, sources []Peer) EnqueueResult {
	s.advance(now)
	h := s.names.Of(key[:])
	switch {
	case s.findKey(&key, h) != none:
		return Present
	case len(sources) == 0:
		return NoSource
	case s.queued() >= s.cfg.MaxQueued:
		return QueueFull
	}
	s.queue(s.newKey(&key, h), &distance, sources)
	return Queued
}

// queued is the number of keys that count in MaxQueued (PRK-3).
func (s *Scheduler) queued() int { return s.heapKeys + s.parkedKeys }

// queue makes a key a heap key, in the backlog.
func (s *Scheduler) queue(id uint32, distance *Distance, sources []Peer) {
	s.listSources(sources)
	s.setDistance(id, distance)
	k := s.key(id)
	k.sources = s.blocks.alloc(len(s.listed))
	copy(s.blocks.words(k.sources), s.listed)
	k.untried = int32(len(s.listed)) // none is tried, and it is not filed: a key out of the queue has no sources
	k.stage, k.parked = stageQueued, false
	s.stamps++
	k.since = s.stamps
	s.heapKeys++
	s.heapAssoc += len(s.listed)
	for _, p := range s.listed {
		s.addLive(p)
	}
	s.listPush(&s.backlog, id)
}

// untried returns a key's untried sources, in preference order.
func (s *Scheduler) untried(k *keyRec) []uint32 { return s.blocks.words(k.sources)[:k.untried] }

// listSources reads sources into s.listed: each once, at most SourceCap, the
// first ones (PND-4). Each is referenced.
func (s *Scheduler) listSources(sources []Peer) {
	s.listing++
	s.listed = s.listed[:0]
	for i := range sources {
		if len(s.listed) == s.cfg.SourceCap {
			return
		}
		p := s.internPeer(&sources[i])
		if rec := &s.peers[p]; rec.seen == s.listing {
			s.hot[p].refs--
		} else {
			rec.seen = s.listing
			s.listed = append(s.listed, p)
		}
	}
}

// dropSources forgets the sources of a key that is not queued any more.
func (s *Scheduler) dropSources(id uint32) {
	k := s.key(id)
	for _, p := range s.blocks.words(k.sources)[:k.untried+k.tried] {
		s.unref(p)
	}
	s.blocks.release(k.sources)
	k.sources, k.untried, k.tried = span{}, 0, 0
}

// addLive counts one more queued key that has p untried.
func (s *Scheduler) addLive(p uint32) {
	hot := &s.hot[p]
	hot.live++
	if hot.can {
		s.openAssoc++
		if hot.live == 1 {
			s.startable++
		}
	}
}

// dropLive counts one less. filed says whether the key was filed under p.
func (s *Scheduler) dropLive(p uint32, filed bool) {
	hot := &s.hot[p]
	hot.live--
	if hot.live == 0 && hot.can {
		s.startable--
	}
	if filed {
		hot.filed--
		s.thinned(p)
	} else if hot.can {
		s.openAssoc--
	}
}

// unqueue takes a key out of the heap or the parked set: it starts or leaves. The
// caller has taken it off the backlog, or filters the backlog afterwards.
func (s *Scheduler) unqueue(id uint32) {
	k := s.key(id)
	if s.isParked(k) {
		s.parkedKeys--
		s.parkedAssoc -= int(k.untried)
	} else {
		s.heapKeys--
		s.heapAssoc -= int(k.untried)
	}
	filed := k.filed
	k.filed, k.stage = false, stageInFlight
	for _, p := range s.untried(k) {
		s.dropLive(p, filed)
	}
}
