package explore

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"

	"fetchproof/ops"
	"fetchproof/props/lockstep"
	"fetchproof/props/subject"
)

// faulty is the production implementation but for one answer: it says that a failed key parked when it started.
type faulty struct{ *subject.Builtin }

func newFaulty() (subject.Subject, error) { return &faulty{subject.NewBuiltin()}, nil }

func (f *faulty) CopyFrom(src subject.Forker) { f.Builtin.CopyFrom(src.(*faulty).Builtin) }

func (f *faulty) Apply(op *ops.Op, res *ops.Result) error {
	err := f.Builtin.Apply(op, res)
	if op.Kind == ops.Outcome && len(res.Events) == 1 && res.Events[0].Kind == ops.Start {
		res.Events[0] = ops.Event{Kind: ops.Park, Key: res.Events[0].Key}
	}
	return err
}

// unforked hides that a subject can be copied, as a process cannot be.
type unforked struct{ subject.Subject }

// lossy is the production implementation, but for a copy of it that forgets its last operation.
type lossy struct{ *subject.Builtin }

func (l *lossy) CopyFrom(src subject.Forker) {
	if err := l.Init(&scopeNamed("responder").Config); err != nil {
		panic(err)
	}
}

func scopeNamed(name string) *Scope {
	scopes, err := Scopes()
	if err != nil {
		panic(err)
	}
	for _, s := range scopes {
		if s.Name == name {
			return s
		}
	}
	panic("no scope " + name)
}

func explored(t *testing.T, name string, o Options) *Result {
	t.Helper()
	r, err := Run(t.Context(), scopeNamed(name), o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// The counterexample is a shortest one, the same with any number of workers, and fails again from its file.
func TestCounterexample(t *testing.T) {
	var first *Found
	for _, workers := range []int{1, 4} {
		r := explored(t, "share-parking-silence", Options{Subject: newFaulty, Workers: workers})
		if r.Found == nil || r.Complete {
			t.Fatal("the fault was not found")
		}
		if first == nil {
			first = r.Found
		}
		if !reflect.DeepEqual(r.Found.Program.Ops, first.Program.Ops) {
			t.Error("another number of workers finds another counterexample")
		}
	}
	// enqueue, fill, a failure: nothing less makes a failed key start elsewhere.
	if n := len(first.Program.Ops); n != 3 || first.Failure.Property != "result/outcome" {
		t.Errorf("%s after %d operations", first.Failure.Property, n)
	}
	text := Counterexample(scopeNamed("share-parking-silence"), first).String()
	scenario, err := ops.Parse("found", strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	made, _ := newFaulty()
	list := scenario.Ops()
	f, err := lockstep.New(made).Run(&lockstep.Program{Config: *list[0].Config, Ops: list[1:]}, false)
	if err != nil || f == nil || f.Property != "result/outcome" {
		t.Errorf("replayed from its file: %v, %v", f, err)
	}
}

func TestCounterexampleOfAPanic(t *testing.T) {
	r := explored(t, "responder", Options{Subject: func() (subject.Subject, error) { return &panicking{subject.NewBuiltin()}, nil }})
	if r.Found == nil || r.Found.Failure.Property != "panic" || len(r.Found.Program.Ops) != 2 {
		t.Fatalf("found %+v", r.Found)
	}
}

type panicking struct{ *subject.Builtin }

func (p *panicking) CopyFrom(src subject.Forker) { p.Builtin.CopyFrom(src.(*panicking).Builtin) }

func (p *panicking) Apply(op *ops.Op, res *ops.Result) error {
	if op.Kind == ops.Release {
		panic("released")
	}
	return p.Builtin.Apply(op, res)
}

func TestLossyCopy(t *testing.T) {
	r := explored(t, "responder", Options{Subject: func() (subject.Subject, error) { return &lossy{subject.NewBuiltin()}, nil }})
	if r.Found == nil || r.Found.Failure.Property != Forked {
		t.Fatalf("found %+v", r.Found)
	}
}

// A subject that cannot be copied is replayed from its start for every step, and counts the same.
func TestSubjectThatCannotBeCopied(t *testing.T) {
	r := explored(t, "responder", Options{Subject: func() (subject.Subject, error) { return unforked{subject.NewBuiltin()}, nil }})
	if r.Found != nil || r.Counts() != r.Scope.Pin {
		t.Errorf("counts %+v, pinned %+v, found %v", r.Counts(), r.Scope.Pin, r.Found)
	}
}

// lacking is a subject that does not have an operation.
type lacking struct{ *subject.Builtin }

func (l *lacking) CopyFrom(src subject.Forker) { l.Builtin.CopyFrom(src.(*lacking).Builtin) }

func (l *lacking) Apply(op *ops.Op, res *ops.Result) error {
	if op.Kind == ops.SendDone {
		res.Reset()
		res.Code = ops.Unsupported
		return nil
	}
	return l.Builtin.Apply(op, res)
}

func TestUnsupportedIsLeftOut(t *testing.T) {
	r := explored(t, "responder", Options{Subject: func() (subject.Subject, error) { return &lacking{subject.NewBuiltin()}, nil }})
	if r.Found != nil || !reflect.DeepEqual(r.LeftOut, []ops.Kind{ops.SendDone}) || r.Steps >= r.Scope.Pin.Transitions {
		t.Errorf("left out %v, %d transitions, found %v", r.LeftOut, r.Steps, r.Found)
	}
}

func TestMaxStates(t *testing.T) {
	r := explored(t, "share-parking-silence", Options{MaxStates: 500, Graph: true})
	if r.Complete || r.Merged < 500 || r.Merged > 2000 {
		t.Errorf("complete %t after %d states", r.Complete, r.Merged)
	}
	if _, err := CheckLiveness(r); !errors.Is(err, ErrIncomplete) {
		t.Errorf("liveness of a part: %v", err)
	}
	if _, err := Measure(r, 1, 1, 1); !errors.Is(err, ErrIncomplete) {
		t.Errorf("coverage of a part: %v", err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if r, err := Run(ended, r.Scope, Options{}); err != nil || r.Complete {
		t.Errorf("after its context ended: complete %t, %v", r.Complete, err)
	}
}

func TestScopesThatCannotBe(t *testing.T) {
	for _, x := range []struct {
		want   string
		sketch sketch
	}{
		{"without", sketch{config: "scheduler", keys: "k1", peers: "A B", symmetric: "A B", letters: "enqueue k1 at=1 from=A"}},
		{"at most 60ns", sketch{config: "scheduler mark_lifetime=1s", keys: "k1", peers: "A", letters: "fill"}},
		{"does not divide", sketch{config: "responder busy_peer_burst=2 busy_peer_rate=400000000", peers: "A", letters: "request A"}},
		{"there can be 2", sketch{config: "responder pool=2", peers: "A", letters: "take 0"}},
		{"alphabet", sketch{config: "scheduler", keys: "k1", peers: "A", letters: ""}},
		{"slots", sketch{config: "scheduler slots=0", keys: "k1", peers: "A", letters: "fill"}},
		{"unknown", sketch{config: "scheduler", keys: "k1", peers: "A", letters: "frobnicate"}},
	} {
		x.sketch.name = "wrong"
		if _, err := x.sketch.scope(); err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("%q: %v", x.want, err)
		}
	}
}
