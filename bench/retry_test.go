package bench

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestShortFiguresAreMeasuredAgain wants more repeats of what fell short, until it holds, and not for ever.
func TestShortFiguresAreMeasuredAgain(t *testing.T) {
	for _, c := range []struct {
		limit  string
		repeat int
		ratios bool
		runs   int
		want   Status
	}{
		{limit: "100ms", repeat: 1, runs: 1, want: Held},
		{limit: "45ms", repeat: 1, runs: 3, want: Held},
		{limit: "45ms", repeat: 3, runs: 3, want: Held},
		{limit: "1ms", repeat: 2, runs: 2 + retries, want: Short},
		{limit: "1ms", repeat: 1, ratios: true, runs: 1, want: Slow},
	} {
		thresholds, err := parseThresholds("short\tforced-pass\t8\t512\tcpu\t" + c.limit + "\t-")
		if err != nil {
			t.Fatal(err)
		}
		at := Case{Machine: Production, Load: "park", Keys: baseKeys, Sources: 8, Peers: basePeers}
		took := 130e6
		// Other work leaves the machine alone, little by little.
		carryOut := func(_ context.Context, at Case) (Result, error) {
			took -= 30e6
			return Result{at, []Sample{{Op: "forced-pass", N: 1, CPU: max(10e6, took)}}}, nil
		}
		o := Options{RatiosOnly: c.ratios, cases: []planned{{at, c.repeat}}}
		var r Report
		if err := r.measure(context.Background(), &o, thresholds, carryOut, &lines{w: io.Discard}); err != nil {
			t.Fatal(err)
		}
		if len(r.Results) != c.runs || len(r.Checks) != 1 || r.Checks[0].Status != c.want {
			t.Errorf("limit %s: %d runs, %+v, want %d runs and %s", c.limit, len(r.Results), r.Checks, c.runs, c.want)
		}
	}
}

// TestAgain finds the cases behind a check: for a ratio on both machines, for an exponent along the whole curve.
func TestAgain(t *testing.T) {
	planned := plan(Options{Short: true, Repeat: 1})
	for _, c := range []struct {
		line string
		at   value
		want string
	}{
		{"short\tforced-pass\t8\t512\tcpu\t1ms\t-", value{sources: 8, peers: 512}, "scheduler/131072"},
		{"short\tforced-pass\t*\t512\tcpu/twin\t1\t-", value{sources: 35, peers: 512}, "scheduler/131072 twin/131072"},
		{"short\tforced-pass\t8\t512\ttwin rss\t1MiB\t-", value{sources: 8, peers: 512}, "twin/131072"},
		{
			"short\tforced-pass\t8\t512\texponent\t1\t-",
			value{sources: 8, peers: 512},
			"scheduler/131072 scheduler/32768 scheduler/65536 scheduler/262144 scheduler/524288 scheduler/1048576",
		},
	} {
		all, err := parseThresholds(c.line)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, x := range again(planned, []Check{{Status: Short, of: &all[0], at: c.at}}) {
			if x.Load != "park" || x.Sources != c.at.sources {
				t.Errorf("%q: %v has nothing to do with it", c.line, x)
			}
			got = append(got, fmt.Sprintf("%s/%d", x.Machine, x.Keys))
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%q runs %s again, want %s", c.line, s, c.want)
		}
		counted := all[0]
		counted.measure = "allocs"
		if got := again(planned, []Check{{Status: Short, of: &counted, at: c.at}}); len(got) > 0 {
			t.Errorf("%q: %v would run again for a count", c.line, got)
		}
		if got := again(planned, []Check{{Status: Missing, of: &all[0], at: c.at}, {Status: Held, of: &all[0], at: c.at}}); len(got) > 0 {
			t.Errorf("%q: %v would run again for nothing", c.line, got)
		}
	}
}

// TestBuildFails wants the go command's own words, and what to do.
func TestBuildFails(t *testing.T) {
	t.Chdir(t.TempDir())
	_, err := Run(context.Background(), Options{Repeat: 1}, io.Discard)
	if err == nil || !strings.Contains(err.Error(), "sources around the working directory") || !strings.Contains(err.Error(), childPackage) {
		t.Fatalf("the error is %v", err)
	}
}

// TestBadOptions fails before anything is built or measured.
func TestBadOptions(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for want, o := range map[string]Options{
		"repeat=0: want 1 to 100":   {},
		"repeat=-1: want 1 to 100":  {Repeat: -1},
		"repeat=101: want 1 to 100": {Repeat: 101},
		"file":                      {Repeat: 1, Dir: file},
	} {
		o.Command = []string{"/nonexistent"}
		var out bytes.Buffer
		if _, err := Run(context.Background(), o, &out); err == nil || !strings.Contains(err.Error(), want) || out.Len() > 0 {
			t.Errorf("%+v: the error is %v, it should say %q; printed %q", o, err, want, &out)
		}
	}
}
