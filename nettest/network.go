package nettest

import (
	"fmt"
	"math/rand/v2"
	"net"
	"sync"
	"time"

	"github.com/quic-go/quic-go/testutils/simnet"
)

// Network is where nodes get their sockets.
type Network interface {
	// Listen opens the socket of host n, from 0. A host may listen again after its socket was closed.
	Listen(n int) (net.PacketConn, error)
	// Cut drops all packets from and to host n from now on, as if it had been unplugged; Join undoes it. Not every network
	// can.
	Cut(n int) error
	Join(n int) error
	// Close ends the network, after all sockets were closed.
	Close() error
}

// Loopback is UDP on the loopback interface, in real time.
type Loopback struct{}

// Listen opens a socket on a free port.
func (Loopback) Listen(int) (net.PacketConn, error) {
	return net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
}

// Cut fails.
func (Loopback) Cut(int) error { return fmt.Errorf("nettest: loopback cannot be cut") }

// Join fails.
func (Loopback) Join(int) error { return fmt.Errorf("nettest: loopback cannot be cut") }

// Close does nothing.
func (Loopback) Close() error { return nil }

// Link is how packets travel in a simulated network.
type Link struct {
	Latency time.Duration // one way
	Jitter  time.Duration // at most this much more, drawn for each packet
	Loss    float64       // the probability that a packet is lost, 0 to 1
}

// Simulated is a network in memory, for use under virtual time.
type Simulated struct {
	link Link

	mu     sync.Mutex
	rand   *rand.Rand
	cut    map[string]bool
	router simnet.PerfectRouter
	links  []*simnet.SimulatedLink
}

// NewSimulated makes a network whose draws come from seed.
func NewSimulated(link Link, seed uint64) *Simulated {
	return &Simulated{link: link, rand: rand.New(rand.NewPCG(seed, 1)), cut: make(map[string]bool)}
}

func addrOf(n int) *net.UDPAddr {
	return &net.UDPAddr{IP: net.IPv4(10, byte(n>>16), byte(n>>8), byte(n)).To4(), Port: 7000}
}

// Listen opens the socket of host n, 10.x.y.z with n in its last three bytes.
func (s *Simulated) Listen(n int) (net.PacketConn, error) {
	addr := addrOf(n)
	// The latency is the receiver's, one way.
	l := &simnet.SimulatedLink{UploadPacket: s, LatencyFunc: s.latency}
	c := simnet.NewBlockingSimConn(addr, l)
	l.Start() // before others can send to it
	s.router.AddNode(addr, l)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.links = append(s.links, l)
	return c, nil
}

func (s *Simulated) latency(simnet.Packet) time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	d := s.link.Latency
	if s.link.Jitter > 0 {
		d += time.Duration(s.rand.Int64N(int64(s.link.Jitter) + 1))
	}
	return d
}

// SendPacket passes a packet on unless it is lost; it makes Simulated a simnet.Router.
func (s *Simulated) SendPacket(p simnet.Packet) error {
	if s.lost(p) {
		return nil
	}
	return s.router.SendPacket(p)
}

func (s *Simulated) lost(p simnet.Packet) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cut[p.From.String()] || s.cut[p.To.String()] {
		return true
	}
	return s.link.Loss > 0 && s.rand.Float64() < s.link.Loss
}

// AddNode is for simnet.Router.
func (s *Simulated) AddNode(addr net.Addr, r simnet.PacketReceiver) { s.router.AddNode(addr, r) }

// Cut unplugs host n.
func (s *Simulated) Cut(n int) error { return s.plug(n, true) }

// Join plugs it in again.
func (s *Simulated) Join(n int) error { return s.plug(n, false) }

func (s *Simulated) plug(n int, cut bool) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cut[addrOf(n).String()] = cut
	return nil
}

// Close ends the links.
func (s *Simulated) Close() error {
	s.mu.Lock()
	links := s.links
	s.links = nil
	s.mu.Unlock()
	for _, l := range links {
		if err := l.Close(); err != nil {
			return err
		}
	}
	return nil
}
