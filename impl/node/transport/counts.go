package transport

import (
	"errors"
	"sync/atomic"

	"fetchproof/impl/wire"
)

// counts count messages.
type counts struct {
	requests  atomic.Uint64
	responses atomic.Uint64
	strays    atomic.Uint64
	partial   atomic.Uint64
	tooMuch   atomic.Uint64
	dropped   [wire.NumClasses]atomic.Uint64
	arriving  atomic.Int64
}

// drop counts a message that was refused (WIR-9).
func (c *counts) drop(err error) { c.dropped[wire.ClassOf(err)].Add(1) }

// unread counts a message that was not read to its end.
func (c *counts) unread(err error) {
	switch {
	case errors.Is(err, errTooMuch):
		c.tooMuch.Add(1)
	case errors.Is(err, errPartial):
		c.partial.Add(1)
	default:
		c.drop(err)
	}
}

// Stats is what a transport saw.
type Stats struct {
	Requests  uint64 // handed to the handler
	Responses uint64 // handed to the fetch that waited
	// Strays are proven responses that nobody waited for, from the wrong peer, or
	// with the wrong number. They are evidence of nothing (WIR-9).
	Strays uint64
	// Partial messages were broken off, or took longer than MessageTimeout.
	Partial uint64
	// TooMuch messages did not fit into MaxArriving.
	TooMuch uint64
	// Dropped messages were refused, by the class of the error.
	Dropped map[wire.Class]uint64
	// RefusedConns is how often dialers were turned away: once for each packet of
	// a first flight, which has two with post-quantum keys.
	RefusedConns uint64
	// Inbound and MostInbound are how many dialled connections there are, and were
	// at most.
	Inbound, MostInbound int
	// Arriving is how many bytes of messages are arriving.
	Arriving int64
}

// Stats returns what the transport saw so far.
func (t *Transport) Stats() Stats {
	s := Stats{
		Requests: t.counts.requests.Load(), Responses: t.counts.responses.Load(), Strays: t.counts.strays.Load(),
		Partial: t.counts.partial.Load(), TooMuch: t.counts.tooMuch.Load(), Arriving: t.counts.arriving.Load(),
		Dropped: make(map[wire.Class]uint64),
	}
	for class := range t.counts.dropped {
		if n := t.counts.dropped[class].Load(); n > 0 {
			s.Dropped[wire.Class(class)] = n
		}
	}
	t.inbound.mu.Lock()
	defer t.inbound.mu.Unlock()
	s.RefusedConns, s.Inbound, s.MostInbound = t.inbound.full, t.inbound.all, t.inbound.most
	return s
}
