package nettest

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"pgregory.net/rapid"

	"fetchproof/impl/node"
	"fetchproof/impl/responder"
	"fetchproof/impl/scheduler"
)

// TestRandomNetworks runs networks of random shape, latency, loss and holders, under random policies and mixes of them, and
// holds the properties that must hold in all of them. The networks are the same each time, unless RAPID_SEED asks for
// others; the schedules are not.
func TestRandomNetworks(t *testing.T) {
	runs, stored := 0, 0
	var dir string // of the traces of the last failure, which is the smallest
	rapid.Check(t, func(rt *rapid.T) {
		s, policy := drawScenario(rt)
		var r *Result
		var err error
		rapid.SyncTest(rt, func(*rapid.T) {
			r, err = Execute(context.Background(), s, policy, s.simulated(), slog.New(slog.DiscardHandler))
		})
		runs++
		if err == nil {
			stored += r.Stored
			err = errors.Join(fetched(&s, r), bounded(&s, r), charged(r))
		}
		if err != nil {
			rt.Fatalf("%s, %+v: %v\n%s", policy, s, err, saved(&dir, r))
		}
	})
	least := 10
	if testing.Short() {
		least = 5 // rapid makes a fifth of its checks then
	}
	if runs < least || stored < runs {
		t.Errorf("%d networks with %d records stored: too few to mean anything", runs, stored)
	}
}

var policies = named(node.Before, node.Share, node.Busy, node.ShareAndBusy)

func drawScenario(rt *rapid.T) (Scenario, string) {
	ms := func(label string, most int) Duration {
		return Duration(time.Duration(rapid.IntRange(0, most).Draw(rt, label)) * time.Millisecond)
	}
	s := Scenario{
		Name: "random", Seed: rapid.Uint64Max(1<<20).Draw(rt, "seed"),
		Requesters: rapid.IntRange(1, 3).Draw(rt, "requesters"),
		Keys:       rapid.IntRange(1, 10).Draw(rt, "keys"),
		RecordSize: rapid.SampledFrom([]int{16, 100, 5_000, 60_000}).Draw(rt, "size"),
		Slots:      rapid.IntRange(1, 8).Draw(rt, "slots"),
		Timeout:    Duration(time.Duration(rapid.IntRange(1, 5).Draw(rt, "timeout")) * time.Second),
		Order:      rapid.SampledFrom([]Order{AsListed, Rotated, Shuffled, FirstFixed}).Draw(rt, "order"),
		Latency:    ms("latency", 60), Jitter: ms("jitter", 20),
		Loss: rapid.SampledFrom([]float64{0, 0, 0.01, 0.1}).Draw(rt, "loss"),
	}
	if s.Loss == 0.1 { // or a large record seldom comes through within its timeout, and cannot be fetched in that sense
		s.RecordSize, s.Timeout = min(s.RecordSize, 5_000), max(s.Timeout, Duration(3*time.Second))
	}
	does := []Behaviour{Serving, Serving, Serving, Silent, Dead, Lying, Empty, Leaving, Departing, Restarting}
	for i := range rapid.IntRange(1, 5).Draw(rt, "holders") {
		h := Holder{Does: rapid.SampledFrom(does).Draw(rt, fmt.Sprintf("holder %d", i))}
		if h.Does == Serving || h.Does == Leaving || h.Does == Restarting {
			h.Slow, h.Gate = ms("slow", 100), ms("gate", 2000)
		}
		h.At, h.Back = ms("at", 500), ms("back", 5000)
		s.Holders = append(s.Holders, h)
		s.Verified = s.Verified || h.Does == Serving || h.Does == Restarting // then every key can be fetched in the end
	}
	s.HolderPolicy = rapid.SampledFrom(append(policies, "")).Draw(rt, "holders' policy")
	return s, rapid.SampledFrom(policies).Draw(rt, "policy")
}

// fetched: all that can be fetched is stored. Without a holder that serves, nothing is asked but that the run ended.
func fetched(s *Scenario, r *Result) error {
	if s.Verified && (r.Stored != r.Keys || r.Bytes != uint64(r.Keys*s.RecordSize)) {
		return fmt.Errorf("stored %d of %d records, %d bytes", r.Stored, r.Keys, r.Bytes)
	}
	return nil
}

// bounded: no responder has more places taken than its share and its pool, and no requester more attempts than its slots.
func bounded(s *Scenario, r *Result) error {
	cfg := responder.Defaults()
	for i, h := range r.Holders {
		if h.MostPlaces > cfg.Pool || h.MostPlacesOfPeer > cfg.PeerShare {
			return fmt.Errorf("holder %d had %d places taken, %d by one peer", i, h.MostPlaces, h.MostPlacesOfPeer)
		}
	}
	if r.MostInFlight > s.Slots {
		return fmt.Errorf("%d attempts in flight, with %d slots", r.MostInFlight, s.Slots)
	}
	return nil
}

// charged: holders are charged for what section 9 charges, once for each, and for nothing else.
func charged(r *Result) error {
	o := r.Outcomes
	for _, c := range []struct {
		kind        scheduler.Charge
		least, most uint64
	}{
		{scheduler.ChargeApplicationFailure, o[scheduler.OutcomeNotFound] + o[scheduler.OutcomeErrorReply], o[scheduler.OutcomeNotFound] + o[scheduler.OutcomeErrorReply]},
		{scheduler.ChargeMalformed, o[scheduler.OutcomeInvalid], o[scheduler.OutcomeInvalid]},
		// An attempt that timed out after its answer was applied charges nobody (OUT-6).
		{scheduler.ChargeConnectionTimeout, 0, o[scheduler.OutcomeTimeout] + o[scheduler.OutcomeUnreachable]},
		{scheduler.ChargeNone, 0, 0},
	} {
		if n := r.Charges[c.kind]; n < c.least || n > c.most {
			return fmt.Errorf("%d charges of %q, want %d to %d: %v", n, c.kind, c.least, c.most, o)
		}
	}
	return nil
}

// saved writes the traces of a failed run where they outlive it, in place of those of the failure before, and says where:
// they show what happened even where the schedule cannot be had again.
func saved(dir *string, r *Result) string {
	if r == nil {
		return "no traces"
	}
	err := os.RemoveAll(*dir)
	if *dir == "" {
		*dir, err = os.MkdirTemp("", "fetchproof-traces-")
	}
	err = errors.Join(err, os.MkdirAll(*dir, 0o755))
	for name, data := range r.Traces {
		err = errors.Join(err, os.WriteFile(filepath.Join(*dir, name), data, 0o644))
	}
	if err != nil {
		return err.Error()
	}
	return "traces in " + *dir
}
