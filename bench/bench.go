// Package bench is the scale benchmark: the production scheduler at its bound of 131,072 keys and beyond, beside a
// plain twin that keeps the same rules (bench/twin), against the thresholds of thresholds.tsv.
//
// Each case runs in a process of its own, so that its peak memory is its own and no case warms or litters the next
// one's heap. Times are CPU time of that process, the garbage collector's included; of repeated cases the least counts, since
// other work on the machine only adds. The headline is the ratio of the two machines in one run.
package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync/atomic"
	"time"

	"fetchproof/internal/console"
)

// Options say what to run and how.
type Options struct {
	// Short measures what the thresholds marked short need, in under two minutes of CPU time.
	Short bool
	// RatiosOnly reports a figure past a limit in absolute CPU time without failing it: for machines whose speed is not
	// known or that are busy with other things.
	RatiosOnly bool
	// Repeat is how often the production scheduler's cases run, 1 to 100; the twin's run half as often, rounded up. Cases
	// behind a figure that fell short then run again, a few times.
	Repeat int
	// Command starts a child: a process that calls RunChild on its standard input and output and does nothing else.
	// Empty means bench/child, built from the module around the working directory.
	Command []string
	// Dir is where the files of the report are written: bench.txt, bench.json, bench.md and the charts. Empty means no
	// files. It is made if need be.
	Dir string
	// Progress, if not nil, shows which case is under way.
	Progress *console.Progress

	cases []planned // instead of the plan, for tests
}

// Report is the outcome of a run.
type Report struct {
	Env     Env      `json:"env"`
	Short   bool     `json:"short"`
	Results []Result `json:"results"` // every repeat of every case, in order
	Curves  []Curve  `json:"curves"`
	Checks  []Check  `json:"checks"`
}

// Env is what the figures were measured with.
type Env struct {
	Go         string        `json:"go"`
	OS         string        `json:"os"`
	Arch       string        `json:"arch"`
	CPU        string        `json:"cpu"`
	GOGC       int           `json:"gogc"`
	GOMAXPROCS int           `json:"gomaxprocs"`
	Took       time.Duration `json:"took_ns"` // wall time of the run
}

// The settings of every child, so that memory and collector time compare.
const (
	childGOGC       = 100
	childGOMAXPROCS = 2
)

// MaxRepeat is the most that Options.Repeat may be.
const MaxRepeat = 100

// Failures returns the checks that fail the run.
func (r *Report) Failures() []Check {
	var out []Check
	for _, c := range r.Checks {
		if c.Failed() {
			out = append(out, c)
		}
	}
	return out
}

// Run measures, writing benchstat-compatible lines to w as the cases end, and judges. Figures that fall short are no
// error: they are in Report.Failures. An error means that the benchmark itself could not be carried out.
func Run(ctx context.Context, o Options, w io.Writer) (Report, error) {
	if o.Repeat < 1 || o.Repeat > MaxRepeat {
		return Report{}, fmt.Errorf("bench: repeat=%d: want 1 to %d", o.Repeat, MaxRepeat)
	}
	thresholds, err := parseThresholds(thresholdsTSV)
	if err != nil {
		return Report{}, fmt.Errorf("bench: %w", err)
	}
	if o.Dir != "" {
		if err := makeWritable(o.Dir); err != nil {
			return Report{}, fmt.Errorf("bench: %w", err)
		}
	}
	if len(o.Command) == 0 {
		dir, err := os.MkdirTemp("", "fetchproof-bench")
		if err != nil {
			return Report{}, fmt.Errorf("bench: %w", err)
		}
		defer os.RemoveAll(dir)
		if o.Command, err = buildChild(ctx, dir); err != nil {
			return Report{}, err
		}
	}
	began := time.Now()
	r := Report{Env: environment(), Short: o.Short}
	text := &lines{w: w}
	text.header(r.Env)
	if err := r.measure(ctx, &o, thresholds, o.child, text); err != nil {
		return r, err
	}
	r.Env.Took = time.Since(began)
	if o.Dir == "" {
		return r, nil
	}
	return r, r.writeFiles(o.Dir)
}

// carrier carries out a case somewhere.
type carrier func(context.Context, Case) (Result, error)

// measure has the plan carried out, case by case, and judges. The cases behind what fell short run again, up to retries
// times: other work on the machine may have spoilt every repeat so far, and a figure that is really too high stays so.
func (r *Report) measure(ctx context.Context, o *Options, thresholds []threshold, carryOut carrier, text *lines) error {
	planned := o.cases
	if planned == nil {
		planned = plan(*o)
	}
	todo := slices.Collect(rounds(planned))
	var under atomic.Pointer[string]
	under.Store(new(string))
	o.Progress.Start(func() string { return *under.Load() })
	defer o.Progress.Stop()
	for retry := 0; ; retry++ {
		for i, c := range todo {
			at := fmt.Sprintf("%d of %d: %v", i+1, len(todo), c)
			under.Store(&at)
			res, err := carryOut(ctx, c)
			if err != nil {
				return err
			}
			r.Results = append(r.Results, res)
			if text.result(res); text.err != nil {
				return fmt.Errorf("bench: writing the results: %w", text.err)
			}
		}
		f := collect(r.Results)
		r.Curves = f.curves()
		r.Checks = check(thresholds, f, r.Curves, *o)
		if todo = again(planned, r.Checks); len(todo) == 0 || retry == retries {
			return nil
		}
	}
}

func environment() Env {
	return Env{
		Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH, CPU: cpuModel(),
		GOGC: childGOGC, GOMAXPROCS: childGOMAXPROCS,
	}
}

// makeWritable makes a directory if need be, and finds out whether it can be written into: before anything is measured,
// for a run takes minutes.
func makeWritable(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, ".bench")
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// writeFiles writes the report's files into dir.
func (r *Report) writeFiles(dir string) error {
	errs := []error{
		writeFile(dir, "bench.txt", func(w io.Writer) error {
			text := &lines{w: w}
			text.header(r.Env)
			for _, res := range r.Results {
				text.result(res)
			}
			return text.err
		}),
		writeFile(dir, "bench.json", func(w io.Writer) error {
			e := json.NewEncoder(w)
			e.SetIndent("", "\t")
			return e.Encode(r)
		}),
		writeFile(dir, "bench.md", r.WriteSummary),
	}
	for _, c := range charts(r.Curves) {
		errs = append(errs, writeFile(dir, c.file, c.chart.write))
	}
	return errors.Join(errs...)
}

func writeFile(dir, name string, write func(io.Writer) error) (err error) {
	f, err := os.Create(filepath.Join(dir, name))
	if err != nil {
		return fmt.Errorf("bench: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return write(f)
}
