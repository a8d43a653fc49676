package responder_test

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"fetchproof/impl/responder"
)

// TestConfigRanges puts every field just outside and just inside its range.
func TestConfigRanges(t *testing.T) {
	fields := reflect.TypeFor[responder.Config]()
	for i := range fields.NumField() {
		field := fields.Field(i)
		if field.Name == "HashSeed" {
			continue // TestHashSeed
		}
		bad, good := []int64{0, -1, 1<<30 + 1}, []int64{1, 1 << 30}
		if field.Type == reflect.TypeFor[time.Duration]() {
			bad, good = []int64{0, -1, math.MinInt64}, []int64{1, math.MaxInt64}
		}
		set := func(v int64) responder.Config {
			c := responder.Defaults()
			reflect.ValueOf(&c).Elem().Field(i).SetInt(v)
			return c
		}
		for _, v := range good {
			if r, err := responder.New(set(v)); err != nil || r.Config() != set(v) {
				t.Errorf("%s = %d: %v", field.Name, v, err)
			}
		}
		for _, v := range bad {
			r, err := responder.New(set(v))
			var ce *responder.ConfigError
			if r != nil || !errors.As(err, &ce) {
				t.Errorf("%s = %d: %v, %v, want a ConfigError", field.Name, v, r, err)
				continue
			}
			if ce.Field != field.Name || reflect.ValueOf(ce.Value).Int() != v || !strings.HasPrefix(ce.Range, "1") {
				t.Errorf("%s = %d: error is %+v", field.Name, v, ce)
			}
			want := fmt.Sprintf("responder: %s is %v, set it within %s", field.Name, ce.Value, ce.Range)
			if s := err.Error(); s != want {
				t.Errorf("%s = %d: text is %q, want %q", field.Name, v, s, want)
			}
		}
	}
}

// TestHashSeed takes any seed, and has none by default, so that the table's keys are
// secret.
func TestHashSeed(t *testing.T) {
	c := responder.Defaults()
	for _, c.HashSeed = range []uint64{0, 1, math.MaxUint64} {
		if r, err := responder.New(c); err != nil || r.Config() != c {
			t.Errorf("HashSeed = %d: %v", c.HashSeed, err)
		}
	}
}

// TestDefaults holds the values of the rules' table.
func TestDefaults(t *testing.T) {
	want := responder.Config{
		PeerShare: 2, Pool: 12, FetchTimeout: 30 * time.Second,
		BusySendPermits: 48, BusyPeerInFlight: 2,
		BusyPeerBurst: 2, BusyPeerRate: 1, BusyGlobalBurst: 32, BusyGlobalRate: 16,
		BusyPeerTable: 4096, BusySendDeadline: 2 * time.Second, Workers: 3,
	}
	if got := responder.Defaults(); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}
