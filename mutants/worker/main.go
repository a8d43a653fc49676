package worker

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
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

// serve answers requests until the input ends. The input is read by a goroutine of its own, which says where the others are
// and ends the process when its parent is gone even if a mutant keeps the layers busy, or blocks them.
func serve(in *os.File, out io.Writer, layers []Layer) error {
	requests := make(chan Request)
	broken := make(chan error, 1)
	a := &answers{enc: json.NewEncoder(out)}
	go func() {
		dec := json.NewDecoder(bufio.NewReader(in))
		for {
			var r Request
			switch err := dec.Decode(&r); {
			case errors.Is(err, io.EOF):
				os.Exit(0)
			case err != nil:
				broken <- fmt.Errorf("read request: %w", err)
				return
			case r.Op == OpWhere:
				a.write(Response{Where: stacks()})
			default:
				requests <- r
			}
		}
	}()
	for {
		select {
		case err := <-broken:
			return err
		case r := <-requests:
			last := handle(r, layers, func(o Outcome) { a.write(Response{Layers: []Outcome{o}}) })
			if err := a.write(Response{Done: true, Last: last}); err != nil {
				return fmt.Errorf("write response: %w", err)
			}
		}
	}
}

// answers writes the pieces of responses, whole ones.
type answers struct {
	mu  sync.Mutex
	enc *json.Encoder
	err error // the first
}

func (a *answers) write(r Response) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if err := a.enc.Encode(r); a.err == nil {
		a.err = err
	}
	return a.err
}

// stacksLimit bounds what is said of where the goroutines are, in bytes.
const stacksLimit = 1 << 20

func stacks() string {
	text := make([]byte, stacksLimit)
	n := runtime.Stack(text, true)
	if n == len(text) {
		return "too many goroutines to say"
	}
	return string(text[:n])
}

// handle carries out one request. It reports whether the process is of no further use.
func handle(r Request, layers []Layer, tell func(Outcome)) (last bool) {
	if r.Op == OpRecord {
		record(r, layers, tell)
		return false
	}
	for _, t := range r.Tasks {
		i := slices.IndexFunc(layers, func(l Layer) bool { return l.Name == t.Layer })
		if i < 0 {
			tell(Outcome{Layer: t.Layer, Status: Panicked, Message: "there is no such layer"})
			break
		}
		o := run(r, t, layers[i])
		tell(o)
		if o.Status != Passed {
			last = last || layers[i].Once
			if !r.Every {
				break
			}
		}
	}
	return last
}

// params is what the request gives a layer.
func (r *Request) params(l Layer) Params {
	return Params{Seed: r.Seed, Budget: max(1, l.Budget*r.Scale/100), Check: r.Check}
}

// run runs one layer, or some parts of it, with the request's mutant on.
func run(r Request, t Task, l Layer) Outcome {
	o := Outcome{Layer: l.Name}
	p := r.params(l)
	p.Parts = t.Parts
	start := time.Now()
	mutswitch.Set(r.Index, t.Fuel)
	guard(&o, l, p)
	o.Nanos, o.Burned = time.Since(start).Nanoseconds(), mutswitch.Burned()
	if mutswitch.Exhausted() {
		o.Status, o.Message = Fuel, fmt.Sprintf("more than %d units of fuel", t.Fuel)
	}
	mutswitch.Set(0, 0)
	return o
}

// Refuel fills the tank up. A layer calls it between pieces of its work, so that a mutant may use many times what the
// thirstiest piece needs, not many times what all do: runaway loops end sooner.
func Refuel() { mutswitch.Refuel() }

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
