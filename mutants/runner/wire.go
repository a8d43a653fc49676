package main

import (
	"fetchproof/mutants/worker"
	"fetchproof/props/golden"
)

// vectorLimit, in bytes, leaves out vectors that are large only to be too large: they take long and catch what the package's
// own tests catch.
const vectorLimit = 64 << 10

// vectors holds the wire format against the golden vectors; a check is a vector's id, and a step a vector.
func vectors(p worker.Params) *worker.Failure {
	_, miss, err := golden.Check(p.Check, vectorLimit)
	switch {
	case err != nil:
		return &worker.Failure{Check: "vectors", Message: err.Error()}
	case miss != nil:
		return &worker.Failure{Check: miss.ID, Message: miss.Message, Steps: miss.Number}
	}
	return nil
}
