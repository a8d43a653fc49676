package subject

// Pids are the processes that are known to run.
func (p *Process) Pids() []int {
	if p.child == nil {
		return nil
	}
	return []int{p.child.cmd.Process.Pid}
}
