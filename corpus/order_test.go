package corpus_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fetchproof/corpus"
	"fetchproof/ops"
	"fetchproof/props/script"
	"fetchproof/props/subject"
)

// inEveryOrder is the comment of a block whose operations may come in any order.
const inEveryOrder = "In every order."

// TestInEveryOrder runs each block that says so in every order of its operations that keeps what is reported of one attempt
// in order (CON-4). The block prints the same lines, in whatever order, and every other block the same lines as written.
func TestInEveryOrder(t *testing.T) {
	scenarios, err := corpus.Scenarios()
	if err != nil {
		t.Fatal(err)
	}
	blocks, runs := 0, 0
	for _, s := range scenarios {
		for i := range s.Blocks {
			if slices.Contains(s.Blocks[i].Comment, inEveryOrder) {
				blocks++
				runs += reorder(t, s, i)
			}
		}
	}
	if blocks < 4 || runs < 800 {
		t.Errorf("only %d blocks in %d orders", blocks, runs)
	}
}

// reorder runs scenario s with block n in every order, and reports how many there are.
func reorder(t *testing.T, s *ops.Scenario, n int) (runs int) {
	t.Helper()
	want := printed(t, s)
	written := s.Blocks[n].Steps
	for _, order := range permutations(len(written)) {
		steps := make([]ops.Step, len(written))
		for to, from := range order {
			steps[to] = written[from]
		}
		if !reportsInOrder(written, order) {
			continue
		}
		runs++
		permuted := &ops.Scenario{Name: s.Name, Blocks: slices.Clone(s.Blocks)}
		permuted.Blocks[n].Steps = steps
		have := printed(t, permuted)
		for b := range want {
			if b == n {
				slices.Sort(want[b])
				slices.Sort(have[b])
			}
			if diff := cmp.Diff(want[b], have[b]); diff != "" {
				t.Fatalf("%s, block %d in the order %v, block %d prints (- as written, + in this order):\n%s", s.Name, n+1, order, b+1, diff)
			}
		}
	}
	return runs
}

// printed is what each block prints.
func printed(t *testing.T, s *ops.Scenario) [][]string {
	t.Helper()
	outcome, err := script.Rewrite(s, subject.NewBuiltin())
	if err != nil {
		t.Fatal(err)
	}
	if outcome.Failure != nil {
		t.Fatal(outcome.Failure.Text(s.Name))
	}
	lines := make([][]string, len(outcome.Actual.Blocks))
	for i := range lines {
		lines[i] = slices.Clone(outcome.Actual.Blocks[i].Expect)
	}
	return lines
}

// reportsInOrder reports whether the order keeps the operations on each attempt as they were.
func reportsInOrder(steps []ops.Step, order []int) bool {
	for i, a := range order {
		for _, b := range order[i+1:] {
			if ref := steps[a].Op.Ref; ref != (ops.Ref{}) && ref == steps[b].Op.Ref && b < a {
				return false
			}
		}
	}
	return true
}

// permutations are the orders of 0 … n-1.
func permutations(n int) [][]int {
	if n == 0 {
		return [][]int{{}}
	}
	var all [][]int
	for _, p := range permutations(n - 1) {
		for at := range n {
			all = append(all, slices.Insert(slices.Clone(p), at, n-1))
		}
	}
	return all
}
