package mutants

import (
	"fmt"
	"slices"
	"strings"

	"fetchproof/mutants/catalogue"
)

// Suite is the campaign against the production packages: every package that has rules to keep, and the test layers that
// stand up for them. The caller adds what it wants of it.
func Suite() Options {
	return Options{
		Packages: []string{"./impl/scheduler", "./impl/responder", "./impl/namehash", "./impl/wire", "./impl/node/..."},
		Runner:   "./mutants/runner",
		Tests: []string{
			"./impl/namehash", "./impl/wire", "./impl/responder", "./impl/node/trust", "./impl/node/serve", "./impl/node/worker", "./impl/node", "./props/trace",
			"./impl/scheduler", "./impl/node/store", "./impl/node/transport", wireFuzz,
		},
		Skip:  strings.Join(skipped, "|"),
		Slow:  strings.Join(slow, "|"),
		Timed: []string{"test:impl/node/transport", "test:impl/node"},
		Loose: []string{"test:props/trace"},
	}
}

// slow is the parts that take a quarter of a second and more of the processor's time each, mostly for programs that cheaper
// parts draw as well: what survives is held against them before it counts, what the ledger accepts only in a thorough
// campaign.
var slow = []string{
	"^TestRandomSelfCheck$", "^TestCrowds$", "^TestFigures$", "^TestCopyIsApart$", "^TestCopyGoesOnAlike$", "^TestTokenTimes$",
	"^TestEnvelopeVectors$", "^TestFetch$", "^TestHostileMessages$", `/found/bulk\.txt$`,
}

// wireFuzz is the inputs that fuzzing the wire begins from, and those that were worth keeping.
const wireFuzz = "./fuzz"

// skipped is the tests that hold a function against a number of allocations, which the switch changes, and the fuzz targets
// whose inputs the runner's layers run, or that are not about the production packages.
var skipped = []string{"Allocat", "^FuzzScheduler$", "^FuzzResponder$", "^FuzzScenario$"}

// onlyNamed leaves out of o what the named mutants have no use for: the tests that none of them names.
func (o *Options) onlyNamed() {
	o.NoGenerated, o.Ledger, o.Gaps = true, "", "" // those are about generated ones
	o.Tests = slices.DeleteFunc(slices.Clone(o.Tests), func(dir string) bool {
		layer := "test:" + strings.TrimPrefix(dir, "./")
		return !slices.ContainsFunc(o.Named, func(n Named) bool { return n.Layer == layer })
	})
}

// NamedMutants is the catalogue in the campaign's terms.
func NamedMutants() ([]Named, error) {
	all, err := catalogue.All()
	if err != nil {
		return nil, fmt.Errorf("catalogue of mutants: %w", err)
	}
	list := make([]Named, len(all))
	for i, m := range all {
		list[i] = Named{Name: m.Name, File: m.File, Anchor: m.Anchor, Text: m.Text, Layer: m.Layer, Check: m.Check}
	}
	return list, nil
}
