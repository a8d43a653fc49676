package worker

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"slices"
	"time"

	"fetchproof/mutants/mutswitch"
)

// EnvWorker is set, to anything, in the environment of a worker: without it nobody reads its answers.
const EnvWorker = "FETCHPROOF_MUTATION_WORKER"

// messageLimit bounds what a failure may say, in bytes.
const messageLimit = 600

// stackLimit ends a runaway recursion that burns no fuel before it has eaten the memory, in bytes.
const stackLimit = 256 << 20

// Main is the main function of a runner. It does not return.
func Main(layers ...Layer) {
	if os.Getenv(EnvWorker) == "" {
		fmt.Fprintln(os.Stderr, "this program is a worker of a mutation campaign, which starts it by itself")
		os.Exit(2)
	}
	debug.SetMaxStack(stackLimit)
	limitMemory()
	if err := serve(os.Stdin, os.NewFile(3, "answers"), layers); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	os.Exit(0)
}

// serve answers requests until the input ends. The input is read by a goroutine of its own, which ends the process when
// its parent is gone even if a mutant keeps the layers busy.
func serve(in *os.File, out io.Writer, layers []Layer) error {
	requests := make(chan Request)
	broken := make(chan error, 1)
	go func() {
		dec := json.NewDecoder(bufio.NewReader(in))
		for {
			var r Request
			if err := dec.Decode(&r); errors.Is(err, io.EOF) {
				os.Exit(0)
			} else if err != nil {
				broken <- fmt.Errorf("read request: %w", err)
				return
			}
			requests <- r
		}
	}()
	enc := json.NewEncoder(out)
	for {
		select {
		case err := <-broken:
			return err
		case r := <-requests:
			if err := enc.Encode(Handle(r, layers)); err != nil {
				return fmt.Errorf("write response: %w", err)
			}
		}
	}
}

// Handle answers one request.
func Handle(r Request, layers []Layer) Response {
	var resp Response
	for _, l := range layers {
		if len(r.Layers) > 0 && !slices.Contains(r.Layers, l.Name) {
			continue
		}
		o := run(r, l)
		resp.Layers = append(resp.Layers, o)
		if o.Status != Passed {
			resp.Last = resp.Last || l.Once
			if !r.Every {
				break
			}
		}
	}
	return resp
}

// run runs one layer with the request's mutant on.
func run(r Request, l Layer) Outcome {
	o := Outcome{Layer: l.Name}
	p := Params{Seed: r.Seed, Budget: max(1, l.Budget*r.Scale/100), Check: r.Check}
	start := time.Now()
	if r.Op == OpRecord {
		o.Sites = mutswitch.Record(r.Size, func() { guard(&o, l, p) })
	} else {
		mutswitch.Set(r.Index, r.Fuel[l.Name])
		guard(&o, l, p)
	}
	o.Nanos, o.Burned = time.Since(start).Nanoseconds(), mutswitch.Burned()
	if mutswitch.Exhausted() {
		o.Status, o.Message = Fuel, fmt.Sprintf("more than %d units of fuel", r.Fuel[l.Name])
	}
	mutswitch.Set(0, 0)
	return o
}

// guard runs the layer in a goroutine of its own and turns its end, however it ends, into an outcome.
func guard(o *Outcome, l Layer, p Params) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		o.Status, o.Message = Panicked, "the layer's goroutine exited" // unless something below says otherwise
		defer func() {
			if v := recover(); v != nil {
				o.Message = cut(fmt.Sprint(v))
			}
		}()
		f := l.Run(p)
		o.Status, o.Message = Passed, ""
		if f != nil {
			o.Status, o.Check, o.Message, o.Steps = Failed, f.Check, cut(f.Message), f.Steps
		}
	}()
	<-done
}

func cut(s string) string {
	if len(s) > messageLimit {
		return s[:messageLimit] + "…"
	}
	return s
}
