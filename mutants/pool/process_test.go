package pool

import (
	"context"
	"errors"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"fetchproof/mutants/mutswitch"
	"fetchproof/mutants/worker"
)

// The test binary is its own worker.
func TestMain(m *testing.M) {
	if os.Getenv(worker.EnvWorker) == "" {
		os.Exit(m.Run())
	}
	layer := func(name string, run func()) worker.Layer {
		return worker.Layer{Name: name, Budget: 1, Run: func(worker.Params) *worker.Failure { run(); return nil }}
	}
	elsewhere := func(f func()) func() {
		return func() {
			done := make(chan struct{})
			go func() { defer close(done); f() }()
			<-done
		}
	}
	worker.Main(
		layer("good", func() {}),
		layer("crash", elsewhere(func() { panic("boom") })),
		layer("fuel", elsewhere(func() {
			for {
				mutswitch.Burn()
			}
		})),
		layer("busy", func() {
			for x := uint64(1); x != 0; x = x<<1 | 1 {
			}
		}),
		layer("blocked", func() { select {} }),
		layer("deadlock", func() {
			done := make(chan struct{})
			go func() { defer close(done); lockTwice() }()
			<-done
		}),
		layer("killed", func() { os.Exit(9) }),
	)
}

func lockTwice() {
	var mu sync.Mutex
	mu.Lock()
	mu.Lock()
}

func TestDo(t *testing.T) {
	for _, c := range []struct {
		layer string
		limit time.Duration
		want  func(error) bool
	}{
		{"good", time.Minute, func(err error) bool { return err == nil }},
		{"crash", time.Minute, func(err error) bool {
			c := crashOf(err)
			return c.Panic && !c.OutOfFuel() && c.Reason() == "panic: boom"
		}},
		{"fuel", time.Minute, func(err error) bool { return crashOf(err).OutOfFuel() }},
		{"busy", 300 * time.Millisecond, func(err error) bool { return errors.Is(err, ErrTimeout) && !errors.Is(err, ErrBlocked) }},
		{"blocked", time.Minute, func(err error) bool { return errors.Is(err, ErrBlocked) }},
		{"deadlock", time.Minute, func(err error) bool {
			var d *Deadlock
			return errors.As(err, &d) && strings.HasSuffix(d.Where, "pool.lockTwice")
		}},
		{"killed", time.Minute, func(err error) bool { c := crashOf(err); return c.Output == "" && !c.Panic }},
	} {
		t.Run(c.layer, func(t *testing.T) {
			t.Parallel()
			if _, _, ok := activity(os.Getpid()); !ok && (c.layer == "blocked" || c.layer == "deadlock") {
				t.Skip("nobody can tell here whether a process is blocked")
			}
			p, err := Start(t.Context(), os.Args[0], t.TempDir(), t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			defer p.Close()
			fuel := map[string]int64{"fuel": 1000}
			req := worker.Request{Op: worker.OpRun, Scale: 100, Tasks: []worker.Task{{Layer: c.layer, Fuel: fuel[c.layer]}}}
			if _, err := p.Do(t.Context(), req, c.limit); !c.want(err) {
				t.Errorf("got %v", err)
			}
		})
	}
}

// crashOf is the crash in err; one that fits nothing if there is none.
func crashOf(err error) *Crash {
	var c *Crash
	if !errors.As(err, &c) {
		return &Crash{Output: "no crash"}
	}
	return c
}

func TestDoEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	p, err := Start(ctx, os.Args[0], t.TempDir(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	time.AfterFunc(50*time.Millisecond, cancel)
	_, err = p.Do(ctx, worker.Request{Op: worker.OpRun, Scale: 100, Tasks: []worker.Task{{Layer: "blocked"}}}, time.Minute)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestReason(t *testing.T) {
	c := &Crash{Output: "noise\nfatal error: stack overflow\n\ngoroutine 1 [running]:\n"}
	if got := c.Error(); !strings.HasSuffix(got, "fatal error: stack overflow") {
		t.Errorf("got %q", got)
	}
}
