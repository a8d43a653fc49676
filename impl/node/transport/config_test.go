package transport

import (
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"strings"
	"syscall"
	"testing"
	"time"

	"fetchproof/impl/wire"
)

// TestDefaults: the bounds in production change only on purpose, and go together.
func TestDefaults(t *testing.T) {
	c := Defaults()
	if c != (Config{
		MaxInbound: 1024, MaxInboundPerHost: 64, MaxOutbound: 512, MaxStreams: 64, MaxArriving: 268_435_456,
		MessageTimeout: 30 * time.Second, DialTimeout: 10 * time.Second, IdleTimeout: time.Minute, MaxPeers: 65_536, MaxKeys: 512,
	}) {
		t.Errorf("%+v", c)
	}
	if c.MaxArriving < 2*wire.MaxEnvelope || c.IdleTimeout <= c.MessageTimeout {
		t.Error("one message may keep all others out, or is cut off while it is awaited")
	}
}

func TestConfig(t *testing.T) {
	least := Config{1, 1, 1, 1, 1, 1, 1, 1, 1, 1}
	if err := least.Validate(); err != nil {
		t.Errorf("the least: %v", err)
	}
	for name, change := range map[string]func(*Config){
		"MaxInbound is 0":        func(c *Config) { c.MaxInbound = 0 },
		"MaxInboundPerHost is 0": func(c *Config) { c.MaxInboundPerHost = 0 },
		"MaxOutbound is 0":       func(c *Config) { c.MaxOutbound = 0 },
		"MaxStreams is 0":        func(c *Config) { c.MaxStreams = 0 },
		"MaxArriving is 0":       func(c *Config) { c.MaxArriving = 0 },
		"MessageTimeout is 0":    func(c *Config) { c.MessageTimeout = 0 },
		"DialTimeout is 0":       func(c *Config) { c.DialTimeout = 0 },
		"IdleTimeout is 0":       func(c *Config) { c.IdleTimeout = 0 },
		"MaxPeers is 0":          func(c *Config) { c.MaxPeers = 0 },
		"MaxKeys is -1":          func(c *Config) { c.MaxKeys = -1 },
	} {
		c := least
		change(&c)
		if _, err := New(c, nil, nil, nil, nil); err == nil || err.Error() != "transport: "+name+", must be at least 1" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestCertificate: what a node shows is valid at whatever time the other one's clock has; its end is the one that
// stands for none (RFC 5280, 4.1.2.5).
func TestCertificate(t *testing.T) {
	c, err := ServerTLS()
	if err != nil {
		t.Fatal(err)
	}
	cert, err := x509.ParseCertificate(c.Certificates[0].Certificate[0])
	if err != nil {
		t.Fatal(err)
	}
	from, to := cert.NotBefore.Format(time.DateTime), cert.NotAfter.Format(time.DateTime)
	if from != "2000-01-01 00:00:00" || to != "9999-12-31 23:59:59" {
		t.Errorf("valid from %s to %s", from, to)
	}
}

var errSocket = errors.New("no such socket")

// odd is a socket that cannot be used.
type odd struct{ *tap }

func (odd) SyscallConn() (syscall.RawConn, error) { return nil, errSocket }

// TestBadSocket: a transport that cannot start closes its socket and says why; so does one whose socket fails to close.
func TestBadSocket(t *testing.T) {
	inBubble(t, func(n *net10) {
		s := odd{n.socket(addr(1))}
		x, err := New(Defaults(), s, signer(1), nil, nil)
		if x != nil || !errors.Is(err, errSocket) || !strings.HasPrefix(err.Error(), "transport: listening: ") {
			n.Errorf("started: %v, %v", x, err)
		}
		if _, err := s.SimConn.WriteTo([]byte{1}, addr(1)); !errors.Is(err, net.ErrClosed) {
			n.Errorf("its socket: %v", err)
		}
		s = odd{n.socket(addr(2))}
		s.onClose = errBadClose
		if _, err := New(Defaults(), s, signer(2), nil, nil); !errors.Is(err, errSocket) || !errors.Is(err, errBadClose) {
			n.Errorf("starting: %v", err)
		}
		p := n.socket(addr(3))
		p.onClose = errBadClose
		if x, err = New(Defaults(), p, signer(3), nil, nil); err != nil {
			n.Fatal(err)
		}
		if err := x.Close(); !errors.Is(err, errBadClose) {
			n.Errorf("closing: %v", err)
		}
	})
}

var errBadClose = errors.New("cannot be closed")

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
