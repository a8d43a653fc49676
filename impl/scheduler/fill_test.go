package scheduler

import (
	"slices"
	"testing"
)

// TestChooseNone: without a source that can start the choice is -1.
func TestChooseNone(t *testing.T) {
	f := newFix(t, nil)
	f.put(1, "A")
	f.put(2, "A")
	f.fill("1A#1")
	k := key(2)
	if pos := f.choose(f.findKey(&k, f.names.Of(k[:]))); pos != -1 {
		t.Errorf("chose %d", pos)
	}
}

// TestPassThatStartsNothing: a pass in which nothing starts, because nothing can or
// after a stop, gives back the list as it was. FIL-4, OUT-8.
func TestPassThatStartsNothing(t *testing.T) {
	f := newFix(t, nil)
	held := []Start{{Key: key(9), Attempt: 7}}
	if got := f.Fill(0, held); !slices.Equal(got, held) {
		t.Errorf("without keys: %v", got)
	}
	f.put(1, "A")
	f.Stop(0)
	if got := f.Fill(0, held); !slices.Equal(got, held) {
		t.Errorf("after a stop: %v", got)
	}
}
