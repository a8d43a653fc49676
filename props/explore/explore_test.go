package explore

import (
	"testing"

	"fetchproof/props/subject"
)

// small are the scopes that tests explore; under -short the smallest of them.
func small(t *testing.T) (list []*Scope) {
	t.Helper()
	scopes, err := Scopes()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range scopes {
		if !s.Large && (!testing.Short() || s.Pin.States < 10_000) {
			list = append(list, s)
		}
	}
	return list
}

// Every small scope counts what it is pinned to, in lockstep with the production implementation, peers merged and not; and
// everything drains from every state of it (LIV-2).
func TestScopes(t *testing.T) {
	for _, s := range small(t) {
		t.Run(s.Name, func(t *testing.T) {
			r, err := Run(t.Context(), s, Options{Subject: subject.BuiltinFactory, Graph: true})
			if err != nil {
				t.Fatal(err)
			}
			if r.Found != nil {
				t.Fatal(r.Found.Failure.Text(), r.Found.Program.Scenario().String())
			}
			if got := r.Counts(); got != s.Pin {
				t.Errorf("counts %+v, pinned %+v", got, s.Pin)
			}
			l, err := CheckLiveness(r)
			if err != nil {
				t.Fatal(err)
			}
			if l.Found != nil || l.Bound == 0 {
				t.Errorf("liveness: %+v", l)
			}
			if len(s.Symmetric) == 0 {
				return
			}
			raw, err := Run(t.Context(), s, Options{Raw: true})
			if err != nil {
				t.Fatal(err)
			}
			if raw.Merged != s.Pin.States || raw.Steps != s.Pin.Transitions || raw.Depth != s.Pin.Depth {
				t.Errorf("without merging %d states, %d transitions, depth %d; merged %+v", raw.Merged, raw.Steps, raw.Depth, s.Pin)
			}
		})
	}
}
