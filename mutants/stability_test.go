package mutants

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

func TestCompareLogs(t *testing.T) {
	line := func(mutant, source, status, kill string) string {
		return fmt.Sprintf(`{"mutant":%q,"source":%q,"test":"t","status":%q%s}`+"\n", mutant, source, status, kill)
	}
	var many strings.Builder
	for i := range 199 {
		many.WriteString(line(fmt.Sprint("m", i), "s", "killed", ""))
	}
	const by = `,"kill":{"how":"failure","layer":"scenarios","check":"c.txt"}`
	a := written(t, many.String()+line("x", "old", "survived", "")+line("x", "s", "killed", by)+line("only-here", "s", "killed", ""))
	b := written(t, many.String()+line("x", "s", "survived", "")+"{cut sh")
	named := written(t, line("a-b", "s1", "killed", "")+line("c-d", "s2", "killed", ""))
	swapped := written(t, line("c-d", "s2", "survived", "")+line("a-b", "s1", "killed", ""))
	two := written(t, many.String()+line("x", "s", "killed", by)+line("m7", "s", "timeout", ""))
	for _, c := range []struct {
		name  string
		paths []string
		held  bool
		want  string
	}{
		{"alike", []string{a, a}, true, "0 of 201 mutants differ (0.00%; 0.50% may) between 2 campaigns\n"},
		{"little", []string{a, b}, true, "x\n  A: killed by scenarios: c.txt\n  B: survived\n1 of 200 mutants differ (0.50%; 0.50% may) between 2 campaigns\n"},
		{"much", []string{a, b, two}, false, "m7\n  A: killed\n  B: killed\n  C: timeout\nx\n  A: killed by scenarios: c.txt\n  B: survived\n  C: killed by scenarios: c.txt\n" +
			"2 of 200 mutants differ (1.00%; 0.50% may) between 3 campaigns\n"},
		// Named mutants have a source each, and come in any order.
		{"named", []string{named, swapped}, false, "c-d\n  D: killed\n  E: survived\n1 of 2 mutants differ (50.00%; 0.50% may) between 2 campaigns\n"},
	} {
		var got strings.Builder
		held, err := GateCompare(&got, c.paths)
		text := strings.NewReplacer(a, "A", b, "B", two, "C", named, "D", swapped, "E").Replace(got.String())
		if err != nil || held != c.held || text != c.want {
			t.Errorf("%s: %v, %v, %s", c.name, held, err, text)
		}
	}
	for _, paths := range [][]string{
		nil,
		{a},
		{a, filepath.Join(t.TempDir(), "none")},
		{a, written(t, "")},
		{a, written(t, "prose\n")},
		{a, written(t, line("x", "other", "killed", ""))},
		{a, written(t, line("elsewhere", "s", "killed", ""))},
	} {
		if _, _, err := CompareLogs(paths); !errors.Is(err, ErrUsage) {
			t.Errorf("%q: %v", paths, err)
		}
	}
}
