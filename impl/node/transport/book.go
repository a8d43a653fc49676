package transport

import (
	"errors"
	"net"
	"sync"

	"fetchproof/impl/wire"
)

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
