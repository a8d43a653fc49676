package worker

import (
	"runtime"
	"testing"

	"fetchproof/mutants/mutswitch"
)

func layer(name string, run func(Params) *Failure) Layer {
	return Layer{Name: name, Budget: 10, Run: run}
}

func TestHandleStopsAtTheFirstFailure(t *testing.T) {
	ran := ""
	layers := []Layer{
		layer("a", func(Params) *Failure { ran += "a"; return nil }),
		layer("b", func(p Params) *Failure { ran += "b"; return &Failure{"check", "why", p.Budget} }),
		layer("c", func(Params) *Failure { ran += "c"; return nil }),
	}
	got := Handle(Request{Op: OpRun, Scale: 50}, layers).Layers
	if ran != "ab" || len(got) != 2 || got[0].Status != Passed {
		t.Fatalf("ran %q: %+v", ran, got)
	}
	if b := got[1]; b.Status != Failed || b.Check != "check" || b.Message != "why" || b.Steps != 5 {
		t.Errorf("got %+v", b)
	}
	ran = ""
	if Handle(Request{Op: OpRun, Scale: 1, Every: true}, layers); ran != "abc" {
		t.Errorf("every: ran %q", ran)
	}
	ran = ""
	if Handle(Request{Op: OpRun, Scale: 1, Layers: []string{"c", "a"}}, layers); ran != "ac" {
		t.Errorf("selected: ran %q", ran)
	}
}

func TestOutcomes(t *testing.T) {
	burn := func() {
		for range 100 {
			mutswitch.Burn()
		}
	}
	for _, c := range []struct {
		name string
		run  func(Params) *Failure
		want Status
	}{
		{"panic", func(Params) *Failure { panic("boom") }, Panicked},
		{"exit", func(Params) *Failure { runtime.Goexit(); return nil }, Panicked},
		{"fuel", func(Params) *Failure { burn(); return nil }, Fuel},
		{"recovered", func(Params) *Failure {
			func() {
				defer func() { _ = recover() }()
				burn()
			}()
			return nil
		}, Fuel},
		{"pass", func(Params) *Failure { mutswitch.Burn(); return nil }, Passed},
	} {
		o := Handle(Request{Op: OpRun, Scale: 100, Fuel: map[string]int64{c.name: 50}}, []Layer{layer(c.name, c.run)}).Layers[0]
		if o.Status != c.want {
			t.Errorf("%s: got %+v, want %s", c.name, o, c.want)
		}
	}
}

func TestRecordMeasures(t *testing.T) {
	l := layer("l", func(Params) *Failure {
		mutswitch.Burn()
		mutswitch.In(3, 1)
		return nil
	})
	o := Handle(Request{Op: OpRecord, Size: 5, Scale: 100}, []Layer{l}).Layers[0]
	if o.Status != Passed || o.Burned != 1 || len(o.Sites) != 1 || o.Sites[0] != 3 {
		t.Errorf("got %+v", o)
	}
}
