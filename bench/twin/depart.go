package twin

import (
	"slices"

	"fetchproof/impl/scheduler"
)

// Depart takes a departed peer out of every entry and every key's untried sources, and appends the keys that left or
// returned to pending in key order (section 13).
func (s *Scheduler) Depart(now Time, name Peer, dst []scheduler.Event) []scheduler.Event {
	s.begin(now)
	p := s.peers[name]
	if p == nil {
		return dst
	}
	from := len(dst)
	for _, r := range s.pending {
		if !loseHint(r.entry, p) {
			dst = append(dst, s.dropPending(r, scheduler.ReasonOrphaned))
		}
	}
	for _, r := range s.active {
		if r.entry != nil && !loseHint(r.entry, p) {
			s.discardRetry(r)
		}
		if s.loseSource(r, p) {
			dst = append(dst, s.orphan(r))
		}
	}
	sortEvents(dst[from:])
	return dst
}

// loseHint takes a peer out of an entry and reports whether any hint source is left (DEP-1). An owner that leaves
// hands its charge to the smallest that remains.
func loseHint(e *entry, p *peer) bool {
	i, ok := e.find(p)
	if !ok {
		return true
	}
	if len(e.hints) == 1 {
		return false
	}
	e.hints = slices.Delete(e.hints, i, i+1)
	if e.owner == p {
		p.charge--
		e.owner = e.hints[0].peer
		e.owner.charge++
	}
	return true
}

// loseSource takes a peer out of a key's untried sources and reports whether that left a queued key without one
// (DEP-2 to DEP-4).
func (s *Scheduler) loseSource(r *record, p *peer) bool {
	i := slices.Index(r.untried, p)
	if i < 0 {
		return false
	}
	if r.stage == stageParked {
		s.unindex(p, r)
	}
	r.untried = slices.Delete(r.untried, i, i+1)
	return len(r.untried) == 0 && r.stage != stageInFlight
}

// orphan moves a queued key that has no untried source left (DEP-3).
func (s *Scheduler) orphan(r *record) scheduler.Event {
	s.unqueue(r)
	if r.entry != nil {
		return s.giveUp(r)
	}
	return s.leave(r, scheduler.ReasonOrphaned)
}
