package mutants

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"fetchproof/corpus"
	wirevectors "fetchproof/corpus/wire"
	"fetchproof/model"
	"fetchproof/mutants/catalogue"
	"fetchproof/ops"
	"fetchproof/props"
	"fetchproof/props/lockstep"
)

func named(t *testing.T) []catalogue.Mutant {
	t.Helper()
	all, err := catalogue.All()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// Every anchor is in its file exactly once: a mutant that has lost its place plants nothing.
func TestAnchorsMatchOnce(t *testing.T) {
	sources := map[string][]byte{}
	for _, m := range named(t) {
		src, ok := sources[m.File]
		if !ok {
			var err error
			if src, err = os.ReadFile(filepath.Join("..", filepath.FromSlash(m.File))); err != nil {
				t.Errorf("%s: mutant %s: %v", m.Place, m.Name, err)
				continue
			}
			sources[m.File] = src
		}
		if n := bytes.Count(src, []byte(m.Anchor)); n != 1 {
			t.Errorf("catalogue/%s: mutant %s: its text occurs %d times in %s, want once:\n%s", m.Place, m.Name, n, m.File, m.Anchor)
		}
	}
}

// Every rule has a mutant, and no mutant breaks a rule that does not exist.
func TestEveryRuleHasAMutant(t *testing.T) {
	broken := map[string]bool{}
	all := named(t)
	if len(all) < 80 {
		t.Errorf("only %d named mutants", len(all))
	}
	for _, m := range all {
		for _, r := range m.Rules {
			broken[r] = true
		}
		if !kebab.MatchString(m.Name) {
			t.Errorf("%s: %q is not in kebab-case", m.Place, m.Name)
		}
	}
	for _, r := range model.Rules() {
		if !broken[r.Name] {
			t.Errorf("no named mutant breaks %s", r.Name)
		}
		delete(broken, r.Name)
	}
	for r := range broken {
		t.Errorf("mutants break %s, which is no rule", r)
	}
}

var kebab = regexp.MustCompile(`^[a-z]+(-[a-z]+)+$`)

// published are the mutants that the tests of the published change caught (section 20 of the rules).
var published = []string{
	"no-silent-source-handling", "silence-ignored-when-waking", "marked-despite-a-later-answer", "mark-cleared-by-any-answer",
	"mark-not-refreshed", "older-failure-marks-again", "early-answer-ignored", "retry-entry-merge-unbounded", "no-share-limit",
	"gate-held-at-shutdown",
}

func TestPublishedMutants(t *testing.T) {
	for _, name := range published {
		if !slices.ContainsFunc(named(t), func(m catalogue.Mutant) bool { return m.Name == name }) {
			t.Errorf("the published mutant %s is not in the catalogue", name)
		}
	}
}

// Every check that a mutant names exists, in a layer that exists.
func TestNamedChecksExist(t *testing.T) {
	checks := runnerChecks(t)
	for _, m := range named(t) {
		dir, isTest := strings.CutPrefix(m.Layer, "test:")
		if isTest {
			if !slices.Contains(Suite().Tests, "./"+dir) {
				t.Errorf("%s: the tests of %s are no layer", m.Place, dir)
			}
			if !hasTest(t, dir, m.Check) {
				t.Errorf("%s: package %s has no test %s", m.Place, dir, m.Check)
			}
			continue
		}
		if layer := checks[m.Layer]; layer == nil || !layer[m.Check] {
			t.Errorf("%s: no layer %q has a check %q", m.Place, m.Layer, m.Check)
		}
	}
}

// runnerChecks is the checks of each layer of the runner.
func runnerChecks(t *testing.T) map[string]map[string]bool {
	t.Helper()
	checks := map[string]map[string]bool{"scenarios": {}, "wire vectors": {}, "scheduler lockstep": {}, "responder lockstep": {}}
	scenarios, err := corpus.Scenarios()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range scenarios {
		checks["scenarios"][s.Name] = true
	}
	messages, err := wirevectors.Messages()
	if err != nil {
		t.Fatal(err)
	}
	envelopes, err := wirevectors.Envelopes()
	if err != nil {
		t.Fatal(err)
	}
	for i := range messages {
		checks["wire vectors"][messages[i].ID] = true
	}
	for i := range envelopes {
		checks["wire vectors"][envelopes[i].ID] = true
	}
	for layer, machine := range map[string]ops.Machine{"scheduler lockstep": ops.SchedulerMachine, "responder lockstep": ops.ResponderMachine} {
		for _, p := range props.Of(machine) {
			checks[layer][p.Name] = true
		}
		for _, a := range lockstep.Agreements {
			checks[layer][a.Name] = true
		}
	}
	return checks
}

// hasTest reports whether a package, by its folder, has a test function.
func hasTest(t *testing.T, dir, name string) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", filepath.FromSlash(dir), "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(text, []byte("\nfunc "+name+"(t *testing.T)")) {
			return true
		}
	}
	return false
}

// What the catalogue's last run caught is kept for every mutant that there is, and for no other.
func TestResultsAreKept(t *testing.T) {
	results, err := catalogue.Results()
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range named(t) {
		r, ok := results[m.Name]
		if !ok {
			t.Errorf("no result is kept of %s: run the catalogue with -results mutants/catalogue/results.tsv", m.Name)
		}
		// A process that dies does not say of which check.
		if check, died := m.Layer+": "+m.Check, m.Layer+" ("; !strings.HasPrefix(r.Alone, check) && !strings.HasPrefix(r.Alone, died) {
			t.Errorf("%s was caught by %q, its check is %q", m.Name, r.Alone, check)
		}
		delete(results, m.Name)
	}
	for name := range results {
		t.Errorf("a result is kept of %s, which is no mutant", name)
	}
}
