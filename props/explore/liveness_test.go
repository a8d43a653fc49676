package explore

import (
	"strings"
	"testing"

	"fetchproof/ops"
)

// Without outcomes nothing ends: the first state with an attempt in flight is a dead end.
func TestDeadEnd(t *testing.T) {
	s, err := (&sketch{name: "dead", config: "scheduler", keys: "k1", peers: "A", letters: "fill\nenqueue k1 at=1 from=A\n+tick"}).scope()
	if err != nil {
		t.Fatal(err)
	}
	stuck := judged(t, s, func(*Result) {})
	if stuck == nil || !strings.Contains(stuck.What, "a dead end: 0 in flight and 1 queued") || len(stuck.Program.Ops) != 1 {
		t.Errorf("found %+v", stuck)
	}
}

// A subject whose spaces do not drain cannot be had without breaking the model, so transitions are bent.
func TestBentGraphs(t *testing.T) {
	s := scopeNamed("share-parking-silence")
	t.Run("idle", func(t *testing.T) {
		stuck := judged(t, s, func(r *Result) { // the first fill of a queued key starts nothing
			for n := range uint32(r.Merged) {
				for e := r.graph.first[n]; e < r.graph.first[n+1]; e++ {
					if r.graph.facts[n].queued > 0 && r.graph.facts[n].flying == 0 && s.Letters[r.graph.via[e]].Op.Kind == ops.Fill {
						r.graph.to[e] = n
						return
					}
				}
			}
		})
		if stuck == nil || !strings.Contains(stuck.What, "the fill pass leaves") || len(stuck.Program.Ops) != 2 {
			t.Errorf("found %+v", stuck)
		}
	})
	t.Run("lasso", func(t *testing.T) {
		stuck := judged(t, s, func(r *Result) { // an outcome that changes nothing
			for n := range uint32(r.Merged) {
				for e := r.graph.first[n]; e < r.graph.first[n+1]; e++ {
					if r.graph.via[e]&ended != 0 {
						r.graph.to[e] = n
						return
					}
				}
			}
		})
		if stuck == nil || !strings.Contains(stuck.What, "a lasso: the last 1 operations") {
			t.Errorf("found %+v", stuck)
		}
	})
	t.Run("late", func(t *testing.T) {
		stuck := judged(t, s, func(r *Result) { r.graph.facts[r.Merged-1].work = 0 })
		if stuck == nil || !strings.Contains(stuck.What, "there are only 0 to make") {
			t.Errorf("found %+v", stuck)
		}
	})
}

func judged(t *testing.T, s *Scope, bend func(*Result)) *Stuck {
	t.Helper()
	r, err := Run(t.Context(), s, Options{Graph: true})
	if err != nil {
		t.Fatal(err)
	}
	bend(r)
	l, err := CheckLiveness(r)
	if err != nil {
		t.Fatal(err)
	}
	return l.Found
}
