package scheduler

// Counters are the counts of SUM-1 since the scheduler was made. They only grow.
type Counters struct {
	Started        uint64 // attempts started
	Parked         uint64 // parks, in passes and by outcomes
	Unanswered     uint64 // outcomes applied as unanswered, tracked or not
	Busy           uint64 // busy reports
	Overflows      uint64 // starts that overflow left untracked
	MarksSet       uint64
	MarksRefreshed uint64
	MarksCleared   uint64
	MarksExpired   uint64

	Outcomes [outcomeKinds]uint64 // by OutcomeKind; the first is not used
}
