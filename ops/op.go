package ops

import "slices"

// Machine names which of the two state machines an operation list is for (DET-3).
type Machine uint8

// The machines.
const (
	SchedulerMachine Machine = iota
	ResponderMachine
)

var machineNames = [...]string{"scheduler", "responder"}

// String is the protocol's word.
func (m Machine) String() string { return machineNames[m] }

// Kind is what an operation does: the `op` of the protocol.
type Kind uint8

// The operations: Add to Drained are the scheduler's, Request to SendDone the responder's, Init and StateQuery both's.
const (
	Init Kind = iota // starts a machine afresh with a configuration
	Add
	Promote
	Enqueue
	Fill
	Arrive
	Answer
	BusyReply // written busy
	Outcome
	Depart
	Remove
	Evict
	Stop
	Ready
	Drained
	Request
	Take
	Release
	SendDone
	StateQuery // written state
	NumKinds   // not an operation
)

var kindNames = [...]string{
	"init", "add", "promote", "enqueue", "fill", "arrive", "answer", "busy", "outcome", "depart", "remove", "evict", "stop",
	"ready", "drained", "request", "take", "release", "send_done", "state",
}

// String is the protocol's word.
func (k Kind) String() string { return kindNames[k] }

// IsQuery reports whether the operation only asks: it changes nothing, not even the clock (DET-3).
func (k Kind) IsQuery() bool { return k == Ready || k == Drained || k == StateQuery }

// Hint is one advertisement of a key: the peer, and whether it claims to hold the record.
type Hint struct {
	Peer     Peer
	Claimant bool
}

// Ref names an attempt, a ticket or a send, either by its number or by what it is about: "k1" is the newest attempt of k1
// (of peer A: its newest ticket or send), "k1~1" the one before. A machine is only ever given numbers; the runner of a program
// resolves the rest ([Resolver]), so that a program keeps its meaning when operations are taken out of it.
type Ref struct {
	N    uint64   // the number, if Of is zero or once resolved
	Of   [32]byte // the key or peer, zero if the reference is a number
	Back uint16   // how many before the newest
}

// Symbolic reports whether the reference is by key or peer.
func (r Ref) Symbolic() bool { return r.Of != [32]byte{} }

// PlaceArg says which answer place a report brings.
type PlaceArg uint8

// What a report can bring.
const (
	NoPlace    PlaceArg = iota // brings none
	GivenPlace                 // the one that the attempt was given; 0 if it was given none
	ThisPlace                  // Op.Place, whatever it is
)

// Op is one call. Its Kind says which fields apply; the others are zero.
type Op struct {
	Kind     Kind
	Now      Time // of every kind but Arrive and Init
	Key      Key  // add, promote, enqueue, remove
	Distance Distance
	Hints    []Hint // add
	Sources  []Peer // promote, enqueue: in preference order
	Ref      Ref    // arrive, answer, busy, outcome: attempt; take, release: ticket; send_done: send
	PlaceArg PlaceArg
	Place    uint64
	Wait     Duration    // busy: the drawn wait
	Outcome  OutcomeKind // outcome
	Peer     Peer        // depart, request
	AsksBusy bool        // request
	MaxAge   Duration    // evict
	Limit    int64       // ready
	Keys     []Key       // drained
	Show     Fields      // state: what a person wants to see; 0 is everything
	Config   *Config     // init
}

// Clone is a copy that shares no list with o.
func (o *Op) Clone() Op {
	c := *o
	c.Hints, c.Sources, c.Keys = slices.Clone(o.Hints), slices.Clone(o.Sources), slices.Clone(o.Keys)
	if o.Config != nil {
		cfg := *o.Config
		c.Config = &cfg
	}
	return c
}
