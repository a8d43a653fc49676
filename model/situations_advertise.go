package model

import (
	"slices"

	"fetchproof/ops"
)

// Situations of section 12: re-advertisement.
const (
	adv1Becomes SituationID = endPending + iota
	adv1StaysClaimant
	adv1ClaimantIn
	adv1Displaces
	adv1OwnerPassed
	adv1ClaimantOut
	adv1PaidOnlyIn
	adv1PaidOnlyOut
	adv1FirstBound
	adv2Heap
	adv2Flight
	adv2PaidOnly
	adv2AtCap
	adv2Tried
	adv2Untried
	adv2ThoughLeftOut
	adv3Merged
	adv3NoEntry
	adv4Pending
	adv4Queued
	adv4Flight
	endAdvertise
)

var advertiseSituations = []Situation{
	{adv1Becomes, "ADV-1", "a paid-only advertiser claims to hold the key now, and becomes a claimant in place"},
	{adv1StaysClaimant, "ADV-1", "a claimant advertises as paid-only, and stays a claimant"},
	{adv1ClaimantIn, "ADV-1", "a new claimant takes a free place of an entry"},
	{adv1Displaces, "ADV-1", "a new claimant displaces a paid-only advertiser"},
	{adv1OwnerPassed, "ADV-1", "a new claimant displaces another than the smallest paid-only advertiser, as that is the owner"},
	{adv1ClaimantOut, "ADV-1", "a new claimant is left out, as every hint source is a claimant"},
	{adv1PaidOnlyIn, "ADV-1", "a paid-only advertiser takes a free place"},
	{adv1PaidOnlyOut, "ADV-1", "a paid-only advertiser is left out of a full entry"},
	{adv1FirstBound, "ADV-1", "a first admission leaves a hint source out"},
	{adv2Heap, "ADV-2", "a claimant is appended to the sources of a key in the heap"},
	{adv2Flight, "ADV-2", "a claimant is appended to the sources of a key in flight"},
	{adv2PaidOnly, "ADV-2", "a paid-only advertiser of a queued key becomes no source"},
	{adv2AtCap, "ADV-2", "a claimant is left out of the sources, as the cap is reached"},
	{adv2Tried, "ADV-2", "a tried source claims the key again, and is not added"},
	{adv2Untried, "ADV-2", "an untried source claims the key again, and is not added twice"},
	{adv2ThoughLeftOut, "ADV-2", "a claimant becomes a source though the full retry entry leaves it out"},
	{adv3Merged, "ADV-3", "an advertisement merges into a retry entry"},
	{adv3NoEntry, "ADV-3", "an advertisement meets a key without a retry entry"},
	{adv4Pending, "ADV-4", "a pending key is advertised again"},
	{adv4Queued, "ADV-4", "a queued key is advertised again"},
	{adv4Flight, "ADV-4", "a key in flight is advertised again"},
}

func (s *Scheduler) noteAdvertisedPending(p *pendingKey, now ops.Time) {
	s.saw(adv4Pending)
	s.sawIf(p.entry.nextVerify > now, pnd10MergeMovesNoTime)
}

func (s *Scheduler) noteAdvertisedQueued(q *queuedKey, ad []ops.Hint, now ops.Time) {
	s.saw(adv4Queued)
	s.sawIf(!q.hasRetry, adv3NoEntry)
	for _, h := range ad {
		merges := s.merges(&q.work, h)
		s.sawIf(!h.Claimant && !q.associated(h.Peer), adv2PaidOnly)
		s.sawIf(merges && !q.parked, adv2Heap)
		s.sawIf(merges && q.parked, prk4Indexed)
		s.sawIf(merges && q.parked && s.canStart(h.Peer, now), prk2Merge)
	}
}

func (s *Scheduler) noteAdvertisedFlight(f *flight, ad []ops.Hint) {
	s.saw(adv4Flight)
	s.sawIf(!f.hasRetry, adv3NoEntry)
	for _, h := range ad {
		s.sawIf(s.merges(&f.work, h), adv2Flight)
	}
}

// merges reports whether h becomes a source of the key if no other hint is merged before it.
func (s *Scheduler) merges(w *work, h ops.Hint) bool {
	return h.Claimant && !w.associated(h.Peer) && int64(len(w.untried)+len(w.tried)) < s.cfg.SourceCap
}

// associated reports whether peer is a source of the key, tried or untried.
func (w *work) associated(peer ops.Peer) bool {
	return slices.Contains(w.untried, peer) || slices.Contains(w.tried, peer)
}

// noteMerged looks at a key and its retry entry after an advertisement was merged into both.
func (s *Scheduler) noteMerged(w *work, ad []ops.Hint) {
	s.saw(adv3Merged)
	for _, h := range ad {
		_, kept := hintAt(w.retry.hints, h.Peer)
		s.sawIf(h.Claimant && !kept && slices.Contains(w.untried, h.Peer), adv2ThoughLeftOut)
	}
}

func (s *Scheduler) noteKnownHint(known, h ops.Hint) {
	s.sawIf(!known.Claimant && h.Claimant, adv1Becomes)
	s.sawIf(known.Claimant && !h.Claimant, adv1StaysClaimant)
}

// noteDisplaced looks at a full entry that a new claimant wants to enter: in place of the out-th hint source, or of none if
// out is below 0.
func (s *Scheduler) noteDisplaced(e *entry, out int) {
	owner, owned := hintAt(e.hints, e.owner)
	ownerPaidOnly := owned && !e.hints[owner].Claimant
	s.sawIf(out >= 0, adv1Displaces)
	s.sawIf(out > owner && ownerPaidOnly, adv1OwnerPassed)
	s.sawIf(out < 0 && ownerPaidOnly, pnd8OwnerStays)
	s.sawIf(out < 0 && owned && !ownerPaidOnly, adv1ClaimantOut)
	s.sawIf(out < 0 && !owned, adv1FirstBound)
}

func (s *Scheduler) notePaidOnlyOut(e *entry) {
	_, owned := hintAt(e.hints, e.owner)
	s.sawIf(owned, adv1PaidOnlyOut)
	s.sawIf(!owned, adv1FirstBound)
}
