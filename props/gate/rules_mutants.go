package gate

import (
	"slices"
	"strings"

	"fetchproof/mutants/catalogue"
)

// citeMutants adds the named mutants to the rules that they break, with what caught each when the catalogue was last run.
func citeMutants(cite func(string, func(*ruleRow))) error {
	all, err := catalogue.All()
	if err != nil {
		return err
	}
	results, err := catalogue.Results()
	if err != nil {
		return err
	}
	for _, m := range all {
		caught, ok := results[m.Name]
		for _, rule := range m.Rules {
			cite(rule, func(r *ruleRow) {
				r.Mutants = append(r.Mutants, m.Name)
				if ok {
					r.KilledBy = append(r.KilledBy, caught.Alone)
				}
			})
		}
	}
	return nil
}

// killers are the layers that catch the mutants of a rule.
func (r *ruleRow) killers() string {
	var layers []string
	for _, k := range r.KilledBy {
		layer, _, _ := strings.Cut(k, ": ")
		layer, _, _ = strings.Cut(layer, " (") // how it died
		layers = append(layers, layer)
	}
	slices.Sort(layers)
	return strings.Join(slices.Compact(layers), ", ")
}
