package ops

// Find is the entry named want, or nil, in a list sorted by name, as a state's lists are. Entries are large, so they
// are compared in place.
func Find[T any, ID ~[32]byte](list []T, want ID, id func(*T) *ID) *T {
	lo, hi := 0, len(list)
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		switch c := CompareIDs(id(&list[mid]), &want); {
		case c == 0:
			return &list[mid]
		case c < 0:
			lo = mid + 1
		default:
			hi = mid
		}
	}
	return nil
}

// FindPending is the pending key k, or nil.
func (s *SchedulerState) FindPending(k Key) *PendingKey {
	return Find(s.Pending, k, func(p *PendingKey) *Key { return &p.Key })
}

// FindQueued is the key k of the heap or the parked set, or nil.
func (s *SchedulerState) FindQueued(k Key) *QueuedKey {
	return Find(s.Queued, k, func(q *QueuedKey) *Key { return &q.Key })
}

// FindFlight is the attempt for k in flight, or nil.
func (s *SchedulerState) FindFlight(k Key) *Flight {
	return Find(s.InFlight, k, func(f *Flight) *Key { return &f.Key })
}

// FindContact is the entry of p in the contact table, or nil.
func (s *SchedulerState) FindContact(p Peer) *Contact {
	return Find(s.Contact, p, func(c *Contact) *Peer { return &c.Source })
}

// FindCooldown is the entry of p in the busy table, or nil.
func (s *SchedulerState) FindCooldown(p Peer) *Cooldown {
	return Find(s.Busy, p, func(c *Cooldown) *Peer { return &c.Source })
}

// Has reports whether k is in any stage: pending, queued or in flight.
func (s *SchedulerState) Has(k Key) bool {
	return s.FindPending(k) != nil || s.FindQueued(k) != nil || s.FindFlight(k) != nil
}

// FindLimited is what the limiter remembers of p, or nil.
func (s *ResponderState) FindLimited(p Peer) *LimiterPeer {
	return Find(s.Limiter, p, func(l *LimiterPeer) *Peer { return &l.Peer })
}
