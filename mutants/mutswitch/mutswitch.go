// Package mutswitch is the run-time half of compiled mutants: one process-wide switch that says which mutant is active,
// a record of which sites ran, and the fuel that ends runaway loops.
//
// Only sources rewritten by mutants/engine and the worker that drives them use it; nothing in the product imports it. The
// switch is set while no mutated code runs. Sites of concurrent code may mark themselves and burn fuel at the same time:
// a lost count there is harmless, as coverage only ever stores true and fuel is a bound, not a measurement.
package mutswitch

import "slices"

// recording is the value of the switch during a baseline: no mutant has this index.
const recording = ^uint32(0)

// unlimited is the fuel of a run that is only measured.
const unlimited = int64(1) << 62

var (
	active uint32 // index of the active mutant; 0 is none
	seen   []bool // by the first index of a site, while recording
	fuel   int64  = unlimited
	given  int64  = unlimited
	most   int64  // used between two fillings
	spent  bool
)

// In reports whether the active mutant is one of the n (at least 1) that start at index lo: the guard of a site. While
// recording it notes that the site ran, and is false.
func In(lo, n uint32) bool {
	if active-lo < n {
		return true
	}
	if active == recording {
		seen[lo] = true
	}
	return false
}

// On reports whether mutant index is the active one. It records nothing: it stands inside a site guarded by [In].
func On(index uint32) bool { return active == index }

// Out is the negation of [In] that records nothing: the other half of a guarded condition.
func Out(lo, n uint32) bool { return active-lo >= n }

// Burn takes one unit of fuel: it stands at the head of every loop body and of every function that calls others. It
// panics with [Spent] when the tank is empty, and again each time after that, so that recovering does not help.
func Burn() {
	if fuel--; fuel < 0 {
		exhaust()
	}
}

// Spent is the panic value of a run out of fuel.
type Spent struct{}

// Error makes a crash by an unrecovered Spent recognisable in a stack trace.
func (Spent) Error() string { return SpentMessage }

// SpentMessage is the text of [Spent].
const SpentMessage = "mutswitch: out of fuel"

func exhaust() {
	spent = true
	panic(Spent{})
}

// Set activates the mutant with this index (0: none) with so much fuel (0 or less: unlimited), and clears [Exhausted].
func Set(index uint32, limit int64) {
	if limit <= 0 {
		limit = unlimited
	}
	active, fuel, given, most, spent = index, limit, limit, 0, false
}

// Refuel fills the tank up to what [Set] gave, unless it ran out.
func Refuel() {
	if !spent {
		most = Burned()
		fuel = given
	}
}

// Exhausted reports whether fuel ran out since the last [Set], even if the panic was recovered on the way.
func Exhausted() bool { return spent }

// Burned is the most fuel used between two fillings since the last [Set].
func Burned() int64 { return max(most, given-fuel) }

// Record runs the unmutated code with unlimited fuel and returns the sites (by first index, ascending, below size) that
// it executed. size is one more than the greatest index compiled in.
func Record(size int, run func()) []uint32 {
	seen = make([]bool, size)
	Set(recording, 0)
	defer func() {
		active = 0
		seen = nil
	}()
	run()
	var sites []uint32
	for i, hit := range seen {
		if hit {
			sites = append(sites, uint32(i))
		}
	}
	return slices.Clip(sites)
}
