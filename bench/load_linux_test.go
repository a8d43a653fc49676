package bench

import (
	"context"
	"slices"
	"strings"
	"testing"
)

// TestLoads carries every load out on both machines at a small scale: the loads check their own shape, such as that
// the forced pass starts exactly one attempt and parks all other keys.
func TestLoads(t *testing.T) {
	keys := 3000
	if testing.Short() {
		keys = 800
	}
	for name := range loads {
		for _, machine := range []string{Production, Twin} {
			for _, sources := range []int{1, 8} {
				c := Case{Machine: machine, Load: name, Keys: keys, Sources: sources, Peers: 40}
				if strings.HasPrefix(name, "dispatch") {
					c.Slots = 8
				}
				t.Run(c.String(), func(t *testing.T) { testLoad(t, c) })
			}
		}
	}
}

func testLoad(t *testing.T, c Case) {
	res, err := runCase(c)
	if err != nil {
		t.Fatal(err)
	}
	if len(res.Samples) == 0 {
		t.Fatal("the load reports nothing")
	}
	for _, s := range res.Samples {
		if opLoads[s.Op] != c.Load {
			t.Errorf("the operation %q is not listed as one of the load, so no threshold can name it", s.Op)
		}
		if s.N < 1 || s.CPU < 0 || s.Allocs < 0 || s.Bytes < 0 {
			t.Errorf("an impossible sample: %+v", s)
		}
		if s.Op == "forced-pass" && s.RSS < 1<<20 {
			t.Errorf("the forced pass reports a peak RSS of %.0f bytes", s.RSS)
		}
	}
}

// TestLoadsAgree compares what the two machines did under the loads, by their counters.
func TestLoadsAgree(t *testing.T) {
	run := func(machine string) any {
		w := newWorld(Case{Machine: machine, Load: "park", Keys: 2000, Sources: 5, Peers: 30}, 0)
		if _, err := w.fillUp(); err != nil {
			t.Fatal(err)
		}
		if _, err := w.forcedPass(); err != nil {
			t.Fatal(err)
		}
		w.finish(w.starts[0].Attempt)
		if err := w.wakes(&run{}, "wake", 500); err != nil {
			t.Fatal(err)
		}
		w.events = w.m.Depart(now, w.pool[0], nil)
		return []any{w.m.Snapshot(now), w.flights, w.events}
	}
	if a, b := run(Production), run(Twin); !equalJSON(t, a, b) {
		t.Fatalf("after the same load the machines differ:\nproduction %+v\ntwin       %+v", a, b)
	}
}

// TestImpossibleCases wants an error that says what is wrong.
func TestImpossibleCases(t *testing.T) {
	ok := Case{Machine: Production, Load: "park", Keys: 100, Sources: 2, Peers: 4}
	for name, change := range map[string]func(*Case){
		"no load is named":    func(c *Case) { c.Load = "nap" },
		"no machine is named": func(c *Case) { c.Machine = "loom" },
		"out of range":        func(c *Case) { c.Sources = 36 },
		"as many peers":       func(c *Case) { c.Peers = 1 },
		"too few":             func(c *Case) { c.Load, c.Slots = "dispatch-full", 64 },
	} {
		c := ok
		change(&c)
		if _, err := runCase(c); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%v: the error is %v, it should say %q", c, err, name)
		}
	}
}

// TestDrawIsDistinct checks the pool draw: distinct peers, each as likely as the other.
func TestDrawIsDistinct(t *testing.T) {
	w := newWorld(Case{Keys: 10, Sources: 5, Peers: 20}, 1)
	seen := map[any]int{}
	for range 4000 {
		d := w.draw(nil, 5)
		for i, p := range d {
			if slices.Contains(d[:i], p) {
				t.Fatal("a peer was drawn twice")
			}
			seen[p]++
		}
	}
	for _, n := range seen {
		if n < 800 || n > 1200 {
			t.Errorf("a peer was drawn %d times, about 1,000 are due", n)
		}
	}
}

// TestCoprimeVisitsAll checks that a stride visits every place.
func TestCoprimeVisitsAll(t *testing.T) {
	for _, n := range []int{1, 2, 3, 100, 4096, 43690} {
		seen := make([]bool, n)
		s := coprime(n)
		for i := range n {
			seen[i*s%n] = true
		}
		if slices.Contains(seen, false) {
			t.Errorf("the stride %d does not visit all of %d", s, n)
		}
	}
}

// TestRunChildren runs a few tiny cases through real children, with the files of the report.
func TestRunChildren(t *testing.T) {
	dir := t.TempDir()
	var text strings.Builder
	var cases []planned
	for _, keys := range []int{2000, 4000, 8000} {
		for _, machine := range []string{Production, Twin} {
			cases = append(cases, planned{Case{Machine: machine, Load: "park", Keys: keys, Sources: 3, Peers: basePeers}, 1})
		}
	}
	r, err := Run(context.Background(), Options{Command: []string{self(t), "bench-child"}, Dir: dir, Repeat: 1, cases: cases}, &text)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Results) != len(cases) || len(r.Curves) == 0 {
		t.Fatalf("%d results and %d curves of %d cases", len(r.Results), len(r.Curves), len(cases))
	}
	if !strings.Contains(text.String(), "BenchmarkForcedPass/machine=twin/keys=8000/sources=3/peers=512 1 ") {
		t.Errorf("the text lacks the forced pass:\n%s", text.String())
	}
	// Nothing was measured at the bound, so every threshold must say so.
	if n := len(r.Failures()); n == 0 || n != len(r.Checks) {
		t.Errorf("%d of %d checks failed, all should: nothing was measured at the bound", n, len(r.Checks))
	}
	for _, name := range []string{"bench.txt", "bench.json", "bench.md", "forced-pass-cpu-keys.svg", "forced-pass-rss-keys.svg"} {
		if !exists(dir, name) {
			t.Errorf("the file %s was not written", name)
		}
	}
}

// TestBuildChild builds the real child and has it carry out a case. It links the schedulers and nothing of the rest, so it
// stays small before the case begins.
func TestBuildChild(t *testing.T) {
	command, err := buildChild(context.Background(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	o := Options{Command: command}
	res, err := o.child(context.Background(), Case{Machine: Production, Load: "park", Keys: 100, Sources: 2, Peers: 4})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range res.Samples {
		if s.Op == "forced-pass" && (s.RSS < 1<<20 || s.RSS > 6<<20) {
			t.Errorf("a child with 100 keys has a peak RSS of %.1f MiB", s.RSS/(1<<20))
		}
	}
}

// TestChildFails wants the child's own words in the error.
func TestChildFails(t *testing.T) {
	o := &Options{Command: []string{self(t), "bench-child"}}
	_, err := o.child(context.Background(), Case{Load: "nap", Machine: Production})
	if err == nil || !strings.Contains(err.Error(), `no load is named "nap"`) {
		t.Fatalf("the error is %v", err)
	}
	o.Command = []string{"/nonexistent"}
	if _, err := o.child(context.Background(), Case{}); err == nil {
		t.Fatal("a child that cannot be started gave no error")
	}
}
