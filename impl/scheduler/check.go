package scheduler

import "fmt"

// SelfCheck recounts all bookkeeping from the records and returns the first
// difference, or nil. It looks at everything and is for tests.
func (s *Scheduler) SelfCheck() error {
	for _, check := range []func() error{
		s.checkNames, s.checkFree, s.checkKeys, s.checkQueue, s.checkLists, s.checkPeers, s.checkHeaps, s.checkBounds,
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
	for id, k := range s.allKeys() {
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
			if name := &s.detail(id).name; s.findKey(name, s.names.Of(name[:])) != id {
				return fmt.Errorf("key id %d is not found", id)
			}
		}
	}
	if keys != s.keyIDs.n || free != len(s.freeKeys) {
		return fmt.Errorf("%d keys and %d free, but %d in the table and %d in the free list (%d gone)",
			keys, free, s.keyIDs.n, len(s.freeKeys), gone)
	}
	peers := 0
	for id := range s.peers {
		if s.hot[id].refs == 0 {
			continue
		}
		peers++
		if got := s.findPeer(&s.peers[id].name, s.names.Of(s.peers[id].name[:])); got != uint32(id) {
			return fmt.Errorf("peer id %d is found as %d", id, got)
		}
	}
	if peers != s.peerIDs.n || len(s.peers)-peers != len(s.freePeers) {
		return fmt.Errorf("%d peers of %d, but %d in the table and %d free", peers, len(s.peers), s.peerIDs.n, len(s.freePeers))
	}
	return nil
}

// checkFree: no record has an id that is given to the next one, and none is given
// twice.
func (s *Scheduler) checkFree() error {
	given := make(map[uint32]bool, len(s.freeKeys))
	for _, id := range s.freeKeys {
		if s.key(id).stage != stageFree || given[id] {
			return fmt.Errorf("key id %d is in the free list, and in use or there twice", id)
		}
		given[id] = true
	}
	clear(given)
	for _, id := range s.freePeers {
		if s.hot[id].refs != 0 || given[id] {
			return fmt.Errorf("peer id %d is in the free list, and in use or there twice", id)
		}
		given[id] = true
	}
	return nil
}

// checkKeys: each key has what its stage needs, and each flight its key.
func (s *Scheduler) checkKeys() error {
	flights, pending, entries, reserved := 0, 0, 0, 0
	for id, k := range s.allKeys() {
		m := s.detail(id)
		switch k.stage {
		case stageFree, stageGone:
			if k.sources.words != 0 || k.hasEntry || k.filed {
				return fmt.Errorf("key id %d has left and keeps something", id)
			}
		case stagePending:
			pending++
			if !k.hasEntry || k.untried+k.tried != 0 || !s.standsPending(id) || k.listRefs != 0 {
				return fmt.Errorf("pending key id %d is not in order", id)
			}
		case stageQueued:
			if k.untried < 1 {
				return fmt.Errorf("queued key id %d has no untried source", id)
			}
		case stageInFlight:
			flights++
			if f := s.flights[m.pos]; f.key != id || s.attempts.find(f.place) != m.pos {
				return fmt.Errorf("key id %d flies in %d, which is another's", id, m.pos)
			}
		}
		if k.hasEntry && k.stage != stagePending {
			reserved++
		}
		if int(k.untried+k.tried) > s.cfg.SourceCap {
			return fmt.Errorf("key id %d has too many sources", id)
		}
		if k.hasEntry {
			entries++
			if e := s.entry(id); int(e.hintCount) > s.cfg.MaxHintSources || !s.hasHint(e, e.owner) {
				return fmt.Errorf("key id %d has too many hints, or an owner that is none (ADV-1, PND-8)", id)
			}
		}
	}
	if flights != s.attempts.n || pending != s.pendingCount() || reserved != s.reserved {
		return fmt.Errorf("%d flights, %d pending, %d reserved, but counted %d, %d, %d",
			flights, pending, reserved, s.attempts.n, s.pendingCount(), s.reserved)
	}
	for _, page := range s.entries {
		entries -= len(page)
	}
	if entries+len(s.freeEntries) != 0 {
		return fmt.Errorf("%d entries neither belong to a key nor are free", -entries-len(s.freeEntries))
	}
	return nil
}

// standsPending reports whether a pending key is in the heap that it belongs in.
func (s *Scheduler) standsPending(id uint32) bool {
	heap, m := s.waiting, s.detail(id)
	if s.entry(id).nextVerify <= s.clock {
		heap = s.due
		if s.prefix(id) != prefixOf((*[32]byte)(&m.name)) {
			return false
		}
	}
	return int(m.pos) < len(heap) && heap[m.pos] == id
}

func (s *Scheduler) hasHint(e *entryRec, p uint32) bool {
	for _, w := range s.hintWords(e) {
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
	for id, k := range s.allKeys() {
		if k.stage != stageQueued {
			continue
		}
		if s.prefix(id) != prefixOf((*[32]byte)(&s.detail(id).distance)) {
			return fmt.Errorf("key id %d has another's prefix", id)
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
	seen := map[uint32]bool{}
	for _, id := range s.backlog.all() {
		if seen[id] || !s.key(id).waits() {
			return fmt.Errorf("key id %d does not belong in the backlog", id)
		}
		seen[id] = true
	}
	if len(seen) != waiting {
		return fmt.Errorf("%d keys in the backlog, not %d", len(seen), waiting)
	}
	if at := s.listDisorder(&s.backlog); at >= 0 {
		return fmt.Errorf("the backlog is out of order at %d", at)
	}
	return nil
}

// checkLists: each filed key is in the list of each of its untried sources once,
// every source list is in order, and listRefs is right.
func (s *Scheduler) checkLists() error {
	type pair struct{ p, id uint32 }
	want := map[pair]bool{}
	refs := make([]int32, s.idCount())
	for id, k := range s.allKeys() {
		if k.filed {
			for _, p := range s.untried(k) {
				want[pair{p, id}] = true
			}
		}
	}
	for p := range s.lists {
		alive, entries := int32(0), int32(0)
		l := &s.lists[p]
		if at := s.listDisorder(l); at >= 0 {
			return fmt.Errorf("the list of peer id %d is out of order at %d", p, at)
		}
		for _, id := range l.all() {
			entries++
			refs[id]++
			if !s.key(id).filed {
				continue
			}
			alive++
			if !want[pair{uint32(p), id}] {
				return fmt.Errorf("key id %d is filed under peer id %d without reason, or twice", id, p)
			}
			delete(want, pair{uint32(p), id})
		}
		if hot := &s.hot[p]; alive != hot.filed || entries != hot.entries {
			return fmt.Errorf("peer id %d has %d filed keys in %d entries, counted %d in %d", p, alive, entries, hot.filed, hot.entries)
		}
	}
	if len(want) > 0 {
		return fmt.Errorf("%d index entries are missing (PRK-1)", len(want))
	}
	for id := range refs {
		if k := s.key(uint32(id)); refs[id] != k.listRefs {
			return fmt.Errorf("%d list entries name key id %d, counted %d", refs[id], id, k.listRefs)
		}
	}
	return nil
}

// listDisorder returns where a list is not as it should be, or -1.
func (s *Scheduler) listDisorder(l *list) int {
	for i := l.head; i < int32(len(l.ids)); i++ {
		switch id := l.ids[i]; {
		case s.prefix(id) < l.limit != (i < l.near),
			i > l.head && i < l.run && s.nearer(id, l.ids[i-1]),
			i > l.run && i < l.near && s.nearer(id, l.ids[l.run+(i-l.run-1)/2]):
			return int(i)
		}
	}
	return -1
}
