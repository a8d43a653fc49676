package bench

import (
	"bytes"
	"encoding/json"
	"flag"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func self(t *testing.T) string {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func exists(dir, name string) bool {
	info, err := os.Stat(filepath.Join(dir, name))
	return err == nil && info.Size() > 0
}

func equalJSON(t *testing.T, a, b any) bool {
	t.Helper()
	x, errX := json.Marshal(a)
	y, errY := json.Marshal(b)
	if errX != nil || errY != nil {
		t.Fatal(errX, errY)
	}
	return bytes.Equal(x, y)
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is not as in testdata (rewrite with -update):\n%s", name, got)
	}
}

// TestExponent recovers the power of exact and of noisy curves.
func TestExponent(t *testing.T) {
	for _, want := range []float64{0, 0.5, 1, 1.25, 2} {
		var exact, noisy []Point
		for i := range 6 {
			x := float64(int(1) << (15 + i))
			y := 3 * math.Pow(x, want)
			exact = append(exact, Point{x, y})
			noisy = append(noisy, Point{x, y * (1 + 0.05*float64(i%2*2-1))})
		}
		if got, ok := exponent(exact); !ok || math.Abs(got-want) > 1e-9 {
			t.Errorf("the exponent of x^%v is %v, %v", want, got, ok)
		}
		if got, ok := exponent(noisy); !ok || math.Abs(got-want) > 0.03 {
			t.Errorf("the exponent of a noisy x^%v is %v, %v", want, got, ok)
		}
	}
	for _, none := range [][]Point{nil, {{1, 1}}, {{2, 1}, {2, 5}}, {{0, 1}, {4, 1}}, {{1, -1}, {4, 1}}} {
		if got, ok := exponent(none); ok {
			t.Errorf("the exponent of %v is %v, it has none", none, got)
		}
	}
}

// TestThresholdFile parses the real file, and rejects broken lines with their number.
func TestThresholdFile(t *testing.T) {
	all, err := parseThresholds(thresholdsTSV)
	if err != nil {
		t.Fatal(err)
	}
	short := 0
	for i := range all {
		if all[i].short {
			short++
		}
	}
	if len(all) < 40 || short < 30 || short == len(all) {
		t.Errorf("%d thresholds, %d of them short", len(all), short)
	}
	for line, want := range map[string]string{
		"short\twake\t1\t512\tcpu\t10µs":               "6 fields",
		"brief\twake\t1\t512\tcpu\t10µs\t-":            "the form",
		"short\tdoze\t1\t512\tcpu\t10µs\t-":            "no operation",
		"short\twake\tmany\t512\tcpu\t10µs\t-":         "neither a count",
		"short\twake\t1\t0\tcpu\t10µs\t-":              "neither a count",
		"short\twake\t1\t512\tage\t10µs\t-":            "no measure",
		"short\twake\t1\t512\tcpu\t10MiB\t-":           "limit: ",
		"short\twake\t1\t512\tcpu/twin\t10µs\t-":       "limit: ",
		"short\twake\t1\t512\tcpu\t10µs\t11µs":         "easier",
		"short\tdispatch-free@8\t1\t1\trate\t2/s\t1/s": "easier",
	} {
		_, err := parseThresholds("# a comment\n\n" + line + "\n")
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "thresholds.tsv:3:") {
			t.Errorf("%q: the error is %v, it should say %q and line 3", line, err, want)
		}
	}
}

// TestQuantities reads back what is written.
func TestQuantities(t *testing.T) {
	for _, c := range []struct {
		q    quantity
		text string
		x    float64
	}{
		{nanoseconds, "15ms", 15e6},
		{nanoseconds, "1.5s", 1.5e9},
		{nanoseconds, "400ns", 400},
		{nanoseconds, "50µs", 5e4},
		{byteCount, "32MiB", 32 << 20},
		{byteCount, "7B", 7},
		{perSecond, "150k/s", 150e3},
		{count, "0.02", 0.02},
		{count, "131072", 131072},
	} {
		if got, err := c.q.parse(c.text); err != nil || got != c.x {
			t.Errorf("%s is %v, %v, not %v", c.text, got, err, c.x)
		}
		if got := c.q.format(c.x); got != c.text {
			t.Errorf("%v is written %s, not %s", c.x, got, c.text)
		}
	}
	for _, bad := range []string{"", "ms", "-1ms", "5", "5 MiB"} {
		if x, err := nanoseconds.parse(bad); err == nil {
			t.Errorf("%q is %v ns", bad, x)
		}
	}
}

// sample figures for judging.
func judged() []Result {
	at := Case{Machine: Production, Load: "park", Keys: baseKeys, Sources: 8, Peers: basePeers}
	other := at
	other.Machine = Twin
	return []Result{
		{at, []Sample{{Op: "forced-pass", N: 1, CPU: 30e6, Allocs: 5, RSS: 50 << 20}, {Op: "dispatch-free@8", N: 1, CPU: 4000}}},
		{at, []Sample{{Op: "forced-pass", N: 1, CPU: 20e6, Allocs: 7, RSS: 60 << 20}}},
		{other, []Sample{{Op: "forced-pass", N: 1, CPU: 1000e6, Allocs: 1e6, RSS: 100 << 20}}},
	}
}

// TestJudgement applies thresholds to figures: the least over the repeats counts, ratios are to the twin, and what was
// not measured falls short.
func TestJudgement(t *testing.T) {
	for _, c := range []struct {
		line       string
		ratiosOnly bool
		want       Status
	}{
		{"short\tforced-pass\t8\t512\tcpu\t25ms\t20ms", false, Goal},
		{"short\tforced-pass\t8\t512\tcpu\t25ms\t10ms", false, Held},
		{"short\tforced-pass\t8\t512\tcpu\t19ms\t10ms", false, Short},
		{"short\tforced-pass\t8\t512\tcpu\t19ms\t10ms", true, Slow},
		{"short\tforced-pass\t8\t512\tcpu/twin\t0.02\t-", true, Held},
		{"short\tforced-pass\t8\t512\tcpu/twin\t0.019\t-", true, Short},
		{"short\tforced-pass\t8\t512\trss\t49MiB\t-", true, Short},
		{"short\tforced-pass\t8\t512\trss/twin\t0.5\t-", false, Held},
		{"short\tforced-pass\t*\t*\tallocs\t5\t-", false, Held},
		{"short\tforced-pass\t*\t*\tallocs\t4\t-", false, Short},
		{"short\tforced-pass\t8\t512\ttwin cpu\t999ms\t-", false, Short},
		{"short\tforced-pass\t35\t512\tcpu\t1s\t-", false, Missing},
		{"short\tforced-pass\t35\t512\tcpu\t1s\t-", true, Missing},
		{"short\tdispatch-free@8\t8\t512\trate\t250k/s\t-", false, Held},
		{"short\tdispatch-free@8\t8\t512\trate\t251k/s\t-", false, Short},
		{"short\tdispatch-free@8\t8\t512\tcpu/twin\t1\t-", false, Missing},
		{"short\tforced-pass\t8\t512\texponent\t1.25\t-", false, Missing},
	} {
		all, err := parseThresholds(c.line)
		if err != nil {
			t.Fatal(err)
		}
		f := collect(judged())
		got := check(all, f, f.curves(), Options{Short: true, RatiosOnly: c.ratiosOnly})
		if len(got) != 1 || got[0].Status != c.want {
			t.Errorf("%q is judged %+v, it should be %s", c.line, got, c.want)
		}
	}
	full, err := parseThresholds("full\tforced-pass\t8\t512\tcpu\t1ms\t-")
	if err != nil {
		t.Fatal(err)
	}
	if got := check(full, collect(judged()), nil, Options{Short: true}); len(got) != 0 {
		t.Errorf("the short form judges a threshold of the full form: %+v", got)
	}
}

// TestNearMiss says that a figure is past its limit even where three digits do not show it.
func TestNearMiss(t *testing.T) {
	all, err := parseThresholds("short\tforced-pass\t8\t512\tcpu/twin\t0.04\t-")
	if err != nil {
		t.Fatal(err)
	}
	for x, want := range map[float64]string{0.04001: "just past 0.04 (limit 0.04)", 0.04: ": 0.04 (limit 0.04)", 0.0411: ": 0.0411 (limit 0.04)"} {
		if c := all[0].judge(value{8, 512, x}, false); !strings.Contains(c.Text, want) {
			t.Errorf("%v is judged %q, want %q", x, c.Text, want)
		}
	}
}

// TestExponentIsJudged finds a curve's exponent.
func TestExponentIsJudged(t *testing.T) {
	var results []Result
	for n := 1 << 15; n <= 1<<20; n *= 2 {
		c := Case{Machine: Production, Load: "park", Keys: n, Sources: 8, Peers: basePeers}
		results = append(results, Result{c, []Sample{{Op: "forced-pass", N: 1, CPU: math.Pow(float64(n), 1.3)}}})
	}
	all, err := parseThresholds("short\tforced-pass\t8\t512\texponent\t1.25\t1.1\nshort\tforced-pass\t8\t512\texponent\t1.35\t1.1\n")
	if err != nil {
		t.Fatal(err)
	}
	f := collect(results)
	got := check(all, f, f.curves(), Options{})
	if len(got) != 2 || got[0].Status != Short || got[1].Status != Held {
		t.Fatalf("judged %+v", got)
	}
}

// TestPlans checks that the plans measure what the thresholds of their form name, and stay in range.
func TestPlans(t *testing.T) {
	for _, o := range []Options{{Short: true, Repeat: 1}, {Repeat: 1}} {
		seen := map[Case]bool{}
		for _, p := range plan(o) {
			if seen[p.Case] {
				t.Errorf("%v is planned twice", p.Case)
			}
			seen[p.Case] = true
			if loads[p.Load] == nil || p.repeat < 1 || p.Peers < p.Sources {
				t.Errorf("%v cannot run", p.Case)
			}
		}
		for _, n := range []int{1 << 15, 1 << 20} {
			if !seen[Case{Machine: Production, Load: "park", Keys: n, Sources: 8, Peers: basePeers}] {
				t.Errorf("the curve does not reach %d keys", n)
			}
		}
		all, err := parseThresholds(thresholdsTSV)
		if err != nil {
			t.Fatal(err)
		}
		for i := range all {
			if !(o.Short && !all[i].short) && !measured(seen, &all[i]) {
				t.Errorf("thresholds.tsv:%d: the plan (short: %v) does not measure it", all[i].line, o.Short)
			}
		}
	}
}

// measured reports whether planned cases measure what a threshold names, on the twin, too, for a ratio.
func measured(planned map[Case]bool, t *threshold) bool {
	for c := range planned {
		if !t.measuredIn(c) || c.Keys != baseKeys {
			continue
		}
		c.Machine = t.machine
		other := c
		other.Machine = Twin
		if planned[c] && (!t.ratio || planned[other]) {
			return true
		}
	}
	return false
}

// TestLabels reads a chart's legend aloud.
func TestLabels(t *testing.T) {
	for want, c := range map[string]Curve{
		"twin, 1 source (x^0.00)":        {Machine: Twin, Sources: 1, Exponent: -0.001},
		"scheduler, 35 sources (x^1.13)": {Machine: Production, Sources: 35, Exponent: 1.1299},
		"scheduler (x^-0.50)":            {Machine: Production, Exponent: -0.5},
	} {
		if got := c.series().label; got != want {
			t.Errorf("the label is %q, want %q", got, want)
		}
	}
}

// TestGoldenFiles pins the text, the chart and the summary of fixed results.
func TestGoldenFiles(t *testing.T) {
	results := judged()
	for i, n := range []int{1 << 15, 1 << 16, 1 << 20} {
		for _, m := range []string{Production, Twin} {
			cpu := float64(n) * 100
			if m == Twin {
				cpu *= 40 + float64(i)
			}
			results = append(results, Result{
				Case{Machine: m, Load: "park", Keys: n, Sources: 8, Peers: basePeers},
				[]Sample{{Op: "forced-pass", N: 1, CPU: cpu, RSS: float64(n) * 300}},
			})
		}
	}
	f := collect(results)
	r := Report{
		Env:   Env{Go: "go1.26", OS: "linux", Arch: "amd64", CPU: "a processor", GOGC: 100, GOMAXPROCS: 2, Took: 90e9},
		Short: true, Results: results, Curves: f.curves(),
	}
	thresholds, err := parseThresholds("short\tforced-pass\t8\t512\tcpu\t25ms\t10ms\nshort\tforced-pass\t8\t512\trss\t40MiB\t-\n")
	if err != nil {
		t.Fatal(err)
	}
	r.Checks = check(thresholds, f, r.Curves, Options{})
	var text, summary, svg bytes.Buffer
	l := &lines{w: &text}
	l.header(r.Env)
	for _, res := range r.Results {
		l.result(res)
	}
	if l.err != nil {
		t.Fatal(l.err)
	}
	golden(t, "bench.txt", text.Bytes())
	if err := r.WriteSummary(&summary); err != nil {
		t.Fatal(err)
	}
	golden(t, "bench.md", summary.Bytes())
	if err := charts(r.Curves)[0].chart.write(&svg); err != nil {
		t.Fatal(err)
	}
	golden(t, "chart.svg", svg.Bytes())
}
