package responder_test

import (
	"testing"

	"fetchproof/impl/responder"

	"pgregory.net/rapid"
)

// TestCopy copies a responder in the middle of a run, over one that lived
// under another configuration. The two answer alike from there, and neither
// sees what the other does (DET-2).
func TestCopy(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		fresh := func(name string) *pair {
			cfg := configs.Draw(t, name)
			r, err := responder.New(cfg)
			if err != nil {
				t.Fatal(err)
			}
			return &pair{r: r, p: newPlain(cfg)}
		}
		run := func(b *pair, name string) (answers []string) {
			for _, o := range rapid.SliceOfN(ops, 30, 30).Draw(t, name) {
				got, _ := b.apply(o)
				answers = append(answers, got)
				b.r.Observe(0, &b.state)
			}
			return answers
		}
		a, b := fresh("config"), fresh("other config")
		run(a, "first")
		run(b, "other")
		b.r.CopyFrom(a.r)
		if b.r.Config() != a.r.Config() || b.r.Snapshot() != a.r.Snapshot() {
			t.Fatal("the copy has another configuration or other counters")
		}
		var copied, later responder.State
		b.r.Observe(0, &copied)
		if !equal(copied, a.state) {
			t.Fatalf("the copy is not the same:\n%+v\n%+v", copied, a.state)
		}
		run(a, "second")
		b.r.Observe(0, &later)
		if !equal(copied, later) {
			t.Fatal("the copy sees what its origin does")
		}
		b.p, b.state = a.p, copied
		after := a.state
		run(b, "third")
		a.r.Observe(0, &later)
		if !equal(after, later) {
			t.Fatal("the origin sees what its copy does")
		}
		again := b.r.Snapshot()
		b.r.Observe(0, &copied)
		b.r.CopyFrom(b.r)
		b.r.Observe(0, &later)
		if again != b.r.Snapshot() || !equal(copied, later) {
			t.Fatal("a copy of itself changed it")
		}
	})
}

// TestCopyGoesOn steps a copy beside the plain rules of its origin.
func TestCopyGoesOn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cfg := configs.Draw(t, "config")
		r, err := responder.New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		spare, err := responder.New(seeded())
		if err != nil {
			t.Fatal(err)
		}
		b := pair{r: r, p: newPlain(cfg)}
		for i, o := range rapid.SliceOfN(ops, 60, 60).Draw(t, "ops") {
			if i%10 == 5 {
				spare.CopyFrom(b.r)
				b.r, spare = spare, b.r
			}
			if got, want := b.apply(o); got != want {
				t.Fatalf("step %d, %+v: answers %s, the rules say %s", i, o, got, want)
			}
			b.r.Observe(0, &b.state)
			if !equal(b.p.state(), b.state) {
				t.Fatalf("step %d, %+v: the states differ", i, o)
			}
		}
	})
}

// TestCopyHasItsOwnOrder copies a responder whose origin then busies the peer
// that has been idle for longest: in the copy it still is, and gives way (RSP-7,
// DET-2).
func TestCopyHasItsOwnOrder(t *testing.T) {
	cfg := wide()
	cfg.BusyPeerTable = 3
	origin, copied := filled(t, cfg), build(t, cfg)
	each(origin, 1, 2, 3)
	copied.r.CopyFrom(origin.r)
	origin.now, copied.now = second, second
	origin.busy(1)
	copied.busy(9)
	for i, want := range []int{2, 3, 9} {
		if got := copied.state().Limiter[i].Peer; got != peer(want) {
			t.Errorf("the copy remembers %x, want %x", got[:3], peer(want))
		}
	}
	origin.busy(9) // 2 has been idle for longest there
	for i, want := range []int{1, 3, 9} {
		if got := origin.state().Limiter[i].Peer; got != peer(want) {
			t.Errorf("the origin remembers %x, want %x", got[:3], peer(want))
		}
	}
}
