package transport

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/quic-go/quic-go"

	"fetchproof/impl/node/worker"
)

// TestMaxArriving: a message that does not fit is dropped, a smaller one not.
func TestMaxArriving(t *testing.T) {
	inBubble(t, func(n *net10) {
		cfg := Defaults()
		cfg.MaxArriving = 100_000
		a := n.start(0, cfg, nil)
		n.start(1, Defaults(), echo(1_000_000))
		n.start(2, Defaults(), echo(10_000))
		if _, arrived, err := a.fetch(1, 5*time.Second); !errors.Is(err, context.DeadlineExceeded) || arrived != 0 {
			n.Errorf("%v, arrived %d times", err, arrived)
		}
		if _, _, err := a.fetch(2, 5*time.Second); err != nil {
			n.Error(err)
		}
		if st := n.stats(a); st.TooMuch != 1 || st.Arriving != 0 {
			n.Errorf("%+v", st)
		}
	})
}

// TestExactlyFits: messages that fill MaxArriving to the byte are taken.
func TestExactlyFits(t *testing.T) {
	inBubble(t, func(n *net10) {
		cfg := Defaults()
		cfg.MaxArriving = firstRead
		a, b := n.start(0, cfg, nil), n.start(1, cfg, echo(1))
		n.fetches(a, 1)
		if st := n.stats(b); st.Requests != 1 || st.TooMuch != 0 {
			n.Errorf("%+v", st)
		}
	})
}

// TestInboundBounds: connections are turned away at either bound, and those that end make room.
func TestInboundBounds(t *testing.T) {
	inBubble(t, func(n *net10) {
		cfg := Defaults()
		cfg.MaxInbound, cfg.MaxInboundPerHost = 3, 2
		a := n.start(0, cfg, echo(1))
		var dialers []*Transport
		most := 0
		for i, step := range []struct {
			host  int
			in    bool
			leave int // who hangs up before, if not 0, counted from 1
		}{
			{1, true, 0},
			{1, true, 0},
			{1, false, 0}, // the host has two
			{2, true, 0},
			{3, false, 0}, // there are three
			{1, false, 4}, // the host still has two
			{3, true, 0},
			{1, false, 0},
			{1, true, 1},
			{1, false, 7}, // third of the host again
			{4, true, 0},
			{5, false, 0},
		} {
			if step.leave > 0 {
				if err := dialers[step.leave-1].Close(); err != nil {
					n.Error(err)
				}
				time.Sleep(time.Second)
			}
			before := n.stats(a)
			d := n.startAt(addrPort(step.host, 7001+i), 9, Defaults(), nil)
			dialers = append(dialers, d)
			if _, _, err := d.fetch(0, 5*time.Second); (err == nil) != step.in || !step.in && !errors.Is(err, worker.ErrUnreachable) {
				n.Errorf("step %d: %v", i, err)
			}
			st := n.stats(a)
			if most = max(most, st.Inbound); (st.RefusedConns > before.RefusedConns) == step.in || st.MostInbound != most {
				n.Errorf("step %d: %d refused, before %d; at most %d, want %d", i, st.RefusedConns, before.RefusedConns, st.MostInbound, most)
			}
		}
		if most != cfg.MaxInbound {
			n.Errorf("at most %d connections", most)
		}
	})
}

// TestProvesAddress: once half of the room is taken, a dialer is asked to prove its address.
func TestProvesAddress(t *testing.T) {
	inBubble(t, func(n *net10) {
		cfg := Defaults()
		cfg.MaxInbound = 6
		a := n.start(0, cfg, echo(1))
		for i, want := range []bool{false, false, false, true, true} {
			asked := &a.conn.(*tap).retries
			asked.Store(0)
			n.fetches(n.start(1+i, Defaults(), nil), 0)
			if got := asked.Load() > 0; got != want {
				n.Errorf("dialer %d: asked %v, want %v", i+1, got, want)
			}
		}
	})
}

// TestStreams: a peer may have MaxStreams messages arriving at once, and streams of no other kind.
func TestStreams(t *testing.T) {
	inBubble(t, func(n *net10) {
		cfg := Defaults()
		cfg.MaxStreams = 3
		n.start(0, cfg, nil)
		c := n.stranger(1, nil).dial(0)
		var limit *quic.StreamLimitReachedError
		if _, err := c.OpenStream(); !errors.As(err, &limit) {
			n.Errorf("a stream both ways: %v", err)
		}
		for i := range 4 {
			s, err := c.OpenUniStream()
			if (err == nil) != (i < 3) || i == 3 && !errors.As(err, &limit) {
				n.Errorf("stream %d: %v", i, err)
			}
			if err == nil {
				_, _ = s.Write([]byte("half a mess"))
			}
		}
	})
}
