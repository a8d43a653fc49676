package twin

// SweepOften makes the scheduler look for forgotten peers as if it knew very many.
func SweepOften(s *Scheduler) { s.sweepAt, s.floor = 1, 1 }

// Peers returns how many peers the scheduler remembers.
func Peers(s *Scheduler) int { return len(s.peers) }
