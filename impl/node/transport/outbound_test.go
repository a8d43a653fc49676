package transport

import (
	"context"
	"errors"
	"testing"
	"time"

	"fetchproof/impl/node/worker"
	"fetchproof/impl/wire"
)

// TestMaxOutbound: the connection unused for longest makes room; one in use does not.
func TestMaxOutbound(t *testing.T) {
	inBubble(t, func(n *net10) {
		cfg := Defaults()
		cfg.MaxOutbound = 2
		a := n.start(0, cfg, nil)
		var others []*Transport
		for h := 1; h <= 3; h++ {
			others = append(others, n.start(h, Defaults(), echo(1)))
		}
		n.start(4, Defaults(), nil) // silent
		for _, h := range []int{1, 2, 1, 3} {
			if _, _, err := a.fetch(h, time.Second); err != nil {
				n.Error(err)
			}
		}
		time.Sleep(time.Second)
		for i, want := range []int{1, 0, 1} { // the second was unused for longest
			if got := n.stats(others[i]).Inbound; got != want {
				n.Errorf("host %d has %d connections, want %d", i+1, got, want)
			}
		}
		for range 2 { // both lines are in use by fetches that wait
			go func() { _, _, _ = a.fetch(4, time.Minute) }()
		}
		go func() { _, _, _ = a.fetch(5, 9*time.Second) }()
		time.Sleep(time.Second)
		if _, _, err := a.fetch(1, time.Second); !errors.Is(err, worker.ErrNotSent) {
			n.Errorf("a third connection: %v", err)
		}
		time.Sleep(10 * time.Second)
		if _, _, err := a.fetch(1, time.Second); err != nil {
			n.Errorf("when one is free again: %v", err)
		}
		time.Sleep(time.Minute)
	})
}

// TestLeastRecentlyUsed: whichever connection was used last, it is the one unused for longest that makes room.
func TestLeastRecentlyUsed(t *testing.T) {
	inBubble(t, func(n *net10) {
		cfg := Defaults()
		cfg.MaxOutbound = 6
		a := n.start(0, cfg, nil)
		hosts := map[int]*Transport{}
		for h := 1; h <= 9; h++ {
			hosts[h] = n.start(h, Defaults(), echo(1))
		}
		for _, h := range []int{1, 2, 3, 4, 5, 6, 3, 1, 4, 6, 2, 5} {
			n.fetches(a, h)
		}
		for _, step := range []struct{ fetch, gone int }{{7, 3}, {8, 1}, {9, 4}, {3, 6}, {1, 2}} {
			n.fetches(a, step.fetch)
			time.Sleep(time.Second)
			connected := 0
			for _, x := range hosts {
				connected += n.stats(x).Inbound
			}
			if connected != 6 || n.stats(hosts[step.gone]).Inbound != 0 {
				n.Errorf("after %d: %d connections, %d has %d", step.fetch, connected, step.gone, n.stats(hosts[step.gone]).Inbound)
			}
		}
	})
}

func (n *net10) fetches(a *Transport, host int) {
	n.Helper()
	if _, _, err := a.fetch(host, time.Second); err != nil {
		n.Errorf("host %d: %v", host, err)
	}
}

// TestRoomForDials: a dial that failed holds no place, and one that nobody waits for any more makes room and is hung up
// when it comes about.
func TestRoomForDials(t *testing.T) {
	inBubble(t, func(n *net10) {
		cfg := Defaults()
		cfg.MaxOutbound = 1
		a := n.start(0, cfg, nil)
		n.start(1, Defaults(), echo(1))
		n.latency = 3 * time.Second
		far := n.start(2, Defaults(), echo(1))
		if _, _, err := a.fetch(5, time.Minute); !errors.Is(err, worker.ErrUnreachable) {
			n.Errorf("nobody there: %v", err)
		}
		n.fetches(a, 1)
		if _, _, err := a.fetch(2, time.Second); !errors.Is(err, worker.ErrUnreachable) {
			n.Errorf("far away: %v", err)
		}
		n.fetches(a, 1)
		time.Sleep(20 * time.Second) // not as long as IdleTimeout
		if st := n.stats(far); st.MostInbound != 1 || st.Inbound != 0 {
			n.Errorf("the far host has %d connections, had %d", st.Inbound, st.MostInbound)
		}
	})
}

// TestRedial: a new connection to a peer takes the place of its dead one, and no other's.
func TestRedial(t *testing.T) {
	inBubble(t, func(n *net10) {
		cfg := Defaults()
		cfg.MaxOutbound = 2
		a, b, other := n.start(0, cfg, nil), n.start(1, Defaults(), echo(1)), n.start(2, Defaults(), echo(1))
		n.fetches(a, 2)
		n.fetches(a, 1)
		if err := b.Close(); err != nil {
			n.Error(err)
		}
		time.Sleep(time.Second)
		n.start(1, Defaults(), echo(1))
		n.fetches(a, 1)
		time.Sleep(time.Second)
		if got := n.stats(other).Inbound; got != 1 {
			n.Errorf("the other one has %d connections", got)
		}
	})
}

// TestRestart: a fetch over a connection from before does not notice that the peer was restarted without a goodbye.
func TestRestart(t *testing.T) {
	inBubble(t, func(n *net10) {
		a, b := n.start(0, Defaults(), nil), n.start(1, Defaults(), echo(1))
		n.fetches(a, 1)
		n.crash(b)
		b = n.start(1, Defaults(), echo(1))
		n.fetches(a, 1)
		if st := n.stats(b); st.Requests != 1 {
			n.Errorf("asked %d times", st.Requests)
		}
	})
}

// TestRestartWhileAsked: a fetch that dialled the peer itself does not dial it again when the connection is reset, or
// one that resets every connection would be dialled on and on.
func TestRestartWhileAsked(t *testing.T) {
	inBubble(t, func(n *net10) {
		a, b := n.start(0, Defaults(), nil), n.start(1, Defaults(), nil)
		done := make(chan struct{})
		go func() {
			defer close(done)
			if _, _, err := a.fetch(1, time.Minute); !errors.Is(err, worker.ErrUnreachable) {
				n.Errorf("the fetch that dialled: %v", err)
			}
		}()
		time.Sleep(time.Second)
		n.crash(b)
		b = n.start(1, Defaults(), echo(1))
		n.fetches(a, 1) // over the same connection, which is from before for this one
		<-done
		if st := n.stats(b); st.Requests != 1 {
			n.Errorf("asked %d times", st.Requests)
		}
	})
}

// TestCloseWaits: Close returns when nothing of the transport runs any more, handlers included.
func TestCloseWaits(t *testing.T) {
	inBubble(t, func(n *net10) {
		a := n.start(0, Defaults(), nil)
		returned := false
		b := n.start(1, Defaults(), func(wire.PeerID, wire.Request, Reply) {
			time.Sleep(time.Minute)
			returned = true
		})
		if _, _, err := a.fetch(1, time.Second); !errors.Is(err, context.DeadlineExceeded) {
			n.Error(err)
		}
		if err := b.Close(); err != nil || !returned {
			n.Errorf("%v, handler returned %v", err, returned)
		}
	})
}
