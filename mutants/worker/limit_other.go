//go:build !linux

package worker

// limitMemory does nothing: only Linux bounds an address space in a way that the Go runtime honours.
func limitMemory() {}
