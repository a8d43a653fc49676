//go:build !linux

package pool

// activity is not known here: a blocked worker runs into its time limit.
func activity(int) (ticks int64, runnable, ok bool) { return 0, false, false }
