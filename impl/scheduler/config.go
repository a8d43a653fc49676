package scheduler

import (
	"fmt"
	"math"
	"runtime"
	"strconv"
	"time"
)

// maxCount is the largest count a configuration may hold: every count fits an
// int32 with room for the sums that the scheduler forms.
const maxCount = 1 << 30

// Config holds the scheduler's numbers (section 2 of the rules). Counts are in
// [1, 2^30], durations in [1 ns, 2^63-1 ns]; Validate says which field is not.
type Config struct {
	Slots int // attempts in flight at once
	Share int // attempts in flight at one answering source (SRC-4)

	FetchTimeout time.Duration // an attempt's deadline, from its start
	MarkLifetime time.Duration // how long a mark lasts (CON-3); derived
	ContactTable int           // tracked sources (CON-7)
	Silence      bool          // off: no source is ever silent (CON-1)

	CloseGroup         int // only the derivation of SourceCap reads it
	PaidListCloseGroup int // likewise
	MaxHintSources     int // hint sources of one key (ADV-1)
	SourceCap          int // associated sources of one key (PND-4, ADV-2); derived

	MaxQueued  int // heap and parked keys (PRK-3)
	MaxPending int // pending keys and reservations (PND-3)

	BusyWaitMin       time.Duration // least wait of a busy report (BSY-1)
	BusyWaitMax       time.Duration // greatest, at least BusyWaitMin
	BusyCooldownCap   time.Duration // longest new cooldown (BSY-2)
	BusyMultiplierMax int           // a power of two (BSY-2)
	BusyForgetAfter   time.Duration // age at which a streak is forgotten (BSY-2)
	BusyTable         int           // sources with a busy entry (BSY-6)

	VerifyRetryDelay time.Duration // from returning to pending to ready (OUT-5)

	// HashSeed keys the tables that find keys and peers by name; any value is
	// good. 0, as every node has it, draws secret keys, so that nobody can choose
	// names that collide. By any other value a name is kept in the same place in
	// every process, so that a fault of the tables shows again.
	HashSeed uint64
}

// Defaults returns the production configuration, derived fields included. Who
// changes a field that another derives from sets that one to 0 and calls Derive.
func Defaults() Config {
	c := Config{
		Slots:              runtime.NumCPU(),
		Share:              2,
		FetchTimeout:       30 * time.Second,
		ContactTable:       8192,
		Silence:            true,
		CloseGroup:         7,
		PaidListCloseGroup: 20,
		MaxHintSources:     8,
		MaxQueued:          131072,
		MaxPending:         131072,
		BusyWaitMin:        5 * time.Second,
		BusyWaitMax:        10 * time.Second,
		BusyCooldownCap:    60 * time.Second,
		BusyMultiplierMax:  8,
		BusyForgetAfter:    10 * time.Minute,
		BusyTable:          4096,
		VerifyRetryDelay:   15 * time.Second,
	}
	c.Derive()
	return c
}

// Derive fills the derived fields that are zero: MarkLifetime with
// max(2 × FetchTimeout, 1 s) and SourceCap with CloseGroup + PaidListCloseGroup +
// MaxHintSources. New does not call it: to New a zero is out of range.
func (c *Config) Derive() {
	if c.MarkLifetime == 0 {
		c.MarkLifetime = time.Second
		switch {
		case c.FetchTimeout > math.MaxInt64/2:
			c.MarkLifetime = math.MaxInt64
		case 2*c.FetchTimeout > time.Second:
			c.MarkLifetime = 2 * c.FetchTimeout
		}
	}
	if c.SourceCap == 0 {
		c.SourceCap = c.CloseGroup + c.PaidListCloseGroup + c.MaxHintSources
	}
}

// ConfigError names the field that makes a configuration impossible, its value
// and the range it may have.
type ConfigError struct {
	Field string
	Value any
	Range string
}

// Error says which field, which value, and what is allowed.
func (e *ConfigError) Error() string {
	return fmt.Sprintf("scheduler: %s is %v, must be %s", e.Field, e.Value, e.Range)
}

// Validate returns a *ConfigError for the first field out of its range, or nil.
func (c Config) Validate() error {
	for _, f := range []struct {
		name  string
		value int
	}{
		{"Slots", c.Slots},
		{"Share", c.Share},
		{"ContactTable", c.ContactTable},
		{"CloseGroup", c.CloseGroup},
		{"PaidListCloseGroup", c.PaidListCloseGroup},
		{"MaxHintSources", c.MaxHintSources},
		{"SourceCap", c.SourceCap},
		{"MaxQueued", c.MaxQueued},
		{"MaxPending", c.MaxPending},
		{"BusyMultiplierMax", c.BusyMultiplierMax},
		{"BusyTable", c.BusyTable},
	} {
		if f.value < 1 || f.value > maxCount {
			return &ConfigError{f.name, f.value, "in [1, " + strconv.Itoa(maxCount) + "]"}
		}
	}
	for _, f := range []struct {
		name  string
		value time.Duration
	}{
		{"FetchTimeout", c.FetchTimeout},
		{"MarkLifetime", c.MarkLifetime},
		{"BusyWaitMin", c.BusyWaitMin},
		{"BusyWaitMax", c.BusyWaitMax},
		{"BusyCooldownCap", c.BusyCooldownCap},
		{"BusyForgetAfter", c.BusyForgetAfter},
		{"VerifyRetryDelay", c.VerifyRetryDelay},
	} {
		if f.value < 1 {
			return &ConfigError{f.name, f.value, "at least 1ns"}
		}
	}
	if c.BusyWaitMin > c.BusyWaitMax {
		return &ConfigError{"BusyWaitMin", c.BusyWaitMin, "at most BusyWaitMax, " + c.BusyWaitMax.String()}
	}
	if c.BusyMultiplierMax&(c.BusyMultiplierMax-1) != 0 {
		return &ConfigError{"BusyMultiplierMax", c.BusyMultiplierMax, "a power of two"}
	}
	return nil
}
