package responder_test

import (
	"fmt"
	"slices"
	"testing"

	"fetchproof/impl/responder"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

// op is one drawn operation. Its arguments are reduced to what the state has
// to offer, so that every drawn value is a legal one.
type op struct {
	Kind, Jump, Amount, Peer, ID int
	Asks                         bool
}

var ops = rapid.Custom(func(t *rapid.T) op {
	return op{
		Kind:   rapid.IntRange(0, 9).Draw(t, "kind"),
		Jump:   rapid.IntRange(0, 9).Draw(t, "jump"),
		Amount: rapid.IntRange(0, 2_000_000_000).Draw(t, "amount"),
		Peer:   rapid.IntRange(0, 5).Draw(t, "peer"),
		ID:     rapid.IntRange(0, 9).Draw(t, "id"),
		Asks:   rapid.IntRange(0, 7).Draw(t, "asks") > 0,
	}
})

// rates divide the second exactly, or not at all, or into less than 1 ns.
var rates = []int{1, 2, 3, 7, 16, 1_000_003, 999_999_937, 1_000_000_000, 1 << 30}

var configs = rapid.Custom(func(t *rapid.T) responder.Config {
	small := func(name string, most int) int { return rapid.IntRange(1, most).Draw(t, name) }
	c := seeded()
	c.PeerShare, c.Pool = small("share", 3), small("pool", 3)
	c.FetchTimeout = 3
	c.BusySendPermits, c.BusyPeerInFlight = small("permits", 5), small("in flight", 3)
	c.BusyPeerBurst, c.BusyGlobalBurst = small("burst", 3), small("global burst", 5)
	c.BusyPeerRate = rapid.SampledFrom(rates).Draw(t, "rate")
	c.BusyGlobalRate = rapid.SampledFrom(rates).Draw(t, "global rate")
	c.BusyPeerTable = small("table", 4)
	return c
})

// bases are where the time of a run begins: at 0, today, and so close to the
// largest time that buckets reach past it.
var bases = []int64{0, today, endNs - 3*second, endNs - 1}

// moment turns a drawn jump into a time: the same, a little later, just
// around the next full-at time, or back.
func moment(o op, s *responder.State) int64 {
	later := func(d int64) int64 { return s.Clock + min(d, endNs-s.Clock) }
	aim := s.GlobalFullAt
	if n := len(s.Limiter); n > 0 && o.Amount%3 > 0 {
		aim = s.Limiter[o.Amount%n].FullAt
	}
	switch o.Jump {
	case 0:
		return later(int64(o.Amount))
	case 1:
		return later(int64(o.Amount % 4))
	case 2:
		return aim
	case 3:
		return aim - 1
	case 4:
		return later(second / 7)
	case 5:
		return s.Clock - int64(o.Amount)
	}
	return s.Clock
}

// pair is a responder, and the plain rules beside it.
type pair struct {
	r     *responder.Responder
	p     *plain
	state responder.State
}

// apply does o on both and returns their answers.
func (b *pair) apply(o op) (got, want string) {
	now := moment(o, &b.state)
	ticket := max(b.p.nextTicket-responder.Ticket(o.ID)+1, 0)
	send := max(b.p.nextSend-responder.Send(o.ID)+1, 0)
	switch o.Kind {
	case 0:
		return fmt.Sprint(b.r.Take(now, ticket)), fmt.Sprint(b.p.take(now, ticket))
	case 1:
		return fmt.Sprint(b.r.Release(now, ticket)), fmt.Sprint(b.p.release(now, ticket))
	case 2, 3, 4:
		return fmt.Sprint(b.r.SendDone(now, send)), fmt.Sprint(b.p.sendDone(now, send))
	}
	x := b.r.Request(now, peer(o.Peer), o.Asks)
	y := b.p.request(now, peer(o.Peer), o.Asks)
	x.Refusal = responder.Refusal{}
	return fmt.Sprintf("%+v", x), fmt.Sprintf("%+v", y)
}

// TestPlainRules steps a responder beside the plain rules and compares every
// answer and the whole state: RSP-1, RSP-2, RSP-3, RSP-4, RSP-5, RSP-6, RSP-7,
// DET-3, DET-4.
func TestPlainRules(t *testing.T) {
	var runs, steps, shed, replaced int
	denied := map[responder.Bound]int{}
	rapid.Check(t, func(t *rapid.T) {
		cfg := configs.Draw(t, "config")
		base := rapid.SampledFrom(bases).Draw(t, "base")
		n := rapid.IntRange(30, 120).Draw(t, "length")
		program := rapid.SliceOfN(ops, n, n).Draw(t, "ops")
		r, err := responder.New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		b := pair{r: r, p: newPlain(cfg)}
		b.state.Clock = base
		for i, o := range program {
			got, want := b.apply(o)
			if got != want {
				t.Fatalf("step %d, %+v: answers %s, the rules say %s", i, o, got, want)
			}
			r.Observe(0, &b.state)
			if want := b.p.state(); !equal(want, b.state) {
				diff := cmp.Diff(want, b.state, cmpopts.EquateEmpty())
				t.Fatalf("step %d, %+v: state (-rules +got)\n%s", i, o, diff)
			}
			if got == responder.Shed.String() {
				shed++
			}
		}
		checkWindows(t, cfg, b.p.replies)
		checkCounters(t, r)
		runs, steps = runs+1, steps+len(program)
		for bound, n := range b.p.denied {
			denied[bound] += n
		}
		replaced += b.p.replaced
	})
	t.Logf("%d runs, %d steps, %d shed, %d replaced, denied %v", runs, steps, shed, replaced, denied)
	if t.Failed() || testing.Short() {
		return // a short run makes a fifth of the checks
	}
	for bound := responder.SendPermits; bound <= responder.GlobalRate; bound++ {
		if denied[bound] == 0 {
			t.Errorf("no run was denied by %v", bound)
		}
	}
	if runs < 100 || steps < 30*runs || shed == 0 || replaced == 0 {
		t.Error("the runs did not reach every rule")
	}
}

// checkCounters holds the sums that Counters promises: every place and every
// permit given is either held now or was released once.
func checkCounters(t rapid.TB, r *responder.Responder) {
	t.Helper()
	var s responder.State
	r.Observe(0, &s)
	c := r.Snapshot()
	if c.Admitted != c.Shed+c.Released+uint64(s.Outstanding) {
		t.Fatalf("places do not balance: %+v, %d held", c, s.Outstanding)
	}
	if c.BusyReplied != c.SendsDone+uint64(len(s.Sends)) {
		t.Fatalf("permits do not balance: %+v, %d held", c, len(s.Sends))
	}
}

// equal reports whether two states are the same, without the cost of a diff.
func equal(a, b responder.State) bool {
	return a.Clock == b.Clock && a.Outstanding == b.Outstanding && a.GlobalFullAt == b.GlobalFullAt &&
		slices.Equal(a.Peers, b.Peers) && slices.Equal(a.Tickets, b.Tickets) &&
		slices.Equal(a.Sends, b.Sends) && slices.Equal(a.Limiter, b.Limiter)
}

// same fails where two states differ.
func same(t testing.TB, what string, before, after responder.State) {
	t.Helper()
	if !equal(before, after) {
		t.Fatalf("%s changed the state (-before +after)\n%s", what, cmp.Diff(before, after, cmpopts.EquateEmpty()))
	}
}
