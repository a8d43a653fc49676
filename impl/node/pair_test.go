package node

import (
	"net"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/quic-go/quic-go/testutils/simnet"

	"fetchproof/impl/scheduler"
	"fetchproof/impl/wire"
)

// pair is a node that fetches and one that holds records, in a bubble.
type pair struct {
	*testing.T
	fetcher, holder *Node
	start           time.Time

	mu       sync.Mutex
	verified map[scheduler.Key]bool            // whether the holder is known to hold the key
	asked    map[scheduler.Key][]time.Duration // when it was verified, since the start
	last     map[scheduler.Key]scheduler.Event // what the fetcher's node told of the key last
}

func inBubble(t *testing.T, change func(*Options), test func(p *pair)) {
	t.Helper()
	inBubbleWith(t, func(*Options) {}, change, test)
}

func inBubbleWith(t *testing.T, changeHolder, change func(*Options), test func(p *pair)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		p := &pair{
			T: t, start: time.Now(), verified: map[scheduler.Key]bool{},
			asked: map[scheduler.Key][]time.Duration{}, last: map[scheduler.Key]scheduler.Event{},
		}
		var router simnet.PerfectRouter
		var links []*simnet.SimulatedLink
		begin := func(n byte, o Options) *Node {
			addr := &net.UDPAddr{IP: net.IPv4(10, 0, 0, n).To4(), Port: 7000}
			l := &simnet.SimulatedLink{UploadPacket: &router, Latency: time.Millisecond}
			o.Conn, o.Signer = simnet.NewBlockingSimConn(addr, l), wire.NewSigner([wire.SeedSize]byte{n})
			router.AddNode(addr, l)
			l.Start()
			links = append(links, l)
			x, err := Start(o)
			if err != nil {
				t.Fatal(err)
			}
			return x
		}
		var held Options
		changeHolder(&held)
		p.holder = begin(1, held)
		o := Options{Verify: p.verify, Notify: p.notify}
		change(&o)
		p.fetcher = begin(2, o)
		if err := p.fetcher.AddPeer(p.holder.ID(), p.holder.Addr()); err != nil {
			t.Fatal(err)
		}
		test(p)
		for _, x := range []*Node{p.fetcher, p.holder} {
			if err := x.Shutdown(); err != nil {
				t.Error(err)
			}
		}
		for _, l := range links {
			_ = l.Close()
		}
	})
}

func (p *pair) verify(k scheduler.Key) []scheduler.Peer {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.asked[k] = append(p.asked[k], time.Since(p.start))
	if p.verified[k] {
		return []scheduler.Peer{scheduler.Peer(p.holder.ID())}
	}
	return nil
}

func (p *pair) notify(e scheduler.Event) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.last[e.Key] = e
}

// at waits until d after the start, and for what happens then.
func (p *pair) at(d time.Duration) {
	time.Sleep(d - time.Since(p.start))
	synctest.Wait()
}

// wasVerified checks when a key was, in seconds since the start.
func (p *pair) wasVerified(what string, k wire.Key, seconds ...time.Duration) {
	p.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	want := make([]time.Duration, len(seconds))
	for i, s := range seconds {
		want[i] = s * time.Second
	}
	if got := p.asked[scheduler.Key(k)]; !slices.Equal(got, want) {
		p.Errorf("%s: verified at %v, want %v", what, got, want)
	}
}

// times is how often a key was verified.
func (p *pair) times(k wire.Key) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.asked[scheduler.Key(k)])
}

func (p *pair) told(k wire.Key) scheduler.Event {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.last[scheduler.Key(k)]
}

// advertise has the fetcher told of a record, which the holder has if it is there.
func (p *pair) advertise(text string, there, verified bool) wire.Key {
	p.Helper()
	data := []byte(text)
	k := wire.KeyOf(data)
	if there {
		if err := p.holder.Store().Put(scheduler.Key(k), data); err != nil {
			p.Fatal(err)
		}
	}
	p.know(k, verified)
	if r := p.fetcher.Advertise(k, scheduler.Hint{Peer: scheduler.Peer(p.holder.ID()), Claimant: true}); r != scheduler.Admitted {
		p.Fatal(r)
	}
	return k
}

func (p *pair) know(k wire.Key, verified bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.verified[scheduler.Key(k)] = verified
}

func (p *pair) has(k wire.Key) bool {
	_, err := p.fetcher.Store().Get(scheduler.Key(k))
	return err == nil
}
