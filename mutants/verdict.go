package mutants

// Status is the verdict on a mutant; the package comment explains each.
type Status string

const (
	Killed    Status = "killed"
	Survived  Status = "survived"
	Timeout   Status = "timeout"
	Uncovered Status = "uncovered"
	Unbuilt   Status = "unbuilt"
	Invalid   Status = "invalid"
)

// Verdict is one line of a log: what became of one mutant.
type Verdict struct {
	Mutant string   `json:"mutant"`           // id
	Source string   `json:"source"`           // hash of the mutated packages
	Test   string   `json:"test"`             // hash of the suite, its seed, its budget and the tools
	Status Status   `json:"status"`           //
	Kill   *Kill    `json:"kill,omitempty"`   // of a killed one: the first
	Also   []Kill   `json:"also,omitempty"`   // with Options.Every: further layers that catch it
	Alone  *Kill    `json:"alone,omitempty"`  // of a named one: what its own check says when it is run alone, if that fails
	Reach  []string `json:"reach,omitempty"`  // the layers that reach it
	Spared bool     `json:"spared,omitempty"` // it was not held against the slow parts
	Reason string   `json:"reason,omitempty"` // of an invalid one, or a timeout
	Millis int64    `json:"millis"`           // wall clock
}

// How is what a kill consisted in.
type How string

const (
	ByFailure  How = "failure"  // a check failed
	ByPanic    How = "panic"    // the layer's own goroutine panicked
	ByCrash    How = "crash"    // the process died of a panic or a fatal error
	ByFuel     How = "fuel"     // a runaway loop
	ByDeadlock How = "deadlock" // every goroutine waits for the others, one for a lock
)

// Kill is how a layer caught a mutant.
type Kill struct {
	How     How    `json:"how"`
	Layer   string `json:"layer"`
	Check   string `json:"check,omitempty"`
	Message string `json:"message,omitempty"`
	Steps   int    `json:"steps,omitempty"` // of the layer's budget
}
