package responder

import "sync"

// Responder is the admission and the busy limiter of one node, behind one
// lock. Its methods are safe for concurrent use, except where CopyFrom says
// otherwise. No method blocks but for the lock, which none holds for longer
// than a few map accesses (Observe and CopyFrom: one copy of the state).
//
// Every now is in nanoseconds, from 0 to 2^63-1. One earlier than the latest
// seen counts as the latest seen (DET-3), so callers need not agree on an
// order before they call.
type Responder struct {
	mu sync.Mutex
	machine
}

// machine is everything that the lock guards.
type machine struct {
	config    Config
	clock     int64
	admission admission
	limiter   limiter
	tally     tally
}

// New returns a responder that has seen no request. The error is a
// *ConfigError.
func New(c Config) (*Responder, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	return &Responder{machine: machine{
		config:    c,
		admission: newAdmission(c),
		limiter:   newLimiter(c),
	}}, nil
}

// Config returns the configuration, for the caller's workers and deadlines.
func (r *Responder) Config() Config {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.config
}

// Request admits a fetch request of peer (RSP-1), or refuses it (RSP-3) with a
// busy reply or in silence (RSP-4, RSP-5). asksBusy says whether the request
// carried the capability. A refused request changes the clock and the
// counters; beyond that only a busy reply leaves a trace, in the limiter.
//
// The caller logs a refusal with Decision.Refusal, outside the lock.
func (r *Responder) Request(now int64, peer Peer, asksBusy bool) Decision {
	r.mu.Lock()
	defer r.mu.Unlock()
	now = r.advance(now)
	reason, held := r.admission.refuses(peer)
	if reason == NoReason {
		r.tally.admitted++
		return Decision{Result: Admitted, Ticket: r.admission.admit(now, peer, held)}
	}
	r.tally.refused[reason]++
	d := Decision{Result: Silent, Reason: reason}
	if asksBusy {
		r.askLimiter(now, peer, &d)
	}
	d.Refusal = Refusal{
		Peer:             peer,
		AsksBusy:         asksBusy,
		Replied:          d.Result,
		Reason:           reason,
		Limiter:          d.Limiter,
		InUse:            len(r.admission.places),
		PeerInUse:        held,
		RefusedPeerShare: r.tally.refused[PeerShare],
		RefusedPool:      r.tally.refused[Pool],
		SendPoolFull:     r.tally.denied[SendPermits],
	}
	return d
}

// askLimiter turns a silent refusal into a busy one if the limiter allows.
func (m *machine) askLimiter(now int64, peer Peer, d *Decision) {
	send, denied := m.limiter.start(now, peer)
	if denied != NoBound {
		m.tally.denied[denied]++
		d.Limiter = denied
		return
	}
	m.tally.busyReplied++
	d.Result, d.Send = Busy, send
}

// Take says what the worker that picked the ticket up is to do with it: serve
// it, or drop it because it waited FetchTimeout or longer, which releases its
// place (RSP-2). A ticket can be taken once.
func (r *Responder) Take(now int64, t Ticket) Taken {
	r.mu.Lock()
	defer r.mu.Unlock()
	taken := r.admission.take(r.advance(now), t)
	if taken == Shed {
		r.tally.shed++
	}
	return taken
}

// Release gives the place of a ticket back, when its reply was sent or sending
// failed (RSP-1), whether or not a worker took it. It returns false if the
// ticket holds no place any more or never did; then only the clock changes.
func (r *Responder) Release(now int64, t Ticket) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.advance(now)
	ok := r.admission.release(t)
	if ok {
		r.tally.released++
	}
	return ok
}

// SendDone frees the permit of a busy reply that was sent, failed, reached
// BusySendDeadline, or was given up at shutdown (RSP-6). It returns false if
// that send has ended before or never began; then only the clock changes.
func (r *Responder) SendDone(now int64, s Send) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.advance(now)
	ok := r.limiter.done(s)
	if ok {
		r.tally.sendsDone++
	}
	return ok
}

// Snapshot returns the counts so far, all of one moment.
func (r *Responder) Snapshot() Counters {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.tally.counters()
}

// CopyFrom makes r a deep copy of src, its configuration and counters
// included, reusing r's memory. src may be in use; r must be the caller's
// alone, so that two responders can never wait for each other's lock.
func (r *Responder) CopyFrom(src *Responder) {
	if r == src {
		return
	}
	src.mu.Lock()
	defer src.mu.Unlock()
	r.machine.copyFrom(&src.machine)
}

func (m *machine) copyFrom(src *machine) {
	m.config, m.clock, m.tally = src.config, src.clock, src.tally
	m.admission.copyFrom(&src.admission)
	m.limiter.copyFrom(&src.limiter)
}

// advance moves the clock to now, never back, and returns it (DET-3).
func (m *machine) advance(now int64) int64 {
	m.clock = max(m.clock, now)
	return m.clock
}
