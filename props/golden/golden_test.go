package golden_test

import (
	"math"
	"testing"

	"fetchproof/props/golden"
)

// All vectors hold, and each can be asked for by itself.
func TestCheck(t *testing.T) {
	all, miss, err := golden.Check("", math.MaxInt)
	if err != nil || miss != nil || all < 190 {
		t.Fatalf("%d held, %+v, %v", all, miss, err)
	}
	if some, miss, err := golden.Check("", 1<<16); err != nil || miss != nil || some >= all || some < 150 {
		t.Errorf("%d of at most 64 KiB held, %+v, %v", some, miss, err)
	}
	for only, want := range map[string]int{"M71": 1, "E47": 1, "none": 0} {
		if held, miss, err := golden.Check(only, math.MaxInt); held != want || miss != nil || err != nil {
			t.Errorf("%s: %d held, %+v, %v", only, held, miss, err)
		}
	}
}
