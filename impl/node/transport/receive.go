package transport

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"

	"github.com/quic-go/quic-go"

	"fetchproof/impl/wire"
)

// receive takes the messages of a connection until it ends. It does not end the
// connection unless the transport is closing.
func (t *Transport) receive(c *quic.Conn) {
	var streams sync.WaitGroup
	for {
		s, err := c.AcceptUniStream(t.ctx)
		if err != nil {
			break
		}
		streams.Go(func() { t.message(c, s) })
	}
	_ = c.CloseWithError(codeBye, "")
	streams.Wait()
}

var (
	errTooMuch = errors.New("transport: too many bytes arriving")
	errPartial = errors.New("transport: message broken off")
)

// message reads one message and passes it on. A panic in whatever takes it costs
// the message alone.
func (t *Transport) message(c *quic.Conn, s *quic.ReceiveStream) {
	defer func() {
		if p := recover(); p != nil {
			t.log.Error("taking a message panicked", slog.Any("panic", p), slog.String("stack", string(debug.Stack())))
		}
	}()
	buf, held, err := t.read(s)
	defer t.counts.arriving.Add(-held)
	if err != nil {
		s.CancelRead(codeRefused)
		t.counts.unread(err)
		return
	}
	t.deliver(c, buf)
}

// firstRead holds a request, or a response without a record, in one piece.
const firstRead = 8 << 10

// read reads a stream to its end. held is how many bytes of MaxArriving it has
// taken, also after an error. It never holds more than twice what has arrived,
// but for the first piece.
func (t *Transport) read(s *quic.ReceiveStream) (buf []byte, held int64, err error) {
	_ = s.SetReadDeadline(time.Now().Add(t.cfg.MessageTimeout)) // never fails
	for {
		if len(buf) == cap(buf) {
			size := min(max(firstRead, 2*cap(buf)), wire.MaxEnvelope+1)
			if size == cap(buf) {
				return nil, held, wire.ErrOversized
			}
			grown := int64(size - cap(buf))
			held += grown
			if t.counts.arriving.Add(grown) > t.cfg.MaxArriving {
				return nil, held, errTooMuch
			}
			buf = append(make([]byte, 0, size), buf...)
		}
		n, err := s.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		switch {
		case errors.Is(err, io.EOF):
			return buf, held, nil // one byte too many is found when it is opened
		case err != nil:
			return nil, held, errPartial
		}
	}
}

// deliver judges a whole message (WIR-9).
func (t *Transport) deliver(c *quic.Conn, buf []byte) {
	t.waiting.arrived(buf)
	env, err := t.verifier.Open(buf)
	if err != nil {
		t.counts.drop(err)
		return
	}
	if env.IsResponse {
		t.response(&env)
		return
	}
	var req wire.Request
	if _, err := wire.DecodeRequest(env.Payload, &req); err != nil {
		t.counts.drop(err)
		return
	}
	t.counts.requests.Add(1)
	id := env.MessageID
	t.handler(env.From, req, func(ctx context.Context, m *wire.Message, sent func()) error {
		return t.send(ctx, c, &wire.Header{MessageID: id, IsResponse: true}, m, sent)
	})
}

// response passes a response on to the fetch that waits for it.
func (t *Transport) response(env *wire.Envelope) {
	var m wire.Message
	_, err := wire.DecodeMessage(env.Payload, &m)
	if !t.waiting.deliver(env, m, err) {
		t.counts.strays.Add(1)
		return
	}
	t.counts.responses.Add(1)
}
