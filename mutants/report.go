package mutants

import (
	"errors"
	"fmt"

	"fetchproof/mutants/engine"
)

// Report is what a campaign showed.
type Report struct {
	Rows       []Row // every mutant with a verdict, named ones first, then in source order
	Violations []string
	Phases     Phases
	MinScore   float64
	Total      int // mutants that exist, with or without a verdict
	LeftOut    int // of those that were selected, what [Options.Most] left out
	program    *engine.Program
	layers     []string
	pieces     []piece         // of the baseline; none if nothing was run
	fixed      map[string]bool // layers that do not draw from the seed
}

// Row is one mutant and what became of it.
type Row struct {
	*engine.Mutant
	Verdict  Verdict
	Accepted string // the ledger's reason; empty if the mutant is not in it
	Named    *Named // nil for a generated one
}

// Tally counts mutants by verdict.
type Tally struct {
	Killed, Survived, Accepted, Timeout, Uncovered, Unbuilt, Invalid int // Accepted are survivors and timeouts in the ledger, counted nowhere else
}

// Covered is the mutants that some layer reaches.
func (t Tally) Covered() int { return t.Killed + t.Survived + t.Accepted + t.Timeout }

// Score is the share of the covered mutants that are killed or accepted, 1 if there is none.
func (t Tally) Score() float64 {
	if t.Covered() == 0 {
		return 1
	}
	return float64(t.Killed+t.Accepted) / float64(t.Covered())
}

func (t *Tally) add(r Row) {
	switch r.Verdict.Status {
	case Killed:
		t.Killed++
	case Survived:
		if r.Accepted != "" {
			t.Accepted++
		} else {
			t.Survived++
		}
	case Timeout:
		if r.Accepted != "" {
			t.Accepted++
		} else {
			t.Timeout++
		}
	case Uncovered:
		t.Uncovered++
	case Unbuilt:
		t.Unbuilt++
	case Invalid:
		t.Invalid++
	}
}

// report puts the campaign's verdicts together.
func (c *campaign) report() *Report {
	r := &Report{Phases: c.phases, MinScore: c.MinScore, Total: len(c.mutants), LeftOut: c.leftOut, program: c.program, layers: c.baseline.layers, pieces: c.baseline.pieces, fixed: map[string]bool{}}
	for _, p := range r.pieces {
		r.fixed[p.layer] = p.fixed
	}
	exists := map[string]*engine.Mutant{}
	for _, m := range c.mutants {
		exists[m.ID] = m
		v, ok := c.verdicts.known[m.ID]
		if !ok {
			continue
		}
		row := Row{Mutant: m, Verdict: v, Accepted: c.ledger[m.ID].Reason}
		if n, ok := c.named[m.ID]; ok {
			row.Named = &n
		}
		r.Rows = append(r.Rows, row)
	}
	r.Violations = c.ledger.violations(exists, c.verdicts.known)
	if c.Gaps != "" && !c.NoGenerated {
		r.Violations = append(r.Violations, c.gaps.violations(c.mutants, c.verdicts.known)...)
	}
	for _, row := range r.Rows {
		if text := row.violation(); text != "" {
			r.Violations = append(r.Violations, text)
		}
	}
	if score := r.Tally().Score(); score < r.MinScore {
		r.Violations = append(r.Violations, fmt.Sprintf("%.1f%% of the covered generated mutants are killed or accepted, want %.1f%%", 100*score, 100*r.MinScore))
	}
	return r
}

// violation is what is wrong with a named mutant: it must be valid, reached, killed, and caught by its own check alone.
func (r *Row) violation() string {
	switch v := r.Verdict; {
	case r.Named == nil:
		return ""
	case v.Status != Killed:
		return fmt.Sprintf("named mutant %s is not killed: %s %s", r.ID, v.Status, v.Reason)
	case r.Named.Layer != "" && v.Alone == nil:
		return fmt.Sprintf("named mutant %s: its check %s/%s alone does not report it", r.ID, r.Named.Layer, r.Named.Check)
	}
	return ""
}

// Tally counts the generated mutants.
func (r *Report) Tally() Tally {
	var t Tally
	for _, row := range r.Rows {
		if row.Named == nil {
			t.add(row)
		}
	}
	return t
}

// ExitCode is 0 if all held and 1 if not.
func (r *Report) ExitCode() int {
	if len(r.Violations) > 0 {
		return 1
	}
	return 0
}

// ExitCode is the code of a campaign that ended with err instead of a report: 1 for [ErrRed], 2 for everything else. What could
// not be run, whether [ErrUsage] or a full disk, has shown nothing.
func ExitCode(err error) int {
	if errors.Is(err, ErrRed) {
		return 1
	}
	return 2
}
