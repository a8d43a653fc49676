package mutants

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"fetchproof/mutants/engine"
)

// The report in the schema of the mutation-testing-elements, version 2, which standard viewers read. Their vocabulary:
// an accepted survivor is Ignored, one that was not built or has no verdict yet is Pending, an invalid one CompileError.
type (
	elementsReport struct {
		SchemaVersion string                      `json:"schemaVersion"`
		Thresholds    elementsThresholds          `json:"thresholds"`
		Files         map[string]elementsFile     `json:"files"`
		TestFiles     map[string]elementsTestFile `json:"testFiles"`
		Performance   elementsPerformance         `json:"performance"`
		Framework     elementsFramework           `json:"framework"`
	}
	elementsThresholds struct {
		High int `json:"high"`
		Low  int `json:"low"`
	}
	elementsFile struct {
		Language string           `json:"language"`
		Source   string           `json:"source"`
		Mutants  []elementsMutant `json:"mutants"`
	}
	elementsMutant struct {
		ID           string           `json:"id"`
		MutatorName  string           `json:"mutatorName"`
		Description  string           `json:"description,omitempty"`
		Location     elementsLocation `json:"location"`
		Replacement  string           `json:"replacement"`
		Status       string           `json:"status"`
		StatusReason string           `json:"statusReason,omitempty"`
		CoveredBy    []string         `json:"coveredBy,omitempty"`
		KilledBy     []string         `json:"killedBy,omitempty"`
		Duration     int64            `json:"duration"`
	}
	elementsLocation struct {
		Start elementsPosition `json:"start"`
		End   elementsPosition `json:"end"`
	}
	elementsPosition struct {
		Line   int `json:"line"`
		Column int `json:"column"`
	}
	elementsTestFile struct {
		Tests []elementsTest `json:"tests"`
	}
	elementsTest struct {
		ID   string `json:"id"`
		Name string `json:"name"`
	}
	elementsPerformance struct {
		Setup      int64 `json:"setup"`
		InitialRun int64 `json:"initialRun"`
		Mutation   int64 `json:"mutation"`
	}
	elementsFramework struct {
		Name string `json:"name"`
	}
)

var elementsStatus = map[Status]string{
	Killed: "Killed", Survived: "Survived", Timeout: "Timeout", Uncovered: "NoCoverage", Unbuilt: "Pending", Invalid: "CompileError",
}

// WriteElements writes the report as mutation-testing-elements JSON.
func (r *Report) WriteElements(w io.Writer) error {
	least := int(100 * r.MinScore)
	out := elementsReport{
		SchemaVersion: "2", Thresholds: elementsThresholds{least, least},
		Files: map[string]elementsFile{}, TestFiles: map[string]elementsTestFile{},
		Performance: elementsPerformance{
			(r.Phases.Load.Wall + r.Phases.Build.Wall).Milliseconds(), r.Phases.Baseline.Wall.Milliseconds(), r.Phases.Run.Wall.Milliseconds(),
		},
		Framework: elementsFramework{"fetchproof"},
	}
	layers := map[string]bool{}
	for _, row := range r.Rows {
		f, ok := out.Files[row.File.Rel]
		if !ok {
			f = elementsFile{Language: "go", Source: string(row.File.Src)}
		}
		m := row.element()
		f.Mutants = append(f.Mutants, m)
		out.Files[row.File.Rel] = f
		for _, l := range slices.Concat(m.CoveredBy, m.KilledBy) {
			layers[l] = true
		}
	}
	for l := range layers {
		out.TestFiles[l] = elementsTestFile{[]elementsTest{{l, l}}}
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(out); err != nil {
		return fmt.Errorf("write mutation report: %w", err)
	}
	return nil
}

func (r *Row) element() elementsMutant {
	v := r.Verdict
	m := elementsMutant{
		ID: r.ID, MutatorName: r.Operator, Description: r.Change, Location: location(r.Mutant), Replacement: r.New,
		Status: elementsStatus[v.Status], StatusReason: v.Reason, CoveredBy: v.Reach, Duration: v.Millis,
	}
	if v.Status == Survived && r.Accepted != "" {
		m.Status, m.StatusReason = "Ignored", r.Accepted
	}
	if k := v.Kill; k != nil {
		m.StatusReason = strings.TrimSpace(fmt.Sprintf("%s %s %s", k.How, k.Check, k.Message))
	}
	for _, k := range v.kills() {
		if k.Layer != "" {
			m.KilledBy = append(m.KilledBy, k.Layer)
		}
	}
	return m
}

// kills is the first kill and the further ones.
func (v *Verdict) kills() []Kill {
	if v.Kill == nil {
		return nil
	}
	return append([]Kill{*v.Kill}, v.Also...)
}

// location has a column more than none: viewers do not show what is empty.
func location(m *engine.Mutant) elementsLocation {
	end := max(m.End, m.Start+1)
	return elementsLocation{
		elementsPosition{m.Line(), m.File.Column(m.Start)}, elementsPosition{m.File.Line(end), m.File.Column(end)},
	}
}
