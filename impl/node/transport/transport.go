package transport

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"sync"
	"time"

	"github.com/quic-go/quic-go"

	"fetchproof/impl/wire"
)

// Reply sends a response to the peer that made the request, until ctx ends. It
// calls sent, unless nil, when all of the message was handed over and its end was
// not: so what sent does is done before the requester can have the whole message.
type Reply = func(ctx context.Context, m *wire.Message, sent func()) error

// Handler takes the request of a proven sender. It is called from many goroutines
// and must not block.
type Handler func(from wire.PeerID, req wire.Request, reply Reply)

// Transport is one node's end of all its connections. It is safe for concurrent
// use.
type Transport struct {
	cfg      Config
	conn     net.PacketConn
	signer   *wire.Signer
	verifier *wire.Verifier
	handler  Handler
	log      *slog.Logger

	quic     *quic.Transport
	listener *quic.Listener
	dialing  dialing
	inbound  inbound
	book     book
	waiting  waiting
	counts   counts

	ctx    context.Context // ends at Close
	cancel context.CancelFunc
	tasks  sync.WaitGroup

	closing sync.Mutex
	closed  bool
	done    chan struct{}
}

// New starts a transport on conn, which it owns from then on. handler is told of
// requests; nil drops them. The caller must call Close.
func New(cfg Config, conn net.PacketConn, signer *wire.Signer, handler Handler, log *slog.Logger) (*Transport, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	server, err := ServerTLS()
	if err != nil {
		return nil, err
	}
	if handler == nil {
		handler = func(wire.PeerID, wire.Request, Reply) {}
	}
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	t := &Transport{
		cfg: cfg, conn: conn, signer: signer, verifier: wire.NewVerifier(cfg.MaxKeys),
		handler: handler, log: log, done: make(chan struct{}),
	}
	t.book.limit = cfg.MaxPeers
	t.inbound.cfg = &t.cfg
	t.dialing.init(t, ClientTLS())
	t.quic = &quic.Transport{
		Conn: conn, StatelessResetKey: resetKey(signer),
		ConnContext: t.inbound.admit, VerifySourceAddress: t.inbound.suspicious,
	}
	if t.listener, err = t.quic.Listen(server, t.quicConfig()); err != nil {
		return nil, errors.Join(fmt.Errorf("transport: listening: %w", err), t.quic.Close(), conn.Close())
	}
	t.ctx, t.cancel = context.WithCancel(context.Background())
	t.tasks.Go(t.accept)
	return t, nil
}

func (t *Transport) quicConfig() *quic.Config {
	return &quic.Config{
		HandshakeIdleTimeout:  t.cfg.DialTimeout,
		MaxIdleTimeout:        t.cfg.IdleTimeout,
		MaxIncomingUniStreams: t.cfg.MaxStreams,
		MaxIncomingStreams:    -1,
	}
}

// Addr is the local address.
func (t *Transport) Addr() net.Addr { return t.conn.LocalAddr() }

// accept takes connections until Close.
func (t *Transport) accept() {
	for {
		c, err := t.listener.Accept(t.ctx)
		if err != nil {
			return
		}
		t.tasks.Go(func() { t.receive(c) })
	}
}

// Close ends all connections and waits for every goroutine. Fetches under way fail.
// A second call waits for the first.
func (t *Transport) Close() error {
	if !t.close() {
		<-t.done
		return nil
	}
	t.cancel()
	t.dialing.close()
	err := t.listener.Close()
	// The accepted connections, whose receivers end them, must get to say so
	// before the socket goes.
	t.tasks.Wait()
	err = errors.Join(err, t.quic.Close(), t.conn.Close())
	close(t.done)
	return err
}

func (t *Transport) close() bool {
	t.closing.Lock()
	defer t.closing.Unlock()
	first := !t.closed
	t.closed = true
	return first
}

// errNotBegun: nothing of a message was handed to the connection.
var errNotBegun = errors.New("transport: message not begun")

// send seals a message and sends it as a stream of c until ctx ends; sent is as for
// Reply. It fails with errNotBegun if nothing of it was sent.
func (t *Transport) send(ctx context.Context, c *quic.Conn, h *wire.Header, m *wire.Message, sent func()) error {
	h.Timestamp, h.UserAgent = uint64(time.Now().Unix()), userAgent
	buf, err := wire.SealMessage(make([]byte, 0, wire.MessageSize(m)+sealSize), t.signer, h, m)
	if err != nil {
		return fmt.Errorf("%w: %w", errNotBegun, err)
	}
	s, err := c.OpenUniStreamSync(ctx)
	if err != nil {
		return fmt.Errorf("%w: %w", errNotBegun, err)
	}
	// A write that waits for a slow reader ends with ctx.
	stop := context.AfterFunc(ctx, func() { s.CancelWrite(codeGivenUp) })
	defer stop()
	if _, err := s.Write(buf); err != nil {
		return err
	}
	if sent != nil {
		sent()
	}
	return s.Close()
}

const (
	userAgent = "fetchproof"
	// sealSize is what the envelopes add to a message.
	sealSize = wire.PublicKeySize + wire.SignatureSize + 512

	codeGivenUp quic.StreamErrorCode      = 1
	codeRefused quic.StreamErrorCode      = 2
	codeBye     quic.ApplicationErrorCode = 0
)
