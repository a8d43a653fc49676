package ops

import (
	"fmt"
	"math/bits"
)

// Config is the configuration of one machine: the numbers of section 2 of the rules. Fields of the other machine are
// ignored.
type Config struct {
	Machine   Machine
	Scheduler SchedulerConfig
	Responder ResponderConfig
}

// SchedulerConfig is what section 2 lists for the scheduler. Counts are at least 1 and at most 2^30, durations at least 1
// nanosecond.
type SchedulerConfig struct {
	Slots, Share                                  int64
	FetchTimeout, MarkLifetime                    Duration
	ContactTable                                  int64
	CloseGroup, PaidListCloseGroup                int64
	MaxHintSources, SourceCap                     int64
	MaxQueued, MaxPending                         int64
	Silence                                       bool
	BusyWaitMin, BusyWaitMax, BusyCooldownCap     Duration
	BusyMultiplierMax                             int64 // a power of two
	BusyForgetAfter                               Duration
	BusyTable                                     int64
	VerifyRetryDelay, PendingMaxAge, SummaryEvery Duration
}

// ResponderConfig is what section 2 lists for the responder. Rates are whole tokens per second.
type ResponderConfig struct {
	PeerShare, Pool                 int64
	FetchTimeout                    Duration
	BusySendPermits                 int64
	BusyPeerBurst, BusyPeerRate     int64
	BusyPeerInFlight                int64
	BusyGlobalBurst, BusyGlobalRate int64
	BusySendDeadline                Duration
	BusyPeerTable, Workers          int64
}

// DefaultSlots stands for "hardware threads" wherever a scenario does not say, so that it means the same everywhere.
const DefaultSlots = 8

// DefaultConfig is section 2's table for machine m, with DefaultSlots.
func DefaultConfig(m Machine) Config {
	s := SchedulerConfig{
		Slots: DefaultSlots, Share: 2, FetchTimeout: 30 * Second, ContactTable: 8192, CloseGroup: 7, PaidListCloseGroup: 20,
		MaxHintSources: 8, MaxQueued: 131072, MaxPending: 131072, Silence: true, BusyWaitMin: 5 * Second, BusyWaitMax: 10 * Second,
		BusyCooldownCap: 60 * Second, BusyMultiplierMax: 8, BusyForgetAfter: 10 * Minute, BusyTable: 4096,
		VerifyRetryDelay: 15 * Second, PendingMaxAge: 30 * Minute, SummaryEvery: 5 * Minute,
	}
	s.Derive()
	r := ResponderConfig{
		PeerShare: 2, Pool: 12, FetchTimeout: 30 * Second, BusySendPermits: 48, BusyPeerBurst: 2, BusyPeerRate: 1,
		BusyPeerInFlight: 2, BusyGlobalBurst: 32, BusyGlobalRate: 16, BusySendDeadline: 2 * Second, BusyPeerTable: 4096, Workers: 3,
	}
	return Config{Machine: m, Scheduler: s, Responder: r}
}

// Derive sets MarkLifetime and SourceCap from the fields that section 2 derives them from.
func (c *SchedulerConfig) Derive() {
	c.MarkLifetime = c.FetchTimeout
	if sum, carry := bits.Add64(uint64(c.FetchTimeout), uint64(c.FetchTimeout), 0); carry == 0 && sum < 1<<63 {
		c.MarkLifetime = Duration(sum)
	} else if c.FetchTimeout > 0 {
		c.MarkLifetime = 1<<63 - 1
	}
	c.MarkLifetime = max(c.MarkLifetime, Second)
	c.SourceCap = c.CloseGroup + c.PaidListCloseGroup + c.MaxHintSources
}

// ConfigError is a value outside its range.
type ConfigError struct {
	Field string // snake case, as in the protocol
	Value string
	Range string
}

// Error names the field, the value and the range.
func (e *ConfigError) Error() string {
	return fmt.Sprintf("%s=%s: want %s", e.Field, e.Value, e.Range)
}
