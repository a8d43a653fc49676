package node

import (
	"net"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/quic-go/quic-go/testutils/simnet"

	"fetchproof/impl/node/store"
	"fetchproof/impl/scheduler"
	"fetchproof/impl/wire"
)

// pair is a node that fetches and one that holds records, in a bubble.
type pair struct {
	*testing.T
	fetcher, holder *Node
	start           time.Time

	mu       sync.Mutex
	verified map[scheduler.Key]bool // whether the holder is known to hold the key
	asked    int                    // verifications
}

func inBubble(t *testing.T, change func(*Options), test func(p *pair)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		p := &pair{T: t, start: time.Now(), verified: map[scheduler.Key]bool{}}
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
		p.holder = begin(1, Options{})
		o := Options{Verify: p.verify}
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
	p.asked++
	if p.verified[k] {
		return []scheduler.Peer{scheduler.Peer(p.holder.ID())}
	}
	return nil
}

func (p *pair) verifications() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.asked
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

// TestPromotes: a key is promoted at once, or VerifyRetryDelay (15 s) after nobody was
// verified to hold it, or after it returned to pending; and one that comes meanwhile
// does not wait for those.
func TestPromotes(t *testing.T) {
	inBubble(t, func(*Options) {}, func(p *pair) {
		unknown := p.advertise("unknown", true, false)
		lost := p.advertise("lost", false, true)
		time.Sleep(time.Second)
		if n := p.fetcher.Stats().Scheduler; n.Pending != 2 || n.Counters.Started != 1 {
			t.Errorf("%+v", n)
		}
		known := p.advertise("known", true, true)
		time.Sleep(time.Second)
		if !p.has(known) {
			t.Error("a new key waited for the others")
		}
		p.know(unknown, true)
		if err := p.holder.Store().Put(scheduler.Key(lost), []byte("lost")); err != nil {
			t.Fatal(err)
		}
		time.Sleep(12 * time.Second)
		if p.has(unknown) || p.has(lost) {
			t.Error("tried again before the delay")
		}
		time.Sleep(2 * time.Second)
		if !p.has(unknown) || !p.has(lost) {
			t.Errorf("not tried again after the delay: %+v", p.fetcher.Stats().Scheduler)
		}
	})
}

// TestNoSpin is KC-17: keys that cannot be promoted, for want of a holder or of room
// in the queue, are tried every VerifyRetryDelay and not in between; what is pending
// for too long is evicted.
func TestNoSpin(t *testing.T) {
	change := func(o *Options) {
		s := scheduler.Defaults()
		s.Slots, s.MaxQueued = 1, 1
		o.Scheduler, o.PendingMaxAge, o.Store = &s, 2*time.Minute, store.NewMemory(0)
	}
	inBubble(t, change, func(p *pair) {
		for _, text := range []string{"a", "b", "c", "d"} {
			p.advertise(text, false, false)
		}
		time.Sleep(time.Minute)
		if n := p.verifications(); n < 16 || n > 40 {
			t.Errorf("%d verifications of four keys in a minute", n)
		}
		time.Sleep(75 * time.Second)
		if n := p.fetcher.Stats().Scheduler.Pending; n != 0 {
			t.Errorf("%d pending after their time", n)
		}
	})
}
