package subject

import "fetchproof/impl/scheduler"

// Pids are the processes that are known to run.
func (p *Process) Pids() []int {
	if p.child == nil {
		return nil
	}
	return []int{p.child.cmd.Process.Pid}
}

// HashSeed is the seed of the machine's tables.
func (s *Scheduler) HashSeed() uint64 { return s.machine.(*scheduler.Scheduler).Config().HashSeed }

// HashSeed is the seed of the machine's tables.
func (r *Responder) HashSeed() uint64 { return r.machine.Config().HashSeed }
