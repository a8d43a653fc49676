package transport

import (
	"errors"
	"net"
	"sync"
	"testing"

	"fetchproof/impl/wire"
)

// TestLocksAreGivenBack: what the table of lines and the address book do under
// their locks leaves them free, however it ends.
func TestLocksAreGivenBack(t *testing.T) {
	tr := &Transport{book: book{limit: 1}}
	d := &dialing{t: tr, lines: map[wire.PeerID]*line{}}
	free := func(what string, mu *sync.Mutex) {
		t.Helper()
		if !mu.TryLock() {
			t.Fatalf("%s keeps the lock", what)
		}
		mu.Unlock()
	}
	here, known, other := &net.UDPAddr{Port: 1}, wire.PeerID{1}, wire.PeerID{2}

	if err := tr.AddPeer(known, here); err != nil {
		t.Error(err)
	}
	free("adding a peer", &tr.book.mu)
	if err := tr.AddPeer(other, here); err == nil {
		t.Error("a second peer in a book for one")
	}
	free("a full book", &tr.book.mu)
	if addr, ok := tr.book.find(known); !ok || addr != here {
		t.Errorf("found %v, %v", addr, ok)
	}
	free("finding a peer", &tr.book.mu)
	tr.ForgetPeer(known)
	free("forgetting a peer", &tr.book.mu)

	if _, err := d.join(known); !errors.Is(err, errNoAddress) {
		t.Error(err)
	}
	free("a line to nowhere", &d.mu)
	d.put(&line{users: 1})
	free("letting go of a line", &d.mu)
	d.close()
	free("closing the table", &d.mu)
	if _, err := d.join(known); !errors.Is(err, errClosed) {
		t.Error(err)
	}
	free("a line from a closed table", &d.mu)
}

// TestClosesOnce: of several calls of Close one does the work.
func TestClosesOnce(t *testing.T) {
	tr := &Transport{}
	first, second := tr.close(), tr.close()
	if !first || second {
		t.Errorf("the first call closes: %v, the second: %v", first, second)
	}
	if !tr.closing.TryLock() {
		t.Error("closing keeps the lock")
	}
}
