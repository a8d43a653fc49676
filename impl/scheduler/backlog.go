package scheduler

// The backlog holds the queued keys that are not filed. A pass takes out only the
// nearest; a sweep and a departure filter the whole. So none of its entries is
// ever dead.

// waits reports whether a key belongs in the backlog.
func (k *keyRec) waits() bool { return k.stage == stageQueued && !k.filed }

// backlogFilter drops the keys that do not belong in the backlog any more.
func (s *Scheduler) backlogFilter() {
	s.listFilter(&s.backlog, func(id uint32) bool { return s.key(id).waits() })
}
