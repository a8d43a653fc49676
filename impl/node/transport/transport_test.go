package transport

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/quic-go/quic-go/testutils/simnet"
	"go.uber.org/goleak"

	"fetchproof/impl/node/worker"
	"fetchproof/impl/scheduler"
	"fetchproof/impl/wire"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// net10 is a network in a bubble, one millisecond from anywhere to anywhere.
type net10 struct {
	*testing.T
	router simnet.PerfectRouter
	links  []*simnet.SimulatedLink
	all    []*Transport
}

func addr(n int) *net.UDPAddr { return &net.UDPAddr{IP: net.IPv4(10, 0, 0, byte(n)).To4(), Port: 7000} }

func (n *net10) socket(host int) net.PacketConn {
	l := &simnet.SimulatedLink{UploadPacket: &n.router, Latency: time.Millisecond}
	c := simnet.NewBlockingSimConn(addr(host), l)
	n.router.AddNode(addr(host), l)
	l.Start()
	n.links = append(n.links, l)
	return c
}

func signer(host int) *wire.Signer { return wire.NewSigner([wire.SeedSize]byte{byte(host)}) }

func id(host int) wire.PeerID { return signer(host).ID() }

// start starts a transport that knows hosts 0 to 9.
func (n *net10) start(host int, cfg Config, h Handler) *Transport {
	n.Helper()
	t, err := New(cfg, n.socket(host), signer(host), h, nil)
	if err != nil {
		n.Fatal(err)
	}
	n.all = append(n.all, t)
	for p := range 10 {
		if err := t.AddPeer(id(p), addr(p)); err != nil && cfg.MaxPeers >= 10 {
			n.Error(err)
		}
	}
	return t
}

func inBubble(t *testing.T, test func(n *net10)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		n := &net10{T: t}
		test(n)
		for _, x := range n.all {
			if err := x.Close(); err != nil {
				t.Error(err)
			}
			if x.counts.arriving.Load() != 0 {
				t.Error("bytes still accounted")
			}
		}
		for _, l := range n.links {
			_ = l.Close()
		}
	})
}

// echo answers every request with size bytes.
func echo(size int) Handler {
	return func(_ wire.PeerID, r wire.Request, reply Reply) {
		go func() {
			data := bytes.Repeat([]byte("x"), size)
			_ = reply(context.Background(), &wire.Message{RequestID: r.RequestID, Kind: wire.Success, Key: r.Key, Data: data}, nil)
		}()
	}
}

// fetch asks host for a record with a timeout.
func (t *Transport) fetch(host int, timeout time.Duration) (worker.Response, int, error) {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	arrived := 0
	r, err := t.Fetch(ctx, worker.Request{Peer: scheduler.Peer(id(host)), AsksBusy: true}, func() { arrived++ })
	return r, arrived, err
}

// TestFetch: small and large records come whole, and each answer arrives once.
func TestFetch(t *testing.T) {
	for _, size := range []int{0, 1, firstRead, 100_000, wire.MaxRecord, wire.MaxMessage - 100} {
		inBubble(t, func(n *net10) {
			var got wire.Request
			a := n.start(0, Defaults(), nil)
			n.start(1, Defaults(), func(from wire.PeerID, r wire.Request, reply Reply) {
				got = r
				if from != id(0) {
					n.Errorf("from %v", from)
				}
				echo(size)(from, r, reply)
			})
			r, arrived, err := a.fetch(1, time.Minute)
			if err != nil || r.Err != nil || len(r.Message.Data) != size || arrived != 1 {
				n.Errorf("size %d: %d bytes, arrived %d times, %v, %v", size, len(r.Message.Data), arrived, err, r.Err)
			}
			if !got.AsksBusy {
				n.Error("the capability got lost")
			}
		})
	}
}

// TestFailures: what each failure of a fetch is.
func TestFailures(t *testing.T) {
	for _, c := range []struct {
		name string
		host int
		want error
	}{
		{"no address", 20, worker.ErrNotSent},
		{"nobody there", 5, worker.ErrUnreachable},
		{"no answer", 1, context.DeadlineExceeded},
	} {
		t.Run(c.name, func(t *testing.T) {
			inBubble(t, func(n *net10) {
				a := n.start(0, Defaults(), nil)
				n.start(1, Defaults(), nil)
				for _, timeout := range []time.Duration{time.Second, 15 * time.Second} { // DialTimeout is 10 s
					began := time.Now()
					if _, arrived, err := a.fetch(c.host, timeout); !errors.Is(err, c.want) || arrived != 0 {
						n.Errorf("%v, arrived %d times", err, arrived)
					}
					if took := time.Since(began); took > timeout {
						n.Errorf("took %v", took)
					}
				}
			})
		})
	}
}

// TestPeerCloses: a request whose connection ends is unreachable at once, and the next one dials anew.
func TestPeerCloses(t *testing.T) {
	inBubble(t, func(n *net10) {
		a, b := n.start(0, Defaults(), nil), n.start(1, Defaults(), nil)
		go func() {
			time.Sleep(time.Second)
			_ = b.Close()
		}()
		began := time.Now()
		if _, _, err := a.fetch(1, time.Minute); !errors.Is(err, worker.ErrUnreachable) || time.Since(began) > 2*time.Second {
			n.Errorf("after %v: %v", time.Since(began), err)
		}
		n.start(1, Defaults(), echo(1))
		if _, _, err := a.fetch(1, time.Minute); err != nil {
			n.Error(err)
		}
	})
}

// TestClose: Close ends fetches that wait, dials that hang, and may be called twice; after it nothing is sent.
func TestClose(t *testing.T) {
	inBubble(t, func(n *net10) {
		a := n.start(0, Defaults(), nil)
		n.start(1, Defaults(), nil)
		var all sync.WaitGroup
		for _, host := range []int{1, 1, 5} {
			all.Go(func() {
				if _, _, err := a.fetch(host, time.Hour); !errors.Is(err, worker.ErrUnreachable) {
					n.Errorf("host %d: %v", host, err)
				}
			})
		}
		time.Sleep(time.Second)
		began := time.Now()
		for range 2 {
			all.Go(func() {
				if err := a.Close(); err != nil {
					n.Error(err)
				}
			})
		}
		all.Wait()
		if took := time.Since(began); took > time.Second {
			n.Errorf("took %v", took)
		}
		if _, _, err := a.fetch(1, time.Second); !errors.Is(err, worker.ErrNotSent) {
			n.Errorf("after Close: %v", err)
		}
	})
}

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
			if got := others[i].Stats().Inbound; got != want {
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
		if st := a.Stats(); st.TooMuch != 1 || st.Arriving != 0 {
			n.Errorf("%+v", st)
		}
	})
}

// TestAddressBook: it is bounded, and a peer that moved is found at its new place.
func TestAddressBook(t *testing.T) {
	inBubble(t, func(n *net10) {
		cfg := Defaults()
		cfg.MaxPeers = 2
		a := n.start(0, cfg, nil) // knows 0 and 1
		if err := a.AddPeer(id(2), addr(2)); err == nil {
			n.Error("no bound")
		}
		n.start(2, Defaults(), echo(1))
		a.ForgetPeer(id(1))
		if err := a.AddPeer(id(2), addr(9)); err != nil {
			n.Error(err)
		}
		if err := a.AddPeer(id(2), addr(2)); err != nil {
			n.Error(err)
		}
		if _, _, err := a.fetch(2, time.Second); err != nil {
			n.Error(err)
		}
	})
}

// TestPanic: a handler that panics costs its message alone.
func TestPanic(t *testing.T) {
	inBubble(t, func(n *net10) {
		a := n.start(0, Defaults(), nil)
		first := true
		n.start(1, Defaults(), func(from wire.PeerID, r wire.Request, reply Reply) {
			if first {
				first = false
				panic("boom")
			}
			echo(1)(from, r, reply)
		})
		if _, _, err := a.fetch(1, time.Second); !errors.Is(err, context.DeadlineExceeded) {
			n.Error(err)
		}
		if _, _, err := a.fetch(1, time.Second); err != nil {
			n.Error(err)
		}
	})
}

// TestManyAtOnce is for the race detector: fetches in both directions share the two connections.
func TestManyAtOnce(t *testing.T) {
	inBubble(t, func(n *net10) {
		ts := []*Transport{n.start(0, Defaults(), echo(10)), n.start(1, Defaults(), echo(1000))}
		var all sync.WaitGroup
		for i := range 40 {
			all.Go(func() {
				if _, _, err := ts[i%2].fetch(1-i%2, time.Minute); err != nil {
					n.Error(err)
				}
			})
		}
		all.Wait()
		for i, x := range ts {
			if st := x.Stats(); st.Requests != 20 || st.Responses != 20 || st.MostInbound != 1 {
				n.Errorf("%d: %+v", i, st)
			}
		}
	})
}

func TestConfig(t *testing.T) {
	for i, change := range []func(*Config){
		func(c *Config) { c.MaxInbound = 0 }, func(c *Config) { c.MaxInboundPerHost = 0 }, func(c *Config) { c.MaxOutbound = 0 },
		func(c *Config) { c.MaxStreams = 0 }, func(c *Config) { c.MaxArriving = 0 }, func(c *Config) { c.MessageTimeout = 0 },
		func(c *Config) { c.DialTimeout = 0 }, func(c *Config) { c.IdleTimeout = 0 }, func(c *Config) { c.MaxPeers = 0 },
		func(c *Config) { c.MaxKeys = -1 },
	} {
		c := Defaults()
		change(&c)
		if _, err := New(c, nil, nil, nil, nil); err == nil || !strings.Contains(err.Error(), "at least 1") {
			t.Errorf("%d: %v", i, err)
		}
	}
}

func TestHostOf(t *testing.T) {
	for _, a := range []net.Addr{
		&net.UDPAddr{IP: net.IPv4(1, 2, 3, 4), Port: 5}, &net.UDPAddr{IP: net.IPv4(1, 2, 3, 4).To4(), Port: 6}, text("1.2.3.4:7"),
	} {
		if h := hostOf(a); h.String() != "1.2.3.4" {
			t.Errorf("%v: %v", a, h)
		}
	}
	if h := hostOf(text("elsewhere")); h.IsValid() {
		t.Error(h)
	}
}

type text string

func (text) Network() string  { return "udp" }
func (t text) String() string { return fmt.Sprint(string(t)) }
