package model

import (
	"os"
	"regexp"
	"testing"

	"fetchproof/ops"
)

// Every situation stands at its id, once, and cites a rule that RULES.md states.
func TestSituationTable(t *testing.T) {
	rules, err := os.ReadFile("RULES.md")
	if err != nil {
		t.Fatal(err)
	}
	stated := map[string]bool{}
	for _, m := range regexp.MustCompile("(?m)^- `([A-Z]+-[0-9]+)`").FindAllSubmatch(rules, -1) {
		stated[string(m[1])] = true
	}
	if len(SituationTable) != NumSituations {
		t.Fatalf("%d situations in the table, %d ids", len(SituationTable), NumSituations)
	}
	texts := map[string]bool{}
	for i, s := range SituationTable {
		if s.ID != SituationID(i) {
			t.Errorf("%q stands at %d with id %d", s.Text, i, s.ID)
		}
		if !stated[s.Rule] {
			t.Errorf("%q cites %s, which RULES.md does not state", s.Text, s.Rule)
		}
		if s.Text == "" || texts[s.Text] {
			t.Errorf("%d %s: text %q is empty or taken", i, s.Rule, s.Text)
		}
		texts[s.Text] = true
	}
}

// Every rule of sections 3 to 16 has a situation, but for those that a state machine has nothing to show of.
func TestEveryRuleHasSituation(t *testing.T) {
	rules, err := os.ReadFile("RULES.md")
	if err != nil {
		t.Fatal(err)
	}
	elsewhere := map[string]string{
		"SUM-2": "the node writes the record",
		"RSP-8": "the replies carry the records",
	}
	covered := map[string]bool{}
	for _, s := range SituationTable {
		covered[s.Rule] = true
	}
	section := regexp.MustCompile(`(?s)\n## 3\..*\n## 17\.`).Find(rules)
	for _, m := range regexp.MustCompile("(?m)^- `([A-Z]+-[0-9]+)`").FindAllSubmatch(section, -1) {
		if rule := string(m[1]); !covered[rule] && elsewhere[rule] == "" {
			t.Errorf("%s has no situation", rule)
		}
	}
}

// Every situation is within reach of random programs over small universes.
func TestSituationsReachable(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a few hundred thousand steps")
	}
	var total Situations
	for _, machine := range machines {
		steps := 400_000
		for seed := uint64(1); steps > 0; seed++ {
			p := newProgram(seed, machine)
			m := New(&p.cfg)
			var op ops.Op
			var res ops.Result
			for range 400 {
				p.step(m, &op)
				m.Apply(&op, &res)
				steps--
			}
			total.Add(m.Situations())
		}
	}
	for _, s := range SituationTable {
		if total[s.ID] == 0 {
			t.Errorf("never reached: %s %s", s.Rule, s.Text)
		} else if testing.Verbose() {
			t.Logf("%8d %s %s", total[s.ID], s.Rule, s.Text)
		}
	}
}
