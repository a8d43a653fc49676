package node

import (
	"bytes"
	"errors"
	"log/slog"
	"net"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/quic-go/quic-go/testutils/simnet"
	"go.uber.org/goleak"

	"fetchproof/impl/node/store"
	"fetchproof/impl/node/transport"
	"fetchproof/impl/node/trust"
	"fetchproof/impl/node/worker"
	"fetchproof/impl/responder"
	"fetchproof/impl/scheduler"
	"fetchproof/impl/wire"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// closing is a socket that counts how often it is closed, and then fails.
type closing struct {
	net.PacketConn // may be nil
	closed         int
}

var errClosing = errors.New("cannot be closed")

func (c *closing) Close() error {
	c.closed++
	if c.PacketConn != nil {
		return errors.Join(c.PacketConn.Close(), errClosing)
	}
	return nil
}

// TestStartRefuses: what cannot work is refused with its field, and the socket is
// closed.
func TestStartRefuses(t *testing.T) {
	if _, err := Start(Options{Signer: wire.NewSigner([wire.SeedSize]byte{1})}); err == nil {
		t.Error("a node without a socket starts")
	}
	for field, change := range map[string]func(*Options){
		"Signer":   func(o *Options) { o.Signer = nil },
		"Pool":     func(o *Options) { o.Responder = new(responder.Defaults()); o.Responder.Pool = 0 },
		"Slots":    func(o *Options) { o.Scheduler = new(scheduler.Defaults()); o.Scheduler.Slots = 0 },
		"MaxPeers": func(o *Options) { o.Transport = new(transport.Defaults()); o.Transport.MaxPeers = 0 },
	} {
		conn := &closing{}
		o := Options{Conn: conn, Signer: wire.NewSigner([wire.SeedSize]byte{1})}
		change(&o)
		if _, err := Start(o); err == nil || !strings.Contains(err.Error(), field) {
			t.Errorf("%s: %v", field, err)
		}
		if conn.closed != 1 {
			t.Errorf("%s: socket closed %d times", field, conn.closed)
		}
	}
}

// alone runs test with one node, made of o, in a bubble.
func alone(t *testing.T, o Options, test func(n *Node)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		var router simnet.PerfectRouter
		addr := &net.UDPAddr{IP: net.IPv4(10, 0, 0, 1).To4(), Port: 7000}
		l := &simnet.SimulatedLink{UploadPacket: &router}
		conn := &closing{PacketConn: simnet.NewBlockingSimConn(addr, l)}
		o.Conn, o.Signer = conn, wire.NewSigner([wire.SeedSize]byte{1})
		router.AddNode(addr, l)
		l.Start()
		n, err := Start(o)
		if err != nil {
			t.Fatal(err)
		}
		test(n)
		if err := n.Shutdown(); !errors.Is(err, errClosing) {
			t.Errorf("the socket fails to close: %v", err)
		}
		_ = l.Close() // always nil
	})
}

// TestDefaults: what a node has that was given nothing, and that it takes what it is
// given.
func TestDefaults(t *testing.T) {
	a, b := scheduler.Peer{1}, scheduler.Peer{2}
	alone(t, Options{Policy: ShareAndBusy}, func(n *Node) {
		want := scheduler.Defaults()
		if c := n.Worker().Config(); c.Scheduler != want || c.SummaryEvery != 5*time.Minute || !c.AsksBusy {
			t.Errorf("%+v", c)
		}
		n.Ledger().Charge(a, scheduler.ChargeMalformed)
		n.Ledger().Charge(b, scheduler.ChargeMalformed)
		if all := n.Ledger().Accounts(); len(all) != 2 {
			t.Errorf("accounts %v", all)
		}
		for _, data := range []string{"one", "another"} {
			if err := n.Store().Put(scheduler.Key(wire.KeyOf([]byte(data))), []byte(data)); err != nil {
				t.Error(err)
			}
		}
	})
	var log bytes.Buffer
	cfg := scheduler.Defaults()
	cfg.Slots = 5
	o := Options{
		Scheduler: &cfg, SummaryEvery: time.Hour, Store: store.NewMemory(1), Ledger: trust.NewLedger(1),
		Log: slog.New(slog.NewTextHandler(&log, nil)),
	}
	alone(t, o, func(n *Node) {
		if c := n.Worker().Config(); c.Scheduler.Slots != 5 || c.SummaryEvery != time.Hour {
			t.Errorf("%+v", c)
		}
		if n.Ledger() != o.Ledger || n.Store() != o.Store {
			t.Error("the node has another ledger or store than it was given")
		}
	})
	if !strings.Contains(log.String(), worker.SummaryMessage) {
		t.Errorf("log %q", &log)
	}
}

func TestPolicies(t *testing.T) {
	for p, c := range map[Policy]struct {
		name        string
		share, busy bool
	}{
		Before: {"before", false, false}, Share: {"share", true, false}, Busy: {"busy", false, true}, ShareAndBusy: {"share-and-busy", true, true},
	} {
		if back, err := ParsePolicy(c.name); err != nil || back != p || p.String() != c.name {
			t.Errorf("%v: %v, %v", p, back, err)
		}
		cfg := scheduler.Defaults()
		cfg.Slots = 8
		alone(t, Options{Policy: p, Scheduler: &cfg}, func(n *Node) {
			share := 8
			if c.share {
				share = 2
			}
			if got := n.Worker().Config(); got.Scheduler.Share != share || got.Scheduler.Silence != c.share || got.AsksBusy != c.busy {
				t.Errorf("%v: %+v", p, got)
			}
		})
	}
	if s := (ShareAndBusy + 1).String(); s != "policy(4)" {
		t.Errorf("no policy is called %q", s)
	}
	if _, err := ParsePolicy("after"); err == nil {
		t.Error("a policy that there is not was read")
	}
}

// TestDistance: the distance of a key is its XOR with the node's id.
func TestDistance(t *testing.T) {
	n := Node{id: wire.PeerID{0xf0, 1}}
	if d := n.Item(wire.Key{0x0f, 1}).Distance; d != (scheduler.Distance{0xff}) {
		t.Errorf("%x", d)
	}
}
