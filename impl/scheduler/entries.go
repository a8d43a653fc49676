package scheduler

// entryRec is the entry of a pending key, or the retry entry of a queued or
// flying one. Keys that were enqueued directly have none.
type entryRec struct {
	hints      span // words of peer<<1 | claimant
	hintCount  int32
	owner      uint32
	created    Time
	nextVerify Time
}

// The entries are in pages like the keys.
const (
	entryPageShift = 10
	entryPageSize  = 1 << entryPageShift
)

// entry returns the entry of a key that has one. The pointer is good until the
// next new entry.
func (s *Scheduler) entry(id uint32) *entryRec {
	n := s.detail(id).entry
	return &s.entries[n>>entryPageShift][n%entryPageSize]
}

// hintWords returns the hint sources of an entry.
func (s *Scheduler) hintWords(e *entryRec) []uint32 {
	return s.blocks.words(e.hints)[:e.hintCount]
}

// newEntry gives a key an empty entry, made now.
func (s *Scheduler) newEntry(id uint32) *entryRec {
	s.key(id).hasEntry = true
	s.detail(id).entry = s.newEntryID()
	e := s.entry(id)
	*e = entryRec{owner: none, created: s.clock, nextVerify: s.clock}
	return e
}

func (s *Scheduler) newEntryID() uint32 {
	if n := len(s.freeEntries); n > 0 {
		id := s.freeEntries[n-1]
		s.freeEntries = s.freeEntries[:n-1]
		return id
	}
	last := len(s.entries) - 1
	switch {
	case last < 0:
		s.entries = append(s.entries, make([]entryRec, 0, firstIDs))
		last++
	case len(s.entries[last]) == entryPageSize:
		s.entries = append(s.entries, make([]entryRec, 0, entryPageSize))
		last++
	}
	s.entries[last] = append(s.entries[last], entryRec{})
	return uint32(last<<entryPageShift + len(s.entries[last]) - 1)
}

// dropEntry forgets a key's entry: its hint sources and its owner's charge.
func (s *Scheduler) dropEntry(id uint32) {
	e := s.entry(id)
	s.peers[e.owner].charge--
	for _, w := range s.hintWords(e) {
		s.unref(w >> 1)
	}
	s.blocks.release(e.hints)
	s.freeEntries = append(s.freeEntries, s.detail(id).entry)
	s.key(id).hasEntry = false
}

// discardRetry drops the retry entry of a queued or flying key, if it carries
// one, and its reservation (PND-6).
func (s *Scheduler) discardRetry(id uint32) {
	if s.key(id).hasEntry {
		s.dropEntry(id)
		s.reserved--
	}
}
