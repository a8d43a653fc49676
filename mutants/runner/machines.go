package main

import (
	"sync"

	"fetchproof/corpus"
	"fetchproof/mutants/worker"
	"fetchproof/ops"
	"fetchproof/props/campaign"
	"fetchproof/props/gen"
	"fetchproof/props/lockstep"
	"fetchproof/props/script"
	"fetchproof/props/subject"
)

// parsedCorpus is the corpus, parsed once a process: no mutant is in what parses it, and no run changes it.
var parsedCorpus = sync.OnceValues(corpus.Scenarios)

// scenarios runs every scenario file; a check is a file's path.
func scenarios(p worker.Params) *worker.Failure {
	all, err := parsedCorpus()
	if err != nil {
		return &worker.Failure{Check: "corpus", Message: err.Error()}
	}
	steps := 0
	for _, s := range all {
		if p.Check != "" && p.Check != s.Name {
			continue
		}
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
// name of a property; alone, programs that fail by another are passed over.
func lockstepLayer(name string, machine ops.Machine, budget int) worker.Layer {
	return worker.Layer{Name: name, Budget: budget, Run: func(p worker.Params) *worker.Failure {
		r := lockstep.New(subject.NewBuiltin())
		var scratch []ops.Op
		for n := uint64(0); r.Steps < int64(p.Budget); n++ {
			f, program := campaign.Draw(r, gen.Seeded(p.Seed, n), machine, 0, scratch)
			scratch = program.Ops[:0]
			if f != nil && (p.Check == "" || p.Check == f.Property) {
				return &worker.Failure{Check: f.Property, Message: f.Message, Steps: int(r.Steps)}
			}
		}
		return nil
	}}
}
