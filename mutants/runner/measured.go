package main

import (
	"context"
	"fmt"
	"slices"

	"fetchproof/fuzz"
	"fetchproof/mutants/worker"
	"fetchproof/ops"
	"fetchproof/props/campaign"
	"fetchproof/props/explore"
	"fetchproof/props/gen"
	"fetchproof/props/lockstep"
	"fetchproof/props/subject"
)

// scopeNames are the parts of the layer explorer.
func scopeNames() ([]string, error) {
	all, err := explore.Scopes()
	var names []string
	for _, s := range all {
		if !s.Large {
			names = append(names, s.Name)
		}
	}
	return names, err
}

// explorer visits the states of each small scope, breadth first, up to a budget of states; a check, and a part, is the name
// of a scope. A step is a transition.
func explorer(p worker.Params) *worker.Failure {
	all, err := explore.Scopes()
	if err != nil {
		return &worker.Failure{Check: "scopes", Message: err.Error()}
	}
	steps := 0
	for _, s := range all {
		if s.Large || p.Check != "" && p.Check != s.Name || len(p.Parts) > 0 && !slices.Contains(p.Parts, s.Name) {
			continue
		}
		worker.Refuel()
		r, err := explore.Run(context.Background(), s, explore.Options{MaxStates: p.Budget, Workers: 1, Subject: subject.BuiltinFactory})
		if err != nil {
			return &worker.Failure{Check: s.Name, Message: err.Error(), Steps: steps}
		}
		steps += r.Steps
		if r.Found != nil {
			return &worker.Failure{Check: s.Name, Message: r.Found.Failure.Message, Steps: steps}
		}
	}
	return nil
}

// fuzzCorpus runs the inputs that fuzzing programs begins from; a check is the number of one.
func fuzzCorpus(p worker.Params) *worker.Failure {
	r := lockstep.New(subject.NewBuiltin())
	for i, seed := range fuzz.Seeds() {
		for _, machine := range []ops.Machine{ops.SchedulerMachine, ops.ResponderMachine} {
			worker.Refuel()
			f, _ := campaign.Draw(r, gen.Bytes(seed), machine, fuzz.MaxProgram, nil)
			name := fmt.Sprint(i)
			if f != nil && (p.Check == "" || p.Check == name) {
				return &worker.Failure{Check: name, Message: f.Message, Steps: int(r.Steps)}
			}
		}
	}
	return nil
}
