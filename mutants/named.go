package mutants

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"fetchproof/mutants/catalogue"
)

// WriteNamed writes the table of the named mutants: what each one's own check says of it when it is run alone, and what the
// whole suite reports first.
func (r *Report) WriteNamed(w io.Writer) error {
	b := bufio.NewWriter(w)
	t := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "mutant\tits check, alone\tsteps\tfirst of the whole suite\tsteps")
	for _, row := range r.Rows {
		if row.Named == nil {
			continue
		}
		own, steps := "MISSED by "+row.Named.Layer+"/"+row.Named.Check, "-"
		if k := row.Verdict.Alone; k != nil {
			own, steps = k.where(), k.steps()
		}
		first := &Kill{}
		if row.Verdict.Kill != nil {
			first = row.Verdict.Kill
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\n", row.ID, own, steps, first.where(), first.steps())
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(b)
	r.ownChecks(b)
	fmt.Fprintln(b, r.Phases)
	for _, v := range r.Violations {
		fmt.Fprintln(b, "FAIL", v)
	}
	return b.Flush()
}

// ownChecks counts the named mutants, if there are any.
func (r *Report) ownChecks(w io.Writer) {
	caught, all := 0, 0
	for _, row := range r.Rows {
		if row.Named == nil {
			continue
		}
		all++
		if row.Verdict.Alone != nil {
			caught++
		}
	}
	if all > 0 {
		fmt.Fprintf(w, "%d of %d named mutants are caught by their own check alone\n", caught, all)
	}
}

// where is what a kill is known by: the layer and the check, and how it died if it did not fail.
func (k *Kill) where() string {
	if k.Layer == "" {
		return "-"
	}
	text := k.Layer
	if k.Check != "" {
		text += ": " + k.Check
	}
	if k.How != ByFailure {
		text += " (" + string(k.How) + ")"
	}
	return strings.ReplaceAll(text, "\t", " ")
}

func (k *Kill) steps() string {
	if k.Steps == 0 {
		return "-"
	}
	return fmt.Sprint(k.Steps)
}

// WriteResults writes what caught each named mutant, in the form that package catalogue keeps.
func (r *Report) WriteResults(w io.Writer) error { return catalogue.WriteResults(w, r.results()) }

// results is what caught each named mutant that its own check did catch.
func (r *Report) results() (list []catalogue.Result) {
	for _, row := range r.Rows {
		if row.Named == nil || row.Verdict.Alone == nil {
			continue
		}
		first := row.Verdict.Alone
		if row.Verdict.Kill != nil {
			first = row.Verdict.Kill
		}
		list = append(list, catalogue.Result{Mutant: row.ID, Alone: row.Verdict.Alone.where(), First: first.where()})
	}
	return list
}

// outdated are the named mutants that something else catches now than is kept, by which the table of rules is made.
func (r *Report) outdated(kept map[string]catalogue.Result) (names []string) {
	for _, now := range r.results() {
		if kept[now.Mutant] != now {
			names = append(names, now.Mutant)
		}
	}
	return names
}
