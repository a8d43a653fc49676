package scheduler

import "time"

// Key names a record: 32 bytes, ordered as a big-endian number.
type Key [32]byte

// Peer names a node that may hold records: 32 bytes, ordered as bytes.
type Peer [32]byte

// Distance is a key's XOR distance to this node, compared as a big-endian
// number. Nearer means smaller (distance, key).
type Distance [32]byte

// Time is an instant in nanoseconds. The scheduler's clock starts at 0; a sum
// past the largest Time is the largest Time (DET-4).
type Time int64

// Place is a place in the process-wide sequence (SEQ-1): 1, 2, 3, …; 0 is none.
// An attempt's id is its request place.
type Place = uint64

// Hint is one advertiser of a key: a hint source, and whether it claims to hold
// the record (a replica claimant) or only says that it was paid for.
type Hint struct {
	Peer     Peer
	Claimant bool
}

// Start is one attempt that a fill pass started (FIL-4).
type Start struct {
	Key     Key
	Source  Peer
	Attempt Place
}

// Event is what happened to a key. Source and Attempt belong to EventStart,
// Reason to EventLeft.
type Event struct {
	Kind    EventKind
	Reason  Reason
	Key     Key
	Source  Peer
	Attempt Place
}

// OutcomeReport is what applying an outcome did: the one event of its key, and
// what its holder is charged with (section 9).
type OutcomeReport struct {
	Event  Event
	Charge Charge
}

// BusyReply is what recording a busy answer returns: what is left of the
// cooldown in force (BSY-3), and when the attempt should end (BSY-1).
type BusyReply struct {
	Cooldown time.Duration
	Due      Time
}

// Verdict says whether a report was applied. The zero Verdict is OK.
type Verdict struct {
	Result Result
	Why    Why
}

// OK reports whether the report was applied.
func (v Verdict) OK() bool { return v.Result == OK }

// EntryState is what an entry of the pending table says about its key, also
// while the key is queued or in flight and carries it as its retry entry.
// Peers are sorted.
type EntryState struct {
	Hints     []Peer
	Claimants []Peer
	Owner     Peer
	Created   Time
}
