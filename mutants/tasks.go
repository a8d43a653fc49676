package mutants

import (
	"cmp"
	"slices"
	"time"

	"fetchproof/mutants/worker"
)

// minFuel is what a mutant may use in any case: a layer that hardly needs any is not to kill by a second round.
const minFuel = 100_000

// rungs are what a piece may take to be run together with others of its layer that take about as little, in rising order;
// what takes more than the last is run by itself.
var rungs = []time.Duration{2 * time.Millisecond, 8 * time.Millisecond, 30 * time.Millisecond}

// reaching is the layers that execute a site.
func (b *baseline) reaching(site uint32) []string {
	var out []string
	for _, i := range b.reach[site] {
		if l := b.pieces[i].layer; !slices.Contains(out, l) {
			out = append(out, l)
		}
	}
	return out
}

// against is the pieces that reach a site, without those that are left out.
func (b *baseline) against(site uint32, leftOut func(piece) bool) []int {
	return slices.DeleteFunc(slices.Clone(b.reach[site]), func(i int) bool { return leftOut(b.pieces[i]) })
}

// cheapFirst is tasks for the pieces in the order in which most mutants die soonest: rung by rung, on each layer by layer,
// then the rest, each piece by itself, the cheapest first.
func (b *baseline) cheapFirst(pieces []int) []worker.Task {
	rungOf := func(i int) int {
		n, _ := slices.BinarySearch(rungs, b.pieces[i].cost)
		return n
	}
	var out []worker.Task
	for n := range rungs {
		out = append(out, b.tasks(slices.DeleteFunc(slices.Clone(pieces), func(i int) bool { return rungOf(i) != n }))...)
	}
	heavy := slices.DeleteFunc(slices.Clone(pieces), func(i int) bool { return rungOf(i) < len(rungs) })
	slices.SortStableFunc(heavy, func(i, j int) int { return cmp.Compare(b.pieces[i].cost, b.pieces[j].cost) })
	for _, i := range heavy {
		out = append(out, b.tasks([]int{i})...)
	}
	return out
}

// whole is the task of a whole layer.
func (b *baseline) whole(layer string) worker.Task {
	t := worker.Task{Layer: layer}
	burned := int64(0)
	for _, p := range b.pieces {
		if p.layer == layer {
			burned += p.burned
		}
	}
	t.Fuel = max(minFuel, b.factor*burned)
	return t
}

// quick is the tasks of a layer without its slow pieces.
func (b *baseline) quick(layer string) []worker.Task {
	var pieces []int
	for i, p := range b.pieces {
		if p.layer == layer && !p.slow {
			pieces = append(pieces, i)
		}
	}
	return b.tasks(pieces)
}

// tasks puts pieces, which are in order, together, layer by layer.
func (b *baseline) tasks(pieces []int) []worker.Task {
	var out []worker.Task
	burned := int64(0)
	for n, i := range pieces {
		p := b.pieces[i]
		if n == 0 || p.layer != out[len(out)-1].Layer {
			out = append(out, worker.Task{Layer: p.layer})
			burned = 0
		}
		t := &out[len(out)-1]
		if p.part != "" {
			t.Parts = append(t.Parts, p.part)
		}
		burned += p.burned
		t.Fuel = max(minFuel, b.factor*burned)
	}
	return out
}

// minWall is the least that a mutant may take by the clock: fuel is what ends loops, and a loaded machine is no verdict.
const minWall = 20 * time.Second

// wallFactor is how many times what the tasks took without a mutant they may take with one.
const wallFactor = 30

// wall is what the tasks may take with a mutant, by the clock.
func (b *baseline) wall(tasks []worker.Task) time.Duration {
	if b.limit > 0 {
		return b.limit
	}
	took := time.Duration(0)
	for _, p := range b.pieces {
		for _, t := range tasks {
			if t.Layer == p.layer && (len(t.Parts) == 0 || slices.Contains(t.Parts, p.part)) {
				took += p.wall
			}
		}
	}
	return max(minWall, wallFactor*took)
}

// byBinary splits tasks where the binary changes.
func (b *baseline) byBinary(tasks []worker.Task) [][]worker.Task {
	var out [][]worker.Task
	for i, t := range tasks {
		if i == 0 || b.home[t.Layer] != b.home[tasks[i-1].Layer] {
			out = append(out, nil)
		}
		out[len(out)-1] = append(out[len(out)-1], t)
	}
	return out
}
