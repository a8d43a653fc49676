package catalogue

import (
	_ "embed"
	"fmt"
	"io"
	"strings"
)

//go:embed results.tsv
var results string

// Result is what caught a named mutant when the catalogue was last run.
type Result struct {
	Mutant string
	Alone  string // what its own check, run alone, said
	First  string // what the whole suite said first
}

const resultsHead = "# What caught each named mutant in the last whole run of the catalogue; written by it, not by hand.\n" +
	"# mutant\tits own check, alone\tfirst of the whole suite\n"

// Results is the kept results, by mutant. A mutant that was not caught has none.
func Results() (map[string]Result, error) {
	kept := map[string]Result{}
	n := 0
	for line := range strings.Lines(results) {
		n++
		if strings.HasPrefix(line, "#") {
			continue
		}
		cells := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(cells) != 3 {
			return nil, fmt.Errorf("results.tsv:%d: %d cells, want 3", n, len(cells))
		}
		kept[cells[0]] = Result{cells[0], cells[1], cells[2]}
	}
	return kept, nil
}

// WriteResults writes results in the form that Results reads.
func WriteResults(w io.Writer, list []Result) error {
	var b strings.Builder
	b.WriteString(resultsHead)
	for _, r := range list {
		fmt.Fprintf(&b, "%s\t%s\t%s\n", r.Mutant, r.Alone, r.First)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
