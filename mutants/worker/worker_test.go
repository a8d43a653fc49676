package worker

import (
	"runtime"
	"slices"
	"testing"

	"fetchproof/mutants/mutswitch"
)

func layer(name string, run func(Params) *Failure) Layer {
	return Layer{Name: name, Budget: 10, Run: run}
}

// outcomes is everything that handle tells.
func outcomes(r Request, layers []Layer) (all []Outcome) {
	handle(r, layers, func(o Outcome) { all = append(all, o) })
	return all
}

func TestHandleStopsAtTheFirstFailure(t *testing.T) {
	ran := ""
	layers := []Layer{
		layer("a", func(Params) *Failure { ran += "a"; return nil }),
		layer("b", func(p Params) *Failure { ran += "b"; return &Failure{"check", "why", p.Budget} }),
		layer("c", func(Params) *Failure { ran += "c"; return nil }),
	}
	abc := []Task{{Layer: "a"}, {Layer: "b"}, {Layer: "c"}}
	got := outcomes(Request{Op: OpRun, Scale: 50, Tasks: abc}, layers)
	if ran != "ab" || len(got) != 2 || got[0].Status != Passed {
		t.Fatalf("ran %q: %+v", ran, got)
	}
	if b := got[1]; b.Status != Failed || b.Check != "check" || b.Message != "why" || b.Steps != 5 {
		t.Errorf("got %+v", b)
	}
	ran = ""
	if outcomes(Request{Op: OpRun, Scale: 1, Tasks: abc, Every: true}, layers); ran != "abc" {
		t.Errorf("every: ran %q", ran)
	}
	ran = ""
	if outcomes(Request{Op: OpRun, Scale: 1, Tasks: []Task{{Layer: "c"}, {Layer: "a"}}}, layers); ran != "ca" {
		t.Errorf("selected: ran %q", ran)
	}
	if r := outcomes(Request{Op: OpRun, Scale: 1, Tasks: []Task{{Layer: "x"}}}, layers)[0]; r.Status != Panicked {
		t.Errorf("no such layer: %+v", r)
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
		tasks := []Task{{Layer: c.name, Fuel: 50}}
		o := outcomes(Request{Op: OpRun, Scale: 100, Tasks: tasks}, []Layer{layer(c.name, c.run)})[0]
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
	o := outcomes(Request{Op: OpRecord, Size: 5, Scale: 100}, []Layer{l})[0]
	if o.Status != Passed || o.Burned != 1 || len(o.Parts) != 1 || !slices.Equal(o.Parts[0].Sites, []uint32{3}) {
		t.Errorf("got %+v", o)
	}
	// Part by part: each with what it reaches and needs.
	l = layer("l", func(p Params) *Failure {
		for _, part := range p.Parts {
			for range len(part) {
				mutswitch.Burn()
			}
			mutswitch.In(uint32(len(part)), 1)
		}
		return nil
	})
	l.Parts = func() ([]string, error) { return []string{"x", "yyy"}, nil }
	o = outcomes(Request{Op: OpRecord, Size: 5, Scale: 100}, []Layer{l})[0]
	if o.Status != Passed || o.Burned != 4 || len(o.Parts) != 2 {
		t.Fatalf("got %+v", o)
	}
	if p := o.Parts[1]; p.Name != "yyy" || p.Burned != 3 || !slices.Equal(p.Sites, []uint32{3}) {
		t.Errorf("got %+v", p)
	}
	l.Run = func(p Params) *Failure { return &Failure{Check: p.Parts[0]} }
	if o = outcomes(Request{Op: OpRecord, Size: 5, Scale: 100}, []Layer{l})[0]; o.Status != Failed || o.Check != "x" {
		t.Errorf("a part that fails: %+v", o)
	}
}
