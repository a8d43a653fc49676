package mutants

import (
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestPower(t *testing.T) {
	p := medians(map[string]map[string][]int{
		"a-b": {"often": {9, 3, 7}, "always": {5, 1, 2, 4, 3}, "seldom": {1, 1}},
		"c-d": {},
	})
	want := Power{"a-b": {"often": 9, "always": 3}, "c-d": {}}
	if !maps.EqualFunc(p, want, maps.Equal[map[string]int]) {
		t.Fatalf("medians %v, want %v", p, want)
	}
	path := filepath.Join(t.TempDir(), "power.tsv")
	if err := writeFile(path, p.Write); err != nil {
		t.Fatal(err)
	}
	again, err := ReadPower(path)
	if err != nil || !maps.Equal(again["a-b"], p["a-b"]) {
		t.Errorf("read back %v, %v", again, err)
	}
	before := Power{"a-b": {"often": 1, "always": 0, "gone": 4, "loose": 0}, "no-more": {"often": 1}, "c-d": {}}
	got := Power{"a-b": {"often": 11, "always": 10}}.Weaker(before, []string{"loose"})
	if !slices.Equal(got, []string{"a-b: gone caught it in 4 steps and does not now", "a-b: often took 1 steps and takes 11 now"}) {
		t.Errorf("weaker: %q", got)
	}
	if p, err := ReadPower(filepath.Join(t.TempDir(), "none")); len(p) != 0 || err != nil {
		t.Errorf("no file: %v, %v", p, err)
	}
}

func TestPowerTable(t *testing.T) {
	p := Power{
		"a-b": {"scenarios": 12, "scheduler lockstep": 340, "scheduler invariants": 9, "responder invariants": 7, "test:impl/wire": 0, "test:fuzz": 0},
		"c-d": {"wire vectors": 3, "test:impl/node": 0, "test:impl/wire": 0},
		"e-f": {"explorer": 1},
	}
	var got strings.Builder
	if err := p.WriteTable(&got); err != nil {
		t.Fatal(err)
	}
	want := `
  mutant  scenarios  invariants  lockstep  explorer  fuzz  wire vectors  tests
     a-b         12           7       340         -   yes             -    yes
     c-d          -           -         -         -     -             3    yes
     e-f          -           -         -         1     -             -      -
   all 3          1           1         1         1     1             1      2
`
	if got.String() != want[1:] {
		t.Errorf("got\n%s", got.String())
	}
}

// Without a table to compare with nothing would ever be weaker, and a slip of the pen in its name would pass for that.
func TestGatePowerWantsATable(t *testing.T) {
	for name, path := range map[string]string{"none": filepath.Join(t.TempDir(), "none"), "empty": written(t, "# mutant\tlayer\tsteps\n")} {
		err := GatePower(t.Context(), GateOptions{}, path, false)
		if !errors.Is(err, ErrUsage) || !strings.Contains(err.Error(), path+" has no table") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The kept table is about every named mutant, and about no other: one that it lacks would never be compared.
func TestPowerIsKept(t *testing.T) {
	kept, err := ReadPower("power.tsv")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range named(t) {
		if len(kept[m.Name]) == 0 {
			t.Errorf("power.tsv has no line of %s: run the campaign with -power mutants/power.tsv -keep-power", m.Name)
		}
		delete(kept, m.Name)
	}
	for name := range kept {
		t.Errorf("power.tsv has lines of %s, which is no mutant", name)
	}
}
