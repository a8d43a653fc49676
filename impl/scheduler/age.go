package scheduler

import (
	"sort"
	"time"
)

// epoch says when the backlog keys with stamps up to through, and above the
// through of the epoch before, were parked together.
type epoch struct {
	through uint64
	at      Time
}

// noteEpoch records that all heap keys are parked together now.
func (s *Scheduler) noteEpoch() {
	if len(s.epochs) > 2*s.backlog.size()+16 {
		s.pruneEpochs()
	}
	s.epochs = append(s.epochs, epoch{s.stamps, s.clock})
}

// pruneEpochs drops the epochs of no key of the backlog. At most one for each of
// its keys is left: fewer than half.
func (s *Scheduler) pruneEpochs() {
	used := make([]bool, len(s.epochs))
	for _, id := range s.backlog.all() {
		if i := s.epochOf(s.key(id).since); i < len(used) {
			used[i] = true
		}
	}
	kept := s.epochs[:0]
	for i, e := range s.epochs {
		if used[i] {
			kept = append(kept, e)
		}
	}
	s.epochs = kept
}

// epochOf returns the position of the epoch of a key that was parked together, by
// its stamp.
func (s *Scheduler) epochOf(stamp uint64) int {
	return sort.Search(len(s.epochs), func(i int) bool { return s.epochs[i].through >= stamp })
}

// parkedSince returns when a parked key was parked.
func (s *Scheduler) parkedSince(k *keyRec) Time {
	if !k.parked {
		return s.epochs[s.epochOf(k.since)].at
	}
	return Time(k.since)
}

// OldestParked returns for how long, at now, the key parked first has been parked,
// and false if none is parked (SUM-2). It looks at every key: it is for the
// summary, not for every operation.
func (s *Scheduler) OldestParked(now Time) (time.Duration, bool) {
	if s.parkedKeys == 0 {
		return 0, false
	}
	oldest := s.clock
	for _, k := range s.allKeys() {
		if k.stage == stageQueued && s.isParked(k) {
			oldest = min(oldest, s.parkedSince(k))
		}
	}
	return time.Duration(s.asOf(now) - oldest), true
}
