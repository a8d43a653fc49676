package responder

import (
	"fmt"
	"math"
	"time"
)

// maxCount is the largest count or rate that a Config may hold. It keeps a
// bucket's whole burst, in nanoseconds, below 2^61 (see bucket).
const maxCount = 1 << 30

// Config holds the bounds of a responder. Counts are 1 to 2^30, rates are
// whole tokens per second from 1 to 2^30, durations are 1 ns to 2^63-1 ns.
type Config struct {
	// PeerShare is how many requests of one peer hold a place at once (RSP-1).
	PeerShare int
	// Pool is how many requests hold a place at once, over all peers (RSP-1).
	Pool int
	// FetchTimeout is the age at which a request that still waits for a worker
	// is shed (RSP-2).
	FetchTimeout time.Duration

	// BusySendPermits is how many busy replies are being sent at once (RSP-5).
	BusySendPermits int
	// BusyPeerInFlight is how many busy replies are being sent to one peer at
	// once (RSP-5).
	BusyPeerInFlight int
	// BusyPeerBurst is the size of a peer's token bucket (RSP-5).
	BusyPeerBurst int
	// BusyPeerRate refills a peer's bucket, in tokens per second (RSP-5).
	BusyPeerRate int
	// BusyGlobalBurst is the size of the bucket that all peers share (RSP-5).
	BusyGlobalBurst int
	// BusyGlobalRate refills the shared bucket, in tokens per second (RSP-5).
	BusyGlobalRate int
	// BusyPeerTable is how many peers the limiter remembers (RSP-7).
	BusyPeerTable int

	// BusySendDeadline is how long a busy send may take (RSP-6). The caller
	// keeps it: the machine has no timer.
	BusySendDeadline time.Duration
	// Workers is how many goroutines of the caller serve admitted requests
	// (RSP-2). The machine does not use it.
	Workers int

	// HashSeed keys the table that finds the limiter's peers by name; any value is
	// good. 0, which every node uses, draws secret keys, so that nobody can
	// choose names that collide. With any other value a name has the same place
	// in every process, so that a fault of the table shows again.
	HashSeed uint64
}

// Defaults returns the configuration for production.
func Defaults() Config {
	return Config{
		PeerShare:        2,
		Pool:             12,
		FetchTimeout:     30 * time.Second,
		BusySendPermits:  48,
		BusyPeerInFlight: 2,
		BusyPeerBurst:    2,
		BusyPeerRate:     1,
		BusyGlobalBurst:  32,
		BusyGlobalRate:   16,
		BusyPeerTable:    4096,
		BusySendDeadline: 2 * time.Second,
		Workers:          3,
	}
}

// ConfigError says which field of a Config is out of its range.
type ConfigError struct {
	Field string // the field's name
	Value any    // what it holds, an int or a time.Duration
	Range string // what it may hold
}

// Error names the field, the value and the range.
func (e *ConfigError) Error() string {
	return fmt.Sprintf("responder: %s is %v, set it within %s", e.Field, e.Value, e.Range)
}

// Validate returns a *ConfigError for the first field, in the order of the
// declaration, that is out of its range.
func (c Config) Validate() error {
	checks := []*ConfigError{
		count("PeerShare", c.PeerShare),
		count("Pool", c.Pool),
		duration("FetchTimeout", c.FetchTimeout),
		count("BusySendPermits", c.BusySendPermits),
		count("BusyPeerInFlight", c.BusyPeerInFlight),
		count("BusyPeerBurst", c.BusyPeerBurst),
		count("BusyPeerRate", c.BusyPeerRate),
		count("BusyGlobalBurst", c.BusyGlobalBurst),
		count("BusyGlobalRate", c.BusyGlobalRate),
		count("BusyPeerTable", c.BusyPeerTable),
		duration("BusySendDeadline", c.BusySendDeadline),
		count("Workers", c.Workers),
	}
	for _, failed := range checks {
		if failed != nil {
			return failed
		}
	}
	return nil
}

func count(field string, value int) *ConfigError {
	if value >= 1 && value <= maxCount {
		return nil
	}
	return &ConfigError{Field: field, Value: value, Range: fmt.Sprintf("1 to %d", maxCount)}
}

func duration(field string, value time.Duration) *ConfigError {
	if value >= 1 {
		return nil
	}
	return &ConfigError{Field: field, Value: value, Range: fmt.Sprintf("1ns to %v", time.Duration(math.MaxInt64))}
}
