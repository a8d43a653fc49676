package mutants

import (
	"encoding/json"
	"path/filepath"
	"testing"

	"fetchproof/mutants/engine"
)

// A verdict of an accepted survivor that was spared the slow parts counts for as long as it would be spared them now.
func TestResumeSpared(t *testing.T) {
	m := at("x/a.go", "F", "a  ->  !a")
	m.ID = "abc"
	verdict := Verdict{Mutant: m.ID, Source: "s", Test: "t", Status: Survived, Spared: true}
	line, err := json.Marshal(verdict)
	if err != nil {
		t.Fatal(err)
	}
	log := written(t, string(line)+"\n")
	for _, c := range []struct {
		name     string
		accepted bool
		change   func(*Options)
		counts   bool
	}{
		{"accepted", true, func(*Options) {}, true},
		{"accepted no more", false, func(*Options) {}, false},
		{"thorough", true, func(o *Options) { o.Thorough = true }, false},
		{"quick", false, func(o *Options) { o.Quick = true }, true},
	} {
		x := &campaign{Options: Options{Log: filepath.Clean(log)}, mutants: []*engine.Mutant{m}, sourceHash: "s", testHash: "t"}
		c.change(&x.Options)
		if c.accepted {
			x.ledger = Ledger{m.ID: Entry{}}
		}
		if err := x.resume(); err != nil {
			t.Fatal(err)
		}
		if _, counts := x.resumed[m.ID]; counts != c.counts {
			t.Errorf("%s: counts: %t", c.name, counts)
		}
	}
}
