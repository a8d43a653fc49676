package stacks_test

import (
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"fetchproof/internal/stacks"
)

func TestFrames(t *testing.T) {
	got := stacks.Frames(`goroutine 7 [runnable]:
slices.Index[...](...)
	/go/src/slices/slices.go:90
fetchproof/impl/scheduler.(*Scheduler).Fill(0xc00012, {0x1, 0x2})
	/src/impl/scheduler/fill.go:40 +0x2a
panic({0x100, 0x200})
	/go/src/runtime/panic.go:860 +0x13a
`)
	want := []stacks.Frame{
		{"slices.Index[...]", "/go/src/slices/slices.go:90"},
		{"fetchproof/impl/scheduler.(*Scheduler).Fill", "/src/impl/scheduler/fill.go:40"},
		{"panic", "/go/src/runtime/panic.go:860"},
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	own := stacks.Frames(string(debug.Stack()))
	if !slices.ContainsFunc(own, func(f stacks.Frame) bool {
		return strings.HasSuffix(f.Function, ".TestFrames") && strings.Contains(f.Place, "stacks_test.go:")
	}) {
		t.Errorf("this test is not on its own stack: %v", own)
	}
}
