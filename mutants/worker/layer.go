package worker

// Layer is one group of tests that a mutant can be caught by: the scenarios, the lockstep, the fuzz corpus, … Run must
// depend on nothing but its parameters and leave nothing behind, so that mutants cannot disturb one another.
type Layer struct {
	Name string
	// Budget is how much work a run does at scale 100, in a unit of the layer's own (steps, programs, states).
	Budget int
	Run    func(Params) *Failure
	// Once is set if nothing can be run in a process in which the layer has failed.
	Once bool
}

// Params is what a run of a layer depends on.
type Params struct {
	Seed   uint64
	Budget int    // at least 1
	Check  string // if set, the one check of the layer to run, alone
}

// Failure is what a layer says when it fails.
type Failure struct {
	Check   string // the property or scenario that failed
	Message string // one or a few lines
	Steps   int    // how far into the budget it failed, 0 if that means nothing
}

// Op is what a request asks for.
type Op string

const (
	OpRecord Op = "record" // run every layer without a mutant, measuring fuel, time and sites
	OpRun    Op = "run"    // run layers against a mutant (or, with index 0, none)
)

// Request is one line to a worker.
type Request struct {
	Op    Op     `json:"op"`
	Index uint32 `json:"index,omitempty"` // of the mutant
	Size  int    `json:"size,omitempty"`  // record: one more than the greatest index
	Seed  uint64 `json:"seed"`
	Scale int    `json:"scale"` // percent of every layer's budget, at least 1
	// Layers to run, in the worker's order; all if empty.
	Layers []string         `json:"layers,omitempty"`
	Check  string           `json:"check,omitempty"`
	Fuel   map[string]int64 `json:"fuel,omitempty"`  // by layer; unlimited if absent
	Every  bool             `json:"every,omitempty"` // go on after the first failure
}

// Response answers one request.
type Response struct {
	Layers []Outcome `json:"layers"`         // those that ran, in order
	Last   bool      `json:"last,omitempty"` // the process is of no further use
}

// Status is how a layer ended.
type Status string

const (
	Passed   Status = "passed"
	Failed   Status = "failed"
	Panicked Status = "panicked"
	Fuel     Status = "fuel" // used more than it was given: a runaway loop
)

// Outcome is one layer's run.
type Outcome struct {
	Layer   string   `json:"layer"`
	Status  Status   `json:"status"`
	Check   string   `json:"check,omitempty"`
	Message string   `json:"message,omitempty"`
	Steps   int      `json:"steps,omitempty"`
	Burned  int64    `json:"burned"` // fuel
	Nanos   int64    `json:"nanos"`  // wall clock
	Sites   []uint32 `json:"sites,omitempty"`
}
