package scheduler

import "fmt"

// checkPeers: what each peer counts, recounted.
func (s *Scheduler) checkPeers() error {
	refs := make([]int32, len(s.peers))
	charge := make([]int32, len(s.peers))
	live := make([]int32, len(s.peers))
	flying := make([]int32, len(s.peers))
	for id, k := range s.allKeys() {
		for i, p := range s.blocks.words(k.sources)[:k.untried+k.tried] {
			refs[p]++
			if k.stage == stageQueued && i < int(k.untried) {
				live[p]++
			}
		}
		if k.hasEntry {
			e := s.entry(id)
			charge[e.owner]++
			for _, w := range s.hintWords(e) {
				refs[w>>1]++
			}
		}
		if k.stage == stageInFlight {
			flying[s.flights[s.detail(id).pos].source]++
		}
	}
	var startable, open, tracked, atLimit int
	for p := range s.peers {
		rec, hot := &s.peers[p], &s.hot[p]
		if rec.tracked {
			refs[p]++
			tracked++
		}
		if rec.busyPos >= 0 {
			refs[p]++
		}
		full := int(flying[p]) >= s.cfg.Share
		if full {
			atLimit++
		}
		if refs[p] != hot.refs {
			return fmt.Errorf("peer id %d has %d references, counted %d", p, refs[p], hot.refs)
		}
		if hot.refs == 0 && hot.entries != 0 {
			return fmt.Errorf("peer id %d is free and keeps a list", p)
		}
		if charge[p] != rec.charge || live[p] != hot.live || flying[p] != hot.inFlight {
			return fmt.Errorf("peer id %d: charge %d, live %d, in flight %d, counted %d, %d, %d", p,
				charge[p], live[p], flying[p], rec.charge, hot.live, hot.inFlight)
		}
		if can := !full || s.silent(uint32(p)); can != hot.can {
			return fmt.Errorf("peer id %d can start: %v, noted %v", p, can, hot.can)
		}
		if hot.can && live[p] > 0 {
			startable++
			open += int(live[p] - hot.filed)
		}
		if err := s.checkMembership(uint32(p), full); err != nil {
			return err
		}
	}
	if open != s.openAssoc {
		return fmt.Errorf("%d open associations in the backlog, counted %d", open, s.openAssoc)
	}
	if startable != s.startable || tracked != s.tracked || atLimit != s.atLimit {
		return fmt.Errorf("%d startable, %d tracked, %d at the limit, counted %d, %d, %d",
			startable, tracked, atLimit, s.startable, s.tracked, s.atLimit)
	}
	return nil
}

// checkMembership: a peer is in exactly the sets that it belongs in.
func (s *Scheduler) checkMembership(p uint32, full bool) error {
	rec, hot := &s.peers[p], &s.hot[p]
	silent := s.cfg.Silence && rec.tracked && rec.lastUnanswered > rec.lastAnswer && s.clock < rec.markedUntil
	for _, set := range []struct {
		name    string
		members []uint32
		pos     int32
		want    bool
	}{
		{"marks", s.marks, rec.markPos, silent},
		{"idle", s.idle, rec.idlePos, rec.tracked && !silent && hot.inFlight == 0},
		{"fullUntracked", s.fullUntracked, rec.fullPos, full && !rec.tracked},
		{"ready", s.ready, rec.readyPos, hot.can && hot.filed > 0},
		{"busy", s.busy, rec.busyPos, rec.busyPos >= 0},
	} {
		if set.want != (set.pos >= 0) || set.want && set.members[set.pos] != p {
			return fmt.Errorf("peer id %d in %s: %v, position %d", p, set.name, set.want, set.pos)
		}
	}
	if hot.ready != (rec.readyPos >= 0) || hot.ready && !s.frontOf(p) {
		return fmt.Errorf("peer id %d is ordered by key id %d, not by its front", p, rec.front)
	}
	return nil
}

// checkHeaps: each heap is one, and no set has a member too many.
func (s *Scheduler) checkHeaps() error {
	if err := checkHeap("marks", markOrder{s}, s.marks); err != nil {
		return err
	}
	if err := checkHeap("busy", busyOrder{s}, s.busy); err != nil {
		return err
	}
	if err := checkHeap("ready", readyOrder{s}, s.ready); err != nil {
		return err
	}
	if err := checkHeap("due", dueOrder{s}, s.due); err != nil {
		return err
	}
	if err := checkHeap("waiting", waitOrder{s}, s.waiting); err != nil {
		return err
	}
	for _, set := range []struct {
		name    string
		members []uint32
		pos     func(rec *peerRec) int32
	}{
		{"marks", s.marks, func(rec *peerRec) int32 { return rec.markPos }},
		{"busy", s.busy, func(rec *peerRec) int32 { return rec.busyPos }},
		{"ready", s.ready, func(rec *peerRec) int32 { return rec.readyPos }},
		{"idle", s.idle, func(rec *peerRec) int32 { return rec.idlePos }},
		{"fullUntracked", s.fullUntracked, func(rec *peerRec) int32 { return rec.fullPos }},
	} {
		for i, p := range set.members {
			if pos := set.pos(&s.peers[p]); pos != int32(i) {
				return fmt.Errorf("peer id %d stands in %s at %d, noted %d", p, set.name, i, pos)
			}
		}
	}
	return nil
}

func checkHeap[O ordering](name string, o O, h []uint32) error {
	for i := 1; i < len(h); i++ {
		if o.before(h[i], h[(i-1)/2]) {
			return fmt.Errorf("the heap %s is out of order at %d", name, i)
		}
	}
	return nil
}

// checkBounds: the bounds of the rules hold.
func (s *Scheduler) checkBounds() error {
	switch {
	case s.attempts.n > s.cfg.Slots:
		return fmt.Errorf("%d in flight, %d slots", s.attempts.n, s.cfg.Slots)
	case s.queued() > s.cfg.MaxQueued:
		return fmt.Errorf("%d queued, bound %d", s.queued(), s.cfg.MaxQueued)
	case s.pendingCount()+s.reserved > s.cfg.MaxPending:
		return fmt.Errorf("%d pending and %d reserved, bound %d (PND-7)", s.pendingCount(), s.reserved, s.cfg.MaxPending)
	case s.tracked > s.cfg.ContactTable:
		return fmt.Errorf("%d tracked, bound %d", s.tracked, s.cfg.ContactTable)
	case len(s.busy) > s.cfg.BusyTable:
		return fmt.Errorf("%d busy, bound %d", len(s.busy), s.cfg.BusyTable)
	case s.overflowUntil != 0 && s.overflowUntil <= s.clock:
		return fmt.Errorf("the overflow window ended at %d", s.overflowUntil)
	}
	return nil
}

// frontOf reports whether a source is ordered by the nearest entry of its list.
func (s *Scheduler) frontOf(p uint32) bool {
	front := s.peers[p].front
	found := false
	for _, id := range s.lists[p].all() {
		if s.nearer(id, front) {
			return false
		}
		found = found || id == front
	}
	return found
}
