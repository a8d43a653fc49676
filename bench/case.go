package bench

import (
	"encoding/json"
	"fmt"
	"io"
)

// Case is one load on one machine, carried out in a process of its own.
type Case struct {
	Machine string `json:"machine"`         // Production or Twin
	Load    string `json:"load"`            // a name in loads
	Keys    int    `json:"keys"`            // queued, or pending, at once
	Sources int    `json:"sources"`         // of each key, at most 35
	Peers   int    `json:"peers"`           // in the pool that the sources are drawn from, at least Sources
	Slots   int    `json:"slots,omitempty"` // of the dispatch loads: attempts that come and go
}

// String names a case as a benchmark is named.
func (c Case) String() string {
	s := fmt.Sprintf("%s/machine=%s/keys=%d/sources=%d/peers=%d", c.Load, c.Machine, c.Keys, c.Sources, c.Peers)
	if c.Slots > 0 {
		s += fmt.Sprintf("/slots=%d", c.Slots)
	}
	return s
}

// Result is what the operations of a case cost.
type Result struct {
	Case    Case     `json:"case"`
	Samples []Sample `json:"samples"`
}

// load carries out a case's operations.
type load func(*run) error

// loads are the loads by name.
var loads = map[string]load{
	"park":          parkLoad,
	"idle":          idleLoad,
	"depart":        departLoad,
	"depart-parked": departParkedLoad,
	"merge":         mergeLoad,
	"merge-parked":  mergeParkedLoad,
	"pending":       pendingLoad,
	"dispatch-free": dispatchFreeLoad,
	"dispatch-full": dispatchFullLoad,
}

// opLoads are the operations that the loads report, each with its load.
var opLoads = map[string]string{
	"build":              "park",
	"forced-pass":        "park",
	"idle-pass":          "park",
	"wake":               "park",
	"drop":               "park",
	"idle-first-pass":    "idle",
	"wake-after-idle":    "idle",
	"depart":             "depart",
	"depart-hub":         "depart",
	"depart-parked":      "depart-parked",
	"depart-parked-hub":  "depart-parked",
	"merge-one":          "merge",
	"merge-batch":        "merge",
	"merge-eight":        "merge",
	"merge-one-parked":   "merge-parked",
	"merge-batch-parked": "merge-parked",
	"merge-eight-parked": "merge-parked",
	"add":                "pending",
	"promote":            "pending",
	"remove":             "pending",
	"evict-none":         "pending",
	"evict":              "pending",
	"dispatch-free@8":    "dispatch-free",
	"dispatch-free@64":   "dispatch-free",
	"dispatch-full@8":    "dispatch-full",
	"dispatch-full@64":   "dispatch-full",
}

// run is a case under way.
type run struct {
	c       Case
	samples []Sample
}

func (r *run) add(s Sample) { r.samples = append(r.samples, s) }

// runCase carries out a case in this process.
func runCase(c Case) (Result, error) {
	load := loads[c.Load]
	switch {
	case load == nil:
		return Result{}, fmt.Errorf("bench: no load is named %q", c.Load)
	case c.Keys < 2 || c.Sources < 1 || c.Sources > 35 || c.Peers < c.Sources:
		return Result{}, fmt.Errorf("bench: %v is out of range: at least 2 keys, 1 to 35 sources, and as many peers", c)
	}
	r := &run{c: c}
	if err := load(r); err != nil {
		return Result{}, fmt.Errorf("%v: %w", c, err)
	}
	return Result{Case: c, Samples: r.samples}, nil
}

// RunChild is the other side of Run: it reads a case from in, carries it out in this process, and writes the result to
// out. The process should do nothing else, before or after, since its peak RSS is part of the result.
func RunChild(in io.Reader, out io.Writer) error {
	var c Case
	if err := json.NewDecoder(in).Decode(&c); err != nil {
		return fmt.Errorf("bench: reading the case: %w", err)
	}
	pinPages()
	res, err := runCase(c)
	if err != nil {
		return err
	}
	return json.NewEncoder(out).Encode(res)
}
