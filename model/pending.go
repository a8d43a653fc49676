package model

import (
	"slices"

	"fetchproof/ops"
)

// reserved is how many reservations there are: one for each retry entry (PND-6).
func (s *Scheduler) reserved() int64 {
	n := int64(0)
	for i := range s.queued {
		if s.queued[i].hasRetry {
			n++
		}
	}
	for i := range s.flights {
		if s.flights[i].hasRetry {
			n++
		}
	}
	return n
}

// charge is how many pending keys and reservations owner is charged with (PND-2).
func (s *Scheduler) charge(owner ops.Peer) int {
	n := 0
	s.eachCharge(func(o ops.Peer) {
		if o == owner {
			n++
		}
	})
	return n
}

// eachCharge names the owner of every pending key and of every reservation, as often as it is charged (PND-7).
func (s *Scheduler) eachCharge(do func(owner ops.Peer)) {
	for i := range s.pending {
		do(s.pending[i].entry.owner)
	}
	for i := range s.queued {
		if s.queued[i].hasRetry {
			do(s.queued[i].retry.owner)
		}
	}
	for i := range s.flights {
		if s.flights[i].hasRetry {
			do(s.flights[i].retry.owner)
		}
	}
}

// add is an advertisement of a key by its hint sources: of a new one (PND-2, PND-3), or of one that is in a stage (ADV-4).
func (s *Scheduler) add(key ops.Key, hints []ops.Hint, now ops.Time, res *ops.Result) {
	if len(hints) == 0 {
		s.noteNoHint(key)
		invalid(res, "no hint source")
		return
	}
	ad := s.distinctHints(hints)
	if s.advertise(key, ad, now) {
		res.Code = ops.AlreadyPresent
		return
	}
	if int64(len(s.pending))+s.reserved() >= s.cfg.MaxPending {
		s.noteRejected()
		res.Code = ops.CapacityRejected
		return
	}
	e := entry{created: now, nextVerify: now}
	s.merge(&e, ad)
	e.owner = s.leastCharged(e.hints)
	s.addPending(pendingKey{key: key, entry: e})
	res.Code = ops.Admitted
}

// leastCharged is the owner of a new entry: the least-charged of its hint sources, the smallest peer among equals (PND-2).
func (s *Scheduler) leastCharged(hints []ops.Hint) ops.Peer {
	owner, least := hints[0].Peer, s.charge(hints[0].Peer)
	for _, h := range hints[1:] {
		if c := s.charge(h.Peer); c < least {
			s.saw(pnd2LeastCharged)
			owner, least = h.Peer, c
		} else if c == least {
			s.saw(pnd2Tie)
		}
	}
	return owner
}

// promote is PND-4.
func (s *Scheduler) promote(op *ops.Op, res *ops.Result) {
	i, ok := s.pendingAt(op.Key)
	switch {
	case !ok:
		s.noteNotPending(op.Key, pnd4NotPending)
		res.Code = ops.NotPending
	case len(op.Sources) == 0:
		s.saw(pnd4NoSource)
		res.Code = ops.NoSource
	case s.queueFull():
		s.saw(pnd4QueueFull)
		s.noteQueueFull()
		res.Code = ops.QueueFull
	default:
		w := work{key: op.Key, distance: op.Distance, untried: s.distinct(op.Sources, s.cfg.SourceCap)}
		w.hasRetry, w.retry = true, s.pending[i].entry
		w.retry.nextVerify = 0
		s.notePromoted(&w)
		s.pending = slices.Delete(s.pending, i, i+1)
		s.addQueued(queuedKey{work: w})
		res.Code = ops.Queued
	}
}

// enqueue is PND-5.
func (s *Scheduler) enqueue(op *ops.Op, res *ops.Result) {
	switch {
	case s.inStage(op.Key):
		s.notePresent(op)
		res.Code = ops.Present
	case len(op.Sources) == 0:
		s.sawIf(s.queueFull(), pnd5NoSourceFirst)
		res.Code = ops.NoSource
	case s.queueFull():
		s.saw(pnd5QueueFull)
		s.noteQueueFull()
		res.Code = ops.QueueFull
	default:
		w := work{key: op.Key, distance: op.Distance, untried: s.distinct(op.Sources, s.cfg.SourceCap)}
		s.addQueued(queuedKey{work: w})
		res.Code = ops.Queued
	}
}

// queueFull reports whether MaxQueued keys are queued, the parked ones among them (PRK-3).
func (s *Scheduler) queueFull() bool { return int64(len(s.queued)) >= s.cfg.MaxQueued }

// inStage reports whether the key is pending, in the heap, parked or in flight; it is in at most one (PND-1).
func (s *Scheduler) inStage(key ops.Key) bool {
	_, pending := s.pendingAt(key)
	_, queued := s.queuedAt(key)
	_, flying := s.flightAt(key)
	return pending || queued || flying
}

// remove is PND-9: it drops a pending key.
func (s *Scheduler) remove(key ops.Key, res *ops.Result) {
	i, ok := s.pendingAt(key)
	if !ok {
		s.noteNotPending(key, pnd9RemoveElsewhere)
		res.Code = ops.NotPending
		return
	}
	s.pending = slices.Delete(s.pending, i, i+1)
	res.Code = ops.OK
	s.left(key, ops.LeftRemoved, res)
}

// evict is PND-9: it drops the pending keys that are maxAge old or older, in key order. A maxAge below 0 counts as 0.
func (s *Scheduler) evict(maxAge ops.Duration, now ops.Time, res *ops.Result) {
	s.sawIf(maxAge < 0 && len(s.pending) > 0, pnd9NegativeAge)
	maxAge = max(maxAge, 0)
	s.pending = slices.DeleteFunc(s.pending, func(p pendingKey) bool {
		age := since(p.entry.created, now)
		if age < maxAge {
			return false
		}
		s.noteEvicted(&p, age == maxAge && maxAge > 0)
		s.left(p.key, ops.LeftEvicted, res)
		return true
	})
}

// ready is PND-10, as a query (DET-3): the pending keys with nextVerifyAt <= now, in key order, at most limit.
func (s *Scheduler) ready(now ops.Time, limit int64, res *ops.Result) {
	asked := now
	now = s.asOf(now)
	for i := range s.pending {
		p := &s.pending[i]
		if p.entry.nextVerify > now {
			continue
		}
		if int64(len(res.Keys)) >= limit {
			s.saw(pnd10Limited)
			return
		}
		s.noteReady(p, asked, now)
		res.Keys = append(res.Keys, p.key)
	}
}

// drained is BOOT-1: no key of the set is in any stage.
func (s *Scheduler) drained(keys []ops.Key, res *ops.Result) {
	res.Drained = true
	for _, k := range keys {
		if s.inStage(k) {
			s.noteHeldOpen(k)
			res.Drained = false
		}
	}
	s.sawIf(res.Drained && len(keys) > 0, boot1Drained)
}
