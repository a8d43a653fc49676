package transport

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"sync"

	"github.com/quic-go/quic-go"

	"fetchproof/impl/node/worker"
	"fetchproof/impl/wire"
)

// Why there is no line to a peer, so that nothing was sent.
var (
	errNoAddress = fmt.Errorf("%w: no address of that peer", worker.ErrNotSent)
	errAllInUse  = fmt.Errorf("%w: every connection is in use", worker.ErrNotSent)
	errClosed    = fmt.Errorf("%w: transport closed", worker.ErrNotSent)
)

// dialing keeps the connections that this node dialled, one a peer.
type dialing struct {
	t   *Transport
	tls *tls.Config

	mu     sync.Mutex
	lines  map[wire.PeerID]*line
	clock  uint64 // of uses
	closed bool
}

// line is a connection to a peer, or the attempt to make one, shared by all who
// want it.
type line struct {
	users int           // under dialing.mu, as the next two
	used  uint64        // when it was used last
	gone  bool          // hung up before it was ready
	ready chan struct{} // closed when conn or err is there
	conn  *quic.Conn
	err   error
}

// lease is a line in use; old says that it was there before.
type lease struct {
	*line
	old bool
}

func (d *dialing) init(t *Transport, conf *tls.Config) {
	d.t, d.tls, d.lines = t, conf, make(map[wire.PeerID]*line)
}

// alive reports whether the line can still be used or may still come about.
func (l *line) alive() bool {
	select {
	case <-l.ready:
		return l.err == nil && l.conn.Context().Err() == nil
	default:
		return true
	}
}

// get returns a line to a peer, ready, for the caller to let go of with put. It fails
// with worker.ErrNotSent if there can be none now, and with worker.ErrUnreachable if
// it does not come about while ctx lasts.
func (d *dialing) get(ctx context.Context, peer wire.PeerID) (lease, error) {
	l, err := d.join(peer)
	if err != nil {
		return lease{}, err
	}
	select {
	case <-l.ready:
		err = l.err
	case <-ctx.Done():
		err = ctx.Err()
	}
	if err != nil {
		d.put(l.line)
		return lease{}, fmt.Errorf("%w: %w", worker.ErrUnreachable, err)
	}
	return l, nil
}

// join finds the peer's line, or begins to make one. The dial does not end with one
// caller's patience: others share it.
func (d *dialing) join(peer wire.PeerID) (lease, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return lease{}, errClosed
	}
	d.clock++
	l, old := d.lines[peer]
	if old && l.alive() {
		l.users++
		l.used = d.clock
		return lease{l, true}, nil
	}
	addr, ok := d.t.book.find(peer)
	if !ok {
		return lease{}, errNoAddress
	}
	if !old && len(d.lines) >= d.t.cfg.MaxOutbound && !d.dropOne() {
		return lease{}, errAllInUse
	}
	l = &line{users: 1, used: d.clock, ready: make(chan struct{})}
	d.lines[peer] = l
	d.t.tasks.Go(func() { d.dial(l, addr) })
	return lease{l, false}, nil
}

// dropOne closes the line that has been unused for longest, if there is one.
func (d *dialing) dropOne() bool {
	var worst *line
	var of wire.PeerID
	for p, l := range d.lines {
		if l.users == 0 && (worst == nil || l.used < worst.used) {
			worst, of = l, p
		}
	}
	if worst == nil {
		return false
	}
	delete(d.lines, of)
	worst.hangUp()
	return true
}

// hangUp ends the line, now or as soon as it is ready. dialing.mu is held.
func (l *line) hangUp() {
	l.gone = true
	select {
	case <-l.ready:
		if l.err == nil {
			_ = l.conn.CloseWithError(codeBye, "")
		}
	default:
	}
}

func (d *dialing) put(l *line) {
	d.mu.Lock()
	defer d.mu.Unlock()
	l.users--
}

// dial makes the connection and then receives on it.
func (d *dialing) dial(l *line, addr net.Addr) {
	ctx, cancel := context.WithTimeout(d.t.ctx, d.t.cfg.DialTimeout)
	c, err := d.t.quic.Dial(ctx, addr, d.tls, d.t.quicConfig())
	cancel()
	d.mu.Lock()
	l.conn, l.err = c, err
	close(l.ready)
	if l.gone {
		l.hangUp()
	}
	d.mu.Unlock()
	if err == nil {
		d.t.receive(c)
	}
}

// close makes no new lines from now on. Existing lines end with the context of
// the transport.
func (d *dialing) close() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.closed = true
}
