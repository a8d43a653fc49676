package main

import (
	"flag"
	"slices"
)

// mutateModes are the flags of mutate that make others meaningless, and those others, or, where that is shorter, the only ones
// that keep a meaning. A flag that nothing reads is refused: what it asks for would silently not be done.
var mutateModes = []struct {
	flag           string
	reads, ignores []string
}{
	{flag: "compare", reads: []string{}},
	{flag: "canary", reads: []string{"seed"}},
	{flag: "audit", reads: []string{"generated", "in", "in-diff", "ledger", "quick", "scale", "seed", "shard", "thorough", "workers"}},
	{flag: "power", reads: []string{"in", "keep-power", "named", "scale", "seed", "shard", "workers"}},
	{flag: "keep-power", ignores: []string{"in", "shard"}}, // the table of a part would take the place of the whole one
	{flag: "named", ignores: []string{"gaps", "in-diff", "ledger", "most", "thorough"}},
	{flag: "generated", ignores: []string{"results"}},
}

// demandRead reports the first given flag that another one keeps from being read.
func (c *call) demandRead() error {
	given := c.visited()
	if given["keep-power"] && !given["power"] {
		return c.misused("-keep-power: want -power with it")
	}
	var err error
	for _, m := range mutateModes {
		c.flags.Visit(func(f *flag.Flag) {
			ignored := slices.Contains(m.ignores, f.Name) || m.reads != nil && !slices.Contains(m.reads, f.Name)
			if err == nil && given[m.flag] && f.Name != m.flag && ignored {
				err = c.misused("-%s: it has no effect together with -%s", f.Name, m.flag)
			}
		})
	}
	return err
}
