package transport

import (
	"context"
	"io"
	"time"

	"github.com/quic-go/quic-go"

	"fetchproof/impl/wire"
)

// stranger speaks QUIC by itself and says what a test wants it to say.
type stranger struct {
	n      *net10
	signer *wire.Signer
	quic   *quic.Transport
	// callers are the connections that others dialled.
	callers *quic.Listener
}

// stranger starts one; conf may be nil.
func (n *net10) stranger(host int, conf *quic.Config) *stranger {
	n.Helper()
	server, err := ServerTLS()
	if err != nil {
		n.Fatal(err)
	}
	s := &stranger{n: n, signer: signer(host), quic: &quic.Transport{Conn: n.socket(addr(host))}}
	if s.callers, err = s.quic.Listen(server, conf); err != nil {
		n.Fatal(err)
	}
	n.strangers = append(n.strangers, s)
	return s
}

func (s *stranger) close() {
	_ = s.quic.Close()
	_ = s.quic.Conn.Close()
}

func (s *stranger) dial(host int) *quic.Conn {
	s.n.Helper()
	return s.dialAs(host, &quic.Config{MaxIdleTimeout: Defaults().IdleTimeout})
}

func (s *stranger) dialAs(host int, conf *quic.Config) *quic.Conn {
	s.n.Helper()
	c, err := s.quic.Dial(context.Background(), addr(host), ClientTLS(), conf)
	if err != nil {
		s.n.Fatal(err)
	}
	return c
}

// seal is a signed message with any payload.
func (s *stranger) seal(id wire.MessageID, response bool, payload []byte) []byte {
	buf, err := wire.Seal(nil, s.signer, &wire.Header{MessageID: id, IsResponse: response}, payload)
	if err != nil {
		s.n.Error(err)
	}
	return buf
}

// say sends bytes as one whole message.
func (s *stranger) say(c *quic.Conn, buf []byte) {
	x := s.begin(c, buf)
	_ = x.Close()
}

// begin sends bytes as a message that is not at its end.
func (s *stranger) begin(c *quic.Conn, buf []byte) *quic.SendStream {
	x, err := c.OpenUniStream()
	if err != nil {
		s.n.Error(err)
		return nil
	}
	_, _ = x.Write(buf)
	return x
}

// caller waits for a connection and for a stream of it.
func (s *stranger) caller() (*quic.Conn, *quic.ReceiveStream) {
	c, err := s.callers.Accept(context.Background())
	if err != nil {
		s.n.Error(err)
		return nil, nil
	}
	x, err := c.AcceptUniStream(context.Background())
	if err != nil {
		s.n.Error(err)
	}
	return c, x
}

// asked is a request that a stranger got.
type asked struct {
	c  *quic.Conn
	id wire.MessageID
	wire.Request
}

// response is the bytes of an answer.
func (q *asked) response() []byte {
	return wire.AppendSuccess(nil, q.RequestID, q.Key, []byte("record"))
}

// hear waits for a request, and finds that its envelope tells the time and the program.
func (s *stranger) hear() asked {
	c, x := s.caller()
	buf, err := io.ReadAll(x)
	if err != nil {
		s.n.Error(err)
	}
	q := asked{c: c}
	env, err := wire.NewVerifier(1).Open(buf)
	if err != nil {
		s.n.Error(err)
		return q
	}
	if env.IsResponse || env.Timestamp != uint64(time.Now().Unix()) || string(env.UserAgent) != "fetchproof" {
		s.n.Errorf("heard %+v", env)
	}
	q.id = env.MessageID
	if _, err := wire.DecodeRequest(env.Payload, &q.Request); err != nil {
		s.n.Error(err)
	}
	return q
}
