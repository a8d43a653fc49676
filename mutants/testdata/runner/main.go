// Command runner links the layers that the campaigns of tests run.
package main

import (
	"fmt"

	"fetchproof/mutants/testdata/sample"
	"fetchproof/mutants/testdata/shapes"
	"fetchproof/mutants/worker"
)

func main() {
	worker.Main(
		worker.Layer{Name: "shapes", Budget: 1, Run: outputs},
		worker.Layer{Name: "table", Budget: 1, Run: table},
		worker.Layer{Name: "random", Budget: 200, Run: random},
	)
}

// outputs compares what the shapes print with what they printed when they were written.
func outputs(p worker.Params) *worker.Failure {
	for _, c := range shapes.Cases {
		if p.Check != "" && p.Check != c.Name {
			continue
		}
		if got := c.Run(); got != c.Want {
			return &worker.Failure{Check: c.Name, Message: fmt.Sprintf("got %s, want %s", got, c.Want)}
		}
	}
	return nil
}

// table is a few fixed cases.
func table(p worker.Params) *worker.Failure {
	for _, c := range []struct {
		name string
		got  any
		want any
	}{
		{"collatz", sample.Collatz(7), 16},
		{"depth", sample.Depth(5), 5},
		{"spread", sample.Spread(3), 3},
		{"flags", sample.Flags(true, false, true), uint8(5)},
	} {
		if (p.Check == "" || p.Check == c.name) && c.got != c.want {
			return &worker.Failure{Check: c.name, Message: fmt.Sprintf("got %v, want %v", c.got, c.want)}
		}
	}
	return nil
}

// random compares a queue with a scan of a list.
func random(p worker.Params) *worker.Failure {
	if p.Check != "" && p.Check != "queue" {
		return nil
	}
	var q sample.Queue
	var list []sample.Item
	state := p.Seed
	draw := func(n uint64) int {
		state = state*6364136223846793005 + 1442695040888963407
		return int((state >> 33) % n)
	}
	fail := func(step int, format string, args ...any) *worker.Failure {
		return &worker.Failure{Check: "queue", Message: fmt.Sprintf(format, args...), Steps: step}
	}
	pushed := 0
	for step := range p.Budget {
		if step%25 == 0 { // items that are never ready fill a queue for good
			q, list, pushed = sample.Queue{}, nil, 0
		}
		if draw(3) > 0 {
			it := sample.Item{Rank: draw(5), Name: string(rune('a' + draw(4))), Ready: draw(2) == 0}
			_, err := q.Push(it)
			if full := len(list) >= 8; full != (err != nil) {
				return fail(step, "push %v: %v", it, err)
			} else if !full {
				pushed++
				list = insert(list, it)
			}
		} else {
			want, found := take(&list)
			got, ok := q.Pop()
			if got != want || ok != found {
				return fail(step, "pop: got %v %v, want %v %v", got, ok, want, found)
			}
		}
		if n, _, waiting := q.Stats(); n != pushed || waiting != len(list) {
			return fail(step, "stats: %d pushed, %d waiting, want %d, %d", n, waiting, pushed, len(list))
		}
	}
	return nil
}

func less(a, b sample.Item) bool { return a.Rank < b.Rank || a.Rank == b.Rank && a.Name < b.Name }

func insert(list []sample.Item, it sample.Item) []sample.Item {
	var out []sample.Item
	placed := false
	for _, x := range list {
		same := !less(x, it) && !less(it, x)
		if !placed && !less(x, it) {
			out = append(out, it)
			placed = true
		}
		if !same {
			out = append(out, x)
		}
	}
	if !placed {
		out = append(out, it)
	}
	return out
}

func take(list *[]sample.Item) (sample.Item, bool) {
	for i, it := range *list {
		if it.Ready && it.Rank > 0 {
			*list = append((*list)[:i:i], (*list)[i+1:]...)
			return it, true
		}
	}
	return sample.Item{}, false
}
