package golden_test

import (
	"testing"

	"fetchproof/props/golden"
)

// All vectors hold, and each can be asked for by itself.
func TestCheck(t *testing.T) {
	all, miss, err := golden.Check("")
	if err != nil || miss != nil || all < 150 {
		t.Fatalf("%d held, %+v, %v", all, miss, err)
	}
	for only, want := range map[string]int{"M71": 1, "E47": 1, "none": 0} {
		if held, miss, err := golden.Check(only); held != want || miss != nil || err != nil {
			t.Errorf("%s: %d held, %+v, %v", only, held, miss, err)
		}
	}
}
