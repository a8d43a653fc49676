package model

import (
	"slices"

	"fetchproof/ops"
)

// depart is section 13: a peer is gone. Contact and busy tables are not touched (DEP-5). The keys that left or returned to
// pending are reported together, in key order (DEP-6).
func (s *Scheduler) depart(peer ops.Peer, now ops.Time, res *ops.Result) {
	s.noteDeparture(peer, now)
	s.departPending(peer, res)
	s.departQueued(peer, now, res)
	s.departFlights(peer)
	slices.SortFunc(res.Events, func(a, b ops.Event) int { return a.Key.Compare(b.Key) })
	s.sawIf(len(res.Events) > 1, dep6Several)
}

// departPending is DEP-1.
func (s *Scheduler) departPending(peer ops.Peer, res *ops.Result) {
	for i := range s.pending {
		s.departEntry(&s.pending[i].entry, peer)
	}
	s.pending = slices.DeleteFunc(s.pending, func(p pendingKey) bool {
		if len(p.entry.hints) > 0 {
			return false
		}
		s.saw(dep1Orphaned)
		s.left(p.key, ops.LeftOrphaned, res)
		return true
	})
}

// departEntry takes peer out of an entry's hint sources; if peer was the owner, the smallest that remains becomes it (DEP-1),
// so that the owner is always a hint source (PND-8).
func (s *Scheduler) departEntry(e *entry, peer ops.Peer) {
	i, known := hintAt(e.hints, peer)
	if !known {
		return
	}
	e.hints = slices.Delete(e.hints, i, i+1)
	if len(e.hints) == 0 {
		return
	}
	s.sawIf(e.owner != peer, dep1Leaves)
	if e.owner == peer {
		s.saw(dep1OwnerLeft)
		e.owner = e.hints[0].Peer
	}
}

// departQueued is DEP-2 and DEP-3.
func (s *Scheduler) departQueued(peer ops.Peer, now ops.Time, res *ops.Result) {
	for i := range s.queued {
		q := &s.queued[i]
		s.noteDepartedQueued(q, peer)
		s.departWork(&q.work, peer)
	}
	s.queued = slices.DeleteFunc(s.queued, func(q queuedKey) bool {
		if len(q.untried) > 0 {
			return false
		}
		s.noteNoSourceLeft(&q)
		s.returnOrLeave(q.work, ops.LeftOrphaned, now, res)
		return true
	})
}

// departFlights is DEP-4: the peer is no future source any more, and an attempt that runs at it goes on.
func (s *Scheduler) departFlights(peer ops.Peer) {
	for i := range s.flights {
		f := &s.flights[i]
		s.sawIf(f.source == peer, dep4GoesOn)
		s.sawIf(slices.Contains(f.untried, peer), dep4Future)
		s.departWork(&f.work, peer)
	}
}

// departWork takes peer out of a key's untried sources and of its retry entry. An entry without hint sources is discarded,
// and its reservation ends (DEP-2). A tried source stays tried.
func (s *Scheduler) departWork(w *work, peer ops.Peer) {
	w.untried = without(w.untried, peer)
	if !w.hasRetry {
		return
	}
	s.departEntry(&w.retry, peer)
	if len(w.retry.hints) == 0 {
		s.saw(dep2Discarded)
		w.hasRetry, w.retry = false, entry{}
	}
}
