// Command runner links the test layers that mutants of the production packages have to get past, cheapest first. A
// mutation campaign builds it from rewritten sources and starts it by itself; see package mutants/worker.
package main

import (
	"fetchproof/mutants/worker"
	"fetchproof/ops"
)

func main() {
	worker.Main(
		worker.Layer{Name: "wire vectors", Budget: 1, Run: vectors, Fixed: true},
		worker.Layer{Name: "scenarios", Budget: 1, Run: scenarios, Parts: scenarioNames, Fixed: true},
		lockstepLayer("responder lockstep", ops.ResponderMachine, 12_000),
		lockstepLayer("scheduler lockstep", ops.SchedulerMachine, 30_000),
		invariantsLayer("responder invariants", ops.ResponderMachine, 12_000),
		invariantsLayer("scheduler invariants", ops.SchedulerMachine, 30_000),
		worker.Layer{Name: "explorer", Budget: 2_000, Run: explorer, Parts: scopeNames, Extra: true, Fixed: true},
		worker.Layer{Name: "fuzz corpus", Budget: 1, Run: fuzzCorpus, Extra: true, Fixed: true},
	)
}
