package mutants

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"

	"fetchproof/mutants/engine"
)

// selection is the mutants of this campaign, shard, package and change, that have no verdict yet.
func (c *campaign) selection(ctx context.Context) (map[string]bool, error) {
	var changed changes
	if c.InDiff != "" {
		var err error
		if changed, err = changedSince(ctx, c.program.Root, c.InDiff); err != nil {
			return nil, err
		}
	}
	if err := c.checkIn(); err != nil {
		return nil, err
	}
	todo := map[string]bool{}
	var generated []*engine.Mutant
	for _, m := range c.mutants {
		_, named := c.named[m.ID]
		switch {
		case !c.Shard.Has(m.ID) || !c.in(m):
		case named:
			todo[m.ID] = true
		case changed == nil || changed.has(m):
			generated = append(generated, m)
		}
	}
	for _, m := range c.sample(generated) {
		todo[m.ID] = true
	}
	for id := range c.resumed {
		delete(todo, id)
	}
	return todo, nil
}

// sample is at most c.Most of the mutants, always the same ones.
func (c *campaign) sample(all []*engine.Mutant) []*engine.Mutant {
	if c.Most == 0 || len(all) <= c.Most {
		return all
	}
	slices.SortFunc(all, func(a, b *engine.Mutant) int { return cmp.Compare(hashID(a.ID), hashID(b.ID)) })
	c.leftOut = len(all) - c.Most
	return all[:c.Most]
}

// in reports whether a mutant is in one of the packages that the campaign is narrowed to.
func (c *campaign) in(m *engine.Mutant) bool {
	return len(c.In) == 0 || slices.ContainsFunc(c.In, func(pattern string) bool { return within(pattern, m) })
}

// checkIn refuses a pattern that no mutant is in: it is a slip of the pen, and would pass for a clean campaign.
func (c *campaign) checkIn() error {
	for _, pattern := range c.In {
		if !slices.ContainsFunc(c.mutants, func(m *engine.Mutant) bool { return within(pattern, m) }) {
			return usage("no mutant is in package %s", pattern)
		}
	}
	return nil
}

// within reports whether the pattern, a path below the module or such a path and /..., names the mutant's package.
func within(pattern string, m *engine.Mutant) bool {
	pattern = path.Clean(pattern)
	dir := path.Dir(m.File.Rel)
	if below, ok := strings.CutSuffix(pattern, "/..."); ok {
		return dir == below || strings.HasPrefix(dir, below+"/")
	}
	return dir == pattern
}
