package transport

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"net"

	"github.com/quic-go/quic-go"

	"fetchproof/impl/node/worker"
	"fetchproof/impl/wire"
)

// Fetch asks one peer for one record; see worker.Transport.
func (t *Transport) Fetch(ctx context.Context, r worker.Request, arrived func()) (worker.Response, error) {
	for {
		resp, again, err := t.try(ctx, r, arrived)
		if !again {
			return resp, err
		}
	}
}

// try asks once. again: the connection was an old one and turned out to be dead,
// as after a restart of the peer, so a new one is worth dialling.
func (t *Transport) try(ctx context.Context, r worker.Request, arrived func()) (resp worker.Response, again bool, err error) {
	l, err := t.dialing.get(ctx, wire.PeerID(r.Peer))
	if err != nil {
		return worker.Response{}, false, err
	}
	defer t.dialing.put(l.line)
	resp, err = t.ask(ctx, l.conn, r, arrived)
	var reset *quic.StatelessResetError
	return resp, l.old && errors.As(err, &reset), err
}

// ask sends the request on c and waits for its response.
func (t *Transport) ask(ctx context.Context, c *quic.Conn, r worker.Request, arrived func()) (worker.Response, error) {
	id, x := newWait(r, arrived)
	t.waiting.add(id, x)
	defer t.waiting.remove(id)
	m := wire.Message{RequestID: x.requestID, Kind: wire.FetchRequest, AsksBusy: r.AsksBusy, Key: wire.Key(r.Key)}
	if err := t.send(ctx, c, &wire.Header{MessageID: id}, &m, nil); err != nil {
		return worker.Response{}, unsent(ctx, err)
	}
	select {
	case resp := <-x.response:
		return resp, nil
	case <-ctx.Done():
		return x.orElse(ctx.Err())
	case <-c.Context().Done():
		return x.orElse(fmt.Errorf("%w: %w", worker.ErrUnreachable, context.Cause(c.Context())))
	}
}

// unsent is what a failed send means. quic-go's errors say that the connection is
// lost before its context does.
func unsent(ctx context.Context, err error) error {
	switch {
	case errors.Is(err, net.ErrClosed):
		return fmt.Errorf("%w: %w", worker.ErrUnreachable, err)
	case ctx.Err() != nil && !errors.Is(err, errNotBegun):
		return ctx.Err() // some of it left: the peer does not read
	default:
		return fmt.Errorf("%w: %w", worker.ErrNotSent, err)
	}
}

func newWait(r worker.Request, arrived func()) (wire.MessageID, *wait) {
	var id [16]byte
	var number [8]byte
	_, _ = rand.Read(id[:]) // never fails, see its documentation
	_, _ = rand.Read(number[:])
	return wire.NewMessageID(id), &wait{
		peer: wire.PeerID(r.Peer), requestID: binary.BigEndian.Uint64(number[:]),
		arrived: arrived, response: make(chan worker.Response, 1),
	}
}

// orElse is the response if it came at the last moment, else err.
func (x *wait) orElse(err error) (worker.Response, error) {
	select {
	case resp := <-x.response:
		return resp, nil
	default:
		return worker.Response{}, err
	}
}
