package scheduler

import (
	"math/rand/v2"
	"testing"
)

// all is everything that can be asked of a scheduler at one time.
type all struct {
	state    State
	snapshot Snapshot
	oldest   int64
	ready    []Key
}

func (a *all) ask(s *Scheduler) {
	s.Observe(0, &a.state)
	a.snapshot = s.Snapshot(0)
	age, some := s.OldestParked(0)
	if a.oldest = int64(age); !some {
		a.oldest = -1
	}
	a.ready = s.Ready(0, 1000, a.ready[:0])
}

func (a *all) same(b *all) bool {
	if a.snapshot != b.snapshot || a.oldest != b.oldest || len(a.ready) != len(b.ready) || !sameState(&a.state, &b.state) {
		return false
	}
	for i := range a.ready {
		if a.ready[i] != b.ready[i] {
			return false
		}
	}
	return true
}

// fork is a driver that goes its own way on a copy of what d drives.
func (d *driver) fork(to *Scheduler, seed uint64) *driver {
	to.CopyFrom(d.s)
	f := &driver{rng: rand.New(rand.NewPCG(seed, 22)), s: to, now: d.now, keys: d.keys, peers: d.peers, given: map[Place]Place{}}
	f.attempts = append(f.attempts, d.attempts...)
	for a, p := range d.given {
		f.given[a] = p
	}
	return f
}

// TestCopyIsApart: a copy says what its source says, and from then on each goes
// its own way: no operation on one shows in the other, however long both go on.
func TestCopyIsApart(t *testing.T) {
	programs := 30
	if testing.Short() {
		programs = 10
	}
	var copied Scheduler // reused, so that it has memory of its own to be mistaken for
	for seed := range uint64(programs) {
		rng := rand.New(rand.NewPCG(seed, 23))
		cfg := smallConfig(rng)
		if seed%4 == 3 {
			cfg.MaxQueued, cfg.MaxPending = 40, 40
		}
		d := newDriver(t, seed, cfg, 4+rng.IntN(40), 2+rng.IntN(6))
		rounds := 60
		if seed%3 == 0 {
			d, rounds = newLine(t, seed, 1), 200
		}
		walk := func(d *driver) {
			switch seed % 3 {
			case 0:
				d.line()
			case 1:
				d.press()
			default:
				d.step()
			}
		}
		for range 20 + rng.IntN(300) {
			walk(d)
		}
		two := [2]*driver{d, d.fork(&copied, seed)}
		var says, said [2]all
		said[0].ask(two[0].s)
		said[1].ask(two[1].s)
		if !said[0].same(&said[1]) {
			t.Fatalf("seed %d: a copy says\n%+v\nits source\n%+v", seed, said[1], said[0])
		}
		for round := range rounds {
			own, other := round%2, 1-round%2
			for range 1 + rng.IntN(3) {
				walk(two[own])
			}
			says[other].ask(two[other].s)
			if !says[other].same(&said[other]) {
				t.Fatalf("seed %d round %d: what happened to %d of source and copy shows in the other:\n%+v\nbefore\n%+v",
					seed, round, own, says[other], said[other])
			}
			said[own].ask(two[own].s)
			for i := range two {
				if err := two[i].s.SelfCheck(); err != nil {
					t.Fatalf("seed %d round %d, %d of source and copy: %v", seed, round, i, err)
				}
			}
		}
	}
}

// TestCopyGoesOnAlike: the same operations on a copy and on its source give the
// same, after each: nothing that an operation depends on is left out.
func TestCopyGoesOnAlike(t *testing.T) {
	programs := 60
	if testing.Short() {
		programs = 15
	}
	var copied Scheduler
	for seed := range uint64(programs) {
		rng := rand.New(rand.NewPCG(seed, 24))
		d := newDriver(t, seed, smallConfig(rng), 3+rng.IntN(12), 2+rng.IntN(6))
		for range 20 + rng.IntN(200) {
			d.press()
		}
		other := d.fork(&copied, 0)
		d.rng, other.rng = rand.New(rand.NewPCG(seed, 25)), rand.New(rand.NewPCG(seed, 25))
		var a, b all
		for i := range 80 {
			if i%2 == 0 {
				d.press()
				other.press()
			} else {
				d.step()
				other.step()
			}
			a.ask(d.s)
			b.ask(other.s)
			if !a.same(&b) {
				t.Fatalf("seed %d, %d operations after the copy:\n%+v\nthe copy\n%+v", seed, i+1, a, b)
			}
		}
	}
}
