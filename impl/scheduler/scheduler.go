package scheduler

import (
	"math"
	"time"

	"fetchproof/impl/namehash"
)

// Scheduler is the fetch scheduler. Make one with New; the zero value is not
// usable.
type Scheduler struct {
	cfg     Config
	clock   Time // the latest now seen (DET-3)
	next    Place
	stopped bool

	names       namehash.Hash // of both tables
	keyIDs      table
	pages       []keyPage
	freeKeys    []uint32
	entries     [][]entryRec // in pages
	freeEntries []uint32

	peerIDs   table
	peers     []peerRec
	hot       []peerHot
	freePeers []uint32

	blocks arena

	// Contact (contact.go).
	tracked       int
	marks         []uint32 // silent peers, a heap by markedUntil
	idle          []uint32 // what a full contact table can drop
	fullUntracked []uint32 // whom the overflow window concerns
	overflowUntil Time     // 0 unless the window is open

	busy []uint32 // peers with a busy entry, a heap by (busyUntil, name)

	// Pending keys (ready.go).
	due      []uint32
	waiting  []uint32
	reserved int

	// Queue (backlog.go, park.go, sweep.go).
	backlog       list
	stamps        uint64   // the last stamp given
	parkedThrough uint64   // backlog keys with stamps up to this are parked, see isParked
	epochs        []epoch  // when they were, see age.go
	slab          []uint32 // see listRoom
	lists         []list   // the source lists, by peer id
	ready         []uint32 // peers that can start and have filed keys, a heap by front
	startable     int      // peers that can start and have queued keys
	openAssoc     int      // pairs of a backlog key and an untried source that can start
	examined      int      // backlog keys filed since the last sweep
	heapKeys      int      // queued keys that are not parked
	parkedKeys    int
	heapAssoc     int // pairs of a heap key and an untried source
	parkedAssoc   int // the same of parked keys

	attempts attemptTable
	flights  []flight
	atLimit  int // peers with inFlight >= Share

	counters Counters

	// Scratch: what it holds between operations means nothing.
	listing uint64 // number of the last listing, see peerRec.seen
	hinted  []hinted
	listed  []uint32
	// lastHint is the peer that hintPeer returned last; it may name nobody by now.
	lastHint uint32
	picks    []uint32
	packed   [2][]uint64

	touched uint64 // see Touched
	warmth  uint32 // keeps the reads of warm

	observer observer
}

// New returns a scheduler, empty and at time 0, or a *ConfigError.
func New(cfg Config) (*Scheduler, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	return &Scheduler{cfg: cfg, next: 1, names: namehash.New(cfg.HashSeed)}, nil
}

// Config returns the configuration.
func (s *Scheduler) Config() Config { return s.cfg }

// advance moves the clock (DET-3), and with it everything that ends by time: the
// marks, each counted once (SUM-1), and the overflow window.
func (s *Scheduler) advance(now Time) {
	if now <= s.clock {
		return
	}
	s.clock = now
	if s.overflowUntil != 0 && now >= s.overflowUntil {
		s.overflowUntil = 0
		s.windowMoved()
	}
	for len(s.marks) > 0 && s.peers[s.marks[0]].markedUntil <= now {
		p := s.marks[0]
		s.unmark(p)
		s.counters.MarksExpired++
	}
	s.fallDue()
}

// asOf is the time that a query at now speaks of (DET-3).
func (s *Scheduler) asOf(now Time) Time { return max(now, s.clock) }

// after is t + d, at most the largest Time (DET-4). t and d are not negative.
func after(t Time, d time.Duration) Time {
	if sum := t + Time(d); sum >= t {
		return sum
	}
	return math.MaxInt64 // it overflowed
}

// Stop ends all starting and parking (OUT-8). Nothing takes it back.
func (s *Scheduler) Stop(now Time) {
	s.advance(now)
	s.stopped = true
}

// Drained reports whether none of the keys is in any stage (BOOT-1).
func (s *Scheduler) Drained(keys []Key) bool {
	for i := range keys {
		if s.findKey(&keys[i], s.names.Of(keys[i][:])) != none {
			return false
		}
	}
	return true
}
