package twin_test

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"fetchproof/bench/twin"
	"fetchproof/impl/scheduler"
)

// pair steps the twin and the production scheduler through the same operations, drawn over a universe so small that
// they collide, and fails at the first difference in a result or in the whole state.
type pair struct {
	t     *testing.T
	rng   *rand.Rand
	twin  *twin.Scheduler
	impl  *scheduler.Scheduler
	now   scheduler.Time
	keys  int
	peers int

	attempts []scheduler.Place
	given    map[scheduler.Place]scheduler.Place
	op       string

	twinState, implState scheduler.State
}

func newPair(t *testing.T, seed uint64) *pair {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 7))
	cfg := drawConfig(rng)
	cfg.HashSeed = seed + 1
	a, err := twin.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	if seed%3 == 0 {
		twin.SweepOften(a)
	}
	b, err := scheduler.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return &pair{
		t: t, rng: rng, twin: a, impl: b, keys: 3 + rng.IntN(12), peers: 2 + rng.IntN(6),
		given: map[scheduler.Place]scheduler.Place{},
	}
}

func drawConfig(rng *rand.Rand) scheduler.Config {
	c := scheduler.Defaults()
	c.Slots, c.Share = 1+rng.IntN(5), 1+rng.IntN(3)
	c.FetchTimeout, c.MarkLifetime = time.Duration(1+rng.IntN(8)), time.Duration(1+rng.IntN(40))
	c.ContactTable, c.BusyTable = 1+rng.IntN(4), 1+rng.IntN(3)
	c.MaxHintSources, c.SourceCap = 1+rng.IntN(4), 1+rng.IntN(5)
	c.MaxQueued, c.MaxPending = 1+rng.IntN(8), 1+rng.IntN(8)
	c.Silence = rng.IntN(4) > 0
	c.BusyWaitMin, c.BusyWaitMax = 1, 4
	c.BusyCooldownCap, c.BusyForgetAfter = time.Duration(1+rng.IntN(12)), time.Duration(1+rng.IntN(9))
	c.BusyMultiplierMax = 1 << rng.IntN(4)
	c.VerifyRetryDelay = time.Duration(1 + rng.IntN(5))
	return c
}

func (p *pair) key() (k scheduler.Key)           { k[0] = byte(p.rng.IntN(p.keys)); return k }
func (p *pair) peer() (q scheduler.Peer)         { q[31] = byte(p.rng.IntN(p.peers)); return q }
func (p *pair) distance() (d scheduler.Distance) { d[p.rng.IntN(2)*31] = byte(p.rng.IntN(4)); return d }

func (p *pair) hint() scheduler.Hint {
	return scheduler.Hint{Peer: p.peer(), Claimant: p.rng.IntN(2) == 0}
}

func drawn[T any](p *pair, n int, f func() T) []T {
	out := make([]T, p.rng.IntN(n))
	for i := range out {
		out[i] = f()
	}
	return out
}

func (p *pair) attempt() scheduler.Place {
	if len(p.attempts) == 0 || p.rng.IntN(12) == 0 {
		return scheduler.Place(p.rng.IntN(30))
	}
	return p.attempts[p.rng.IntN(len(p.attempts))]
}

// kind is an outcome, every third one a failure to answer, now and then none at all.
func (p *pair) kind() scheduler.OutcomeKind {
	if p.rng.IntN(3) == 0 {
		return scheduler.OutcomeTimeout
	}
	return scheduler.OutcomeKind(p.rng.IntN(14))
}

// answerPlace is most often the place that the attempt's answer was given, now or before.
func (p *pair) answerPlace(attempt scheduler.Place) scheduler.Place {
	if place := p.given[attempt]; place != 0 && p.rng.IntN(10) > 0 {
		return place
	}
	a, va := p.twin.Arrive(attempt)
	b, vb := p.impl.Arrive(attempt)
	p.same("arrive", []any{a, va.Result}, []any{b, vb.Result})
	if va.OK() {
		p.given[attempt] = a
		return a
	}
	return scheduler.Place(p.rng.IntN(30))
}

func (p *pair) same(op string, twin, impl any) {
	p.t.Helper()
	p.op = op
	if reflect.DeepEqual(twin, impl) {
		return
	}
	if d := cmp.Diff(impl, twin, cmpopts.EquateEmpty()); d != "" {
		p.t.Fatalf("%s at %d differs (-production +twin):\n%s", op, p.now, d)
	}
}

func (p *pair) moveTime() {
	switch p.rng.IntN(16) {
	case 0, 1, 2, 3:
		p.now += scheduler.Time(p.rng.IntN(4))
	case 4:
		p.now = max(0, p.now-3)
	}
}

// step applies one operation to both.
func (p *pair) step() {
	p.moveTime()
	a, b, now := p.twin, p.impl, p.now
	switch p.rng.IntN(18) {
	case 0, 1:
		k, h := p.key(), drawn(p, 5, p.hint)
		p.same("add", a.Add(now, k, slices.Clone(h)), b.Add(now, k, h))
	case 2, 3:
		k, d, s := p.key(), p.distance(), drawn(p, 6, p.peer)
		p.same("promote", a.Promote(now, k, d, s), b.Promote(now, k, d, s))
	case 4:
		k, d, s := p.key(), p.distance(), drawn(p, 6, p.peer)
		p.same("enqueue", a.Enqueue(now, k, d, s), b.Enqueue(now, k, d, s))
	case 5, 6, 7:
		starts := a.Fill(now, nil)
		p.same("fill", starts, b.Fill(now, nil))
		for _, s := range starts {
			p.attempts = append(p.attempts, s.Attempt)
		}
	case 8:
		id := p.attempt()
		place := p.answerPlace(id)
		p.same("answer", a.Answer(now, id, place).Result, b.Answer(now, id, place).Result)
	case 9:
		p.busy()
	case 10, 11, 12:
		p.outcome()
	case 13, 14:
		q := p.peer()
		p.same("depart", a.Depart(now, q, nil), b.Depart(now, q, nil))
	default:
		p.seldom()
	}
}

func (p *pair) busy() {
	id, wait := p.attempt(), time.Duration(p.rng.IntN(6))
	place := p.answerPlace(id)
	x, vx := p.twin.Busy(p.now, id, place, wait)
	y, vy := p.impl.Busy(p.now, id, place, wait)
	p.same("busy", []any{x, vx.Result}, []any{y, vy.Result})
}

func (p *pair) outcome() {
	id, kind := p.attempt(), p.kind()
	place, has := scheduler.Place(0), kind != scheduler.OutcomeTimeout && p.rng.IntN(2) == 0
	if has {
		place = p.answerPlace(id)
	}
	x, vx := p.twin.Outcome(p.now, id, kind, place, has)
	y, vy := p.impl.Outcome(p.now, id, kind, place, has)
	p.same("outcome", []any{x, vx.Result}, []any{y, vy.Result})
	if !vx.OK() {
		return
	}
	// An ended attempt stays in the list now and then, for stale reports.
	if i := slices.Index(p.attempts, id); i >= 0 && p.rng.IntN(10) > 0 {
		p.attempts = slices.Delete(p.attempts, i, i+1)
	}
	if x.Event.Kind == scheduler.EventStart {
		p.attempts = append(p.attempts, x.Event.Attempt)
	}
}

func (p *pair) seldom() {
	a, b, now := p.twin, p.impl, p.now
	switch p.rng.IntN(12) {
	case 0, 1:
		k := p.key()
		x, rx := a.Remove(now, k)
		y, ry := b.Remove(now, k)
		p.same("remove", []any{x, rx}, []any{y, ry})
	case 2, 3:
		age := time.Duration(p.rng.IntN(20) - 1)
		p.same("evict", a.Evict(now, age, nil), b.Evict(now, age, nil))
	case 4, 5, 6:
		limit := p.rng.IntN(6) - 1
		p.same("ready", a.Ready(now, limit, nil), b.Ready(now, limit, nil))
	case 7, 8:
		keys := drawn(p, 4, p.key)
		p.same("drained", a.Drained(keys), b.Drained(keys))
	case 9, 10:
		ads := drawn(p, 6, func() scheduler.Advertisement {
			return scheduler.Advertisement{Key: p.key(), Hints: drawn(p, 5, p.hint)}
		})
		p.same("add batch", a.AddBatch(now, ads, nil), b.AddBatch(now, ads, nil))
	case 11:
		if p.rng.IntN(20) == 0 {
			a.Stop(now)
			b.Stop(now)
			p.same("stop", nil, nil)
		}
	}
}

func (p *pair) compareStates() {
	ahead := p.now + scheduler.Time(p.rng.IntN(3))
	p.twin.Observe(ahead, &p.twinState)
	p.impl.Observe(ahead, &p.implState)
	if !sameState(&p.twinState, &p.implState) {
		p.t.Fatalf("the states differ after %s at %d (-production +twin):\n%s", p.op, p.now,
			cmp.Diff(p.implState, p.twinState, cmpopts.EquateEmpty(), cmpopts.IgnoreUnexported(scheduler.State{})))
	}
	if x, y := p.twin.Snapshot(ahead), p.impl.Snapshot(ahead); x != y {
		p.t.Fatalf("the snapshots differ after %s at %d:\ntwin       %+v\nproduction %+v", p.op, p.now, x, y)
	}
}

// sameState compares without reflection: it runs after every operation.
func sameState(a, b *scheduler.State) bool {
	return a.Clock == b.Clock && a.NextPlace == b.NextPlace && a.Stopped == b.Stopped &&
		a.OverflowUntil == b.OverflowUntil && a.Reserved == b.Reserved && a.Counters == b.Counters &&
		slices.Equal(a.Heap, b.Heap) && slices.Equal(a.Parked, b.Parked) &&
		slices.Equal(a.Contact, b.Contact) && slices.Equal(a.Busy, b.Busy) && slices.Equal(a.Charges, b.Charges) &&
		slices.EqualFunc(a.Index, b.Index, func(x, y scheduler.IndexState) bool {
			return x.Source == y.Source && slices.Equal(x.Keys, y.Keys)
		}) &&
		slices.EqualFunc(a.Pending, b.Pending, func(x, y scheduler.PendingState) bool {
			return x.Key == y.Key && x.NextVerify == y.NextVerify && sameEntry(x.Entry, y.Entry)
		}) &&
		slices.EqualFunc(a.Queued, b.Queued, func(x, y scheduler.QueuedState) bool {
			return x.Key == y.Key && x.Distance == y.Distance && x.HasRetry == y.HasRetry &&
				slices.Equal(x.Untried, y.Untried) && slices.Equal(x.Tried, y.Tried) && sameEntry(x.Retry, y.Retry)
		}) &&
		slices.EqualFunc(a.InFlight, b.InFlight, sameFlight)
}

func sameFlight(x, y scheduler.FlightState) bool {
	return x.Key == y.Key && x.Distance == y.Distance && x.Attempt == y.Attempt && x.Source == y.Source &&
		x.Started == y.Started && x.Tracked == y.Tracked && x.Given == y.Given && x.Answered == y.Answered &&
		x.Busy == y.Busy && x.HasRetry == y.HasRetry && sameEntry(x.Retry, y.Retry) &&
		slices.Equal(x.Untried, y.Untried) && slices.Equal(x.Tried, y.Tried)
}

func sameEntry(x, y scheduler.EntryState) bool {
	return x.Owner == y.Owner && x.Created == y.Created &&
		slices.Equal(x.Hints, y.Hints) && slices.Equal(x.Claimants, y.Claimants)
}

// TestTwinEqualsProduction compares every result and the whole state, step by step.
func TestTwinEqualsProduction(t *testing.T) {
	programs, steps := 600, 300
	if testing.Short() {
		programs = 150
	}
	var total scheduler.Counters
	for seed := range uint64(programs) {
		p := newPair(t, seed)
		if seed%16 == 0 {
			p.now = math.MaxInt64 - 300
		}
		for range steps {
			p.step()
			p.compareStates()
		}
		c := p.twin.Snapshot(p.now).Counters
		for _, n := range []struct{ sum, one *uint64 }{
			{&total.Started, &c.Started},
			{&total.Parked, &c.Parked},
			{&total.Busy, &c.Busy},
			{&total.Overflows, &c.Overflows},
			{&total.MarksSet, &c.MarksSet},
			{&total.MarksExpired, &c.MarksExpired},
			{&total.MarksRefreshed, &c.MarksRefreshed},
			{&total.MarksCleared, &c.MarksCleared},
		} {
			*n.sum += *n.one
		}
	}
	for name, n := range map[string]uint64{
		"starts": total.Started, "parks": total.Parked, "busy reports": total.Busy, "overflows": total.Overflows,
		"marks set": total.MarksSet, "refreshed": total.MarksRefreshed, "cleared": total.MarksCleared,
		"expired": total.MarksExpired,
	} {
		if n < uint64(programs)/4 {
			t.Errorf("only %d %s in %d programs: they hardly exercise the rules", n, name, programs)
		}
	}
}
