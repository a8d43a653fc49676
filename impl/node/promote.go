package node

import (
	"context"
	"sync"
	"time"

	"fetchproof/impl/scheduler"
	"fetchproof/impl/wire"
)

// promoter promotes pending keys when they are due (PND-10): new ones at once,
// returned ones VerifyRetryDelay later. A key that cannot be promoted, because
// nobody is verified to hold it or the queue is full, is tried again after that
// delay too, so that it never spins (KC-17). Each key has a time of its own: a
// new advertisement does not make the others be tried again.
type promoter struct {
	n      *Node
	verify func(scheduler.Key) []scheduler.Peer
	delay  time.Duration
	maxAge time.Duration
	evict  time.Time // no eviction before this time: each scans all pending keys

	ctx    context.Context
	cancel context.CancelFunc
	task   sync.WaitGroup

	mu      sync.Mutex // guards all below
	timer   *time.Timer
	fresh   []scheduler.Key             // due now
	waiting []due                       // in order of time, as all wait equally long
	latest  map[scheduler.Key]time.Time // of a key in waiting: only then is it due
}

// due is when a key is to be tried.
type due struct {
	key scheduler.Key
	at  time.Time
}

func newPromoter(n *Node, o *Options) *promoter {
	p := &promoter{
		n: n, verify: o.Verify, delay: o.Scheduler.VerifyRetryDelay, maxAge: o.PendingMaxAge,
		timer: time.NewTimer(o.Scheduler.VerifyRetryDelay), latest: map[scheduler.Key]time.Time{},
	}
	p.ctx, p.cancel = context.WithCancel(context.Background())
	p.task.Go(p.run)
	return p
}

func (p *promoter) stop() {
	p.cancel()
	p.task.Wait()
}

// now: a key is due now.
func (p *promoter) now(key scheduler.Key) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.fresh = append(p.fresh, key)
	p.arm()
}

// later: a key is due after the delay, and not before.
func (p *promoter) later(key scheduler.Key) {
	p.mu.Lock()
	defer p.mu.Unlock()
	at := time.Now().Add(p.delay)
	p.waiting = append(p.waiting, due{key, at})
	p.latest[key] = at
	p.arm()
}

// arm sets the timer to when the next key is due.
func (p *promoter) arm() {
	switch {
	case len(p.fresh) > 0:
		p.timer.Reset(0)
	case len(p.waiting) > 0:
		p.timer.Reset(time.Until(p.waiting[0].at))
	}
}

// take takes the keys that are due.
func (p *promoter) take() []scheduler.Key {
	p.mu.Lock()
	defer p.mu.Unlock()
	keys := p.fresh
	p.fresh = nil
	now := time.Now()
	for len(p.waiting) > 0 && !p.waiting[0].at.After(now) {
		d := p.waiting[0]
		p.waiting = p.waiting[1:]
		if p.latest[d.key].Equal(d.at) {
			delete(p.latest, d.key)
			keys = append(keys, d.key)
		}
	}
	p.arm()
	return keys
}

func (p *promoter) run() {
	for {
		select {
		case <-p.timer.C:
			p.pass()
		case <-p.ctx.Done():
			return
		}
	}
}

// pass promotes what is due.
func (p *promoter) pass() {
	if now := time.Now(); !now.Before(p.evict) {
		p.n.worker.Evict(p.maxAge)
		p.evict = now.Add(p.delay)
	}
	for _, k := range p.take() {
		it := p.n.Item(wire.Key(k))
		it.Sources = p.verify(k)
		if r := p.n.worker.Promote(it); r == scheduler.NoSource || r == scheduler.QueueFull {
			p.later(k)
		}
	}
}
