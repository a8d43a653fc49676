package mutswitch

import (
	"slices"
	"testing"
)

func TestSwitch(t *testing.T) {
	defer Set(0, 0)
	for _, c := range []struct {
		active  uint32
		in, on5 bool
	}{{0, false, false}, {3, false, false}, {4, true, false}, {5, true, true}, {6, true, false}, {7, false, false}} {
		Set(c.active, 0)
		if In(4, 3) != c.in || Out(4, 3) == c.in || On(5) != c.on5 {
			t.Errorf("active %d: In %v, Out %v, On(5) %v", c.active, In(4, 3), Out(4, 3), On(5))
		}
	}
}

func TestRecord(t *testing.T) {
	got := Record(10, func() {
		for range 2 {
			if In(7, 2) || In(2, 1) {
				t.Error("a site is on while recording")
			}
			Burn()
		}
	})
	if !slices.Equal(got, []uint32{2, 7}) {
		t.Errorf("recorded %v, want [2 7]", got)
	}
	if Burned() != 2 {
		t.Errorf("burned %d, want 2", Burned())
	}
	if In(7, 2) {
		t.Error("the switch is still on after recording")
	}
}

func TestFuel(t *testing.T) {
	defer Set(0, 0)
	Set(1, 3)
	panics := 0
	for range 5 {
		func() {
			defer func() {
				if recover() == any(Spent{}) {
					panics++
				}
			}()
			Burn()
		}()
	}
	if panics != 2 || !Exhausted() {
		t.Errorf("%d panics (exhausted %v), want 2: three units, five burns", panics, Exhausted())
	}
	Set(1, 3)
	for _, n := range []int{2, 3, 1} {
		for range n {
			Burn()
		}
		Refuel()
	}
	if Burned() != 3 || Exhausted() {
		t.Errorf("burned %d, exhausted %v, want the 3 between two fillings", Burned(), Exhausted())
	}
	Set(1, 3)
	if Exhausted() {
		t.Error("Set did not clear Exhausted")
	}
}
