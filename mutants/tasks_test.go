package mutants

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"fetchproof/corpus"
	"fetchproof/mutants/worker"
)

// recorded is a baseline of two binaries: scenarios and lockstep in one, tests in the other. Site 7 is reached by all but
// the scenario b.
func recorded() *baseline {
	b := &baseline{home: map[string]*binary{}, reach: map[uint32][]int{}, factor: 10, slow: regexp.MustCompile("Slow$")}
	runner, tests := &binary{pkg: "runner"}, &binary{pkg: "tests"}
	part := func(name string, cost time.Duration, burned int64, sites ...uint32) worker.Part {
		return worker.Part{Name: name, CPU: cost.Nanoseconds(), Nanos: 2 * cost.Nanoseconds(), Burned: burned, Sites: sites}
	}
	const ms = time.Millisecond
	b.add(worker.Outcome{Layer: "scenarios", Parts: []worker.Part{part("a", ms, 20_000, 7), part("b", ms, 7, 8), part("c", ms, 30_000, 7), part("d", 9*ms, 1, 9)}}, runner)
	b.add(worker.Outcome{Layer: "lockstep", Parts: []worker.Part{part("", 300*ms, 1_000_000, 7)}}, runner)
	b.add(worker.Outcome{Layer: "tests", Parts: []worker.Part{part("TestSlow", 900*ms, 1, 7), part("TestLong", 100*ms, 1, 7), part("TestQuick", ms, 1, 7, 9)}}, tests)
	return b
}

func TestTasks(t *testing.T) {
	b := recorded()
	scenarios := worker.Task{Layer: "scenarios", Parts: []string{"a", "c"}, Fuel: 500_000}
	lockstep := worker.Task{Layer: "lockstep", Fuel: 10_000_000}
	test := func(names ...string) worker.Task { return worker.Task{Layer: "tests", Parts: names, Fuel: minFuel} }
	none, slow := func(piece) bool { return false }, func(p piece) bool { return p.slow }
	for _, c := range []struct {
		name      string
		got, want []worker.Task
	}{
		{"in order", b.tasks(b.against(7, none)), []worker.Task{scenarios, lockstep, test("TestSlow", "TestLong", "TestQuick")}},
		{"cheap first", b.cheapFirst(b.against(7, none)), []worker.Task{scenarios, test("TestQuick"), test("TestLong"), lockstep, test("TestSlow")}},
		{"spared", b.cheapFirst(b.against(7, slow)), []worker.Task{scenarios, test("TestQuick"), test("TestLong"), lockstep}},
		{"one part", b.cheapFirst(b.against(8, none)), []worker.Task{{Layer: "scenarios", Parts: []string{"b"}, Fuel: minFuel}}},
		{"rung by rung", b.cheapFirst(b.against(9, none)), []worker.Task{test("TestQuick"), {Layer: "scenarios", Parts: []string{"d"}, Fuel: minFuel}}},
		{"unreached", b.tasks(b.against(10, none)), nil},
		{"quick", b.quick("tests"), []worker.Task{test("TestLong", "TestQuick")}},
		{"whole", []worker.Task{b.whole("scenarios")}, []worker.Task{{Layer: "scenarios", Fuel: 500_080}}},
	} {
		if !reflect.DeepEqual(c.got, c.want) {
			t.Errorf("%s: %+v, want %+v", c.name, c.got, c.want)
		}
	}
	if got := b.reaching(7); !slices.Equal(got, []string{"scenarios", "lockstep", "tests"}) {
		t.Errorf("reaching %v", got)
	}
	groups := b.byBinary([]worker.Task{scenarios, test("TestQuick"), test("TestLong"), lockstep})
	if len(groups) != 3 || len(groups[1]) != 2 {
		t.Errorf("by binary: %+v", groups)
	}
	if got := b.wall([]worker.Task{scenarios}); got != minWall {
		t.Errorf("wall of little: %v", got)
	}
	if got := b.wall([]worker.Task{lockstep, test("TestSlow")}); got != 72*time.Second {
		t.Errorf("wall of much: %v, want 30 times 2.4 s", got)
	}
	if b.limit = time.Second; b.wall([]worker.Task{lockstep}) != time.Second {
		t.Error("the limit that was asked for is not kept")
	}
}

// What the suite names, it has: a test or a scenario that is slow, or skipped, must not be gone unnoticed.
func TestSuiteNamesExist(t *testing.T) {
	var names []string
	declared := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w*)\(`)
	for _, dir := range Suite().Tests {
		files, err := filepath.Glob(filepath.Join("..", dir, "*_test.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			text, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range declared.FindAllStringSubmatch(string(text), -1) {
				names = append(names, m[1])
			}
		}
	}
	files, err := corpus.Files()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		names = append(names, "corpus/"+f.Path)
	}
	for _, pattern := range slices.Concat(strings.Split(Suite().Skip, "|"), slow) {
		re := regexp.MustCompile(pattern)
		if !slices.ContainsFunc(names, re.MatchString) {
			t.Errorf("no test and no scenario is %s", pattern)
		}
	}
}
