// Package twin is a second fetch scheduler: the rules of sections 3 to 15 of model/RULES.md kept with the structures
// one would reach for first, hash maps and ordered trees of pointers. It has the shape of the structure that the
// change descriptions publish: a heap of keys by distance, and per source an ordered set of the keys parked under it.
//
// The scale benchmark runs it beside impl/scheduler, so that a figure is a ratio of two programs on one machine; the
// lockstep suite steps it against the reference model, so that the ratio is between programs that do the same work.
// It takes no liberty that PRK-6 allows: a parked key is a key in its sources' sets.
//
// Names, types and results are those of impl/scheduler. Like it, a Scheduler is passive (DET-1) and not safe for
// concurrent use.
package twin

import (
	"math"
	"time"

	"fetchproof/impl/scheduler"
)

// The vocabulary of the production scheduler, in which the twin answers.
type (
	// Key names a record.
	Key = scheduler.Key
	// Peer names a node that may hold records.
	Peer = scheduler.Peer
	// Distance is a key's XOR distance to this node.
	Distance = scheduler.Distance
	// Time is an instant in nanoseconds.
	Time = scheduler.Time
	// Place is a place in the process-wide sequence (SEQ-1).
	Place = scheduler.Place
)

// Scheduler is the fetch scheduler. Make one with New; the zero value is not usable.
type Scheduler struct {
	cfg     scheduler.Config
	clock   Time // the latest now seen (DET-3)
	next    Place
	stopped bool

	pending map[Key]*record // pending keys
	active  map[Key]*record // queued keys and keys in flight
	peers   map[Peer]*peer
	sweepAt int // from how many peers on begin sweeps those that nothing names
	floor   int // the least that sweepAt ever is

	heap     heap    // queued keys that are not parked
	parked   int     // queued keys that are parked
	indexed  []*peer // sources with parked keys
	reserved int
	attempts map[Place]*attempt

	tracked       []*peer // the contact table
	nextExpiry    Time    // no mark ends before it
	overflowUntil Time    // end of the latest overflow window (CON-8)
	cooldowns     []*peer // the busy table

	counters scheduler.Counters
	touched  uint64           // see Touched
	hints    []scheduler.Hint // scratch of Add
}

// New returns a scheduler, empty and at time 0, or a *scheduler.ConfigError.
func New(cfg scheduler.Config) (*Scheduler, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	return &Scheduler{
		cfg:        cfg,
		next:       1,
		pending:    map[Key]*record{},
		active:     map[Key]*record{},
		peers:      map[Peer]*peer{},
		sweepAt:    peerSweepFloor,
		floor:      peerSweepFloor,
		attempts:   map[Place]*attempt{},
		nextExpiry: math.MaxInt64,
	}, nil
}

// Config returns the configuration.
func (s *Scheduler) Config() scheduler.Config { return s.cfg }

// Stop ends all starting and parking (OUT-8).
func (s *Scheduler) Stop(now Time) {
	s.begin(now)
	s.stopped = true
}

// Drained reports whether none of the keys is in any stage (BOOT-1).
func (s *Scheduler) Drained(keys []Key) bool {
	for _, k := range keys {
		if s.active[k] != nil || s.pending[k] != nil {
			return false
		}
	}
	return true
}

// Touched counts the keys and the index entries that fill passes have looked at to find what starts.
func (s *Scheduler) Touched() uint64 { return s.touched }

// begin opens an operation: it moves the clock (DET-3), counts the marks that end by it (SUM-1), and forgets peers
// that nothing names any more if there are many.
func (s *Scheduler) begin(now Time) {
	if len(s.peers) >= s.sweepAt {
		s.forgetPeers()
	}
	if now <= s.clock {
		return
	}
	s.clock = now
	if now >= s.nextExpiry {
		s.expireMarks()
	}
}

// queued is what MaxQueued bounds (PRK-3).
func (s *Scheduler) queued() int { return s.heap.len() + s.parked }

// after is t + d, at most the largest Time (DET-4). t and d are not negative.
func after(t Time, d time.Duration) Time {
	if Time(d) > math.MaxInt64-t {
		return math.MaxInt64
	}
	return t + Time(d)
}
