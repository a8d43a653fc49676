package scheduler

// Snapshot is what the dispatch summary reports of the scheduler (SUM-2), without
// looking at a key or a source.
type Snapshot struct {
	Queued            int // heap and parked
	Parked            int
	IndexAssociations int // pairs of a parked key and an untried source
	InFlight          int
	SourcesAtLimit    int // with at least Share attempts in flight
	Pending           int
	Reserved          int
	Silent            int  // tracked sources that are silent
	OverflowOpen      bool // every untracked source counts as silent, too
	ContactTracked    int
	BusyTracked       int
	Stopped           bool
	Counters          Counters
}

// Snapshot returns the figures as of the latest operation, or of now if that is
// later and a mark or the overflow window has ended by then. It changes nothing.
func (s *Scheduler) Snapshot(now Time) Snapshot {
	now = s.asOf(now)
	silent := len(s.marks)
	if now > s.clock {
		silent = 0
		for _, p := range s.marks {
			if s.peers[p].markedUntil > now {
				silent++
			}
		}
	}
	return Snapshot{
		Queued:            s.queued(),
		Parked:            s.parkedKeys,
		IndexAssociations: s.parkedAssoc,
		InFlight:          s.attempts.n,
		SourcesAtLimit:    s.atLimit,
		Pending:           s.pendingCount(),
		Reserved:          s.reserved,
		Silent:            silent,
		OverflowOpen:      now < s.overflowUntil,
		ContactTracked:    s.tracked,
		BusyTracked:       len(s.busy),
		Stopped:           s.stopped,
		Counters:          s.counters,
	}
}

// Touched is a running count of the keys and index entries that were looked at to
// find the nearest key that can start, in passes and by events that make a source
// startable. It is for measurements: the rules know nothing of it.
func (s *Scheduler) Touched() uint64 { return s.touched }
