package ops

// State is everything that the rules mention of one machine, every list sorted as PROTOCOL.md gives it. It is filled anew
// at every step: Reset keeps the buffers, and the lists inside entries are cut from arenas that the state owns, so a copy
// must be made with CopyFrom.
type State struct {
	Machine   Machine
	Fields    Fields // which fields are given; one that is not is not compared
	Scheduler SchedulerState
	Responder ResponderState
}

// Entry is a verification entry: of a pending key, or carried by a promoted one (its retry entry).
type Entry struct {
	Hints      []Peer // sorted
	Claimants  []Peer // sorted, a subset of Hints
	Owner      Peer
	Created    Time
	NextVerify Time // of a pending entry; 0 in a retry entry
}

// PendingKey is a key in verification.
type PendingKey struct {
	Key   Key
	Entry Entry
}

// QueuedKey is a key in the heap or parked.
type QueuedKey struct {
	Key      Key
	Distance Distance
	Untried  []Peer // preference order (SRC-1)
	Tried    []Peer // sorted
	HasRetry bool
	Retry    Entry
}

// Flight is a key in flight.
type Flight struct {
	Key      Key
	Attempt  uint64
	Source   Peer
	Started  Time
	Tracked  bool // its source was tracked when it started (CON-9)
	Distance Distance
	Untried  []Peer // preference order
	Tried    []Peer // sorted; holds Source
	Given    uint64 // the place of its answer, 0 if none arrived
	Answered bool   // an answer was applied
	Busy     bool   // it was a busy
	HasRetry bool
	Retry    Entry
}

// IndexEntry is a source of the parked index with its parked keys, nearest first.
type IndexEntry struct {
	Source Peer
	Keys   []Key
}

// Contact is what is known of a tracked source (section 5).
type Contact struct {
	Source         Peer
	LastAnswer     uint64
	LastUnanswered uint64
	MarkedUntil    Time // 0 unless the source is silent now
}

// Cooldown is a source of the busy table (section 10).
type Cooldown struct {
	Source Peer
	Streak uint32
	Last   Time
	Until  Time
}

// OwnerCharge is how many pending keys and reservations an owner is charged with. An owner charged with none is absent.
type OwnerCharge struct {
	Owner  Peer
	Charge uint64
}

// Counter is one of the counters of SUM-1.
type Counter uint8

// The counters. They only grow.
const (
	Started Counter = iota
	Parked
	Unanswered
	BusyReports
	Overflows
	MarksSet
	MarksRefreshed
	MarksCleared
	MarksExpired
	OutcomeCounter                                         // the first of NumOutcomes counters, one for each outcome kind
	NumCounters    = OutcomeCounter + Counter(NumOutcomes) // not a counter
)

var counterNames = func() (n [NumCounters]string) {
	copy(n[:], []string{
		"started", "parked", "unanswered", "busy", "overflows", "marks_set", "marks_refreshed", "marks_cleared", "marks_expired",
	})
	for k := range NumOutcomes {
		n[OutcomeCounter+Counter(k)] = "outcome_" + k.String()
	}
	return n
}()

// String is the protocol's word.
func (c Counter) String() string { return counterNames[c] }

// SchedulerState is the state of the scheduler with its busy tracker.
type SchedulerState struct {
	Clock         Time
	NextPlace     uint64
	Stopped       bool
	Pending       []PendingKey // by key
	Heap          []Key        // nearest first
	Parked        []Key        // nearest first
	Index         []IndexEntry // by source
	Queued        []QueuedKey  // by key: heap and parked
	InFlight      []Flight     // by key
	Contact       []Contact    // by source
	OverflowUntil Time         // 0 unless the window is open now
	Busy          []Cooldown   // by source
	Reserved      uint64
	Charges       []OwnerCharge // by owner
	Counters      [NumCounters]uint64

	peers Arena[Peer]
	keys  Arena[Key]
}

// PeerOutstanding is how many requests of a peer are outstanding; a peer with none is absent.
type PeerOutstanding struct {
	Peer        Peer
	Outstanding uint64
}

// Ticket is an admitted request that still holds its place.
type Ticket struct {
	ID    uint64
	Peer  Peer
	Since Time
	Taken bool
}

// Send is a busy reply being sent.
type Send struct {
	ID   uint64
	Peer Peer
}

// LimiterPeer is a peer that the busy limiter remembers. FullAt is the smallest whole nanosecond at which its bucket is
// or was full with nothing spent since; 0 at first.
type LimiterPeer struct {
	Peer    Peer
	Sending uint64
	FullAt  Time
}

// ResponderState is the state of the admission and the busy limiter.
type ResponderState struct {
	Clock        Time
	Outstanding  uint64
	Peers        []PeerOutstanding // by peer
	Tickets      []Ticket          // by number
	Sends        []Send            // by number
	Limiter      []LimiterPeer     // by peer
	GlobalFullAt Time
}
