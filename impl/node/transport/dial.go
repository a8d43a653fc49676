package transport

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"sync"

	"github.com/quic-go/quic-go"

	"fetchproof/impl/wire"
)

var (
	errNoAddress = errors.New("transport: no address of that peer")
	// errClosed is not net.ErrClosed, which errors of quic-go match too.
	errClosed = errors.New("transport: closed")
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

// get returns a line to a peer, ready, and whether it was there before. The caller
// lets go of it with put.
func (d *dialing) get(ctx context.Context, peer wire.PeerID) (l *line, old bool, err error) {
	l, old, err = d.join(peer)
	if err != nil {
		return nil, false, err
	}
	select {
	case <-l.ready:
	case <-ctx.Done():
		d.put(l)
		return nil, old, ctx.Err()
	}
	if l.err != nil {
		d.put(l)
		return nil, old, l.err
	}
	return l, old, nil
}

// join finds the peer's line, or begins to make one. The dial does not end with one
// caller's patience: others share it.
func (d *dialing) join(peer wire.PeerID) (*line, bool, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return nil, false, errClosed
	}
	d.clock++
	l, old := d.lines[peer]
	if old && l.alive() {
		l.users++
		l.used = d.clock
		return l, true, nil
	}
	addr, ok := d.t.book.find(peer)
	if !ok {
		return nil, false, errNoAddress
	}
	if !old && len(d.lines) >= d.t.cfg.MaxOutbound && !d.dropOne() {
		return nil, false, errTooMany
	}
	l = &line{users: 1, used: d.clock, ready: make(chan struct{})}
	d.lines[peer] = l
	d.t.tasks.Go(func() { d.dial(l, addr) })
	return l, false, nil
}

// dropOne closes the line that nobody uses and nobody used for longest.
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

// closeAll hangs every line up and makes no new ones.
func (d *dialing) closeAll() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.closed = true
	for _, l := range d.lines {
		l.hangUp()
	}
}

// book knows where peers are.
type book struct {
	limit int

	mu    sync.Mutex
	addrs map[wire.PeerID]net.Addr
}

// AddPeer says where a peer is, or where it is now. It fails if the book is full.
func (t *Transport) AddPeer(peer wire.PeerID, addr net.Addr) error {
	b := &t.book
	b.mu.Lock()
	defer b.mu.Unlock()
	if _, known := b.addrs[peer]; !known && len(b.addrs) >= b.limit {
		return errors.New("transport: address book full")
	}
	if b.addrs == nil {
		b.addrs = make(map[wire.PeerID]net.Addr)
	}
	b.addrs[peer] = addr
	return nil
}

// ForgetPeer takes a peer out of the book. A connection to it stays until it is
// idle.
func (t *Transport) ForgetPeer(peer wire.PeerID) {
	t.book.mu.Lock()
	defer t.book.mu.Unlock()
	delete(t.book.addrs, peer)
}

func (b *book) find(peer wire.PeerID) (net.Addr, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	a, ok := b.addrs[peer]
	return a, ok
}
