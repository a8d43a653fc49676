package subject

import (
	"bytes"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"fetchproof/internal/stacks"
	"fetchproof/ops"
)

// Watch notices a subject of this process that does not return from a call. Nothing can stop it: what to do is the caller's
// to decide. A process is watched by its deadlines instead; see [ProcessFactory].
type Watch struct {
	mu   sync.Mutex
	over []*watched
}

// Over makes the subjects that f makes, each of them watched. What cannot be copied is left as it is.
func (w *Watch) Over(f Factory) Factory {
	return func() (Subject, error) {
		s, err := f()
		forker, ok := s.(Forker)
		if err != nil || !ok {
			return s, err
		}
		made := &watched{Forker: forker}
		w.mu.Lock()
		defer w.mu.Unlock()
		w.over = append(w.over, made)
		return made, nil
	}
}

// Stuck is a call that does not return.
type Stuck struct {
	Op    ops.Op // resolved; Init and StateQuery stand for the calls of those names
	Stack string // of the implementation, the innermost functions first, one a line
}

// During calls run and returns nil once it has returned. If a subject is found in one and the same call at patience ticks on
// end, it returns that, and run goes on in the background.
func (w *Watch) During(run func(), ticks <-chan time.Time, patience int) *Stuck {
	done := make(chan struct{})
	go func() {
		defer close(done)
		run()
	}()
	for {
		select {
		case <-done:
			return nil
		case <-ticks:
			if stuck := w.tick(patience); stuck != nil {
				return stuck
			}
		}
	}
}

// tick looks at every subject once.
func (w *Watch) tick(patience int) *Stuck {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, s := range w.over {
		calls := s.calls.Load()
		if calls%2 == 0 || calls != s.seen {
			s.seen, s.times = calls, 0
		}
		if calls%2 == 0 {
			continue
		}
		if s.times++; s.times >= patience {
			return &Stuck{s.op.Load().Clone(), implementation(all())}
		}
	}
	return nil
}

// watched counts the calls of a subject: their number is odd while it is in one.
type watched struct {
	Forker
	calls atomic.Uint64
	op    atomic.Pointer[ops.Op] // of the call
	last  *ops.Op                // what op holds, for who calls

	seen  uint64 // by the watch
	times int    // how often it saw that on end
}

var (
	initCall  = &ops.Op{Kind: ops.Init}
	stateCall = &ops.Op{Kind: ops.StateQuery}
)

func (s *watched) begin(op *ops.Op) {
	if s.last != op {
		s.last = op
		s.op.Store(op)
	}
	s.calls.Add(1)
}

func (s *watched) Init(config *ops.Config) error {
	s.begin(initCall)
	defer s.calls.Add(1)
	return s.Forker.Init(config)
}

func (s *watched) Apply(op *ops.Op, res *ops.Result) error {
	s.begin(op)
	defer s.calls.Add(1) // after a panic, too: it is judged, and the subject goes on to the next program
	return s.Forker.Apply(op, res)
}

func (s *watched) State(now ops.Time, st *ops.State) error {
	s.begin(stateCall)
	defer s.calls.Add(1)
	return s.Forker.State(now, st)
}

func (s *watched) CopyFrom(src Forker) { s.Forker.CopyFrom(src.(*watched).Forker) }

// all is the stacks of all goroutines.
func all() []byte {
	for size := 1 << 16; ; size *= 2 {
		text := make([]byte, size)
		if n := runtime.Stack(text, true); n < size {
			return text[:n]
		}
	}
}

// implementation is the innermost frames of the first goroutine that is in the implementation, down to where it was called.
func implementation(text []byte) string {
	const ours, most = "fetchproof/impl/", 10
	for goroutine := range bytes.SplitSeq(text, []byte("\n\n")) {
		var lines strings.Builder
		frames := 0
		for _, f := range stacks.Frames(string(goroutine)) {
			in := strings.HasPrefix(f.Function, ours)
			if frames == most || frames > 0 && !in {
				break
			}
			if in { // else what it calls: the runtime, the standard library
				lines.WriteString(f.Function + " " + f.Place + "\n")
				frames++
			}
		}
		if frames > 0 {
			return lines.String()
		}
	}
	return ""
}
