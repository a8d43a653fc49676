package worker

import (
	"context"
	"errors"
	"log/slog"

	"fetchproof/impl/scheduler"
	"fetchproof/impl/wire"
)

// What a Transport's error means for the attempt (section 9). An error that is
// neither, and did not come from the end of ctx, counts as ErrNotSent: there is
// no evidence that anything reached the peer.
var (
	// ErrUnreachable: the peer could not be reached, or the connection that
	// carried the request is gone, so that no answer can come any more.
	ErrUnreachable = errors.New("worker: peer unreachable")
	// ErrNotSent: nothing left this node.
	ErrNotSent = errors.New("worker: request not sent")
)

// Request is one fetch of one record from one peer.
type Request struct {
	Peer     scheduler.Peer
	Key      scheduler.Key
	AsksBusy bool // whether the request says that a busy reply is understood
}

// Response is what the asked peer sent back: its message, or why that could not be
// decoded. Everything in it belongs to the receiver.
type Response struct {
	Message wire.Message
	Err     error // from wire.DecodeMessage
}

// Transport asks peers for records.
type Transport interface {
	// Fetch sends the request and waits for the response of that peer until ctx
	// ends; then its error is, or wraps, ctx's. It calls arrived, at most once
	// and before it returns, when all bytes of the response have arrived and none
	// has been looked at (SEQ-1).
	Fetch(ctx context.Context, r Request, arrived func()) (Response, error)
}

// Store keeps records. It is used by several attempts at once.
type Store interface {
	// Put keeps a checked record; data is the store's from then on.
	Put(key scheduler.Key, data []byte) error
}

// Ledger is where holders are charged (section 9, TRU-1). It is called under the
// worker's lock: it must not block, nor call the worker.
type Ledger interface {
	Charge(peer scheduler.Peer, charge scheduler.Charge)
}

// Clock tells the time of one node.
type Clock interface {
	// Now is the time since some fixed moment of this process. It does not go
	// back.
	Now() scheduler.Time
}

// Rand is where busy waits are drawn (BSY-1); a *rand.Rand of math/rand/v2 is
// one. It is only used under the worker's lock.
type Rand interface {
	// Int64N returns a number in [0, n).
	Int64N(n int64) int64
}

// Ports is what the worker needs from the node around it. Recorder, Responsible,
// Notify and Log may be nil.
type Ports struct {
	Transport Transport
	Store     Store
	Ledger    Ledger
	Clock     Clock
	Rand      Rand

	// Recorder is told every operation on the scheduler (WRK-5).
	Recorder Recorder
	// Responsible says whether this node still has to hold a key; if not, the
	// attempt ends as Declined. It is asked before a request is sent and again
	// before a record is stored. nil is always.
	Responsible func(scheduler.Key) bool
	// Notify is told every key that left the pipeline or returned to pending,
	// after the operation, without the lock: so a call may overtake another.
	Notify func(scheduler.Event)
	// Log takes the dispatch summaries and the panics; nil is nowhere.
	Log *slog.Logger
}

var errMissingPort = errors.New("worker: Transport, Store, Ledger, Clock and Rand must be given")

func (p *Ports) fill() error {
	if p.Transport == nil || p.Store == nil || p.Ledger == nil || p.Clock == nil || p.Rand == nil {
		return errMissingPort
	}
	if p.Responsible == nil {
		p.Responsible = func(scheduler.Key) bool { return true }
	}
	if p.Notify == nil {
		p.Notify = func(scheduler.Event) {}
	}
	if p.Log == nil {
		p.Log = slog.New(slog.DiscardHandler)
	}
	return nil
}
