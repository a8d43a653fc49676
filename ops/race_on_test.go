//go:build race

package ops_test

// raceEnabled: the race detector is on, and memory is not what it is without.
const raceEnabled = true
