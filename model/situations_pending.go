package model

import (
	"slices"

	"fetchproof/ops"
)

// Situations of section 11: pending, reservations, capacity.
const (
	pnd1EnqueuePending SituationID = endBusy + iota
	pnd1EnqueueQueued
	pnd1EnqueueFlight
	pnd2LeastCharged
	pnd2Tie
	pnd3Full
	pnd3Reservations
	pnd4NotPending
	pnd4NoSource
	pnd4QueueFull
	pnd4Capped
	pnd4ForeignSource
	pnd5PresentFirst
	pnd5NoSourceFirst
	pnd5QueueFull
	pnd6Restart
	pnd6EndsDone
	pnd7Full
	pnd8OwnerStays
	pnd9RemoveElsewhere
	pnd9ExactAge
	pnd9Returned
	pnd9NegativeAge
	pnd10Limited
	pnd10Exact
	pnd10MergeMovesNoTime
	endPending
)

var pendingSituations = []Situation{
	{pnd1EnqueuePending, "PND-1", "a pending key is enqueued: it is present"},
	{pnd1EnqueueQueued, "PND-1", "a queued key is enqueued: it is present"},
	{pnd1EnqueueFlight, "PND-1", "a key in flight is enqueued: it is present"},
	{pnd2LeastCharged, "PND-2", "a new entry is charged to another than its smallest hint source, which is charged with more"},
	{pnd2Tie, "PND-2", "two hint sources of a new entry are charged alike"},
	{pnd3Full, "PND-3", "a new key is rejected, the pending keys alone being as many as can be"},
	{pnd3Reservations, "PND-3", "a new key is rejected because of reservations"},
	{pnd4NotPending, "PND-4", "a key that is queued or in flight is promoted"},
	{pnd4NoSource, "PND-4", "a pending key is promoted without a source and stays"},
	{pnd4QueueFull, "PND-4", "a pending key is promoted into the full queue and stays"},
	{pnd4Capped, "PND-4", "more sources than the cap come with a key"},
	{pnd4ForeignSource, "PND-4", "a key is promoted with a source that is no hint source of it"},
	{pnd5PresentFirst, "PND-5", "a key in some stage is enqueued without a source: it is present"},
	{pnd5NoSourceFirst, "PND-5", "a key is enqueued without a source into the full queue: it has no source"},
	{pnd5QueueFull, "PND-5", "a key is enqueued into the full queue"},
	{pnd6Restart, "PND-6", "a key keeps its reservation over the start at its next source"},
	{pnd6EndsDone, "PND-6", "a key with a reservation leaves stored or declined"},
	{pnd7Full, "PND-7", "a key returns to pending while pending keys and reservations are as many as can be"},
	{pnd8OwnerStays, "PND-8", "a new claimant finds no other paid-only advertiser than the owner, who stays"},
	{pnd9RemoveElsewhere, "PND-9", "a key that is queued or in flight is removed: it is not pending"},
	{pnd9ExactAge, "PND-9", "a key is evicted that is exactly as old as the limit"},
	{pnd9Returned, "PND-9", "a key that returned is evicted for its original age"},
	{pnd9NegativeAge, "PND-9", "a limit below 0 evicts a pending key"},
	{pnd10Limited, "PND-10", "more keys are ready than are asked for"},
	{pnd10Exact, "PND-10", "a key is ready at exactly the time asked for"},
	{pnd10MergeMovesNoTime, "PND-10", "an advertisement merges into a pending key that is not to be verified yet"},
}

func (s *Scheduler) noteRejected() {
	byPending := int64(len(s.pending)) >= s.cfg.MaxPending
	s.sawIf(byPending, pnd3Full)
	s.sawIf(!byPending, pnd3Reservations)
}

func (s *Scheduler) notePromoted(w *work) {
	s.sawIf(slices.ContainsFunc(w.untried, func(p ops.Peer) bool {
		_, hint := hintAt(w.retry.hints, p)
		return !hint
	}), pnd4ForeignSource)
}

// noteNotPending looks at a key that should be pending and is not.
func (s *Scheduler) noteNotPending(key ops.Key, id SituationID) { s.sawIf(s.inStage(key), id) }

// notePresent looks at the enqueueing of a key that is in some stage.
func (s *Scheduler) notePresent(op *ops.Op) {
	_, pending := s.pendingAt(op.Key)
	_, queued := s.queuedAt(op.Key)
	s.sawIf(pending, pnd1EnqueuePending)
	s.sawIf(queued, pnd1EnqueueQueued)
	s.sawIf(!pending && !queued, pnd1EnqueueFlight)
	s.sawIf(len(op.Sources) == 0, pnd5PresentFirst)
}

func (s *Scheduler) noteQueueFull() {
	s.sawIf(slices.ContainsFunc(s.queued, func(q queuedKey) bool { return q.parked }), prk3Counts)
}

// noteReturn looks at a key that is about to return to pending, taken out of queue and flight already.
func (s *Scheduler) noteReturn(w *work, now ops.Time) {
	s.sawIf(len(w.tried) > 0, out5TriedForgotten)
	s.sawIf(passesLargest(now, s.cfg.VerifyRetryDelay), det4NextVerify)
	s.sawIf(int64(len(s.pending))+s.reserved()+1 == s.cfg.MaxPending, pnd7Full)
}

func (s *Scheduler) noteEvicted(p *pendingKey, exactly bool) {
	s.sawIf(exactly, pnd9ExactAge)
	s.sawIf(p.entry.nextVerify > p.entry.created, pnd9Returned)
}

// noteHeldOpen looks at a key that is in some stage and holds a drain open.
func (s *Scheduler) noteHeldOpen(key ops.Key) {
	i, queued := s.queuedAt(key)
	_, flying := s.flightAt(key)
	s.sawIf(queued && s.queued[i].parked, boot1Parked)
	s.sawIf(flying, boot1Flight)
	s.sawIf(!queued && !flying, boot1Pending)
}
