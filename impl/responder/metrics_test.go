package responder_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"reflect"
	"testing"

	"fetchproof/impl/responder"

	"github.com/google/go-cmp/cmp"
)

// counted has each counter at a value of its own, and what All yields of it.
func counted() (c responder.Counters, want []string) {
	v := reflect.ValueOf(&c).Elem()
	for i := range v.NumField() {
		v.Field(i).SetUint(uint64(i + 1))
	}
	for i, name := range []string{
		"admitted", "shed", "released", "refused_peer_share", "refused_pool", "busy_replied", "busy_sends_done",
		"fetch_busy_reply_send_pool_full", "busy_denied_peer_table", "busy_denied_peer_in_flight",
		"busy_denied_peer_rate", "busy_denied_global_rate",
	} {
		want = append(want, fmt.Sprintf("%s %d", name, i+1))
	}
	return c, want
}

// TestCountersAll holds every counter's name in the metrics, and their order,
// also for a reader that stops early.
func TestCountersAll(t *testing.T) {
	c, want := counted()
	if n := reflect.TypeOf(c).NumField(); n != len(want) {
		t.Fatalf("%d counters, %d names", n, len(want))
	}
	for most := 1; most <= len(want); most++ {
		var got []string
		for name, n := range c.All() {
			got = append(got, fmt.Sprintf("%s %d", name, n))
			if len(got) == most {
				break
			}
		}
		if diff := cmp.Diff(want[:most], got); diff != "" {
			t.Errorf("the first %d (-want +got)\n%s", most, diff)
		}
	}
	var got []string
	for name, n := range c.All() {
		got = append(got, fmt.Sprintf("%s %d", name, n))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("all (-want +got)\n%s", diff)
	}
}

// TestRefusalLine holds the warning as a line of text: who and why come first
// (RSP-3).
func TestRefusalLine(t *testing.T) {
	refusal := responder.Refusal{
		Peer: responder.Peer{0: 0xab, 31: 0xcd}, AsksBusy: true, Replied: responder.Silent, Reason: responder.Pool,
		Limiter: responder.PeerRate, InUse: 12, PeerInUse: 1, RefusedPeerShare: 3, RefusedPool: 4, SendPoolFull: 5,
	}
	var out bytes.Buffer
	refusal.Log(context.Background(), slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{
		ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
			if a.Key == slog.TimeKey {
				return slog.Attr{}
			}
			return a
		},
	})))
	want := `level=WARN msg="Fetch response dropped at admission" ` +
		"peer=ab000000000000000000000000000000000000000000000000000000000000cd reason=pool asked_busy=true replied=silent " +
		"limiter=peer_rate slots_in_use=12 peer_slots_in_use=1 " +
		"refused_peer_share=3 refused_pool=4 fetch_busy_reply_send_pool_full=5\n"
	if out.String() != want {
		t.Errorf("%s\nwant %s", out.String(), want)
	}
}
