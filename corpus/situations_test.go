package corpus_test

import (
	"testing"

	"fetchproof/corpus"
	"fetchproof/model"
	"fetchproof/ops"
	"fetchproof/props/lockstep"
	"fetchproof/props/subject"
)

// TestEverySituation: the scenarios together meet every situation that the model knows, so that the files alone show a
// reader, or another implementation, each rule's interesting cases.
func TestEverySituation(t *testing.T) {
	scenarios, err := corpus.Scenarios()
	if err != nil {
		t.Fatal(err)
	}
	runner := lockstep.New(subject.NewBuiltin())
	for _, s := range scenarios {
		for _, op := range s.Ops() {
			if op.Kind != ops.Init {
				if f := runner.Step(&op); f != nil {
					t.Fatalf("%s: %s", s.Name, f.Text())
				}
				continue
			}
			if f, err := runner.Begin(op.Config); f != nil || err != nil {
				t.Fatalf("%s: %v, %v", s.Name, f, err)
			}
		}
	}
	runner.Finish()
	for _, situation := range model.SituationTable {
		if runner.Situations[situation.ID] == 0 {
			t.Errorf("no scenario in corpus/scenarios meets this situation of %s: %s", situation.Rule, situation.Text)
		}
	}
}
