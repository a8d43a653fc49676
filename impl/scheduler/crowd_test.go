package scheduler

import (
	"math/rand/v2"
	"testing"
)

// TestCrowds runs programs over thousands of keys at a few sources, so that
// backlogs are sorted and swept, lists are sorted and compacted, and a source that
// few keys have frees a share. Each ends empty.
func TestCrowds(t *testing.T) {
	programs := 8
	if testing.Short() {
		programs = 2
	}
	var scratch Scheduler
	var before, after State
	for seed := range uint64(programs) {
		rng := rand.New(rand.NewPCG(seed, 3))
		cfg := smallConfig(rng)
		cfg.Slots, cfg.MaxQueued, cfg.MaxPending, cfg.ContactTable = 12, 4000, 4000, 12
		cfg.Share = 1 + int(seed%2)
		d := newDriver(t, seed, cfg, 6000, 8)
		check := func(at int) {
			t.Helper()
			if err := d.s.SelfCheck(); err != nil {
				t.Fatalf("seed %d phase %d: %v", seed, at, err)
			}
			decide(t, d, &scratch, &before, &after)
			if err := scratch.SelfCheck(); err != nil {
				t.Fatalf("seed %d phase %d, in a copy after a pass: %v", seed, at, err)
			}
		}
		for phase := range 9 {
			for range 500 + rng.IntN(2500) {
				n := rng.IntN(d.keys)
				d.s.Enqueue(d.now, keyN(n), distN(n*7%8192), d.crowdSources(rng, phase))
			}
			check(phase)
			for range 200 {
				d.step()
			}
			check(phase)
			d.churn(800, phase%2 == 0)
			check(phase)
		}
		d.drain(t)
	}
}

// crowdSources draws sources of which the last two of eight are rare, or absent.
func (d *driver) crowdSources(rng *rand.Rand, phase int) []Peer {
	out := d.sources()
	for i := range out {
		n := rng.IntN(6)
		if rarity := [3]int{500, 120, 0}[phase%3]; rarity > 0 && rng.IntN(rarity) == 0 {
			n = 6 + rng.IntN(2)
		}
		out[i] = peerN(n)
	}
	return out
}

// churn ends an attempt and fills, n times. With hold, attempts at the first peer
// go on, so that its list only grows old.
func (d *driver) churn(n int, hold bool) {
	for range n {
		var flying []Place
		for _, f := range d.s.flights {
			if f.place != 0 && !(hold && d.s.peers[f.source].name == peerN(0)) {
				flying = append(flying, f.place)
			}
		}
		if len(flying) > 0 {
			d.end(flying[d.rng.IntN(len(flying))])
		}
		d.starts = d.s.Fill(d.now, d.starts[:0])
	}
}

// end ends an attempt that is in flight, in one way or another.
func (d *driver) end(a Place) {
	switch f, _ := d.s.findFlight(a); {
	case f.busy:
		d.s.Outcome(d.now, a, OutcomeBusy, 0, false)
	case f.answered:
		d.s.Outcome(d.now, a, OutcomeStored, 0, false)
	case d.rng.IntN(4) == 0:
		d.s.Outcome(d.now, a, OutcomeTimeout, 0, false)
	default:
		p := f.given
		if p == 0 {
			p, _ = d.s.Arrive(a)
		}
		d.s.Outcome(d.now, a, OutcomeStored, p, true)
	}
}

// drain lets every peer depart and every attempt end, after which nothing may be
// left but what the tables remember.
func (d *driver) drain(t *testing.T) {
	t.Helper()
	for n := range d.peers {
		d.s.Depart(d.now, peerN(n), nil)
	}
	for _, f := range d.s.flights {
		if f.place != 0 {
			d.s.Outcome(d.now, f.place, OutcomeCancelled, 0, false)
		}
	}
	if err := d.s.SelfCheck(); err != nil {
		t.Fatal(err)
	}
	var st State
	d.s.Observe(d.now, &st)
	if n := len(st.Pending) + len(st.Queued) + len(st.InFlight) + len(st.Index) + st.Reserved + len(st.Charges); n > 0 {
		t.Fatalf("something is left: %+v", st)
	}
	s := d.s
	if s.keyIDs.n != 0 || len(s.freeKeys) != s.idCount() || s.openAssoc != 0 || s.heapAssoc != 0 || s.parkedAssoc != 0 {
		t.Fatal("the tables keep keys that have left")
	}
}
