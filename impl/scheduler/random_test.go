package scheduler

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// driver draws operations over a small universe, so that they collide.
type driver struct {
	rng   *rand.Rand
	s     *Scheduler
	now   Time
	keys  int
	peers int
	// attempts seen, with the places their answers were given
	attempts []Place
	given    map[Place]Place
	starts   []Start
	events   []Event
}

func keyN(n int) (k Key)   { k[31] = byte(n); k[0] = byte(n >> 8); return k }
func peerN(n int) (p Peer) { p[31] = byte(n); p[30] = byte(n >> 8); return p }
func distN(n int) (d Distance) {
	d[6] = byte(n >> 10)
	d[7] = byte(n >> 2)
	d[31] = byte(n & 3)
	return d
}

func smallConfig(rng *rand.Rand) Config {
	c := Defaults()
	c.Slots = 1 + rng.IntN(5)
	c.Share = 1 + rng.IntN(3)
	c.FetchTimeout = time.Duration(1 + rng.IntN(8))
	c.MarkLifetime = time.Duration(1 + rng.IntN(40))
	c.ContactTable = 1 + rng.IntN(4)
	c.MaxHintSources = 1 + rng.IntN(4)
	c.SourceCap = 1 + rng.IntN(5)
	c.MaxQueued = 1 + rng.IntN(8)
	c.MaxPending = 1 + rng.IntN(8)
	c.Silence = rng.IntN(4) > 0
	c.BusyWaitMin, c.BusyWaitMax = 1, 4
	c.BusyCooldownCap = time.Duration(1 + rng.IntN(12))
	c.BusyMultiplierMax = 1 << rng.IntN(4)
	c.BusyForgetAfter = time.Duration(1 + rng.IntN(9))
	c.BusyTable = 1 + rng.IntN(3)
	c.VerifyRetryDelay = time.Duration(1 + rng.IntN(5))
	return c
}

func newDriver(t testing.TB, seed uint64, cfg Config, keys, peers int) *driver {
	t.Helper()
	cfg.HashSeed = seed + 1
	s, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return &driver{rng: rand.New(rand.NewPCG(seed, 1)), s: s, keys: keys, peers: peers, given: map[Place]Place{}}
}

func (d *driver) key() Key { return keyN(d.rng.IntN(d.keys)) }

func (d *driver) sources() []Peer {
	out := make([]Peer, d.rng.IntN(5))
	for i := range out {
		out[i] = peerN(d.rng.IntN(d.peers))
	}
	return out
}

func (d *driver) attempt() Place {
	if len(d.attempts) == 0 || len(d.s.flights) == 0 || d.rng.IntN(12) == 0 {
		return Place(d.rng.IntN(30))
	}
	if live := d.s.flights[d.rng.IntN(len(d.s.flights))].place; live != 0 && d.rng.IntN(4) > 0 {
		return live
	}
	recent := min(len(d.attempts), 8)
	return d.attempts[len(d.attempts)-1-d.rng.IntN(recent)]
}

func (d *driver) answerPlace(a Place) Place {
	if p := d.given[a]; p != 0 && d.rng.IntN(10) > 0 {
		return p
	}
	if p, v := d.s.Arrive(a); v.OK() {
		d.given[a] = p
		return p
	}
	return Place(d.rng.IntN(30))
}

// step applies one drawn operation.
func (d *driver) step() {
	switch d.rng.IntN(4) {
	case 0:
		d.now += Time(d.rng.IntN(4))
	case 1:
		if d.rng.IntN(8) == 0 {
			d.now -= 3
		}
	}
	s, now := d.s, d.now
	switch d.rng.IntN(14) {
	case 0, 1:
		hints := make([]Hint, d.rng.IntN(5))
		for i := range hints {
			hints[i] = Hint{peerN(d.rng.IntN(d.peers)), d.rng.IntN(2) == 0}
		}
		s.Add(now, d.key(), hints)
	case 2, 3:
		k := d.key()
		if pending := append(append([]uint32(nil), s.due...), s.waiting...); len(pending) > 0 && d.rng.IntN(4) > 0 {
			k = s.detail(pending[d.rng.IntN(len(pending))]).name
		}
		s.Promote(now, k, distN(int(k[31])^5), d.sources())
	case 4:
		n := d.rng.IntN(d.keys)
		s.Enqueue(now, keyN(n), distN(d.rng.IntN(d.keys)), d.sources())
	case 5, 6:
		d.starts = s.Fill(now, d.starts[:0])
		for _, st := range d.starts {
			d.attempts = append(d.attempts, st.Attempt)
		}
	case 7:
		a := d.attempt()
		s.Answer(now, a, d.answerPlace(a))
	case 8:
		a := d.attempt()
		s.Busy(now, a, d.answerPlace(a), time.Duration(d.rng.IntN(6)))
	case 9, 10, 11:
		d.outcome(now)
	case 12:
		switch d.rng.IntN(8) {
		case 0, 1, 2:
			d.events = s.Depart(now, peerN(d.rng.IntN(d.peers)), d.events[:0])
		case 3:
			s.Remove(now, d.key())
		case 4:
			d.events = s.Evict(now, time.Duration(d.rng.IntN(20)), d.events[:0])
		case 5:
			if d.rng.IntN(200) == 0 {
				s.Stop(now)
			}
		}
	}
}

func (d *driver) outcome(now Time) {
	a := d.attempt()
	if f, _ := d.s.findFlight(a); f != nil && d.rng.IntN(2) == 0 {
		d.end(a)
		return
	}
	kind := OutcomeKind(d.rng.IntN(outcomeKinds + 1))
	if d.rng.IntN(3) == 0 {
		kind = OutcomeTimeout
	}
	place, has := Place(0), kind != OutcomeTimeout && d.rng.IntN(2) == 0
	if has {
		place = d.answerPlace(a)
	}
	r, v := d.s.Outcome(now, a, kind, place, has)
	if v.OK() && r.Event.Kind == EventStart {
		d.attempts = append(d.attempts, r.Event.Attempt)
	}
}

// decide checks a state against the rules that speak of one state: LIV-1 after a
// pass, and that the nearest startable key is found (by choosing again in a copy).
func decide(t *testing.T, d *driver, scratch *Scheduler, before, after *State) {
	t.Helper()
	scratch.CopyFrom(d.s)
	scratch.Observe(d.now, after)
	d.s.Observe(d.now, before)
	if d.rng.IntN(8) == 0 && !sameState(before, after) {
		t.Fatalf("a copy differs:\n%+v\n%+v", before, after)
	}
	if d.s.stopped {
		return
	}
	checkReady(t, d, before)
	starts := scratch.Fill(d.now, nil)
	scratch.Observe(d.now, after)
	if len(starts) == 0 {
		return
	}
	want, ok := nearestStartable(d.s, before)
	if !ok || want != starts[0].Key {
		t.Fatalf("the pass started %x, the nearest that can start is %x (%v)", starts[0].Key, want, ok)
	}
	if _, more := nearestStartable(scratch, after); more && len(after.InFlight) < scratch.cfg.Slots {
		t.Fatal("a key can start and a slot is free after a pass (LIV-1)")
	}
}

// checkReady checks a query for ready keys, now or soon, against the state.
func checkReady(t *testing.T, d *driver, st *State) {
	t.Helper()
	limit, at := d.rng.IntN(5), d.now+Time(d.rng.IntN(2)*d.rng.IntN(8))
	var want []Key
	for i := range st.Pending {
		if p := &st.Pending[i]; p.NextVerify <= max(at, st.Clock) && len(want) < limit {
			want = append(want, p.Key)
		}
	}
	if got := d.s.Ready(at, limit, nil); !slices.Equal(got, want) {
		t.Fatalf("at %d, %d ready keys are %x, want %x", at, limit, got, want)
	}
}

// nearestStartable finds the nearest queued key that can start, from the observed
// state alone.
func nearestStartable(s *Scheduler, st *State) (Key, bool) {
	load := map[Peer]int{}
	for _, f := range st.InFlight {
		load[f.Source]++
	}
	tracked, silent := map[Peer]bool{}, map[Peer]bool{}
	for _, c := range st.Contact {
		tracked[c.Source], silent[c.Source] = true, c.MarkedUntil > 0
	}
	var best *QueuedState
	for i := range st.Queued {
		q := &st.Queued[i]
		for _, p := range q.Untried {
			can := load[p] < s.cfg.Share || silent[p] || !tracked[p] && st.OverflowUntil > 0
			if !can {
				continue
			}
			if c := 0; best != nil {
				if c = bytes.Compare(q.Distance[:], best.Distance[:]); c > 0 || c == 0 && bytes.Compare(q.Key[:], best.Key[:]) > 0 {
					continue
				}
			}
			best = q
		}
	}
	if best == nil {
		return Key{}, false
	}
	return best.Key, true
}

func sameState(a, b *State) bool {
	x, y := *a, *b
	x.keys, x.peers, y.keys, y.peers = nil, nil, nil, nil
	return fmt.Sprint(x) == fmt.Sprint(y) // nil and empty lists are the same
}

// TestRandomSelfCheck runs drawn operations over small universes and recounts
// everything after each.
func TestRandomSelfCheck(t *testing.T) {
	programs, steps := 300, 300
	if testing.Short() {
		programs = 100
	}
	var scratch Scheduler
	var before, after State
	var total Counters
	for seed := range uint64(programs) {
		rng := rand.New(rand.NewPCG(seed, 2))
		d := newDriver(t, seed, smallConfig(rng), 3+rng.IntN(12), 2+rng.IntN(6))
		if seed%16 == 0 {
			d.now = math.MaxInt64 - 300
		}
		for i := range steps {
			d.step()
			if err := d.s.SelfCheck(); err != nil {
				t.Fatalf("seed %d step %d: %v", seed, i, err)
			}
			decide(t, d, &scratch, &before, &after)
			if err := scratch.SelfCheck(); err != nil {
				t.Fatalf("seed %d step %d, in a copy after a pass: %v", seed, i, err)
			}
		}
		c := d.s.Snapshot(d.now).Counters
		d.drain(t)
		total.Started += c.Started
		total.Parked += c.Parked
		total.Overflows += c.Overflows
		total.MarksSet += c.MarksSet
		total.MarksRefreshed += c.MarksRefreshed
		total.MarksCleared += c.MarksCleared
		total.MarksExpired += c.MarksExpired
		total.Busy += c.Busy
	}
	t.Logf("over %d programs: %+v", programs, total)
	for _, n := range []uint64{
		total.Started, total.Parked, total.Overflows, total.MarksSet,
		total.MarksRefreshed, total.MarksCleared, total.MarksExpired, total.Busy,
	} {
		if n < 20 {
			t.Fatalf("the programs hardly exercise the rules: %+v", total)
		}
	}
}
