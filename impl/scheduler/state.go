package scheduler

// State is everything that the rules mention of a scheduler: what Observe fills.
// Every list is sorted: peers and keys by their bytes, except where it says
// nearest first, or preference order.
type State struct {
	Clock     Time
	NextPlace Place
	Stopped   bool

	Pending  []PendingState // by key
	Heap     []Key          // nearest first
	Parked   []Key          // nearest first
	Index    []IndexState   // by source
	Queued   []QueuedState  // by key
	InFlight []FlightState  // by key

	Contact       []ContactState // by source
	OverflowUntil Time           // 0 unless the window is open
	Busy          []BusyState    // by source

	Reserved int
	Charges  []ChargeState // by owner; owners without a charge are left out
	Counters Counters

	keys  []Key  // backs the inner lists
	peers []Peer // backs the inner lists
}

// PendingState is a pending key and its entry.
type PendingState struct {
	Key        Key
	Entry      EntryState
	NextVerify Time
}

// IndexState is a source of the index and the keys under it, nearest
// first.
type IndexState struct {
	Source Peer
	Keys   []Key
}

// QueuedState is a key of the heap or the parked set.
type QueuedState struct {
	Key      Key
	Distance Distance
	Untried  []Peer // in preference order
	Tried    []Peer
	HasRetry bool
	Retry    EntryState // with HasRetry
}

// FlightState is a key in flight and its attempt.
type FlightState struct {
	Key      Key
	Attempt  Place
	Source   Peer
	Started  Time
	Tracked  bool // its source was, when it started
	Distance Distance
	Untried  []Peer // in preference order
	Tried    []Peer
	Given    Place // of its answer, 0 if none arrived
	Answered bool  // an answer of it was applied
	Busy     bool  // that was a busy
	HasRetry bool
	Retry    EntryState // with HasRetry
}

// ContactState is a tracked source. MarkedUntil is 0 unless it is silent.
type ContactState struct {
	Source         Peer
	LastAnswer     Place
	LastUnanswered Place
	MarkedUntil    Time
}

// BusyState is a source with a busy entry.
type BusyState struct {
	Source Peer
	Streak int
	Last   Time
	Until  Time
}

// ChargeState is a capacity owner and what it is charged with: pending keys and
// reservations.
type ChargeState struct {
	Owner  Peer
	Charge int
}
