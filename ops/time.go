package ops

import (
	"fmt"
	"time"
)

// Time is an instant in nanoseconds since an origin of the caller's choice. The largest is 2^63-1 (DET-4).
type Time int64

// Duration is a length of time in nanoseconds.
type Duration int64

// Durations to reckon with.
const (
	Second = Duration(time.Second)
	Minute = Duration(time.Minute)
)

// String is the time since the origin as Go writes a duration, such as 1m30s.
func (t Time) String() string { return time.Duration(t).String() }

// String is the duration as Go writes one.
func (d Duration) String() string { return time.Duration(d).String() }

func parseNanos(s string) (int64, error) {
	d, err := time.ParseDuration(s)
	if err != nil {
		return 0, fmt.Errorf("time %q: want a duration such as 5s, 1m30s or 250ms", clip(s))
	}
	return int64(d), nil
}
