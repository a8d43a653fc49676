package model

import (
	"slices"

	"fetchproof/ops"
)

// Situations of sections 13 and 14: departure, bootstrap drain.
const (
	dep1Leaves SituationID = endAdvertise + iota
	dep1Orphaned
	dep1OwnerLeft
	dep2Heap
	dep2Parked
	dep2IndexEntryGone
	dep2Discarded
	dep2TriedStays
	dep3Returns
	dep3Orphaned
	dep4Future
	dep4GoesOn
	dep5Silent
	dep5Cooling
	dep6Several
	boot1Drained
	boot1Parked
	boot1Flight
	boot1Pending
	endDepart
)

var departSituations = []Situation{
	{dep1Leaves, "DEP-1", "a departed peer leaves an entry whose owner stays"},
	{dep1Orphaned, "DEP-1", "a departure leaves a pending entry without hint sources, and it is dropped"},
	{dep1OwnerLeft, "DEP-1", "the owner of an entry departs, and the smallest remaining hint source becomes the owner"},
	{dep2Heap, "DEP-2", "an untried source of a key in the heap departs"},
	{dep2Parked, "DEP-2", "an untried source of a parked key departs, and the key stays parked under others"},
	{dep2IndexEntryGone, "DEP-2", "the only source of a parked key departs, and the key leaves the index"},
	{dep2Discarded, "DEP-2", "the last hint source of a retry entry departs: entry and reservation end"},
	{dep2TriedStays, "DEP-2", "a tried source of a queued key departs, and stays tried"},
	{dep3Returns, "DEP-3", "a queued key without an untried source left returns to pending"},
	{dep3Orphaned, "DEP-3", "a queued key without an untried source left and without a retry entry is purged"},
	{dep4Future, "DEP-4", "a key in flight loses a departed peer as a future source"},
	{dep4GoesOn, "DEP-4", "the source of a running attempt departs, and the attempt goes on"},
	{dep5Silent, "DEP-5", "a silent source departs, and stays silent"},
	{dep5Cooling, "DEP-5", "a cooling source departs, and goes on cooling"},
	{dep6Several, "DEP-6", "a departure makes several keys leave or return"},
	{boot1Drained, "BOOT-1", "a set of keys is drained"},
	{boot1Parked, "BOOT-1", "a parked key holds a drain open"},
	{boot1Flight, "BOOT-1", "a key in flight holds a drain open"},
	{boot1Pending, "BOOT-1", "a pending key holds a drain open"},
}

// noteDeparture looks at the state before a departure.
func (s *Scheduler) noteDeparture(peer ops.Peer, now ops.Time) {
	if i, tracked := s.contactAt(peer); tracked {
		s.sawIf(s.contact[i].silent(now), dep5Silent)
	}
	s.sawIf(s.cooling(peer, now), dep5Cooling)
}

// noteDepartedQueued looks at a queued key before a departed peer is taken out of it.
func (s *Scheduler) noteDepartedQueued(q *queuedKey, peer ops.Peer) {
	isSource, only := slices.Contains(q.untried, peer), len(q.untried) == 1
	s.sawIf(isSource && !q.parked, dep2Heap)
	s.sawIf(isSource && q.parked && !only, dep2Parked)
	s.sawIf(isSource && q.parked && only, dep2IndexEntryGone)
	s.sawIf(slices.Contains(q.tried, peer), dep2TriedStays)
}

// noteNoSourceLeft looks at a queued key that a departure left without an untried source.
func (s *Scheduler) noteNoSourceLeft(q *queuedKey) {
	s.sawIf(q.hasRetry, dep3Returns)
	s.sawIf(!q.hasRetry, dep3Orphaned)
}
