package scheduler

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"
)

// fix is a scheduler under a table test: keys are numbers, their distance the
// same number unless said, peers are letters.
type fix struct {
	t *testing.T
	*Scheduler
	now Time
}

// seeded is the production configuration, but that a name is kept in the same
// place in every process.
func seeded() Config {
	c := Defaults()
	c.HashSeed = 1
	return c
}

func newFix(t *testing.T, change func(*Config)) *fix {
	t.Helper()
	c := seeded()
	c.Slots, c.Share = 4, 1
	if change != nil {
		change(&c)
	}
	s, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	f := &fix{t: t, Scheduler: s}
	t.Cleanup(func() {
		if err := s.SelfCheck(); err != nil {
			t.Error(err)
		}
	})
	return f
}

func key(n int) (k Key)       { k[31] = byte(n); return k }
func dist(n int) (d Distance) { d[31] = byte(n); return d }
func peer(c rune) (p Peer)    { p[0] = byte(c); return p }

func peers(names string) (out []Peer) {
	for _, c := range names {
		out = append(out, peer(c))
	}
	return out
}

// hints reads letters: upper case claims, lower case is paid-only.
func hints(names string) (out []Hint) {
	for _, c := range names {
		up := strings.ToUpper(string(c))
		out = append(out, Hint{peer(rune(up[0])), up == string(c)})
	}
	return out
}

func names(ps []Peer) string {
	var b strings.Builder
	for _, p := range ps {
		b.WriteByte(p[0])
	}
	return b.String()
}

func nums(ks []Key) string {
	var b strings.Builder
	for i, k := range ks {
		if i > 0 {
			b.WriteByte(' ')
		}
		fmt.Fprint(&b, k[31])
	}
	return b.String()
}

// put enqueues a key at distance n.
func (f *fix) put(n int, from string) {
	f.t.Helper()
	if r := f.Enqueue(f.now, key(n), dist(n), peers(from)); r != Queued {
		f.t.Fatalf("enqueue %d: %v", n, r)
	}
}

// promote adds and promotes a key.
func (f *fix) promote(n int, hinted, from string) {
	f.t.Helper()
	f.Add(f.now, key(n), hints(hinted))
	if r := f.Promote(f.now, key(n), dist(n), peers(from)); r != Queued {
		f.t.Fatalf("promote %d: %v", n, r)
	}
}

// fill expects starts like "1A#1 2B#2".
func (f *fix) fill(want string) {
	f.t.Helper()
	var got []string
	for _, s := range f.Fill(f.now, nil) {
		got = append(got, fmt.Sprintf("%d%c#%d", s.Key[31], s.Source[0], s.Attempt))
	}
	if g := strings.Join(got, " "); g != want {
		f.t.Fatalf("fill: %q, want %q", g, want)
	}
}

func eventText(e Event) string {
	switch e.Kind {
	case EventStart:
		return fmt.Sprintf("start %d%c#%d", e.Key[31], e.Source[0], e.Attempt)
	case EventLeft:
		return fmt.Sprintf("left %d %v", e.Key[31], e.Reason)
	}
	return fmt.Sprintf("%v %d", e.Kind, e.Key[31])
}

// ends expects an outcome's event and charge, like "park 1" or
// "left 1 dropped, malformed". With answer it brings an answer that arrives now.
func (f *fix) ends(a Place, k OutcomeKind, answer bool, want string) {
	f.t.Helper()
	var p Place
	if answer {
		var v Verdict
		if p, v = f.Arrive(a); !v.OK() {
			f.t.Fatalf("arrive: %v", v)
		}
	}
	r, v := f.Outcome(f.now, a, k, p, answer)
	got := v.Result.String()
	if v.OK() {
		got = eventText(r.Event)
		if r.Charge != ChargeNone {
			got += ", " + r.Charge.String()
		}
	}
	if got != want {
		f.t.Fatalf("outcome %v of %d: %q (%v), want %q", k, a, got, v.Why, want)
	}
}

// answer applies an early answer that arrives now.
func (f *fix) answer(a Place) {
	f.t.Helper()
	p, _ := f.Arrive(a)
	if v := f.Answer(f.now, a, p); !v.OK() {
		f.t.Fatalf("answer: %v", v.Why)
	}
}

// saysBusy applies a busy reply that arrives now.
func (f *fix) saysBusy(a Place, wait time.Duration) BusyReply {
	f.t.Helper()
	p, _ := f.Arrive(a)
	r, v := f.Busy(f.now, a, p, wait)
	if !v.OK() {
		f.t.Fatalf("busy: %v", v.Why)
	}
	return r
}

// events expects a list like "left 1 orphaned; pending 2".
func (f *fix) events(got []Event, want string) {
	f.t.Helper()
	var texts []string
	for _, e := range got {
		texts = append(texts, eventText(e))
	}
	if g := strings.Join(texts, "; "); g != want {
		f.t.Fatalf("events %q, want %q", g, want)
	}
}

func (f *fix) state() *State {
	var st State
	f.Observe(f.now, &st)
	return &st
}

// index expects the parked index, like "A:1 3 B:3".
func (f *fix) index(want string) {
	f.t.Helper()
	var got []string
	for _, e := range f.state().Index {
		got = append(got, fmt.Sprintf("%c:%s", e.Source[0], nums(e.Keys)))
	}
	if g := strings.Join(got, " "); g != want {
		f.t.Fatalf("index %q, want %q", g, want)
	}
}

// entry expects the hints, claimants and owner of a pending key's entry, like
// "ABC/A/B".
func (f *fix) entry(n int, want string) {
	f.t.Helper()
	for _, p := range f.state().Pending {
		if p.Key == key(n) {
			e := p.Entry
			if got := names(e.Hints) + "/" + names(e.Claimants) + "/" + names([]Peer{e.Owner}); got != want {
				f.t.Fatalf("entry of %d is %s, want %s", n, got, want)
			}
			return
		}
	}
	f.t.Fatalf("%d is not pending", n)
}

func (f *fix) silentNow(c rune) bool {
	for _, e := range f.state().Contact {
		if e.Source == peer(c) {
			return e.MarkedUntil > 0
		}
	}
	return false
}

const forever = Time(math.MaxInt64)
