package corpus_test

import (
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"fetchproof/corpus"
	"fetchproof/model"
)

var (
	citation    = regexp.MustCompile(`\b[A-Z]{2,4}-[0-9]+\b`)
	consequence = regexp.MustCompile("(?m)^\\| `(KC-[0-9]+)` \\|")
)

// notShown are the rules that no scenario can show, by what they speak of.
var notShown = []string{
	"PRK-6",                                              // the freedom of an implementation
	"SUM-2",                                              // the node's log
	"RSP-8",                                              // the content of replies
	"WRK-1", "WRK-2", "WRK-3", "WRK-4", "WRK-5", "TRU-1", // the worker and the ledger
	"LIV-2", // the drain that ends every run
	"LIV-5", // the worker's shutdown
}

// wire is the section that the vectors in corpus/wire show.
const wire = "WIR-"

func ruleNames() (names []string) {
	for _, r := range model.Rules() {
		names = append(names, r.Name)
	}
	return names
}

// consequences are the known consequences of RULES.md.
func consequences(t *testing.T) (names []string) {
	t.Helper()
	rules, err := os.ReadFile("../model/RULES.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range consequence.FindAllSubmatch(rules, -1) {
		names = append(names, string(m[1]))
	}
	if len(names) == 0 {
		t.Fatal("no known consequence found")
	}
	return names
}

// cited are the rules and consequences that each file's prose cites.
func cited(t *testing.T) map[string][]string {
	t.Helper()
	scenarios, err := corpus.Scenarios()
	if err != nil {
		t.Fatal(err)
	}
	by := map[string][]string{}
	for _, s := range scenarios {
		for i := range s.Blocks {
			for _, line := range s.Blocks[i].Comment {
				by[s.Name] = append(by[s.Name], citation.FindAllString(line, -1)...)
			}
		}
	}
	return by
}

// TestCitations: every name that a scenario cites is in RULES.md, and every scenario cites one at its beginning.
func TestCitations(t *testing.T) {
	known := append(ruleNames(), consequences(t)...)
	for file, names := range cited(t) {
		for _, name := range names {
			if !slices.Contains(known, name) {
				t.Errorf("%s cites %s, which is in no rule book", file, name)
			}
		}
	}
	scenarios, err := corpus.Scenarios()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range scenarios {
		if first := strings.Join(s.Blocks[0].Comment, " "); !citation.MatchString(first) {
			t.Errorf("%s does not say at its beginning which rules it shows", s.Name)
		}
	}
}

// TestEveryRuleIsShown: each rule that a machine applies has a scenario that cites it, and none stands in notShown that has.
func TestEveryRuleIsShown(t *testing.T) {
	shown := map[string]bool{}
	for _, names := range cited(t) {
		for _, name := range names {
			shown[name] = true
		}
	}
	for _, name := range ruleNames() {
		excused := slices.Contains(notShown, name) || strings.HasPrefix(name, wire)
		if !shown[name] && !excused {
			t.Errorf("no scenario shows %s", name)
		}
		if shown[name] && excused {
			t.Errorf("%s is shown: take it from the list", name)
		}
	}
}

// TestNames: a report's file is named after it and begins with it and its address; so a consequence's.
func TestNames(t *testing.T) {
	scenarios, err := corpus.Scenarios()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range scenarios {
		first := s.Blocks[0].Comment[0]
		name := path.Base(s.Name)
		switch path.Base(path.Dir(s.Name)) {
		case "reports":
			if id, _, _ := strings.Cut(name, "-"); !strings.HasPrefix(first, id+", https://github.com/") {
				t.Errorf("%s begins %q, not with its id and address", s.Name, first)
			}
		case "consequences":
			id := "KC-" + strings.TrimPrefix(name[3:5], "0")
			if !strings.HasPrefix(first, id+": ") {
				t.Errorf("%s begins %q, not with its id", s.Name, first)
			}
		}
	}
}
