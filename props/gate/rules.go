package gate

import (
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"fetchproof/corpus"
	"fetchproof/model"
	"fetchproof/ops"
	"fetchproof/props"
	"fetchproof/props/citations"
	"fetchproof/props/lockstep"
)

// ruleRow is what is known of one rule.
type ruleRow struct {
	Rule       string   `json:"rule"`
	Section    string   `json:"section"`
	Model      []string `json:"model"`      // functions of the model that apply it
	Situations int      `json:"situations"` // its named situations
	Properties []string `json:"properties"` // properties and comparisons that serve it
	Scenarios  []string `json:"scenarios"`  // corpus files that cite it
	Tests      []string `json:"tests"`      // Go tests that cite it
	Mutants    []string `json:"mutants"`    // named mutants that break it
	KilledBy   []string `json:"killed_by"`  // what caught the mutants that were caught, in their order
	Missing    []string `json:"missing,omitempty"`
}

// Rules prints the traceability table: per rule, where the model applies it, and what checks it. It reports whether every
// cell that must be filled is.
func Rules(w io.Writer, asJSON bool) (complete bool, err error) {
	rows, err := ruleRows()
	if err != nil {
		return false, err
	}
	complete = true
	for i := range rows {
		complete = complete && len(rows[i].Missing) == 0
	}
	if asJSON {
		return complete, json.NewEncoder(w).Encode(rows)
	}
	writeRules(w, rows)
	return complete, nil
}

func ruleRows() ([]ruleRow, error) {
	rules := model.Rules()
	rows := make([]ruleRow, len(rules))
	at := map[string]*ruleRow{}
	for i, r := range rules {
		rows[i] = ruleRow{Rule: r.Name, Section: r.Section}
		at[r.Name] = &rows[i]
	}
	cite := func(rule string, add func(*ruleRow)) {
		if row := at[rule]; row != nil {
			add(row)
		}
	}
	for _, s := range model.SituationTable {
		cite(s.Rule, func(r *ruleRow) { r.Situations++ })
	}
	for _, p := range slices.Concat(props.Scheduler, props.Responder) {
		for _, rule := range p.Rules {
			cite(rule, func(r *ruleRow) { r.Properties = append(r.Properties, p.Name) })
		}
	}
	for _, a := range lockstep.Agreements {
		for _, rule := range a.Rules {
			cite(rule, func(r *ruleRow) { r.Properties = append(r.Properties, a.Name) })
		}
	}
	if err := citeSources(cite); err != nil {
		return nil, err
	}
	if err := citeMutants(cite); err != nil {
		return nil, err
	}
	for i := range rows {
		rows[i].Missing = rows[i].missing()
	}
	return rows, nil
}

func citeSources(cite func(string, func(*ruleRow))) error {
	list, err := citations.All()
	if err != nil {
		return err
	}
	for _, c := range list {
		switch c.Kind {
		case citations.Model:
			cite(c.Rule, func(r *ruleRow) { r.Model = append(r.Model, c.Place) })
		case citations.Test:
			cite(c.Rule, func(r *ruleRow) { r.Tests = append(r.Tests, c.Place) })
		}
	}
	scenarios, err := corpus.Scenarios()
	if err != nil {
		return err
	}
	for _, s := range scenarios {
		for _, rule := range citedBy(s) {
			cite(rule, func(r *ruleRow) { r.Scenarios = append(r.Scenarios, s.Name) })
		}
	}
	return nil
}

var citation = regexp.MustCompile(`\b[A-Z]{3,4}-[0-9]+\b`)

// citedBy are the rules that a scenario's prose names.
func citedBy(s *ops.Scenario) (rules []string) {
	for i := range s.Blocks {
		for _, line := range s.Blocks[i].Comment {
			rules = append(rules, citation.FindAllString(line, -1)...)
		}
	}
	slices.Sort(rules)
	return slices.Compact(rules)
}

// notOfMachines are the rules that no state machine applies, with what checks them instead: Go tests that cite them. It is
// the one list of such exceptions.
var notOfMachines = map[string]string{
	"SUM-2": "the node's log record", "RSP-8": "the node's replies",
	"WRK-1": "the worker", "WRK-2": "the worker", "WRK-3": "the worker", "WRK-4": "the worker", "WRK-5": "the worker",
	"TRU-1": "the trust ledger",
	"WIR-1": "the wire", "WIR-2": "the wire", "WIR-3": "the wire", "WIR-4": "the wire", "WIR-5": "the wire", "WIR-6": "the wire",
	"WIR-7": "the wire", "WIR-8": "the wire", "WIR-9": "the wire",
	"LIV-3": "a property of many steps", "LIV-4": "the worker", "LIV-5": "the worker",
}

// notOfScenarios are the rules that no single scenario shows, with why.
var notOfScenarios = map[string]string{
	"PRK-6": "it speaks of how parking is kept, which no observation shows",
	"LIV-2": "every scenario shows it: each is drained at its end",
}

// missing are the cells that a rule must fill and does not.
func (r *ruleRow) missing() (cells []string) {
	need := func(have bool, cell string) {
		if !have {
			cells = append(cells, cell)
		}
	}
	need(len(r.Mutants) > 0, "mutants")
	need(len(r.KilledBy) == len(r.Mutants), "what kills every mutant")
	if notOfMachines[r.Rule] != "" {
		need(len(r.Tests) > 0, "tests")
		return cells
	}
	need(len(r.Model) > 0, "model")
	need(r.Situations > 0 || strings.HasPrefix(r.Rule, "LIV-"), "situations")
	need(len(r.Properties) > 0, "properties")
	need(len(r.Scenarios) > 0 || notOfScenarios[r.Rule] != "", "scenarios")
	return cells
}

func writeRules(w io.Writer, rows []ruleRow) {
	section := ""
	for i := range rows {
		r := &rows[i]
		if r.Section != section {
			section = r.Section
			fmt.Fprintf(w, "\n%s\n", section)
		}
		fmt.Fprintf(w, "%-7s model %-44s situations %-3d properties %-3d scenarios %-3d tests %-3d mutants %d (%s)%s\n", r.Rule, modelCell(r),
			r.Situations, len(r.Properties), len(r.Scenarios), len(r.Tests), len(r.Mutants), r.killers(), missingText(r.Missing))
	}
}

func modelCell(r *ruleRow) string {
	switch {
	case len(r.Model) == 0 && notOfMachines[r.Rule] != "":
		return "- (" + notOfMachines[r.Rule] + ")"
	case len(r.Model) == 0:
		return "-"
	case len(r.Model) == 1:
		return strings.TrimPrefix(r.Model[0], "model/")
	default:
		return fmt.Sprintf("%s +%d", strings.TrimPrefix(r.Model[0], "model/"), len(r.Model)-1)
	}
}

func missingText(cells []string) string {
	if len(cells) == 0 {
		return ""
	}
	return "  MISSING " + strings.Join(cells, ", ")
}
