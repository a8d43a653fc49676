// Package flaky is tested by a test that may fail for no reason of its own.
package flaky

// Ready is true.
func Ready() bool { return true }
