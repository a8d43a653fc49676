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
// delay too, so that it never spins.
type promoter struct {
	n      *Node
	verify func(scheduler.Key) []scheduler.Peer
	delay  time.Duration
	maxAge time.Duration
	limit  int // of keys at a time: all that can be pending

	ctx    context.Context
	cancel context.CancelFunc
	task   sync.WaitGroup

	mu   sync.Mutex
	dues []time.Time // when keys become due, in order
	kick chan struct{}
}

func newPromoter(n *Node, o *Options) *promoter {
	p := &promoter{
		n: n, verify: o.Verify, delay: o.Scheduler.VerifyRetryDelay, maxAge: o.PendingMaxAge,
		limit: o.Scheduler.MaxPending, kick: make(chan struct{}, 1),
	}
	p.ctx, p.cancel = context.WithCancel(context.Background())
	p.task.Go(p.run)
	return p
}

func (p *promoter) stop() {
	p.cancel()
	p.task.Wait()
}

// added: a key is due now.
func (p *promoter) added() { p.dueAt(time.Now()) }

// returned: a key is due after the delay.
func (p *promoter) returned() { p.dueAt(time.Now().Add(p.delay)) }

func (p *promoter) dueAt(t time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	at := len(p.dues)
	for at > 0 && p.dues[at-1].After(t) {
		at--
	}
	if at > 0 && p.dues[at-1].Equal(t) {
		return
	}
	p.dues = append(p.dues, t)
	copy(p.dues[at+1:], p.dues[at:])
	p.dues[at] = t
	if at == 0 {
		select {
		case p.kick <- struct{}{}:
		default:
		}
	}
}

// next is when the next key is due, after dropping what is due by now; the times
// dropped are what a pass that begins now sees to.
func (p *promoter) next() (wait time.Duration, due bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	n := 0
	for n < len(p.dues) && !p.dues[n].After(now) {
		n++
	}
	p.dues = append(p.dues[:0], p.dues[n:]...)
	if len(p.dues) == 0 {
		return time.Hour, n > 0
	}
	return p.dues[0].Sub(now), n > 0
}

func (p *promoter) run() {
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	for {
		wait, due := p.next()
		if due {
			p.pass()
			continue
		}
		timer.Reset(wait)
		select {
		case <-timer.C:
		case <-p.kick:
		case <-p.ctx.Done():
			return
		}
	}
}

// pass promotes what is due.
func (p *promoter) pass() {
	p.n.worker.Evict(p.maxAge)
	stuck := false
	for _, k := range p.n.worker.Ready(p.limit, nil) {
		it := p.n.Item(wire.Key(k))
		it.Sources = p.verify(k)
		if r := p.n.worker.Promote(it); r == scheduler.NoSource || r == scheduler.QueueFull {
			stuck = true
		}
	}
	if stuck {
		p.returned()
	}
}
