package subject

import (
	"errors"
	"strings"
	"testing"
	"time"

	"fetchproof/ops"
)

// stubborn is a subject that does not return from a fill until it is told to.
type stubborn struct {
	Forker
	entered, leave chan struct{}
}

func (s *stubborn) Apply(op *ops.Op, res *ops.Result) error {
	if op.Kind == ops.Fill {
		s.entered <- struct{}{}
		<-s.leave
	}
	return s.Forker.Apply(op, res)
}

// A subject that is in one call for as many looks as there is patience is stuck; one that is in another call each time, or in
// none, is not, however many looks there are.
func TestWatch(t *testing.T) {
	s := &stubborn{NewBuiltin(), make(chan struct{}), make(chan struct{})}
	var w Watch
	made, err := w.Over(func() (Subject, error) { return s, nil })()
	if err != nil {
		t.Fatal(err)
	}
	config := ops.DefaultConfig(ops.SchedulerMachine)
	if err := made.Init(&config); err != nil {
		t.Fatal(err)
	}
	const patience = 3
	look := func(n int) {
		t.Helper()
		for range n {
			if stuck := w.tick(patience); stuck != nil {
				t.Fatalf("too soon: stuck in %s", stuck.Op.String())
			}
		}
	}
	done := make(chan error)
	go func() {
		var res ops.Result
		for range 3 {
			done <- made.Apply(&ops.Op{Kind: ops.Fill}, &res)
		}
	}()
	leave := func() {
		t.Helper()
		s.leave <- struct{}{}
		if err := <-done; err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		<-s.entered
		look(patience - 1)
		leave()
	}
	<-s.entered
	look(patience - 1)
	if stuck := w.tick(patience); stuck == nil || stuck.Op.Kind != ops.Fill {
		t.Fatalf("stuck in %v, want a fill", stuck)
	}
	leave()
	look(2 * patience)
}

// During returns when the work does, or when a subject is stuck.
func TestDuring(t *testing.T) {
	s := &stubborn{NewBuiltin(), make(chan struct{}, 1), make(chan struct{})}
	var w Watch
	ran := false
	if stuck := w.During(func() { ran = true }, nil, 1); stuck != nil || !ran {
		t.Errorf("ran %t, stuck %v", ran, stuck)
	}
	ever := make(chan time.Time)
	close(ever) // ticks on end
	back := make(chan error)
	stuck := w.During(func() {
		made, err := w.Over(func() (Subject, error) { return s, nil })()
		config := ops.DefaultConfig(ops.SchedulerMachine)
		back <- errors.Join(err, made.Init(&config), made.Apply(&ops.Op{Kind: ops.Fill}, new(ops.Result)))
	}, ever, 1000)
	if stuck == nil {
		t.Error("not stuck")
	}
	s.leave <- struct{}{} // it goes on in the background
	if err := <-back; err != nil {
		t.Error(err)
	}
}

// What is shown of the stacks is where in the implementation the call is, whatever the implementation calls.
func TestImplementationFrames(t *testing.T) {
	got := implementation([]byte(`goroutine 1 [chan receive]:
main.main()
	/src/cmd/main.go:9 +0x1f

goroutine 7 [runnable]:
slices.Index[...](...)
	/go/src/slices/slices.go:90
fetchproof/impl/scheduler.(*list).next(...)
	/src/impl/scheduler/list.go:12
fetchproof/impl/scheduler.(*Scheduler).Fill(0xc00012, {0x1, 0x2})
	/src/impl/scheduler/fill.go:40 +0x2a
fetchproof/props/subject.(*Scheduler).Apply(0xc00034)
	/src/props/subject/scheduler.go:70 +0x5c
`))
	const want = `fetchproof/impl/scheduler.(*list).next /src/impl/scheduler/list.go:12
fetchproof/impl/scheduler.(*Scheduler).Fill /src/impl/scheduler/fill.go:40
`
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if text := implementation(all()); text != "" || !strings.Contains(string(all()), "TestImplementationFrames") {
		t.Errorf("no goroutine is in the implementation: %s", text)
	}
}
