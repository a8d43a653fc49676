package main

import (
	"fetchproof/mutants/worker"
	"fetchproof/props/golden"
)

// vectors holds the wire format against the golden vectors; a check is a vector's id, and a step a vector.
func vectors(p worker.Params) *worker.Failure {
	_, miss, err := golden.Check(p.Check)
	switch {
	case err != nil:
		return &worker.Failure{Check: "vectors", Message: err.Error()}
	case miss != nil:
		return &worker.Failure{Check: miss.ID, Message: miss.Message, Steps: miss.Number}
	}
	return nil
}
