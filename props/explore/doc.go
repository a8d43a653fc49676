// Package explore visits every reachable state of a small configuration, breadth first, with the model and a subject in
// lockstep over every transition: results and states are compared and every property is checked, as in a random program, but
// nothing is left to chance. What it finds is a shortest counterexample.
//
// A [Scope] is a configuration and a finite alphabet of operations. Its state space is finite because states are renumbered
// (see canon.go): places by rank, times by their distance from the clock, counters not at all, and because the durations of a
// scope are a few nanoseconds, so that one step of the clock is one nanosecond and "just before", "exactly at" and "just
// after" a deadline are all of them steps.
package explore
