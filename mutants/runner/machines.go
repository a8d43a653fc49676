package main

import (
	"slices"
	"sync"

	"fetchproof/corpus"
	"fetchproof/mutants/worker"
	"fetchproof/ops"
	"fetchproof/props"
	"fetchproof/props/campaign"
	"fetchproof/props/gen"
	"fetchproof/props/lockstep"
	"fetchproof/props/script"
	"fetchproof/props/subject"
)

// parsedCorpus is the corpus, parsed once a process: no mutant is in what parses it, and no run changes it.
var parsedCorpus = sync.OnceValues(corpus.Scenarios)

// scenarioNames are the parts of the layer scenarios.
func scenarioNames() ([]string, error) {
	all, err := parsedCorpus()
	names := make([]string, len(all))
	for i, s := range all {
		names[i] = s.Name
	}
	return names, err
}

// scenarios runs scenario files; a check, and a part, is a file's path.
func scenarios(p worker.Params) *worker.Failure {
	all, err := parsedCorpus()
	if err != nil {
		return &worker.Failure{Check: "corpus", Message: err.Error()}
	}
	steps := 0
	for _, s := range all {
		if p.Check != "" && p.Check != s.Name || len(p.Parts) > 0 && !slices.Contains(p.Parts, s.Name) {
			continue
		}
		worker.Refuel()
		outcome, err := script.Run(s, subject.NewBuiltin(), 1, true)
		if err != nil {
			return &worker.Failure{Check: s.Name, Message: err.Error(), Steps: steps}
		}
		steps += int(outcome.Steps)
		if f := outcome.Failure; f != nil {
			return &worker.Failure{Check: s.Name, Message: f.Lockstep.Error(), Steps: steps}
		}
	}
	return nil
}

// lockstepLayer draws programs for a machine and runs them in lockstep with the model, for a budget of steps. A check is the
// name of a property or comparison; alone, nothing else is judged.
func lockstepLayer(name string, machine ops.Machine, budget int) worker.Layer {
	return worker.Layer{Name: name, Budget: budget, Run: func(p worker.Params) *worker.Failure {
		return drawn(p, machine, nil)
	}}
}

// invariantsLayer is the same, judged by the properties alone, which do not know what the model says.
func invariantsLayer(name string, machine ops.Machine, budget int) worker.Layer {
	known := map[string]bool{}
	for _, p := range props.Of(machine) {
		known[p.Name] = true
	}
	return worker.Layer{Name: name, Budget: budget, Extra: true, Run: func(p worker.Params) *worker.Failure {
		return drawn(p, machine, func(name string) bool { return known[name] })
	}}
}

// drawn runs programs drawn from the seed until one fails or the budget is used up.
func drawn(p worker.Params, machine ops.Machine, judge func(string) bool) *worker.Failure {
	r := lockstep.New(subject.NewBuiltin())
	r.Judge = judge
	if p.Check != "" {
		r.Judge = func(name string) bool { return name == p.Check }
	}
	var scratch []ops.Op
	for n := uint64(0); r.Steps < int64(p.Budget); n++ {
		worker.Refuel()
		f, program := campaign.Draw(r, gen.Seeded(p.Seed, n), machine, 0, scratch)
		scratch = program.Ops[:0]
		// With a check of its own, a program that panics has shown something else.
		if f != nil && (p.Check == "" || p.Check == f.Property) {
			return &worker.Failure{Check: f.Property, Message: f.Message, Steps: int(r.Steps)}
		}
	}
	return nil
}
