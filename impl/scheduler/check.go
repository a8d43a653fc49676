package scheduler

import "fmt"

// SelfCheck recounts all bookkeeping from the records and returns the first
// difference, or nil. It looks at everything and is for tests.
func (s *Scheduler) SelfCheck() error {
	for _, check := range []func() error{
		s.checkNames, s.checkKeys, s.checkQueue, s.checkLists, s.checkPeers, s.checkHeaps, s.checkBounds,
	} {
		if err := check(); err != nil {
			return fmt.Errorf("scheduler: self-check: %w", err)
		}
	}
	return nil
}

// checkNames: every record that lives is found by its name, and nothing else is
// in the tables.
func (s *Scheduler) checkNames() error {
	keys, gone, free := 0, 0, 0
	for id := range s.keys {
		k, m := &s.keys[id], s.detail(uint32(id))
		switch k.stage {
		case stageFree:
			free++
		case stageGone:
			gone++
			if k.listRefs == 0 {
				return fmt.Errorf("key id %d waits for no list entry", id)
			}
		default:
			keys++
			if got := s.findKey(&m.name, hash(m.name[:])); got != uint32(id) {
				return fmt.Errorf("key id %d is found as %d", id, got)
			}
		}
	}
	if keys != s.keyIDs.n || free != len(s.freeKeys) {
		return fmt.Errorf("%d keys and %d free, but %d in the table and %d in the free list (%d gone)",
			keys, free, s.keyIDs.n, len(s.freeKeys), gone)
	}
	peers := 0
	for id := range s.peers {
		if s.peers[id].refs == 0 {
			continue
		}
		peers++
		if got := s.findPeer(&s.peers[id].name, hash(s.peers[id].name[:])); got != uint32(id) {
			return fmt.Errorf("peer id %d is found as %d", id, got)
		}
	}
	if peers != s.peerIDs.n || len(s.peers)-peers != len(s.freePeers) {
		return fmt.Errorf("%d peers of %d, but %d in the table and %d free", peers, len(s.peers), s.peerIDs.n, len(s.freePeers))
	}
	return nil
}

// checkKeys: each key has what its stage needs, and each flight its key.
func (s *Scheduler) checkKeys() error {
	flights, pending, reserved := 0, 0, 0
	for id := range s.keys {
		k, m := &s.keys[id], s.detail(uint32(id))
		switch k.stage {
		case stageFree, stageGone:
			if k.sources.words != 0 || m.hints.words != 0 || k.filed {
				return fmt.Errorf("key id %d has left and keeps something", id)
			}
			continue
		case stagePending:
			pending++
			if !k.hasEntry || k.untried+k.tried != 0 || s.pending[m.pendPos] != uint32(id) || k.listRefs != 0 {
				return fmt.Errorf("pending key id %d is not in order", id)
			}
		case stageQueued:
			if k.untried < 1 {
				return fmt.Errorf("queued key id %d has no untried source", id)
			}
		case stageInFlight:
			flights++
			if f := s.flights[m.flight]; f.key != uint32(id) || s.attempts.find(f.place) != m.flight {
				return fmt.Errorf("key id %d flies in %d, which is another's", id, m.flight)
			}
		}
		if k.hasEntry && k.stage != stagePending {
			reserved++
		}
		if int(k.untried+k.tried) > s.cfg.SourceCap || int(m.hintCount) > s.cfg.MaxHintSources {
			return fmt.Errorf("key id %d has too many sources or hints", id)
		}
		if k.hasEntry && (m.hintCount == 0 || !s.hasHint(m, m.owner)) {
			return fmt.Errorf("key id %d has an owner that is no hint source (PND-8)", id)
		}
	}
	if flights != s.attempts.n || pending != len(s.pending) || reserved != s.reserved {
		return fmt.Errorf("%d flights, %d pending, %d reserved, but counted %d, %d, %d",
			flights, pending, reserved, s.attempts.n, len(s.pending), s.reserved)
	}
	return nil
}

func (s *Scheduler) hasHint(m *keyDetail, p uint32) bool {
	for _, w := range s.blocks.words(m.hints)[:m.hintCount] {
		if w>>1 == p {
			return true
		}
	}
	return false
}

// checkQueue: the backlog holds exactly the queued keys that are not filed, and
// the counts of parked and other keys and their sources are right.
func (s *Scheduler) checkQueue() error {
	var heap, parked, heapAssoc, parkedAssoc, waiting int
	for id := range s.keys {
		k := &s.keys[id]
		if k.stage != stageQueued {
			continue
		}
		if s.isParked(k) {
			parked++
			parkedAssoc += int(k.untried)
		} else {
			heap++
			heapAssoc += int(k.untried)
		}
		if !k.filed {
			waiting++
		} else if !k.parked {
			return fmt.Errorf("key id %d is filed and not parked", id)
		}
	}
	if heap != s.heapKeys || parked != s.parkedKeys || heapAssoc != s.heapAssoc || parkedAssoc != s.parkedAssoc {
		return fmt.Errorf("heap %d (%d), parked %d (%d), but counted %d (%d), %d (%d)", heap, heapAssoc, parked,
			parkedAssoc, s.heapKeys, s.heapAssoc, s.parkedKeys, s.parkedAssoc)
	}
	b := &s.backlog
	seen := map[uint32]bool{}
	for _, e := range append(append([]backlogEntry(nil), b.run[b.head:]...), b.heap...) {
		k := &s.keys[e.id]
		if seen[e.id] || k.stage != stageQueued || k.filed || e.prefix != s.prefix[e.id] {
			return fmt.Errorf("key id %d does not belong in the backlog", e.id)
		}
		seen[e.id] = true
	}
	if len(seen) != waiting {
		return fmt.Errorf("%d keys in the backlog, not %d", len(seen), waiting)
	}
	for i := b.head + 1; i < len(b.run); i++ {
		if s.before(b.run[i], b.run[i-1]) {
			return fmt.Errorf("the backlog's run is out of order at %d", i)
		}
	}
	for i := 1; i < len(b.heap); i++ {
		if s.before(b.heap[i], b.heap[(i-1)/2]) {
			return fmt.Errorf("the backlog's heap is out of order at %d", i)
		}
	}
	return nil
}

// checkLists: each filed key is in the list of each of its untried sources once,
// every list is a heap, and each id knows how many entries name it.
func (s *Scheduler) checkLists() error {
	type pair struct{ p, id uint32 }
	want := map[pair]bool{}
	refs := make([]int32, len(s.keys))
	for id := range s.keys {
		if k := &s.keys[id]; k.filed {
			for _, p := range s.blocks.words(k.sources)[:k.untried] {
				want[pair{p, uint32(id)}] = true
			}
		}
	}
	for p := range s.lists {
		alive := int32(0)
		l := &s.lists[p]
		if at := s.listDisorder(l); at >= 0 {
			return fmt.Errorf("the list of peer id %d is out of order at %d", p, at)
		}
		for _, id := range l.ids[l.head:] {
			refs[id]++
			if !s.keys[id].filed {
				continue
			}
			alive++
			if !want[pair{uint32(p), id}] {
				return fmt.Errorf("key id %d is filed under peer id %d without reason, or twice", id, p)
			}
			delete(want, pair{uint32(p), id})
		}
		if alive != s.hot[p].indexed {
			return fmt.Errorf("peer id %d has %d filed keys, counted %d", p, alive, s.hot[p].indexed)
		}
	}
	if len(want) > 0 {
		return fmt.Errorf("%d index entries are missing (PRK-1)", len(want))
	}
	for id := range refs {
		if refs[id] != s.keys[id].listRefs {
			return fmt.Errorf("%d list entries name key id %d, counted %d", refs[id], id, s.keys[id].listRefs)
		}
	}
	return nil
}

// listDisorder returns where the run or the heap of a list is none, or -1.
func (s *Scheduler) listDisorder(l *list) int {
	for i := l.head + 1; i < l.sorted; i++ {
		if s.nearer(l.ids[i], l.ids[i-1]) {
			return int(i)
		}
	}
	for i := int32(1); i < l.heaped-l.sorted; i++ {
		if s.nearer(l.ids[l.sorted+i], l.ids[l.sorted+(i-1)/2]) {
			return int(l.sorted + i)
		}
	}
	return -1
}
