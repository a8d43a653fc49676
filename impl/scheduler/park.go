package scheduler

// The index is the source lists: lists[p] names the keys filed under source p
// (filed.go). A key is filed under exactly its untried sources (PRK-1). When it
// starts or leaves, its entries stay behind, dead: they go when they come to the
// front, or when they are too many (thinned). A key with dead entries is filed
// anew by a fresh id (freshKey), so they stay dead.
//
// ready orders the sources that can start and have a filed key by front, each
// one's nearest entry. A dead front is nearer than the source's filed keys, so
// correcting the top until its front is filed finds the nearest (readyTop).

// isParked reports whether a queued key is parked (PRK-6): singly, or together
// with the whole backlog by a pass in which nothing could start.
func (s *Scheduler) isParked(k *keyRec) bool {
	return k.parked || k.since <= s.parkedThrough
}

// parkBacklog parks all heap keys together: the pass found that nothing can start
// (FIL-2, FIL-3). They stay in the backlog until a pass has to examine them.
func (s *Scheduler) parkBacklog() {
	if s.heapKeys == 0 {
		return
	}
	s.noteEpoch()
	s.parkedThrough = s.stamps
	s.counters.Parked += uint64(s.heapKeys)
	s.parkedKeys += s.heapKeys
	s.parkedAssoc += s.heapAssoc
	s.heapKeys, s.heapAssoc = 0, 0
}

// parkExamined files a key of the backlog that a pass found blocked, and parks it
// singly.
func (s *Scheduler) parkExamined(id uint32) {
	k := s.key(id)
	s.noteParked(k)
	k.filed = true
	for _, p := range s.untried(k) {
		s.file(id, p)
	}
	k.listRefs += k.untried
}

// noteParked parks a key of the backlog singly. One that was parked before keeps
// the time.
func (s *Scheduler) noteParked(k *keyRec) {
	if s.isParked(k) {
		k.since = uint64(s.parkedSince(k))
	} else {
		k.since = uint64(s.clock)
		s.counters.Parked++
		s.heapKeys--
		s.heapAssoc -= int(k.untried)
		s.parkedKeys++
		s.parkedAssoc += int(k.untried)
	}
	k.parked = true
}

// parkFailed parks a key whose source failed, singly, and files it (OUT-3). None
// of its untried sources can start.
func (s *Scheduler) parkFailed(id uint32) {
	id = s.freshKey(id)
	k := s.key(id)
	k.stage, k.parked, k.filed = stageQueued, true, true
	k.since = uint64(s.clock)
	s.counters.Parked++
	s.parkedKeys++
	s.parkedAssoc += int(k.untried)
	for _, p := range s.untried(k) {
		s.addLive(p)
		s.file(id, p)
	}
	k.listRefs += k.untried
}

// file adds a key to a source list; the caller counts the entry in listRefs.
func (s *Scheduler) file(id, p uint32) {
	l, hot := &s.lists[p], &s.hot[p]
	if l.outgrown() {
		l.moveTo(s.listRoom(max(firstListed, 2*len(l.ids), int(hot.live)/firstShare)))
	}
	s.listPushNext(l, id) // passes file the nearest first
	hot.filed++
	hot.entries++
	if hot.can {
		s.openAssoc--
		s.settleReady(p)
	}
}

// thinned follows up on a key that is not filed under p any more.
func (s *Scheduler) thinned(p uint32) {
	hot := &s.hot[p]
	full := hot.entries > 2*hot.filed+16
	if full {
		s.dropDead(p)
	}
	if full || hot.filed == 0 {
		s.settleReady(p)
	}
}

// readyOrder orders sources by their fronts.
type readyOrder struct{ s *Scheduler }

func (o readyOrder) before(a, b uint32) bool {
	return o.s.nearer(o.s.peers[a].front, o.s.peers[b].front)
}

func (o readyOrder) moved(p uint32, pos int32) {
	o.s.peers[p].readyPos, o.s.hot[p].ready = pos, pos >= 0
}

// settleReady puts p into ready, moves it to its place there, or takes it out.
func (s *Scheduler) settleReady(p uint32) {
	hot := &s.hot[p]
	switch in := hot.can && hot.filed > 0; {
	case in && !hot.ready:
		s.cleanFront(p)
		s.ready = heapPush(readyOrder{s}, s.ready, p)
	case in:
		s.cleanFront(p)
		heapFix(readyOrder{s}, s.ready, int(s.peers[p].readyPos))
	case hot.ready:
		s.ready = heapRemove(readyOrder{s}, s.ready, int(s.peers[p].readyPos))
	}
}

// readyTop returns the nearest filed key that can start, or none.
func (s *Scheduler) readyTop() uint32 {
	for len(s.ready) > 0 {
		p := s.ready[0]
		front := s.peers[p].front
		if s.key(front).filed {
			return front
		}
		s.cleanFront(p)
		heapDown(readyOrder{s}, s.ready, 0)
	}
	return none
}
