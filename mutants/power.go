package mutants

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
)

// powerSeeds is how many seeds a median is over.
const powerSeeds = 5

// powerAlarm is how many times more steps than before are worth a warning.
const powerAlarm = 10

// Power is how soon each layer catches each named mutant: by mutant and layer, the median over the seeds of the steps to the
// first failure. A layer that catches it for fewer than half of the seeds has no entry; one that does not count steps has 0.
type Power map[string]map[string]int

// MeasurePower runs every layer against every named mutant, with as many seeds from the campaign's on as a median is over;
// what says as much with one seed counts for all of them. The slow parts of the layers are left out.
func MeasurePower(ctx context.Context, o Options) (Power, error) {
	var err error
	if o.Named, err = NamedMutants(); err != nil {
		return nil, err
	}
	o.onlyNamed()
	o.Tests = append(o.Tests, wireFuzz)
	o.Log, o.Merge, o.Every, o.Quick = "", nil, true, true
	steps := map[string]map[string][]int{}
	done, start := 0, time.Now() // rounds
	if show := o.Progress; show != nil {
		o.Progress = func(p Progress) {
			p.Done, p.Total = p.Done+done*p.Total, p.Total*powerSeeds
			p.Elapsed = time.Since(start)
			p.Remaining = p.Elapsed / time.Duration(p.Done) * time.Duration(p.Total-p.Done)
			show(p)
		}
	}
	err = o.with(ctx, func(c *campaign) error {
		for round := range powerSeeds {
			done, c.Drawn = round, round > 0
			if err := c.execute(ctx); err != nil {
				return err
			}
			c.report().catches(steps)
			c.Seed++
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return medians(steps), nil
}

// catches adds the steps of every catch, by mutant and layer: once for each seed that it counts for.
func (r *Report) catches(steps map[string]map[string][]int) {
	for _, row := range r.Rows {
		if steps[row.ID] == nil {
			steps[row.ID] = map[string][]int{}
		}
		for _, k := range row.Verdict.kills() {
			n := 1
			if r.fixed[k.Layer] {
				n = powerSeeds
			}
			steps[row.ID][k.Layer] = append(steps[row.ID][k.Layer], slices.Repeat([]int{k.Steps}, n)...)
		}
	}
}

// medians counts a seed without a catch as one that takes for ever.
func medians(steps map[string]map[string][]int) Power {
	p := Power{}
	for mutant, layers := range steps {
		p[mutant] = map[string]int{}
		for layer, caught := range layers {
			if len(caught) > powerSeeds/2 {
				slices.Sort(caught)
				p[mutant][layer] = caught[powerSeeds/2]
			}
		}
	}
	return p
}

// Write writes the table, a line for each mutant and layer, in order.
func (p Power) Write(w io.Writer) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "# How soon each layer catches each named mutant: the median steps over %d seeds, 0 where a layer counts none.\n", powerSeeds)
	fmt.Fprintln(b, "# mutant\tlayer\tsteps")
	for _, mutant := range sorted(p) {
		for _, layer := range sorted(p[mutant]) {
			fmt.Fprintf(b, "%s\t%s\t%d\n", mutant, layer, p[mutant][layer])
		}
	}
	return b.Flush()
}

func sorted[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// ReadPower reads a table that Write wrote; a file that is not there is empty.
func ReadPower(path string) (Power, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Power{}, nil
	} else if err != nil {
		return nil, usage("read power: %w", err)
	}
	p := Power{}
	n := 0
	for line := range strings.Lines(string(text)) {
		n++
		if strings.HasPrefix(line, "#") {
			continue
		}
		cells := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		steps := 0
		if len(cells) == 3 {
			steps, err = strconv.Atoi(cells[2])
		}
		if len(cells) != 3 || err != nil {
			return nil, usage("%s:%d: want a mutant, a layer and its steps", path, n)
		}
		if p[cells[0]] == nil {
			p[cells[0]] = map[string]int{}
		}
		p[cells[0]][cells[1]] = steps
	}
	return p, nil
}

// Weaker is what p, measured now, does worse than before: a layer, other than the loose ones, that no longer catches a mutant,
// or takes so many times the steps that it was luck once. Mutants and layers that there are no more say nothing.
func (p Power) Weaker(before Power, loose []string) []string {
	var out []string
	for _, mutant := range sorted(before) {
		now, exists := p[mutant]
		if !exists {
			continue
		}
		for _, layer := range sorted(before[mutant]) {
			was := before[mutant][layer]
			switch steps, catches := now[layer]; {
			case slices.Contains(loose, layer):
			case !catches:
				out = append(out, fmt.Sprintf("%s: %s caught it in %d steps and does not now", mutant, layer, was))
			case steps > powerAlarm*max(was, 1):
				out = append(out, fmt.Sprintf("%s: %s took %d steps and takes %d now", mutant, layer, was, steps))
			}
		}
	}
	return out
}

// GatePower measures the power and prints it, warns of what has become weaker than the table in the file says, and writes the new one in
// its place if that is wanted. Warnings do not fail it.
func GatePower(ctx context.Context, o GateOptions, path string, keep bool) error {
	before, err := ReadPower(path)
	if err != nil {
		return err
	}
	if len(before) == 0 && !keep {
		return usage("%s has no table to compare with", path)
	}
	c := o.Campaign
	c.Warnings = o.Warnings
	c.Progress = o.progress()
	now, err := MeasurePower(ctx, c)
	o.Progress.Stop()
	if err != nil {
		return err
	}
	if err := now.WriteTable(o.Out); err != nil {
		return err
	}
	fmt.Fprintln(o.Out)
	weaker := now.Weaker(before, c.Loose)
	for _, text := range weaker {
		fmt.Fprintln(o.Out, "warning  ", text)
	}
	pairs := 0
	for _, layers := range now {
		pairs += len(layers)
	}
	fmt.Fprintf(o.Out, "power     %d mutants, caught by %d pairs of mutant and layer, %d weaker than before\n", len(now), pairs, len(weaker))
	if keep {
		return writeFile(path, now.Write)
	}
	return nil
}
