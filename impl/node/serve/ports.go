package serve

import (
	"context"
	"errors"
	"log/slog"

	"fetchproof/impl/responder"
	"fetchproof/impl/scheduler"
	"fetchproof/impl/wire"
)

// Store is where records are found. It is used by several workers at once. The
// bytes it returns are only read.
type Store interface {
	Get(key scheduler.Key) ([]byte, error)
}

// Clock tells the time of one node, as worker.Clock does.
type Clock interface {
	Now() scheduler.Time
}

// Reply sends a response to the peer that made the request, until ctx ends. It
// calls sent once, when all of the message was handed over but before the
// requester can have all of it; not if sending fails.
type Reply func(ctx context.Context, m *wire.Message, sent func()) error

// Recorder is told every operation on the responder with its now, arguments and
// results, in the order in which the server's lock was held. It is called under
// that lock and must not call the server.
type Recorder interface {
	Init(cfg responder.Config)
	Request(now int64, peer responder.Peer, asksBusy bool, d *responder.Decision)
	Take(now int64, t responder.Ticket, r responder.Taken)
	Release(now int64, t responder.Ticket, ok bool)
	SendDone(now int64, s responder.Send, ok bool)
}

// Ports is what the server needs from the node around it. Recorder, Gate and Log
// may be nil.
type Ports struct {
	Store    Store
	Clock    Clock
	Recorder Recorder
	// Gate holds admitted requests back while it is closed, for tests; nil is
	// open.
	Gate *Gate
	// Missing reports whether an error of the store means that the record is not
	// here, and not a failure. nil: every error means that.
	Missing func(error) bool
	Log     *slog.Logger
}

var errMissingPort = errors.New("serve: Store and Clock must be given")

func (p *Ports) fill() error {
	if p.Store == nil || p.Clock == nil {
		return errMissingPort
	}
	if p.Gate == nil {
		p.Gate = NewGate()
	}
	if p.Missing == nil {
		p.Missing = func(error) bool { return true }
	}
	if p.Log == nil {
		p.Log = slog.New(slog.DiscardHandler)
	}
	return nil
}
