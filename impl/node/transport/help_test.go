package transport

import (
	"bytes"
	"cmp"
	"context"
	"log/slog"
	"net"
	"sync/atomic"
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
	router    simnet.PerfectRouter
	links     []*simnet.SimulatedLink
	all       []*Transport
	strangers []*stranger
	latency   time.Duration // to the sockets made from now on, if not 0
	log       bytes.Buffer  // of all transports; empty at the end
}

func addr(n int) *net.UDPAddr { return addrPort(n, 7000) }

func addrPort(n, port int) *net.UDPAddr {
	return &net.UDPAddr{IP: net.IPv4(10, 0, 0, byte(n)).To4(), Port: port}
}

// tap is a socket that can be watched and cut off.
type tap struct {
	*simnet.SimConn
	mute    atomic.Bool  // what is written is lost
	retries atomic.Int64 // Retry packets written, which ask a dialer to prove its address
	onClose error
}

func (p *tap) WriteTo(b []byte, to net.Addr) (int, error) {
	if b[0]&0xf0 == 0xf0 { // a long header, type 3
		p.retries.Add(1)
	}
	if p.mute.Load() {
		return len(b), nil
	}
	return p.SimConn.WriteTo(b, to)
}

func (p *tap) Close() error {
	_ = p.SimConn.Close()
	return p.onClose
}

func (n *net10) socket(at *net.UDPAddr) *tap {
	l := &simnet.SimulatedLink{UploadPacket: &n.router, Latency: cmp.Or(n.latency, time.Millisecond)}
	c := simnet.NewBlockingSimConn(at, l)
	l.Start() // before others can send to it
	n.router.AddNode(at, l)
	n.links = append(n.links, l)
	return &tap{SimConn: c}
}

func signer(host int) *wire.Signer { return wire.NewSigner([wire.SeedSize]byte{byte(host)}) }

func id(host int) wire.PeerID { return signer(host).ID() }

// start starts a transport that knows hosts 0 to 9.
func (n *net10) start(host int, cfg Config, h Handler) *Transport {
	n.Helper()
	return n.startAt(addr(host), host, cfg, h)
}

func (n *net10) startAt(at *net.UDPAddr, host int, cfg Config, h Handler) *Transport {
	n.Helper()
	t, err := New(cfg, n.socket(at), signer(host), h, slog.New(slog.NewTextHandler(&n.log, nil)))
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

// crash ends a transport without a goodbye.
func (n *net10) crash(t *Transport) {
	n.Helper()
	t.conn.(*tap).mute.Store(true)
	if err := t.Close(); err != nil {
		n.Error(err)
	}
}

// stats is what a transport saw, once nothing moves any more: a fetch may return before its answer is counted.
func (n *net10) stats(t *Transport) Stats {
	synctest.Wait()
	return t.Stats()
}

func inBubble(t *testing.T, test func(n *net10)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		n := &net10{T: t}
		test(n)
		for _, s := range n.strangers {
			s.close()
		}
		for _, x := range n.all {
			if err := x.Close(); err != nil {
				t.Error(err)
			}
		}
		synctest.Wait()
		for _, x := range n.all {
			if st := x.Stats(); st.Arriving != 0 || st.Inbound != 0 || len(x.inbound.hosts) != 0 {
				t.Errorf("still accounted: %d bytes, %d connections, %v", st.Arriving, st.Inbound, x.inbound.hosts)
			}
		}
		if n.log.Len() != 0 {
			t.Errorf("logged %s", &n.log)
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
	var arrived atomic.Int64
	r, err := t.Fetch(ctx, worker.Request{Peer: scheduler.Peer(id(host)), AsksBusy: true}, func() { arrived.Add(1) })
	return r, int(arrived.Load()), err
}
