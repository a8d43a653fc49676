//go:build !linux

package bench

import (
	"errors"
	"time"
)

// The benchmark reads CPU clocks and VmHWM, which are Linux's. Elsewhere the package builds, and a case fails.

func processCPU() time.Duration { return 0 }

func threadCPU() time.Duration { return 0 }

func pinPages() {}

func peakRSS() (int64, error) {
	return 0, errors.New("bench: the scale benchmark measures on Linux only")
}
