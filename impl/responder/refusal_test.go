package responder_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"testing"

	"fetchproof/impl/responder"

	"github.com/google/go-cmp/cmp"
)

// TestRefusalRecord holds what each refusal tells, and what it counts as
// (RSP-3, RSP-4).
func TestRefusalRecord(t *testing.T) {
	cfg := seeded()
	cfg.PeerShare, cfg.Pool, cfg.BusySendPermits = 1, 2, 1
	f := build(t, cfg)
	if d := f.ask(1); d.Refusal != (responder.Refusal{}) {
		t.Errorf("an admitted request has a refusal: %+v", d.Refusal)
	}
	f.admitted(2)
	for i, want := range []responder.Refusal{
		{
			Peer: peer(1), Replied: responder.Silent, Reason: responder.PeerShare,
			InUse: 2, PeerInUse: 1, RefusedPeerShare: 1,
		},
		{
			Peer: peer(3), AsksBusy: true, Replied: responder.Busy, Reason: responder.Pool,
			InUse: 2, RefusedPeerShare: 1, RefusedPool: 1,
		},
		{
			Peer: peer(2), AsksBusy: true, Replied: responder.Silent, Reason: responder.PeerShare,
			Limiter: responder.SendPermits, InUse: 2, PeerInUse: 1,
			RefusedPeerShare: 2, RefusedPool: 1, SendPoolFull: 1,
		},
	} {
		d := f.r.Request(0, want.Peer, want.AsksBusy)
		if d.Refusal != want {
			t.Errorf("refusal %d\n%s", i, cmp.Diff(want, d.Refusal))
		}
		if d.Result != want.Replied || d.Reason != want.Reason || d.Limiter != want.Limiter {
			t.Errorf("refusal %d differs from its decision: %+v", i, d)
		}
	}
	got := maps.Collect(f.r.Snapshot().All())
	maps.DeleteFunc(got, func(_ string, n uint64) bool { return n == 0 })
	want := map[string]uint64{
		"admitted": 2, "refused_peer_share": 2, "refused_pool": 1, "busy_replied": 1,
		"fetch_busy_reply_send_pool_full": 1,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("counters (-want +got)\n%s", diff)
	}
}

// TestRefusalLog holds the warning itself (RSP-3), and that it is not built
// when warnings are off.
func TestRefusalLog(t *testing.T) {
	f := filled(t, wide())
	d := f.ask(7)
	var out bytes.Buffer
	options := &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}}
	d.Refusal.Log(context.Background(), slog.New(slog.NewJSONHandler(&out, options)))
	var got map[string]any
	if err := json.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	want := map[string]any{
		"level": "WARN", "msg": "Fetch response dropped at admission",
		"peer": fmt.Sprintf("%x", peer(7)), "reason": "pool", "asked_busy": true, "replied": "busy", "limiter": "",
		"slots_in_use": 1.0, "peer_slots_in_use": 0.0,
		"refused_peer_share": 0.0, "refused_pool": 1.0, "fetch_busy_reply_send_pool_full": 0.0,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("warning (-want +got)\n%s", diff)
	}

	out.Reset()
	off := slog.New(slog.NewJSONHandler(&out, &slog.HandlerOptions{Level: slog.LevelError}))
	allocs := testing.AllocsPerRun(100, func() { d.Refusal.Log(context.Background(), off) })
	if allocs != 0 || out.Len() != 0 {
		t.Errorf("with warnings off: %v allocations, wrote %q", allocs, out.String())
	}
}

// TestNames holds the names that results have in logs, metrics and the
// protocol.
func TestNames(t *testing.T) {
	for _, c := range []struct {
		is   fmt.Stringer
		want string
	}{
		{responder.Admitted, "admitted"},
		{responder.Busy, "busy"},
		{responder.Silent, "silent"},
		{responder.Result(3), "unknown"},
		{responder.Result(9), "unknown"},
		{responder.NoReason, ""},
		{responder.PeerShare, "peer_share"},
		{responder.Pool, "pool"},
		{responder.Reason(3), "unknown"},
		{responder.NoBound, ""},
		{responder.SendPermits, "send_permits"},
		{responder.PeerTable, "peer_table"},
		{responder.PeerInFlight, "peer_in_flight"},
		{responder.PeerRate, "peer_rate"},
		{responder.GlobalRate, "global_rate"},
		{responder.Bound(6), "unknown"},
		{responder.Serve, "serve"},
		{responder.Shed, "shed"},
		{responder.TakeStale, "stale"},
		{responder.Taken(3), "unknown"},
	} {
		if got := c.is.String(); got != c.want {
			t.Errorf("%#v is %q, want %q", c.is, got, c.want)
		}
	}
}
