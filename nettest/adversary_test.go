package nettest

import (
	"context"
	"crypto/tls"
	"io"
	"net"
	"sync"
	"testing"

	"github.com/quic-go/quic-go"

	"fetchproof/impl/node/transport"
	"fetchproof/impl/wire"
)

// adversary speaks the protocol by itself and says what a test wants it to say.
type adversary struct {
	t       *testing.T
	signer  *wire.Signer
	conn    net.PacketConn
	quic    *quic.Transport
	dialed  []*quic.Conn
	tasks   sync.WaitGroup
	ctx     context.Context
	cancel  context.CancelFunc
	replies chan wire.Envelope // responses to its own requests
}

// asked is a request that the adversary got.
type asked struct {
	conn *quic.Conn
	id   wire.MessageID
	req  wire.Request
}

func newAdversary(t *testing.T, conn net.PacketConn, signer *wire.Signer) *adversary {
	a := &adversary{
		t: t, signer: signer, conn: conn, quic: &quic.Transport{Conn: conn},
		replies: make(chan wire.Envelope, 64),
	}
	a.ctx, a.cancel = context.WithCancel(context.Background())
	return a
}

// listen answers requests with answer.
func (a *adversary) listen(server *tls.Config, answer func(asked)) {
	l, err := a.quic.Listen(server, &quic.Config{})
	if err != nil {
		a.t.Fatal(err)
	}
	a.tasks.Go(func() {
		for {
			c, err := l.Accept(a.ctx)
			if err != nil {
				return
			}
			a.tasks.Go(func() { a.read(c, answer) })
		}
	})
}

// read takes every message of a connection. Whose they are it does not care.
func (a *adversary) read(c *quic.Conn, answer func(asked)) {
	for {
		s, err := c.AcceptUniStream(a.ctx)
		if err != nil {
			return
		}
		a.tasks.Go(func() {
			buf, err := io.ReadAll(s)
			if err != nil {
				return
			}
			var o wire.Outer
			var in wire.Inner
			if wire.DecodeOuter(buf, &o) != nil || wire.DecodeInner(o.Data, &in) != nil {
				a.t.Error("a node sent what cannot be decoded")
				return
			}
			if in.IsResponse {
				a.replies <- wire.Envelope{Inner: in}
				return
			}
			var r wire.Request
			if _, err := wire.DecodeRequest(in.Payload, &r); err != nil {
				a.t.Error(err)
				return
			}
			answer(asked{c, in.MessageID, r})
		})
	}
}

func (a *adversary) dial(addr net.Addr) (*quic.Conn, error) {
	c, err := a.quic.Dial(a.ctx, addr, transport.ClientTLS(), &quic.Config{})
	if err == nil {
		a.dialed = append(a.dialed, c)
	}
	return c, err
}

// seal is a signed message.
func (a *adversary) seal(id wire.MessageID, response bool, m *wire.Message) []byte {
	buf, err := wire.SealMessage(nil, a.signer, &wire.Header{MessageID: id, IsResponse: response}, m)
	if err != nil {
		a.t.Error(err)
	}
	return buf
}

// send sends bytes as one whole message. That the other side is gone is no matter.
func (a *adversary) send(c *quic.Conn, buf []byte) {
	s, err := c.OpenUniStreamSync(a.ctx)
	if err != nil {
		return
	}
	if _, err := s.Write(buf); err == nil {
		_ = s.Close()
	}
}

func (a *adversary) close() {
	a.cancel()
	for _, c := range a.dialed {
		_ = c.CloseWithError(0, "")
	}
	_ = a.quic.Close()
	_ = a.conn.Close()
	a.tasks.Wait()
}
