package ops

import (
	"fmt"
	"strconv"
)

// maxCount bounds every count, so that sums of counts never overflow.
const maxCount = 1 << 30

// configField is one field under its name in the protocol. Exactly one of the three accessors is set.
type configField struct {
	name     string
	count    func(*Config) *int64
	duration func(*Config) *Duration
	flag     func(*Config) *bool
	derived  bool
}

func schedulerCount(name string, at func(*SchedulerConfig) *int64) configField {
	return configField{name: name, count: func(c *Config) *int64 { return at(&c.Scheduler) }}
}

func schedulerDuration(name string, at func(*SchedulerConfig) *Duration) configField {
	return configField{name: name, duration: func(c *Config) *Duration { return at(&c.Scheduler) }}
}

func responderCount(name string, at func(*ResponderConfig) *int64) configField {
	return configField{name: name, count: func(c *Config) *int64 { return at(&c.Responder) }}
}

func responderDuration(name string, at func(*ResponderConfig) *Duration) configField {
	return configField{name: name, duration: func(c *Config) *Duration { return at(&c.Responder) }}
}

func derived(f configField) configField {
	f.derived = true
	return f
}

var schedulerFields = []configField{
	schedulerCount("slots", func(c *SchedulerConfig) *int64 { return &c.Slots }),
	schedulerCount("share", func(c *SchedulerConfig) *int64 { return &c.Share }),
	{name: "silence", flag: func(c *Config) *bool { return &c.Scheduler.Silence }},
	schedulerDuration("fetch_timeout", func(c *SchedulerConfig) *Duration { return &c.FetchTimeout }),
	derived(schedulerDuration("mark_lifetime", func(c *SchedulerConfig) *Duration { return &c.MarkLifetime })),
	schedulerCount("contact_table", func(c *SchedulerConfig) *int64 { return &c.ContactTable }),
	schedulerCount("close_group", func(c *SchedulerConfig) *int64 { return &c.CloseGroup }),
	schedulerCount("paid_list_close_group", func(c *SchedulerConfig) *int64 { return &c.PaidListCloseGroup }),
	schedulerCount("max_hint_sources", func(c *SchedulerConfig) *int64 { return &c.MaxHintSources }),
	derived(schedulerCount("source_cap", func(c *SchedulerConfig) *int64 { return &c.SourceCap })),
	schedulerCount("max_queued", func(c *SchedulerConfig) *int64 { return &c.MaxQueued }),
	schedulerCount("max_pending", func(c *SchedulerConfig) *int64 { return &c.MaxPending }),
	schedulerDuration("busy_wait_min", func(c *SchedulerConfig) *Duration { return &c.BusyWaitMin }),
	schedulerDuration("busy_wait_max", func(c *SchedulerConfig) *Duration { return &c.BusyWaitMax }),
	schedulerDuration("busy_cooldown_cap", func(c *SchedulerConfig) *Duration { return &c.BusyCooldownCap }),
	schedulerCount("busy_multiplier_max", func(c *SchedulerConfig) *int64 { return &c.BusyMultiplierMax }),
	schedulerDuration("busy_forget_after", func(c *SchedulerConfig) *Duration { return &c.BusyForgetAfter }),
	schedulerCount("busy_table", func(c *SchedulerConfig) *int64 { return &c.BusyTable }),
	schedulerDuration("verify_retry_delay", func(c *SchedulerConfig) *Duration { return &c.VerifyRetryDelay }),
	schedulerDuration("pending_max_age", func(c *SchedulerConfig) *Duration { return &c.PendingMaxAge }),
	schedulerDuration("summary_every", func(c *SchedulerConfig) *Duration { return &c.SummaryEvery }),
}

var responderFields = []configField{
	responderCount("peer_share", func(c *ResponderConfig) *int64 { return &c.PeerShare }),
	responderCount("pool", func(c *ResponderConfig) *int64 { return &c.Pool }),
	responderDuration("fetch_timeout", func(c *ResponderConfig) *Duration { return &c.FetchTimeout }),
	responderCount("busy_send_permits", func(c *ResponderConfig) *int64 { return &c.BusySendPermits }),
	responderCount("busy_peer_burst", func(c *ResponderConfig) *int64 { return &c.BusyPeerBurst }),
	responderCount("busy_peer_rate", func(c *ResponderConfig) *int64 { return &c.BusyPeerRate }),
	responderCount("busy_peer_in_flight", func(c *ResponderConfig) *int64 { return &c.BusyPeerInFlight }),
	responderCount("busy_global_burst", func(c *ResponderConfig) *int64 { return &c.BusyGlobalBurst }),
	responderCount("busy_global_rate", func(c *ResponderConfig) *int64 { return &c.BusyGlobalRate }),
	responderDuration("busy_send_deadline", func(c *ResponderConfig) *Duration { return &c.BusySendDeadline }),
	responderCount("busy_peer_table", func(c *ResponderConfig) *int64 { return &c.BusyPeerTable }),
	responderCount("workers", func(c *ResponderConfig) *int64 { return &c.Workers }),
}

func (m Machine) fields() []configField {
	if m == SchedulerMachine {
		return schedulerFields
	}
	return responderFields
}

// text is the field's value as scenario text writes it.
func (f *configField) text(c *Config) string {
	switch {
	case f.count != nil:
		return strconv.FormatInt(*f.count(c), 10)
	case f.duration != nil:
		return f.duration(c).String()
	case *f.flag(c):
		return "on"
	default:
		return "off"
	}
}

// set reads a value as scenario text writes it.
func (f *configField) set(c *Config, value string) error {
	switch {
	case f.count != nil:
		n, err := strconv.ParseInt(value, 10, 64)
		if err != nil {
			return fmt.Errorf("%s=%s: want a whole number", f.name, clip(value))
		}
		*f.count(c) = n
	case f.duration != nil:
		n, err := parseNanos(value)
		if err != nil {
			return fmt.Errorf("%s: %w", f.name, err)
		}
		*f.duration(c) = Duration(n)
	default:
		if value != "on" && value != "off" {
			return fmt.Errorf("%s=%s: want on or off", f.name, clip(value))
		}
		*f.flag(c) = value == "on"
	}
	return nil
}

// Validate reports the first field outside its range as a *ConfigError.
func (c *Config) Validate() error {
	for _, f := range c.Machine.fields() {
		if f.count != nil && (*f.count(c) < 1 || *f.count(c) > maxCount) {
			return &ConfigError{f.name, f.text(c), "1 to 1073741824"}
		}
		if f.duration != nil && *f.duration(c) < 1 {
			return &ConfigError{f.name, f.text(c), "at least 1ns"}
		}
	}
	if c.Machine != SchedulerMachine {
		return nil
	}
	s := &c.Scheduler
	if s.BusyWaitMin > s.BusyWaitMax {
		return &ConfigError{"busy_wait_min", s.BusyWaitMin.String(), "at most busy_wait_max=" + s.BusyWaitMax.String()}
	}
	if s.BusyMultiplierMax&(s.BusyMultiplierMax-1) != 0 {
		return &ConfigError{"busy_multiplier_max", strconv.FormatInt(s.BusyMultiplierMax, 10), "a power of two"}
	}
	return nil
}
