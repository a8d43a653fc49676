package twin

import (
	"bytes"
	"slices"
	"time"

	"fetchproof/impl/scheduler"
)

// Add takes an advertisement of a key: a new key becomes pending if there is room (PND-2, PND-3), a key in some
// stage is merged into (section 12).
func (s *Scheduler) Add(now Time, key Key, hints []scheduler.Hint) scheduler.AddResult {
	s.begin(now)
	if len(hints) == 0 {
		return scheduler.AddInvalid
	}
	s.listHints(hints)
	if r := s.active[key]; r != nil {
		s.mergeSources(r)
		if r.entry != nil {
			s.mergeEntry(r.entry)
		}
		return scheduler.AlreadyPresent
	}
	if r := s.pending[key]; r != nil {
		s.mergeEntry(r.entry)
		return scheduler.AlreadyPresent
	}
	if len(s.pending)+s.reserved >= s.cfg.MaxPending {
		return scheduler.CapacityRejected
	}
	e := &entry{created: s.clock, nextVerify: s.clock}
	s.mergeEntry(e)
	e.owner = e.hints[0].peer
	for _, h := range e.hints[1:] {
		if h.peer.charge < e.owner.charge {
			e.owner = h.peer
		}
	}
	e.owner.charge++
	s.pending[key] = &record{key: key, entry: e}
	return scheduler.Admitted
}

// AddBatch is Add of each advertisement in order, at one now, and appends the results to dst.
func (s *Scheduler) AddBatch(now Time, ads []scheduler.Advertisement, dst []scheduler.AddResult) []scheduler.AddResult {
	s.begin(now)
	for i := range ads {
		dst = append(dst, s.Add(now, ads[i].Key, ads[i].Hints))
	}
	return dst
}

// listHints sets s.hints to an advertisement in peer order, each peer once, a claimant if any mention says so (DET-4).
func (s *Scheduler) listHints(hints []scheduler.Hint) {
	s.hints = append(s.hints[:0], hints...)
	if len(hints) == 1 {
		return
	}
	slices.SortFunc(s.hints, func(a, b scheduler.Hint) int {
		if c := bytes.Compare(a.Peer[:], b.Peer[:]); c != 0 || a.Claimant == b.Claimant {
			return c
		}
		if a.Claimant {
			return -1
		}
		return 1
	})
	s.hints = slices.CompactFunc(s.hints, func(a, b scheduler.Hint) bool { return a.Peer == b.Peer })
}

// mergeEntry merges the listed hints into an entry (ADV-1).
func (s *Scheduler) mergeEntry(e *entry) {
	for _, h := range s.hints {
		if !h.Claimant {
			continue
		}
		if i, ok := e.find(s.peer(h.Peer)); ok {
			e.hints[i].claimant = true
		}
	}
	for _, h := range s.hints {
		if !h.Claimant {
			continue
		}
		p := s.peer(h.Peer)
		if _, ok := e.find(p); ok || !s.makePlace(e) {
			continue
		}
		i, _ := e.find(p)
		e.hints = slices.Insert(e.hints, i, hint{p, true})
	}
	for _, h := range s.hints {
		if h.Claimant || len(e.hints) >= s.cfg.MaxHintSources {
			continue
		}
		p := s.peer(h.Peer)
		if i, ok := e.find(p); !ok {
			e.hints = slices.Insert(e.hints, i, hint{p, false})
		}
	}
}

// makePlace sees to it that a claimant can enter, displacing a paid-only advertiser if it must and can.
func (s *Scheduler) makePlace(e *entry) bool {
	if len(e.hints) < s.cfg.MaxHintSources {
		return true
	}
	i := slices.IndexFunc(e.hints, func(h hint) bool { return !h.claimant && h.peer != e.owner })
	if i < 0 {
		return false
	}
	e.hints = slices.Delete(e.hints, i, i+1)
	return true
}

// mergeSources appends the listed claimants to the sources of a queued key or one in flight (ADV-2, PRK-4).
func (s *Scheduler) mergeSources(r *record) {
	for _, h := range s.hints {
		if !h.Claimant || len(r.untried)+len(r.tried) >= s.cfg.SourceCap {
			continue
		}
		p := s.peer(h.Peer)
		if r.associated(p) {
			continue
		}
		r.untried = append(r.untried, p)
		if r.stage == stageParked {
			s.index(p, r)
		}
	}
}

// Remove drops a pending key (PND-9). The event is meaningful with Removed.
func (s *Scheduler) Remove(now Time, key Key) (scheduler.Event, scheduler.RemoveResult) {
	s.begin(now)
	r := s.pending[key]
	if r == nil {
		return scheduler.Event{}, scheduler.RemoveNotPending
	}
	return s.dropPending(r, scheduler.ReasonRemoved), scheduler.Removed
}

// Evict drops the pending keys that are maxAge old or older, and appends what left in key order (PND-9).
func (s *Scheduler) Evict(now Time, maxAge time.Duration, dst []scheduler.Event) []scheduler.Event {
	s.begin(now)
	from := len(dst)
	for _, r := range s.pending {
		if s.clock-r.entry.created >= Time(maxAge) {
			dst = append(dst, s.dropPending(r, scheduler.ReasonEvicted))
		}
	}
	sortEvents(dst[from:])
	return dst
}

// dropPending ends a pending key's stay.
func (s *Scheduler) dropPending(r *record, reason scheduler.Reason) scheduler.Event {
	r.entry.owner.charge--
	delete(s.pending, r.key)
	return scheduler.Event{Kind: scheduler.EventLeft, Reason: reason, Key: r.key}
}

// Ready appends the pending keys whose verification is due at now, in key order, at most limit (PND-10).
func (s *Scheduler) Ready(now Time, limit int, dst []Key) []Key {
	now = max(now, s.clock)
	from := len(dst)
	for _, r := range s.pending {
		if r.entry.nextVerify <= now {
			dst = append(dst, r.key)
		}
	}
	slices.SortFunc(dst[from:], func(a, b Key) int { return bytes.Compare(a[:], b[:]) })
	return dst[:from+min(len(dst)-from, max(limit, 0))]
}

func sortEvents(events []scheduler.Event) {
	slices.SortFunc(events, func(a, b scheduler.Event) int { return bytes.Compare(a.Key[:], b.Key[:]) })
}
