package responder_test

import (
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"fetchproof/impl/responder"
)

// crowd is many goroutines on one responder. Its gauges rise after the
// responder gave a place or permit and fall before it gets it back, so they
// never show more than there is: above a bound, a bound was broken.
type crowd struct {
	r      *responder.Responder
	cfg    responder.Config
	clock  atomic.Int64
	places atomic.Int64
	sends  atomic.Int64
	byPeer [8]struct{ places, sends, busy atomic.Int64 }
	worst  atomic.Pointer[string]
}

func (c *crowd) hold(what string, now int64, most int) {
	if now > int64(most) {
		c.worst.Store(&what)
	}
}

// held is what one goroutine has yet to give back.
type held struct {
	peer   int
	ticket responder.Ticket
	send   responder.Send
}

func (c *crowd) run(seed uint64, requests int) {
	rng := rand.New(rand.NewPCG(seed, 1))
	var hand []held
	var s responder.State
	for i := range requests {
		n := rng.IntN(len(c.byPeer))
		now := c.clock.Add(int64(rng.IntN(2000)))
		d := c.r.Request(now-int64(rng.IntN(5000)), peer(n), true)
		c.hold("pool, in a refusal", int64(d.Refusal.InUse), c.cfg.Pool)
		c.hold("share, in a refusal", int64(d.Refusal.PeerInUse), c.cfg.PeerShare)
		if h, ok := c.gain(n, d); ok {
			hand = append(hand, h)
		}
		for len(hand) > rng.IntN(10) { // so that one alone is refused and denied, too
			c.giveBack(now, hand[0])
			hand = hand[1:]
		}
		if i%128 == 0 {
			c.look(&s)
		}
	}
	for _, h := range hand {
		c.giveBack(c.clock.Load(), h)
	}
}

func (c *crowd) gain(n int, d responder.Decision) (held, bool) {
	p := &c.byPeer[n]
	switch d.Result {
	case responder.Admitted:
		c.hold("pool", c.places.Add(1), c.cfg.Pool)
		c.hold("share", p.places.Add(1), c.cfg.PeerShare)
		return held{peer: n, ticket: d.Ticket}, true
	case responder.Busy:
		p.busy.Add(1)
		c.hold("permits", c.sends.Add(1), c.cfg.BusySendPermits)
		c.hold("in flight to a peer", p.sends.Add(1), c.cfg.BusyPeerInFlight)
		return held{peer: n, send: d.Send}, true
	}
	return held{}, false
}

func (c *crowd) giveBack(now int64, h held) {
	p := &c.byPeer[h.peer]
	if h.send > 0 {
		p.sends.Add(-1)
		c.sends.Add(-1)
		if !c.r.SendDone(now, h.send) {
			c.hold("sends, one ended twice", 1, 0)
		}
		return
	}
	p.places.Add(-1)
	c.places.Add(-1)
	if c.r.Take(now, h.ticket) != responder.Shed && !c.r.Release(now, h.ticket) {
		c.hold("places, one ended twice", 1, 0)
	}
}

// look checks the bounds within one observed state.
func (c *crowd) look(s *responder.State) {
	c.r.Observe(0, s)
	c.hold("pool, observed", int64(s.Outstanding), c.cfg.Pool)
	c.hold("permits, observed", int64(len(s.Sends)), c.cfg.BusySendPermits)
	c.hold("peer table, observed", int64(len(s.Limiter)), c.cfg.BusyPeerTable)
	for _, p := range s.Peers {
		c.hold("share, observed", int64(p.Outstanding), c.cfg.PeerShare)
	}
	for _, l := range s.Limiter {
		c.hold("in flight, observed", int64(l.Sending), c.cfg.BusyPeerInFlight)
	}
}

// TestCrowd has ten goroutines send 100,000 requests each; meant to run under
// the race detector too (RSP-1, RSP-5).
func TestCrowd(t *testing.T) {
	requests := 100_000
	if testing.Short() {
		requests = 5_000
	}
	cfg := seeded()
	cfg.PeerShare, cfg.Pool, cfg.FetchTimeout = 2, 7, 20*time.Microsecond
	cfg.BusySendPermits, cfg.BusyPeerInFlight, cfg.BusyPeerTable = 5, 2, 6
	cfg.BusyPeerBurst, cfg.BusyPeerRate, cfg.BusyGlobalBurst, cfg.BusyGlobalRate = 2, 20_000, 8, 100_000
	c := &crowd{r: build(t, cfg).r, cfg: cfg}
	var all sync.WaitGroup
	for g := range uint64(10) {
		all.Go(func() { c.run(g, requests) })
	}
	all.Wait()

	if what := c.worst.Load(); what != nil {
		t.Fatalf("a bound was exceeded: %s", *what)
	}
	var s responder.State
	c.r.Observe(0, &s)
	if s.Outstanding != 0 || len(s.Sends) != 0 || len(s.Peers) != 0 || len(s.Tickets) != 0 {
		t.Errorf("left over: %+v", s)
	}
	checkCounters(t, c.r)
	n := c.r.Snapshot()
	t.Logf("%+v", n)
	if got := n.Admitted + n.RefusedPeerShare + n.RefusedPool; got != uint64(10*requests) {
		t.Errorf("%d requests were counted, want %d", got, 10*requests)
	}
	var busy int64
	for i := range c.byPeer {
		busy += c.byPeer[i].busy.Load()
		withinRate(t, "to a peer", c.byPeer[i].busy.Load(), cfg.BusyPeerBurst, cfg.BusyPeerRate, s.Clock)
	}
	withinRate(t, "overall", busy, cfg.BusyGlobalBurst, cfg.BusyGlobalRate, s.Clock)
	denied := n.DeniedSendPermits + n.DeniedPeerTable + n.DeniedPeerInFlight + n.DeniedPeerRate + n.DeniedGlobalRate
	if n.Admitted == 0 || n.RefusedPeerShare == 0 || n.RefusedPool == 0 || busy == 0 || denied == 0 {
		t.Error("the crowd did not reach the bounds")
	}
}

func withinRate(t *testing.T, what string, replies int64, burst, rate int, length int64) {
	t.Helper()
	if most := int64(burst) + int64(rate)*length/second; replies > most {
		t.Errorf("%s: %d busy replies, at most %d are allowed", what, replies, most)
	}
}

// TestRacingReleases lets two goroutines end each place and each send: exactly
// one of them does (RSP-1, RSP-6).
func TestRacingReleases(t *testing.T) {
	const n = 2000
	cfg := wide()
	cfg.Pool, cfg.PeerShare = n, n
	cfg.BusySendPermits, cfg.BusyPeerInFlight, cfg.BusyPeerBurst, cfg.BusyGlobalBurst = n, n, n, n
	f := build(t, cfg)
	for range n {
		f.admitted(1)
	}
	for range n {
		f.busy(1)
	}
	var places, sends atomic.Int64
	var both sync.WaitGroup
	for range 2 {
		both.Go(func() {
			for i := range n {
				if f.r.Release(0, responder.Ticket(i+1)) {
					places.Add(1)
				}
				if f.r.SendDone(0, responder.Send(i+1)) {
					sends.Add(1)
				}
			}
		})
	}
	both.Wait()
	if places.Load() != n || sends.Load() != n {
		t.Errorf("%d places and %d sends ended, want %d of each", places.Load(), sends.Load(), n)
	}
	if s := f.state(); s.Outstanding != 0 || len(s.Peers) != 0 || len(s.Sends) != 0 || s.Limiter[0].Sending != 0 {
		t.Errorf("left over: %+v", s)
	}
}
