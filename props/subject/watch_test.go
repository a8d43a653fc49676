package subject

import (
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

// A subject that is in one call for as many ticks as there is patience is stuck; one that is in another call each time, or in
// none, is not, however many ticks there are.
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
	ticks := make(chan time.Time)
	told := make(chan *Stuck)
	finish := make(chan struct{})
	go func() {
		told <- w.During(func() {
			var res ops.Result
			for range 3 {
				if err := made.Apply(&ops.Op{Kind: ops.Fill}, &res); err != nil {
					t.Error(err)
				}
			}
			<-finish
		}, ticks, 3)
	}()
	tick := func(n int) {
		for range n {
			ticks <- time.Time{}
		}
	}
	for range 2 {
		<-s.entered
		tick(2)
		s.leave <- struct{}{}
	}
	<-s.entered
	tick(3)
	stuck := <-told
	if stuck == nil || stuck.Op.Kind != ops.Fill {
		t.Fatalf("stuck in %+v, want a fill", stuck)
	}
	s.leave <- struct{}{}
	close(finish)
	if stuck := w.During(func() { tick(5) }, ticks, 3); stuck != nil {
		t.Errorf("stuck in %+v, and nothing is called", stuck)
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
	if text := implementation(stacks()); text != "" || !strings.Contains(string(stacks()), "TestImplementationFrames") {
		t.Errorf("no goroutine is in the implementation: %s", text)
	}
}
