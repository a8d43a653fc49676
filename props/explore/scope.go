package explore

import (
	"errors"
	"fmt"
	"math"

	"fetchproof/ops"
)

// Move is how far an operation moves the clock before it is carried out.
type Move uint8

const (
	Stay Move = iota // now is the clock
	Step             // a nanosecond on: with deadlines of a few, every instant before, at and after one is reached
	Next             // to the next deadline
	Far              // past every deadline at once
	Back             // a nanosecond before the clock, which counts as the clock (DET-3)
)

// Letter is one operation of a scope's alphabet. References are by key: to the newest attempt of it.
type Letter struct {
	Op   ops.Op // Now and Place are set where it is carried out
	Move Move
	// Which is the open ticket or send that a responder's letter is about, the oldest being 0.
	Which int
	// Always carries the operation out where it makes no sense too: reports on attempts that are over, outcomes that SEQ-3
	// forbids, promotions of keys that are not pending. Without it such a letter is not enabled there.
	Always bool
	// Tick marks a letter that is there for the clock alone: removing a key that never was.
	Tick bool
}

// Scope is a configuration with a finite alphabet. All of its states are explored.
type Scope struct {
	Name   string
	Text   string // what meets in it
	Config ops.Config
	Keys   []ops.Key
	Peers  []ops.Peer
	// Letters are the alphabet, in the order in which they are tried.
	Letters []Letter
	// Symmetric are peers that may be exchanged for one another: no rule that orders peers can show which is which, and the
	// alphabet is closed under exchanging them. Why says why no rule can.
	Symmetric []ops.Peer
	Why       string
	// Large scopes are explored by request only.
	Large bool
	Pin   Pin
}

// Pin is what an exploration of a scope must count. A changed count is a changed model.
type Pin struct {
	States      int // reachable, after renumbering
	Transitions int
	Merged      int // states after peers are merged too
	Depth       int // of the last state found
}

const (
	maxKeys     = 6
	maxPeers    = 5
	maxDuration = 60     // nanoseconds: a distance from the clock is a byte
	noKey       = "tick" // a key in no scope, see [Letter.Tick]
	unlimited   = ops.Time(math.MaxInt64)
)

// traits are what the alphabet can show of a state; canon.go leaves out the rest.
type traits struct {
	busy, add, evict, ready bool
	maxAge                  ops.Duration
}

func (s *Scope) traits() (t traits) {
	for i := range s.Letters {
		switch op := &s.Letters[i].Op; op.Kind {
		case ops.BusyReply:
			t.busy = true
		case ops.Add:
			t.add = true
		case ops.Evict:
			t.evict, t.maxAge = true, max(t.maxAge, op.MaxAge)
		case ops.Ready:
			t.ready = true
		}
	}
	return t
}

// Validate reports why the scope cannot be explored: its configuration is out of range, or renumbering its states would not
// be exact.
func (s *Scope) Validate() error {
	if err := s.Config.Validate(); err != nil {
		return fmt.Errorf("scope %s: %w", s.Name, err)
	}
	if len(s.Keys) > maxKeys || len(s.Peers) > maxPeers {
		return fmt.Errorf("scope %s: at most %d keys and %d peers", s.Name, maxKeys, maxPeers)
	}
	if len(s.Letters) == 0 || len(s.Letters) >= int(ended) {
		return fmt.Errorf("scope %s: an alphabet of %d operations", s.Name, len(s.Letters))
	}
	err := s.validateResponder()
	if s.Config.Machine == ops.SchedulerMachine {
		err = s.validateScheduler()
	}
	if err != nil {
		return fmt.Errorf("scope %s: %w", s.Name, err)
	}
	return s.closed()
}

func (s *Scope) validateScheduler() error {
	c := &s.Config.Scheduler
	for _, d := range []ops.Duration{c.FetchTimeout, c.MarkLifetime, c.BusyWaitMax, c.BusyCooldownCap, c.BusyForgetAfter, c.VerifyRetryDelay} {
		if d > maxDuration {
			return fmt.Errorf("a duration of %s: at most %dns are explored", d, maxDuration)
		}
	}
	return nil
}

// validateResponder refuses buckets whose fractions of a nanosecond the state does not show: with a burst above 1 a bucket
// can be spent before it is full, and how full it is then depends on them. With a burst of 1 it has a token only when it is
// full (RSP-5), so that every spending starts afresh.
func (s *Scope) validateResponder() error {
	c := &s.Config.Responder
	for _, b := range []struct{ burst, rate int64 }{{c.BusyPeerBurst, c.BusyPeerRate}, {c.BusyGlobalBurst, c.BusyGlobalRate}} {
		if b.burst > 1 && int64(ops.Second)%b.rate != 0 {
			return errors.New("a bucket with a burst above 1 whose rate does not divide a second")
		}
		if b.burst*int64(ops.Second)/b.rate > maxDuration {
			return fmt.Errorf("a bucket that takes more than %dns to fill", maxDuration)
		}
	}
	if c.FetchTimeout > maxDuration {
		return fmt.Errorf("a duration of %s: at most %dns are explored", c.FetchTimeout, maxDuration)
	}
	return s.everyTicket()
}

// everyTicket refuses an alphabet that does with one open ticket or send what it does not do with all: the canonical form does
// not order them.
func (s *Scope) everyTicket() error {
	type letter struct {
		kind   ops.Kind
		move   Move
		always bool
	}
	have := map[letter]int64{}
	for i := range s.Letters {
		if l := &s.Letters[i]; l.Op.Kind != ops.Request {
			have[letter{l.Op.Kind, l.Move, l.Always}]++
		}
	}
	for l, n := range have {
		most := s.Config.Responder.Pool
		if l.kind == ops.SendDone {
			most = s.Config.Responder.BusySendPermits
		}
		if l.kind != ops.StateQuery && n < most {
			return fmt.Errorf("it has %s for %d that are open, there can be %d", l.kind, n, most)
		}
	}
	return nil
}

// closed reports an error if exchanging symmetric peers leads out of the alphabet.
func (s *Scope) closed() error {
	have := map[string]bool{}
	text := func(l *Letter, op *ops.Op) string {
		return fmt.Sprintf("%s %d %d %t", op.String(), l.Move, l.Which, l.Always)
	}
	for i := range s.Letters {
		have[text(&s.Letters[i], &s.Letters[i].Op)] = true
	}
	for i := 1; i < len(s.Symmetric); i++ {
		for j := range s.Letters {
			op := s.Letters[j].Op.Clone()
			exchange(&op, s.Symmetric[i-1], s.Symmetric[i])
			if !have[text(&s.Letters[j], &op)] {
				return fmt.Errorf("scope %s: peers are symmetric, and it has %s without %s", s.Name, s.Letters[j].Op.String(), op.String())
			}
		}
	}
	return nil
}

func exchange(op *ops.Op, a, b ops.Peer) {
	between := ops.PeerNamed("exchanged")
	op.RenamePeer(a, between)
	op.RenamePeer(b, a)
	op.RenamePeer(between, b)
	for i := 1; i < len(op.Hints); i++ { // hints are a set: written in order
		for j := i; j > 0 && op.Hints[j].Peer.Compare(op.Hints[j-1].Peer) < 0; j-- {
			op.Hints[j], op.Hints[j-1] = op.Hints[j-1], op.Hints[j]
		}
	}
}
