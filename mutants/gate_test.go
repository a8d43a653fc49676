package mutants

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"fetchproof/mutants/catalogue"
	"fetchproof/mutants/engine"
)

// A report that cannot be written is refused before the campaign, which takes minutes.
func TestGateWritesLater(t *testing.T) {
	nowhere := filepath.Join(t.TempDir(), "none", "report")
	for _, o := range []GateOptions{{Elements: nowhere}, {Results: nowhere}} {
		if _, err := Gate(t.Context(), o); !errors.Is(err, ErrUsage) || !strings.Contains(err.Error(), nowhere) {
			t.Errorf("got %v", err)
		}
	}
}

// What catches a named mutant now is held against what is kept of it.
func TestCompareKept(t *testing.T) {
	kept, err := catalogue.Results()
	if err != nil {
		t.Fatal(err)
	}
	r := &Report{}
	for name, k := range kept {
		layer, check, _ := strings.Cut(k.Alone, ": ")
		firstLayer, firstCheck, _ := strings.Cut(k.First, ": ")
		r.Rows = append(r.Rows, Row{Mutant: &engine.Mutant{ID: name}, Named: &Named{Name: name}, Verdict: Verdict{
			Alone: &Kill{How: ByFailure, Layer: layer, Check: check}, Kill: &Kill{How: ByFailure, Layer: firstLayer, Check: firstCheck},
		}})
	}
	var out bytes.Buffer
	o := GateOptions{Warnings: &out}
	if err := o.compareKept(r); err != nil || out.Len() > 0 {
		t.Fatalf("%v, and what is kept differs from itself: %s", err, &out)
	}
	for i := range r.Rows {
		r.Rows[i].Verdict.Kill.Check += " and more"
	}
	if err := o.compareKept(r); err != nil || !strings.Contains(out.String(), fmt.Sprintf("%d named mutants are caught by something else", len(kept))) ||
		!strings.Contains(out.String(), fmt.Sprintf("and %d more)", len(kept)-5)) {
		t.Errorf("%v: %s", err, &out)
	}
}
