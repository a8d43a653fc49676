package nettest

import (
	"sync"
	"time"

	"fetchproof/impl/responder"
	"fetchproof/impl/scheduler"
	"fetchproof/props/trace"
)

// tally writes a requester's trace and counts, as the operations come, how many attempts are in flight where.
type tally struct {
	trace.Requests

	mu     sync.Mutex
	at     map[scheduler.Place]scheduler.Peer // attempts in flight
	now    map[scheduler.Peer]int
	most   map[scheduler.Peer]int
	peak   int
	starts []time.Duration // since the node began
}

func newTally(w trace.Requests) *tally {
	return &tally{
		Requests: w, at: make(map[scheduler.Place]scheduler.Peer),
		now: make(map[scheduler.Peer]int), most: make(map[scheduler.Peer]int),
	}
}

// Fill counts what a pass started.
func (t *tally) Fill(now scheduler.Time, starts []scheduler.Start) {
	t.Requests.Fill(now, starts)
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, s := range starts {
		t.start(now, s.Attempt, s.Source)
	}
}

// Outcome counts an attempt that ended, and the one that may follow it.
func (t *tally) Outcome(now scheduler.Time, attempt scheduler.Place, kind scheduler.OutcomeKind, place scheduler.Place, r scheduler.OutcomeReport, v scheduler.Verdict) {
	t.Requests.Outcome(now, attempt, kind, place, r, v)
	if !v.OK() {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.now[t.at[attempt]]--
	delete(t.at, attempt)
	if e := r.Event; e.Kind == scheduler.EventStart {
		t.start(now, e.Attempt, e.Source)
	}
}

func (t *tally) start(now scheduler.Time, attempt scheduler.Place, source scheduler.Peer) {
	t.at[attempt] = source
	t.now[source]++
	t.most[source] = max(t.most[source], t.now[source])
	t.peak = max(t.peak, len(t.at))
	t.starts = append(t.starts, time.Duration(now))
}

// waves is how many attempts started at each moment at which any did.
func (t *tally) waves() (sizes []int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for i, at := range t.starts {
		if i == 0 || at != t.starts[i-1] {
			sizes = append(sizes, 0)
		}
		sizes[len(sizes)-1]++
	}
	return sizes
}

// places writes a responder's trace and counts, by itself, how many places are held at once (RSP-1).
type places struct {
	trace.Serves

	mu         sync.Mutex
	of         map[responder.Ticket]responder.Peer
	now        map[responder.Peer]int
	most       int // overall
	mostOfPeer int
}

func newPlaces(w trace.Serves) *places {
	return &places{Serves: w, of: make(map[responder.Ticket]responder.Peer), now: make(map[responder.Peer]int)}
}

// Request counts an admission.
func (p *places) Request(now int64, peer responder.Peer, asksBusy bool, d *responder.Decision) {
	p.Serves.Request(now, peer, asksBusy, d)
	if d.Result != responder.Admitted {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.of[d.Ticket] = peer
	p.now[peer]++
	p.most = max(p.most, len(p.of))
	p.mostOfPeer = max(p.mostOfPeer, p.now[peer])
}

// Take counts a request that was shed.
func (p *places) Take(now int64, t responder.Ticket, r responder.Taken) {
	p.Serves.Take(now, t, r)
	if r == responder.Shed {
		p.leave(t)
	}
}

// Release counts a place given back.
func (p *places) Release(now int64, t responder.Ticket, ok bool) {
	p.Serves.Release(now, t, ok)
	if ok {
		p.leave(t)
	}
}

func (p *places) leave(t responder.Ticket) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.now[p.of[t]]--
	delete(p.of, t)
}
