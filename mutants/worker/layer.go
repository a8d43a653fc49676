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
	// Fixed is set if the layer says as much with one seed as with many: it does not draw from it, or counts no steps.
	Fixed bool
	// Extra layers are run only where every layer is asked for: to measure each by itself, not to find one that kills.
	Extra bool
	// Parts names what the layer consists of, if any of it can be run by itself: test functions, scenario files. A mutant
	// is then run against those parts alone that reach it. nil if the layer is one piece.
	Parts func() ([]string, error)
}

// Params is what a run of a layer depends on.
type Params struct {
	Seed   uint64
	Budget int      // at least 1
	Check  string   // if set, the one check of the layer to run, alone
	Parts  []string // if set, the parts of the layer to run
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
	OpWhere  Op = "where"  // say where the goroutines are, at once, whatever else is going on
)

// Request is one line to a worker.
type Request struct {
	Op    Op     `json:"op"`
	Index uint32 `json:"index,omitempty"` // of the mutant
	Size  int    `json:"size,omitempty"`  // record: one more than the greatest index
	Seed  uint64 `json:"seed"`
	Scale int    `json:"scale"`           // percent of every layer's budget, at least 1
	Tasks []Task `json:"tasks,omitempty"` // run: what to run, in this order
	Check string `json:"check,omitempty"`
	Every bool   `json:"every,omitempty"` // go on after the first failure
}

// Task is a layer to run, or some of its parts.
type Task struct {
	Layer string   `json:"layer"`
	Parts []string `json:"parts,omitempty"` // all if empty
	Fuel  int64    `json:"fuel,omitempty"`  // unlimited if 0
}

// Response answers one request, in pieces: an outcome each as soon as it is known, so that a process that dies has told how
// far it came.
type Response struct {
	Layers []Outcome `json:"layers,omitempty"` // by task, those that ran; to a record: every layer
	Where  string    `json:"where,omitempty"`  // to where, which has this one piece: the stacks of all goroutines
	Done   bool      `json:"done,omitempty"`   // the last piece
	Last   bool      `json:"last,omitempty"`   // in it: the process is of no further use
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
	Layer   string `json:"layer"`
	Status  Status `json:"status"`
	Check   string `json:"check,omitempty"`
	Message string `json:"message,omitempty"`
	Steps   int    `json:"steps,omitempty"`
	Burned  int64  `json:"burned"`          // fuel
	Nanos   int64  `json:"nanos"`           // wall clock
	Fixed   bool   `json:"fixed,omitempty"` // record
	Parts   []Part `json:"parts,omitempty"` // record: what the layer consists of; one without a name if it is one piece
}

// Part is one part of a layer as it was recorded.
type Part struct {
	Name   string   `json:"name"`
	Burned int64    `json:"burned"`
	Nanos  int64    `json:"nanos"`
	CPU    int64    `json:"cpu"` // processor time, in nanoseconds
	Sites  []uint32 `json:"sites"`
}
