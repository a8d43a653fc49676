package engine

import (
	"slices"
)

// Compiled is a set of mutants behind one switch.
type Compiled struct {
	Overlay map[string][]byte // rewritten sources, by absolute path
	Mutants []Switched        // by index
	Apart   []*Mutant         // valid Go that the switch cannot express: to be built apart
	Dropped []Dropped         // no valid Go
	Size    int               // one more than the greatest index
	parts   []*packageUnits
}

// Switched is a mutant that the switch selects.
type Switched struct {
	*Mutant
	Index uint32 // the switch's value; at least 1
	Site  uint32 // what its place records during a baseline
}

// Dropped is a mutant that does not compile.
type Dropped struct {
	*Mutant
	Reason string // what the type checker says
}

// packageUnits is one package on its way through the compilation.
type packageUnits struct {
	pkg   *Package
	units map[*File][]*unit
	out   map[*Mutant]bool // not behind the switch
}

func (p *packageUnits) live(m *Mutant) bool { return !p.out[m] }

// sources renders every file.
func (p *packageUnits) sources() map[*File][]byte {
	out := map[*File][]byte{}
	for _, f := range p.pkg.Files {
		out[f] = f.render(p.units[f], p.live)
	}
	return out
}

// Compile puts the mutants, which belong to the program, behind one switch. It fails only if the sources cannot be
// rewritten soundly at all.
func (p *Program) Compile(mutants []*Mutant) (*Compiled, error) {
	c := &Compiled{Overlay: map[string][]byte{}}
	byFile := map[*File][]*Mutant{}
	for _, m := range mutants {
		byFile[m.File] = append(byFile[m.File], m)
	}
	next := uint32(1)
	for _, pkg := range p.Packages {
		part := &packageUnits{pkg: pkg, units: map[*File][]*unit{}, out: map[*Mutant]bool{}}
		var rejected []*Mutant
		for _, f := range pkg.Files {
			units, homeless := f.units(byFile[f])
			part.units[f] = units
			rejected = append(rejected, homeless...)
			for _, u := range units {
				u.lo = next
				next += uint32(len(u.mutants))
			}
		}
		k := newChecker(p, pkg)
		misfits, err := k.fit(part)
		if err != nil {
			return nil, err
		}
		c.sort(k, append(rejected, misfits...))
		c.parts = append(c.parts, part)
	}
	c.Size = int(next)
	c.collect()
	return c, nil
}

// sort tells mutants that are valid Go by themselves from those that are not.
func (c *Compiled) sort(k *checker, rejected []*Mutant) {
	for _, m := range rejected {
		if reason := k.alone(m); reason != "" {
			c.Dropped = append(c.Dropped, Dropped{m, reason})
		} else {
			c.Apart = append(c.Apart, m)
		}
	}
}

// collect fills the overlay and the index from the parts.
func (c *Compiled) collect() {
	c.Mutants = nil
	for _, part := range c.parts {
		for f, src := range part.sources() {
			c.Overlay[f.Path] = src
		}
		for _, f := range part.pkg.Files {
			for _, u := range part.units[f] {
				for i, m := range u.mutants {
					if part.live(m) {
						c.Mutants = append(c.Mutants, Switched{m, u.index(i), u.lo})
					}
				}
			}
		}
	}
	slices.SortFunc(c.Mutants, func(a, b Switched) int { return int(a.Index) - int(b.Index) })
}

// Fuelled is the overlay that makes mutant m as a real edit, with fuel but without a switch: what a build apart needs.
func (p *Program) Fuelled(m *Mutant) map[string][]byte {
	overlay := map[string][]byte{}
	for _, pkg := range p.Packages {
		for _, f := range pkg.Files {
			if f == m.File {
				overlay[f.Path] = f.renderApart(m)
			} else {
				overlay[f.Path] = f.render(nil, nil)
			}
		}
	}
	return overlay
}
