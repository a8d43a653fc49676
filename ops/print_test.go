package ops_test

import (
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fetchproof/ops"
)

const printedFile = "testdata/printed.txt"

// TestPrinted: how answers and states read, line by line.
func TestPrinted(t *testing.T) {
	var have []byte
	for _, a := range everyAnswer() {
		op, err := ops.ParseOp(a.machine, a.op)
		if err != nil {
			t.Fatal(err)
		}
		have = append(append(have, a.op...), "\n----\n"...)
		have = append(ops.AppendResult(have, &op, &a.result), '\n')
	}
	for _, show := range []ops.Fields{0, ops.FieldParked | ops.FieldClock} {
		s, r := busyScheduler(), busyResponder()
		have = append(ops.AppendStateText(append(have, "scheduler\n----\n"...), s, show), '\n')
		have = append(ops.AppendStateText(append(have, "responder\n----\n"...), r, show), '\n')
	}
	if *rewrite {
		if err := os.WriteFile(printedFile, have, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(printedFile)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(have)); diff != "" {
		t.Errorf("- want, + printed; go test ./ops -rewrite renews %s:\n%s", printedFile, diff)
	}
}

type answered struct {
	machine ops.Machine
	op      string
	result  ops.Result
}

func everyAnswer() []answered {
	k1, k2, a := ops.KeyNamed("k1"), ops.KeyNamed("k2"), ops.PeerNamed("A")
	started := ops.Event{Kind: ops.Start, Key: k1, Source: a, Attempt: 7}
	events := []ops.Event{started, {Kind: ops.Park, Key: k1}, {Kind: ops.ToPending, Key: k2}}
	for r := ops.LeftStored; r <= ops.LeftOrphaned; r++ {
		events = append(events, ops.Event{Kind: ops.Left, Key: k2, Reason: r})
	}
	s, r := ops.SchedulerMachine, ops.ResponderMachine
	list := []answered{
		{s, "add k1 hints=A", ops.Result{Code: ops.Admitted}},
		{s, "add k1 hints=A", ops.Result{Code: ops.AlreadyPresent}},
		{s, "add k1 hints=A", ops.Result{Code: ops.CapacityRejected}},
		{s, "add k1 hints=", ops.Result{Code: ops.Invalid, Why: "no hint source"}},
		{s, "promote k1 at=1 from=A", ops.Result{Code: ops.Queued}},
		{s, "promote k1 at=1 from=A", ops.Result{Code: ops.NotPending}},
		{s, "enqueue k1 at=1 from=A", ops.Result{Code: ops.Present}},
		{s, "enqueue k1 at=1 from=", ops.Result{Code: ops.NoSource}},
		{s, "enqueue k1 at=1 from=A", ops.Result{Code: ops.QueueFull}},
		{s, "fill", ops.Result{Events: events[:1]}},
		{s, "arrive #7", ops.Result{Code: ops.OK, Place: 8}},
		{s, "answer #7", ops.Result{Code: ops.OK}},
		{s, "answer #7", ops.Result{Code: ops.Stale}},
		{s, "busy #7 wait=5s", ops.Result{Code: ops.OK, Cooldown: 40 * ops.Second, Due: ops.Time(5 * ops.Second)}},
		{s, "outcome #7 NotFound", ops.Result{Code: ops.OK, Events: events[1:2], Charge: ops.ApplicationFailure}},
		{s, "outcome #7 Invalid", ops.Result{Code: ops.OK, Events: events[2:3], Charge: ops.Malformed}},
		{s, "outcome #7 Timeout", ops.Result{Code: ops.OK, Events: events[3:4], Charge: ops.ConnectionTimeout}},
		{s, "depart A", ops.Result{Events: events[2:]}},
		{s, "remove k1", ops.Result{Code: ops.NotPending}},
		{s, "stop", ops.Result{Code: ops.OK}},
		{s, "stop", ops.Result{Code: ops.Unsupported}},
		{s, "ready limit=2", ops.Result{Keys: []ops.Key{k1, k2}}},
		{s, "ready limit=0", ops.Result{}},
		{s, "drained k1 k2", ops.Result{Drained: true}},
		{s, "drained", ops.Result{}},
		{r, "request A", ops.Result{Code: ops.Admitted, Ticket: 1}},
		{r, "request A asks_busy", ops.Result{Code: ops.Busy, Send: 2, Reason: ops.RefusedPeerShare}},
		{r, "request A", ops.Result{Code: ops.Silent, Reason: ops.RefusedPool}},
		{r, "take #1", ops.Result{Code: ops.Serve}},
		{r, "take #1", ops.Result{Code: ops.Shed}},
		{r, "release #1", ops.Result{Code: ops.OK}},
		{r, "send_done #1", ops.Result{Code: ops.Stale}},
	}
	for b := ops.SendPermits; b <= ops.GlobalRate; b++ {
		list = append(list, answered{r, "request A asks_busy", ops.Result{Code: ops.Silent, Reason: ops.RefusedPeerShare, Limiter: b}})
	}
	return list
}

// busyScheduler has something in every field.
func busyScheduler() *ops.State {
	key, peer := ops.KeyNamed, ops.PeerNamed
	peers := func(names ...string) (list []ops.Peer) {
		for _, n := range names {
			list = append(list, peer(n))
		}
		return list
	}
	st := &ops.State{}
	st.Reset(ops.SchedulerMachine)
	entry := ops.Entry{Hints: peers("A", "B"), Claimants: peers("B"), Owner: peer("A"), Created: 1}
	pending := entry
	pending.NextVerify = ops.Time(15 * ops.Second)
	flight := ops.Flight{Key: key("k1"), Attempt: 7, Source: peer("A"), Started: 5, Tracked: true, Distance: ops.DistanceOf(1), Tried: peers("A")}
	full := flight
	full.Key, full.Tracked, full.Given, full.Answered, full.Busy = key("k2"), false, 8, true, true
	full.Untried, full.HasRetry, full.Retry = peers("D", "C"), true, entry
	s := &st.Scheduler
	s.Clock, s.NextPlace, s.Stopped, s.OverflowUntil, s.Reserved = 9, 10, true, 11, 2
	s.Pending = []ops.PendingKey{{Key: key("k0"), Entry: pending}}
	s.Heap, s.Parked = []ops.Key{key("k3"), key("k4")}, []ops.Key{key("k5")}
	s.Index = []ops.IndexEntry{{Source: peer("A"), Keys: s.Parked}, {Source: ops.Peer{1}, Keys: s.Heap}}
	s.Queued = []ops.QueuedKey{
		{Key: key("k3"), Distance: ops.DistanceOf(3), Untried: peers("B", "A")},
		{Key: key("k5"), Distance: ops.Distance{1}, Untried: peers("A"), Tried: peers("B", "C"), HasRetry: true, Retry: entry},
	}
	s.InFlight = []ops.Flight{flight, full}
	s.Contact = []ops.Contact{{Source: peer("A")}, {Source: peer("B"), LastAnswer: 3, LastUnanswered: 4, MarkedUntil: 12}}
	s.Busy = []ops.Cooldown{{Source: peer("A"), Streak: 2, Last: 3, Until: 13}}
	s.Charges = []ops.OwnerCharge{{Owner: peer("A"), Charge: 3}}
	for i := range s.Counters {
		s.Counters[i] = uint64(i)
	}
	return st
}

func busyResponder() *ops.State {
	a, b := ops.PeerNamed("A"), ops.PeerNamed("B")
	st := &ops.State{}
	st.Reset(ops.ResponderMachine)
	s := &st.Responder
	s.Clock, s.Outstanding, s.GlobalFullAt = 1, 3, 4
	s.Peers = []ops.PeerOutstanding{{Peer: a, Outstanding: 2}, {Peer: b, Outstanding: 1}}
	s.Tickets = []ops.Ticket{{ID: 1, Peer: a, Since: 5}, {ID: 2, Peer: b, Since: 6, Taken: true}}
	s.Sends = []ops.Send{{ID: 1, Peer: a}}
	s.Limiter = []ops.LimiterPeer{{Peer: a, Sending: 1, FullAt: 7}}
	return st
}
