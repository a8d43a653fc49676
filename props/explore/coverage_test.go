package explore

import (
	"reflect"
	"testing"

	"fetchproof/props/lockstep"
	"fetchproof/props/subject"
)

// What the generator visits is counted the same every time, and what it does not visit is told as programs that do.
func TestCoverage(t *testing.T) {
	r := explored(t, "pending-time", Options{Graph: true})
	c, err := Measure(r, 1, 20_000, 3)
	if err != nil {
		t.Fatal(err)
	}
	if c.Of != r.Merged || c.States < c.Of/4 || c.States >= c.Of || c.Edges == 0 || c.Edges >= c.OfEdge || len(c.Missed) != 6 {
		t.Errorf("%d of %d states, %d of %d transitions, %d misses", c.States, c.Of, c.Edges, c.OfEdge, len(c.Missed))
	}
	again, err := Measure(r, 1, 20_000, 3)
	if err != nil || !reflect.DeepEqual(c, again) {
		t.Errorf("measured again, it is otherwise: %v", err)
	}
	for _, miss := range c.Missed {
		f, err := lockstep.New(subject.NewBuiltin()).Run(&miss.Program, false)
		if f != nil || err != nil || len(miss.Program.Ops) == 0 {
			t.Errorf("a missed program does not run: %v, %v", f, err)
		}
	}
}

// A scope of a few hundred states is visited as a whole.
func TestCoverageIsWhole(t *testing.T) {
	c, err := Measure(explored(t, "responder", Options{Graph: true}), 1, 50_000, 0)
	if err != nil || c.States != c.Of || c.Edges < c.OfEdge*9/10 {
		t.Errorf("%+v, %v", c, err)
	}
}
