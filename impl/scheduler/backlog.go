package scheduler

// The backlog holds the queued keys that no pass has filed yet. Only its nearest
// key ever leaves it, except by a departure and by a sweep, which filter it: so
// none of its entries is ever dead.

// waits reports whether a key belongs in the backlog.
func (k *keyRec) waits() bool { return k.stage == stageQueued && !k.filed }

// backlogFilter drops the keys that are not in the backlog any more.
func (s *Scheduler) backlogFilter() {
	s.listFilter(&s.backlog, func(id uint32) bool { return s.key(id).waits() })
}
