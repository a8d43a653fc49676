package model

import (
	"slices"
	"testing"
	"time"

	"fetchproof/ops"
)

// marked makes A silent and B cooling until 10 s: attempts 1 and 2 are over.
func marked(more ...step) []step {
	return append([]step{
		enqueue("x1", 1, "A", "queued"), enqueue("x2", 2, "B", "queued"), fill("start x1 A 1 start x2 B 2"),
		arrive(2, "ok 3"), ends(1, ops.Timeout, "ok connection-timeout x1 dropped"),
		busyReply(2, 3, 10*time.Second, "ok cooldown=10s due=10s"), ends(2, ops.BusyEnd, "ok x2 dropped"),
	}, more...)
}

func TestChoice(t *testing.T) {
	runScripts(t, []script{
		{"SRC-1", "preference order", nil, []step{
			enqueue("k1", 1, "B A", "queued"), fill("start k1 B 1"),
			ends(1, ops.SendFailed, "ok start k1 A 2"), see("flights", "k1@A#2[] retry=false"),
		}},
		{"SRC-2", "answering first, then silent, then cooling", nil, marked(
			enqueue("k1", 1, "B A C", "queued"), fill("start k1 C 4"),
			ends(4, ops.SendFailed, "ok start k1 A 5"), ends(5, ops.SendFailed, "ok start k1 B 6"),
		)},
		{"SRC-3", "cooling withholds nothing", nil, marked(enqueue("k1", 1, "B", "queued"), fill("start k1 B 4"))},
		{"BSY-5", "a cooldown is over at its end", nil, marked(
			enqueue("k1", 1, "B A", "queued"), at(10*time.Second, fill("start k1 B 4")),
		)},
		{"SRC-4", "past the share at a silent source only, and what started stays", nil, marked(
			enqueue("k1", 1, "A", "queued"), enqueue("k2", 2, "A", "queued"), enqueue("k3", 3, "A", "queued"),
			fill("start k1 A 4 start k2 A 5 start k3 A 6"), arrive(6, "ok 7"), answer(6, 7, "ok"),
			ends(4, ops.SendFailed, "ok k1 dropped"), enqueue("k4", 4, "A", "queued"), fill(""), see("index", "A[k4]"),
		)},
	})
}

func TestFillAndPark(t *testing.T) {
	runScripts(t, []script{
		{"FIL-1", "the nearest that can start, heap and parked alike", nil, []step{
			enqueue("k1", 1, "A", "queued"), enqueue("k3", 3, "A", "queued"), fill("start k1 A 1"), see("index", "A[k3]"),
			enqueue("k2", 2, "A", "queued"), enqueue("k4", 4, "B", "queued"), ends(1, ops.SendFailed, "ok k1 dropped"),
			fill("start k2 A 2 start k4 B 3"),
		}},
		{"FIL-2", "blocked keys hide nothing", nil, []step{
			enqueue("k1", 1, "A", "queued"), enqueue("k2", 2, "A", "queued"), enqueue("k3", 3, "B", "queued"),
			fill("start k1 A 1 start k3 B 2"), see("index", "A[k2]"),
		}},
		{"FIL-3", "with no slot free no key is looked at", func(c *ops.SchedulerConfig) { c.Slots = 1 }, []step{
			enqueue("k1", 1, "A", "queued"), enqueue("k2", 2, "A", "queued"), fill("start k1 A 1"), fill(""),
			see("heap", "[k2]"), see("index", ""),
		}},
		{"PRK-1", "indexed under untried sources only", nil, []step{
			enqueue("k1", 1, "A B C", "queued"), enqueue("x2", 2, "B", "queued"), enqueue("x3", 3, "C", "queued"),
			fill("start k1 A 1 start x2 B 2 start x3 C 3"), ends(1, ops.SendFailed, "ok park k1"),
			see("index", "B[k1] C[k1]"), see("queued", "k1[B C] tried[A] retry=false"),
		}},
		{"PRK-2", "startable once its source falls silent", share2, twoAtA(
			enqueue("k3", 3, "A", "queued"), fill(""), ends(2, ops.Timeout, "ok connection-timeout k2 dropped"),
			enqueue("k4", 4, "A", "queued"), fill("start k3 A 3 start k4 A 4"),
		)},
		{"PRK-3", "parked keys count", func(c *ops.SchedulerConfig) { c.MaxQueued = 1 }, []step{
			enqueue("k1", 1, "A", "queued"), fill("start k1 A 1"), enqueue("k2", 2, "A", "queued"), fill(""),
			enqueue("k3", 3, "B", "queue-full"),
		}},
		{"PRK-4", "a merged source is indexed", nil, []step{
			enqueue("k1", 1, "A", "queued"), fill("start k1 A 1"), enqueue("k2", 2, "A", "queued"), fill(""),
			add("k2", "B+ C", "already-present"), see("index", "A[k2] B[k2]"), fill("start k2 B 2"), see("index", ""),
		}},
		{"PRK-5", "parking keeps tried sources and the reservation", nil, []step{
			add("k1", "C", "admitted"), promote("k1", 1, "A B", "queued"), enqueue("x2", 2, "B", "queued"),
			fill("start k1 A 1 start x2 B 2"), ends(1, ops.Timeout, "ok connection-timeout park k1"),
			see("queued", "k1[B] tried[A] retry=true"), see("charges", "reserved=1 C:1"),
		}},
	})
}

// oneFlight has k1 in flight as attempt 1 at A, with a retry entry owned by Z; its answer took place 2.
func oneFlight(more ...step) []step {
	return append([]step{
		add("k1", "Z", "admitted"), promote("k1", 1, "A", "queued"), fill("start k1 A 1"), arrive(1, "ok 2"),
	}, more...)
}

// Section 9, row by row.
func TestOutcomeTable(t *testing.T) {
	back := "pending k1"
	rows := []struct {
		kind    ops.OutcomeKind
		answers bool
		want    string
		contact string
	}{
		{ops.Stored, true, "ok k1 stored", "A:2/0/0s"},
		{ops.Declined, true, "ok k1 declined", "A:2/0/0s"},
		{ops.Declined, false, "ok k1 declined", "A:0/0/0s"},
		{ops.StoreFailed, true, "ok " + back, "A:2/0/0s"},
		{ops.NotFound, true, "ok application-failure " + back, "A:2/0/0s"},
		{ops.ErrorReply, true, "ok application-failure " + back, "A:2/0/0s"},
		{ops.InvalidRecord, true, "ok malformed " + back, "A:2/0/0s"},
		{ops.Timeout, false, "ok connection-timeout " + back, "A:0/1/1m0s"},
		{ops.Unreachable, false, "ok connection-timeout " + back, "A:0/1/1m0s"},
		{ops.SendFailed, false, "ok " + back, "A:0/0/0s"},
		{ops.Cancelled, false, "ok " + back, "A:0/0/0s"},
		{ops.Panicked, false, "ok " + back, "A:0/0/0s"},
	}
	for _, row := range rows {
		t.Run(row.kind.String(), func(t *testing.T) {
			end := ends(1, row.kind, row.want)
			if row.answers {
				end = endsAt(1, row.kind, 2, row.want)
			}
			runSteps(t, NewScheduler(testConfig()), oneFlight(end, see("contact", row.contact)))
			if row.answers {
				runSteps(t, NewScheduler(testConfig()), oneFlight(
					answer(1, 2, "ok"), ends(1, row.kind, row.want), see("contact", row.contact)))
			}
		})
	}
}

func TestOutcome(t *testing.T) {
	runScripts(t, []script{
		{"OUT-2", "the freed slot goes to the key's next source", func(c *ops.SchedulerConfig) { c.Slots = 1 }, []step{
			enqueue("k2", 2, "A B", "queued"), fill("start k2 A 1"), enqueue("k1", 1, "C", "queued"),
			ends(1, ops.Timeout, "ok connection-timeout start k2 B 2"),
		}},
		{"OUT-4", "a full queue ends the episode", func(c *ops.SchedulerConfig) { c.MaxQueued = 2 }, []step{
			enqueue("k1", 1, "A B", "queued"), enqueue("x1", 9, "B", "queued"), fill("start k1 A 1 start x1 B 2"),
			enqueue("x2", 2, "B", "queued"), enqueue("x3", 3, "B", "queued"), ends(1, ops.SendFailed, "ok k1 dropped"),
		}},
		{"OUT-5", "back with its entry, verified later, tried forgotten", nil, oneFlight(
			at(time.Second, ends(1, ops.SendFailed, "ok pending k1")), see("pending", "k1[Z][] by Z at 16s"),
			see("charges", "reserved=0 Z:1"), promote("k1", 1, "A", "queued"), fill("start k1 A 3"),
		)},
		{"OUT-6", "a timeout after an applied answer charges nobody", nil, oneFlight(
			answer(1, 2, "ok"), ends(1, ops.Timeout, "ok pending k1"), see("contact", "A:2/0/0s"),
			see("marks", "set=0 refreshed=0 cleared=0 expired=0 unanswered=0"),
		)},
		{"OUT-8", "after a stop nothing starts or parks", nil, []step{
			enqueue("k1", 1, "A B", "queued"), enqueue("k2", 2, "A", "queued"), fill("start k1 A 1"), stop(),
			enqueue("k3", 3, "C", "queued"), fill(""), see("heap", "[k3]"), ends(1, ops.SendFailed, "ok k1 dropped"),
		}},
	})
}

func TestBusy(t *testing.T) {
	again := func(n uint64, wait time.Duration, want string) []step {
		return []step{
			enqueue("k1", 1, "A", "queued"),
			{op: ops.Op{Kind: ops.Fill}, want: show(&ops.Result{Events: []ops.Event{{
				Kind: ops.Start, Key: ops.KeyNamed("k1"), Source: ops.PeerNamed("A"), Attempt: n,
			}}})},
			{op: ops.Op{Kind: ops.Arrive, Ref: ops.Ref{N: n}}, want: show(&ops.Result{Code: ops.OK, Place: n + 1})},
			busyReply(n, n+1, wait, want), ends(n, ops.BusyEnd, "ok k1 dropped"),
		}
	}
	join := func(parts ...[]step) (all []step) {
		for _, p := range parts {
			all = append(all, p...)
		}
		return all
	}
	runScripts(t, []script{
		{"BSY-1", "due at the end of the wait or the deadline", nil, []step{
			enqueue("k1", 1, "A", "queued"), fill("start k1 A 1"), arrive(1, "ok 2"),
			at(25*time.Second, busyReply(1, 2, 7*time.Second, "ok cooldown=7s due=30s")),
		}},
		{"BSY-2", "1, 2, 4, 8 and no more, under the cap", nil, join(
			again(1, 7*time.Second, "ok cooldown=7s due=7s"), again(3, 7*time.Second, "ok cooldown=14s due=7s"),
			again(5, 7*time.Second, "ok cooldown=28s due=7s"), again(7, 7*time.Second, "ok cooldown=56s due=7s"),
			again(9, 8*time.Second, "ok cooldown=1m0s due=8s"), []step{see("busy", "A:4/0s/1m0s")},
		)},
		{"BSY-2", "forgotten exactly after BusyForgetAfter", nil, join(
			again(1, 7*time.Second, "ok cooldown=7s due=7s"), []step{at(10*time.Minute, fill(""))},
			again(3, 7*time.Second, "ok cooldown=7s due=10m7s"),
		)},
		{"BSY-3", "never shortened", nil, join(
			again(1, 10*time.Second, "ok cooldown=10s due=10s"), again(3, 10*time.Second, "ok cooldown=20s due=10s"),
			[]step{
				enqueue("k2", 1, "A", "queued"), fill("start k2 A 5"), arrive(5, "ok 6"), endsAt(5, ops.Stored, 6, "ok k2 stored"),
				see("busy", "A:0/0s/20s"), // BSY-4
			}, again(7, 5*time.Second, "ok cooldown=20s due=5s"), []step{see("busy", "A:1/0s/20s")},
		)},
		{"BSY-4", "declined after busy serves nothing", nil, []step{
			enqueue("k1", 1, "A", "queued"), fill("start k1 A 1"), arrive(1, "ok 2"),
			busyReply(1, 2, 7*time.Second, "ok cooldown=7s due=7s"), ends(1, ops.Declined, "ok k1 declined"),
			see("busy", "A:1/0s/7s"),
		}},
		{"BSY-6", "the soonest to end is forgotten", func(c *ops.SchedulerConfig) { c.BusyTable = 2 }, []step{
			enqueue("k1", 1, "A", "queued"), enqueue("k2", 2, "B", "queued"), enqueue("k3", 3, "C", "queued"),
			fill("start k1 A 1 start k2 B 2 start k3 C 3"), arrive(1, "ok 4"), arrive(2, "ok 5"), arrive(3, "ok 6"),
			busyReply(1, 4, 9*time.Second, "ok cooldown=9s due=9s"), busyReply(2, 5, 8*time.Second, "ok cooldown=8s due=8s"),
			busyReply(3, 6, 5*time.Second, "ok cooldown=5s due=5s"), see("busy", "A:1/0s/9s C:1/0s/5s"),
		}},
	})
}

// LIV-3: the keys of one sole silent holder go in waves of Share and then Slots, here 2, 8 and 6.
func TestSoleSilentHolderWaves(t *testing.T) {
	cfg := testConfig()
	cfg.Slots, cfg.Share = 8, 2
	m := NewScheduler(cfg)
	var res ops.Result
	for i := range 16 {
		s := enqueue("k"+string(rune('a'+i)), uint64(i), "A", "queued")
		m.Apply(&s.op, &res)
	}
	for wave, want := range []int{2, 8, 6, 0} {
		now := ops.Time(wave) * ops.Time(cfg.FetchTimeout)
		m.Apply(&ops.Op{Kind: ops.Fill, Now: now}, &res)
		if len(res.Events) != want {
			t.Fatalf("wave %d starts %d attempts, want %d", wave, len(res.Events), want)
		}
		for _, e := range slices.Clone(res.Events) {
			end := at(time.Duration(now)+30*time.Second, ends(e.Attempt, ops.Timeout, ""))
			m.Apply(&end.op, &res)
		}
	}
}
