package scheduler

import (
	"math"
	"reflect"
	"runtime"
	"testing"
	"time"
)

// TestDefaults: the production configuration is the table of section 2.
func TestDefaults(t *testing.T) {
	want := Config{
		Slots: runtime.NumCPU(), Share: 2,
		FetchTimeout: 30 * time.Second, MarkLifetime: time.Minute, ContactTable: 8192, Silence: true,
		CloseGroup: 7, PaidListCloseGroup: 20, MaxHintSources: 8, SourceCap: 35,
		MaxQueued: 131072, MaxPending: 131072,
		BusyWaitMin: 5 * time.Second, BusyWaitMax: 10 * time.Second,
		BusyCooldownCap: time.Minute, BusyMultiplierMax: 8, BusyForgetAfter: 10 * time.Minute, BusyTable: 4096,
		VerifyRetryDelay: 15 * time.Second,
	}
	if got := Defaults(); got != want {
		t.Errorf("%+v\nwant %+v", got, want)
	}
}

// TestDerive: what is zero is derived as section 2 has it, what is set stays.
func TestDerive(t *testing.T) {
	for _, c := range []struct{ timeout, want time.Duration }{
		{0, time.Second},
		{1, time.Second},
		{400 * time.Millisecond, time.Second},
		{500 * time.Millisecond, time.Second},
		{500*time.Millisecond + 1, time.Second + 2},
		{700 * time.Millisecond, 1400 * time.Millisecond},
		{math.MaxInt64/2 - 1, math.MaxInt64 - 3},
		{math.MaxInt64 / 2, math.MaxInt64 - 1},
		{math.MaxInt64/2 + 1, math.MaxInt64},
		{math.MaxInt64, math.MaxInt64},
	} {
		cfg := Config{FetchTimeout: c.timeout, CloseGroup: 3, PaidListCloseGroup: 50, MaxHintSources: 700}
		cfg.Derive()
		if cfg.MarkLifetime != c.want || cfg.SourceCap != 753 {
			t.Errorf("timeout %d: marks last %d, want %d; source cap %d", c.timeout, cfg.MarkLifetime, c.want, cfg.SourceCap)
		}
	}
	set := Config{FetchTimeout: time.Hour, MarkLifetime: 7, SourceCap: 9, CloseGroup: 1}
	was := set
	if set.Derive(); set != was {
		t.Errorf("%+v was %+v", set, was)
	}
}

// TestConfigRanges: every count is from 1 to 2^30 and every duration at least 1 ns,
// and the error says which field is not. Section 2.
func TestConfigRanges(t *testing.T) {
	const counts, durations = 11, 7
	counted, timed := 0, 0
	typ := reflect.TypeFor[Config]()
	for i := range typ.NumField() {
		field := typ.Field(i)
		try := func(value int64, want string) {
			t.Helper()
			cfg := Defaults()
			cfg.BusyWaitMin = 1 // so that each value of BusyWaitMax is right
			if field.Name == "BusyWaitMin" {
				cfg.BusyWaitMax = math.MaxInt64
			}
			reflect.ValueOf(&cfg).Elem().Field(i).SetInt(value)
			got := ""
			if err := cfg.Validate(); err != nil {
				got = err.Error()
			}
			if got != want {
				t.Errorf("%s %d: %q, want %q", field.Name, value, got, want)
			}
		}
		switch field.Type {
		case reflect.TypeFor[int]():
			counted++
			for _, bad := range []struct {
				value int64
				text  string
			}{{0, "0"}, {-1, "-1"}, {1<<30 + 1, "1073741825"}} {
				try(bad.value, "scheduler: "+field.Name+" is "+bad.text+", must be in [1, 1073741824]")
			}
			try(1, "")
			try(1<<30, "")
		case reflect.TypeFor[time.Duration]():
			timed++
			try(0, "scheduler: "+field.Name+" is 0s, must be at least 1ns")
			try(-1, "scheduler: "+field.Name+" is -1ns, must be at least 1ns")
			try(1, "")
			try(math.MaxInt64, "")
		}
	}
	for _, seed := range []uint64{0, 1, math.MaxUint64} {
		cfg := Defaults()
		cfg.HashSeed = seed
		if err := cfg.Validate(); err != nil {
			t.Errorf("HashSeed %d: %v", seed, err)
		}
	}
	if counted != counts || timed != durations {
		t.Errorf("%d counts and %d durations, want %d and %d", counted, timed, counts, durations)
	}
}

// TestConfigRelations: what two fields must be to each other, and which counts are
// powers of two. Section 2.
func TestConfigRelations(t *testing.T) {
	for _, c := range []struct {
		least, most time.Duration
		multiplier  int
		want        string
	}{
		{5, 5, 1, ""},
		{5, 6, 2, ""},
		{7, 6, 2, "scheduler: BusyWaitMin is 7ns, must be at most BusyWaitMax, 6ns"},
		{1, 1, 1 << 30, ""},
		{1, 1, 3, "scheduler: BusyMultiplierMax is 3, must be a power of two"},
		{1, 1, 6, "scheduler: BusyMultiplierMax is 6, must be a power of two"},
	} {
		cfg := Defaults()
		cfg.BusyWaitMin, cfg.BusyWaitMax, cfg.BusyMultiplierMax = c.least, c.most, c.multiplier
		got := ""
		if _, err := New(cfg); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%v to %v, %d: %q, want %q", c.least, c.most, c.multiplier, got, c.want)
		}
	}
}
