package mutants

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
)

// family is layers that make a column together.
type family struct {
	title string
	has   func(layer string) bool
}

var families = []family{
	{"scenarios", func(l string) bool { return l == "scenarios" }},
	{"invariants", func(l string) bool { return strings.HasSuffix(l, " invariants") }},
	{"lockstep", func(l string) bool { return strings.HasSuffix(l, " lockstep") }},
	{"explorer", func(l string) bool { return l == "explorer" }},
	{"fuzz", func(l string) bool { return l == "fuzz corpus" || l == "test:fuzz" }},
	{"wire vectors", func(l string) bool { return l == "wire vectors" }},
	{"tests", func(l string) bool { return strings.HasPrefix(l, "test:") && l != "test:fuzz" }},
}

// cell is what a family of layers does about a mutant: the steps of the one that catches it soonest, yes if that counts
// none, a dash if none catches it.
func (f *family) cell(layers map[string]int) string {
	cell, least := "-", 0
	for layer, steps := range layers {
		if f.has(layer) && (cell == "-" || steps < least) {
			cell, least = "yes", steps
		}
	}
	if least > 0 {
		return strconv.Itoa(least)
	}
	return cell
}

// WriteTable writes the power as a table to read: a row for each mutant, a column for each family of layers, and last how
// many each catches.
func (p Power) WriteTable(w io.Writer) error {
	b := bufio.NewWriter(w)
	t := tabwriter.NewWriter(b, 0, 0, 2, ' ', tabwriter.AlignRight)
	row := func(name string, cell func(*family) string) {
		fmt.Fprint(t, name)
		for i := range families {
			fmt.Fprint(t, "\t", cell(&families[i]))
		}
		fmt.Fprintln(t, "\t")
	}
	row("mutant", func(f *family) string { return f.title })
	caught := map[string]int{}
	for _, mutant := range sorted(p) {
		row(mutant, func(f *family) string {
			cell := f.cell(p[mutant])
			if cell != "-" {
				caught[f.title]++
			}
			return cell
		})
	}
	row(fmt.Sprintf("all %d", len(p)), func(f *family) string { return strconv.Itoa(caught[f.title]) })
	if err := t.Flush(); err != nil {
		return err
	}
	return b.Flush()
}
