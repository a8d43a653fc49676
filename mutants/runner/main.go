// Command runner links the test layers that mutants of the production packages have to get past, cheapest first. A
// mutation campaign builds it from rewritten sources and starts it by itself; see package mutants/worker.
package main

import (
	"fetchproof/mutants/worker"
	"fetchproof/ops"
)

func main() {
	worker.Main(
		worker.Layer{Name: "wire vectors", Budget: 1, Run: vectors},
		worker.Layer{Name: "scenarios", Budget: 1, Run: scenarios},
		lockstepLayer("responder lockstep", ops.ResponderMachine, 12_000),
		lockstepLayer("scheduler lockstep", ops.SchedulerMachine, 30_000),
	)
}
