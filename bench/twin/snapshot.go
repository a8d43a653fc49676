package twin

import "fetchproof/impl/scheduler"

// Snapshot returns what the dispatch summary reports (SUM-2), as of the latest operation or of now if that is later.
func (s *Scheduler) Snapshot(now Time) scheduler.Snapshot {
	now = max(now, s.clock)
	snap := scheduler.Snapshot{
		Queued:         s.queued(),
		Parked:         s.parked,
		InFlight:       len(s.attempts),
		Pending:        len(s.pending),
		Reserved:       s.reserved,
		OverflowOpen:   now < s.overflowUntil,
		ContactTracked: len(s.tracked),
		BusyTracked:    len(s.cooldowns),
		Stopped:        s.stopped,
		Counters:       s.counters,
	}
	for _, p := range s.indexed {
		snap.IndexAssociations += p.parked.n
	}
	for _, p := range s.peers {
		if p.inFlight >= s.cfg.Share {
			snap.SourcesAtLimit++
		}
	}
	for _, p := range s.tracked {
		if now < p.contact.markedUntil {
			snap.Silent++
		}
	}
	return snap
}
