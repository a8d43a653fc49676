package worker

import (
	"time"

	"fetchproof/internal/cputime"
	"fetchproof/mutants/mutswitch"
)

// record runs every layer without a mutant, part by part, and measures each.
func record(r Request, layers []Layer, tell func(Outcome)) {
	for _, l := range layers {
		if l.Extra && !r.Every {
			continue
		}
		o := Outcome{Layer: l.Name, Status: Passed, Fixed: l.Fixed}
		names, err := []string{""}, error(nil)
		if l.Parts != nil {
			names, err = l.Parts()
		}
		if err != nil {
			o.Status, o.Message = Failed, err.Error()
		}
		for _, name := range names {
			if o.Status == Passed {
				recordPart(&o, r, l, name)
			}
		}
		tell(o)
		if o.Status != Passed {
			return
		}
	}
}

// recordPart runs one part of a layer, or all of one that has none, and adds what it took to the outcome.
func recordPart(o *Outcome, r Request, l Layer, name string) {
	params := r.params(l)
	if name != "" {
		params.Parts = []string{name}
	}
	start, cpu := time.Now(), cputime.Self()
	sites := mutswitch.Record(r.Size, func() { guard(o, l, params) })
	p := Part{
		Name: name, Burned: mutswitch.Burned(), Nanos: time.Since(start).Nanoseconds(), CPU: (cputime.Self() - cpu).Nanoseconds(), Sites: sites,
	}
	mutswitch.Set(0, 0)
	o.Parts = append(o.Parts, p)
	o.Burned += p.Burned
	o.Nanos += p.Nanos
}
