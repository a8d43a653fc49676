package model

import (
	"math"
	"testing"
	"time"

	"fetchproof/ops"
)

func TestDeterminismAndPlaces(t *testing.T) {
	runScripts(t, []script{
		{"DET-3", "an earlier time counts as the latest", nil, []step{
			at(10*time.Second, stop()), at(3*time.Second, stop()), see("clock", "10s"),
		}},
		{"DET-3", "a query moves no clock and an arrival brings none", nil, []step{
			add("k1", "A", "admitted"), at(time.Hour, ready(1, "k1")), see("clock", "0s"),
		}},
		{"DET-4", "a sum past the largest time is the largest time", nil, []step{
			enqueue("k1", 1, "A", "queued"), fill("start k1 A 1"),
			at(math.MaxInt64-1, ends(1, ops.Timeout, "ok connection-timeout k1 dropped")),
			at(math.MaxInt64-1, see("contact", "A:0/1/2562047h47m16.854775807s")),
			at(math.MaxInt64, see("contact", "A:0/1/0s")),
		}},
		{"DET-4", "an invalid call moves the clock", nil, []step{
			at(time.Second, add("k1", "", "invalid")), see("clock", "1s"),
		}},
		{"DET-4", "no hint is judged before capacity", func(c *ops.SchedulerConfig) { c.MaxPending = 1 }, []step{
			add("k1", "A", "admitted"), add("k2", "", "invalid"), add("k2", "A", "capacity-rejected"),
		}},
		{"DET-4", "listed twice counts once, both ways is a claimant", nil, []step{
			add("k1", "B A A+ B", "admitted"), see("pending", "k1[A B][A] by A at 0s"),
			promote("k1", 1, "B A B", "queued"), see("queued", "k1[B A] tried[] retry=true"),
		}},
		{"DET-4", "stale is judged first", nil, []step{
			ends(7, ops.NumOutcomes, "stale"), busyReply(7, 0, 0, "stale"), ends(0, ops.Stored, "stale"),
		}},
		{"SEQ-1", "starts and arrivals share one counter", nil, []step{
			enqueue("k1", 1, "A", "queued"), enqueue("k2", 2, "B", "queued"), fill("start k1 A 1 start k2 B 2"),
			arrive(2, "ok 3"), arrive(2, "invalid"), arrive(1, "ok 4"), arrive(9, "stale"),
		}},
		{"SEQ-3", "one answer, at the place it took", nil, []step{
			enqueue("k1", 1, "A", "queued"), fill("start k1 A 1"),
			answer(1, 0, "invalid"), answer(1, 2, "invalid"), arrive(1, "ok 2"), answer(1, 1, "invalid"),
			ends(1, ops.Stored, "invalid"), endsAt(1, ops.Timeout, 2, "invalid"), ends(1, ops.BusyEnd, "invalid"),
			answer(1, 2, "ok"), answer(1, 2, "invalid"), endsAt(1, ops.Stored, 2, "invalid"),
			busyReply(1, 2, 5*time.Second, "invalid"), ends(1, ops.SendFailed, "invalid"), ends(1, ops.NumOutcomes, "invalid"),
			ends(1, ops.Stored, "ok k1 stored"), ends(1, ops.Stored, "stale"),
		}},
		{"SEQ-3", "what may follow a busy report", nil, []step{
			enqueue("k1", 1, "A", "queued"), fill("start k1 A 1"), arrive(1, "ok 2"),
			busyReply(1, 2, 4*time.Second, "invalid"), busyReply(1, 2, 11*time.Second, "invalid"),
			busyReply(1, 2, 5*time.Second, "ok cooldown=5s due=5s"),
			ends(1, ops.Stored, "invalid"), ends(1, ops.Timeout, "invalid"), ends(1, ops.BusyEnd, "ok k1 dropped"),
		}},
		{"SEQ-3", "a place given and never applied is no evidence", nil, []step{
			enqueue("k1", 1, "A", "queued"), fill("start k1 A 1"), arrive(1, "ok 2"),
			ends(1, ops.Timeout, "ok connection-timeout k1 dropped"), see("contact", "A:0/1/1m0s"),
		}},
	})
}

// twoAtA has two attempts, 1 and 2, in flight at A.
func twoAtA(more ...step) []step {
	return append([]step{
		enqueue("k1", 1, "A", "queued"), enqueue("k2", 2, "A", "queued"), fill("start k1 A 1 start k2 A 2"),
	}, more...)
}

func share2(c *ops.SchedulerConfig) { c.Share = 2 }

func TestContact(t *testing.T) {
	runScripts(t, []script{
		{"CON-1", "silent until exactly the mark's end", nil, []step{
			enqueue("k1", 1, "A", "queued"), fill("start k1 A 1"), ends(1, ops.Timeout, "ok connection-timeout k1 dropped"),
			at(time.Minute-1, see("contact", "A:0/1/1m0s")), at(time.Minute, see("contact", "A:0/1/0s")),
			see("marks", "set=1 refreshed=0 cleared=0 expired=0 unanswered=1"),
			at(time.Minute, fill("")), see("marks", "set=1 refreshed=0 cleared=0 expired=1 unanswered=1"),
		}},
		{"CON-1", "with Silence off nobody is silent", func(c *ops.SchedulerConfig) { c.Silence = false }, []step{
			enqueue("k1", 1, "A", "queued"), fill("start k1 A 1"), ends(1, ops.Timeout, "ok connection-timeout k1 dropped"),
			see("contact", "A:0/1/0s"), see("marks", "set=0 refreshed=0 cleared=0 expired=0 unanswered=1"),
		}},
		{"CON-2", "an answer older than the unanswered request clears nothing", share2, []step{
			enqueue("k1", 1, "A", "queued"), fill("start k1 A 1"), arrive(1, "ok 2"),
			enqueue("k2", 2, "A", "queued"), fill("start k2 A 3"), ends(3, ops.Timeout, "ok connection-timeout k2 dropped"),
			answer(1, 2, "ok"), see("contact", "A:2/3/1m0s"),
		}},
		{"CON-2", "a newer answer clears the mark", share2, twoAtA(
			ends(2, ops.Timeout, "ok connection-timeout k2 dropped"), arrive(1, "ok 3"), answer(1, 3, "ok"),
			see("contact", "A:3/2/0s"), see("marks", "set=1 refreshed=0 cleared=1 expired=0 unanswered=1"),
		)},
		{"CON-3", "a newer failure refreshes, from when it was learned", share2, twoAtA(
			ends(1, ops.Timeout, "ok connection-timeout k1 dropped"),
			at(50*time.Second, ends(2, ops.Unreachable, "ok connection-timeout k2 dropped")),
			see("contact", "A:0/2/1m50s"), see("marks", "set=1 refreshed=1 cleared=0 expired=0 unanswered=2"),
		)},
		{"CON-3", "an older failure neither refreshes nor marks again", share2, twoAtA(
			ends(2, ops.Timeout, "ok connection-timeout k2 dropped"),
			at(70*time.Second, ends(1, ops.Timeout, "ok connection-timeout k1 dropped")), see("contact", "A:0/2/0s"),
		)},
		{"CON-3", "a failure of a request answered since marks nothing", share2, twoAtA(
			arrive(2, "ok 3"), answer(2, 3, "ok"), ends(1, ops.Timeout, "ok connection-timeout k1 dropped"),
			see("contact", "A:3/1/0s"),
		)},
		{"CON-5", "an applied answer counts whatever the outcome", nil, []step{
			enqueue("k1", 1, "A", "queued"), fill("start k1 A 1"), arrive(1, "ok 2"), answer(1, 2, "ok"),
			ends(1, ops.InvalidRecord, "ok malformed k1 dropped"), see("contact", "A:2/0/0s"),
		}},
		{"CON-6", "an expired mark gives a probe within the share, and a failure marks afresh", nil, []step{
			enqueue("k1", 1, "A", "queued"), fill("start k1 A 1"), ends(1, ops.Timeout, "ok connection-timeout k1 dropped"),
			enqueue("k2", 2, "A", "queued"), enqueue("k3", 3, "A", "queued"), at(time.Minute, fill("start k2 A 2")),
			ends(2, ops.Timeout, "ok connection-timeout k2 dropped"), see("contact", "A:0/2/2m0s"), fill("start k3 A 3"),
		}},
		{"CON-7", "the full table keeps marks and flights", func(c *ops.SchedulerConfig) { c.ContactTable = 3 }, []step{
			enqueue("k1", 1, "A", "queued"), enqueue("k2", 2, "B", "queued"), enqueue("k3", 3, "C", "queued"),
			fill("start k1 A 1 start k2 B 2 start k3 C 3"),
			ends(1, ops.SendFailed, "ok k1 dropped"), ends(2, ops.Timeout, "ok connection-timeout k2 dropped"),
			enqueue("k4", 4, "D", "queued"), fill("start k4 D 4"), see("contact", "B:0/2/1m0s C:0/0/0s D:0/0/0s"),
		}},
		{"CON-8", "the overflow window, in the same pass", func(c *ops.SchedulerConfig) { c.ContactTable = 1 }, []step{
			enqueue("k1", 1, "A", "queued"), enqueue("k2", 2, "B", "queued"), enqueue("k3", 3, "B", "queued"),
			enqueue("k4", 4, "A", "queued"), fill("start k1 A 1 start k2 B 2 start k3 B 3"),
			see("window", "1m0s"), at(time.Minute, see("window", "0s")), see("index", "A[k4]"),
		}},
		{"CON-9", "a failure of an untracked attempt is charged and is no evidence", func(c *ops.SchedulerConfig) {
			c.ContactTable = 1
		}, []step{
			enqueue("k1", 1, "A", "queued"), enqueue("k2", 2, "B", "queued"), fill("start k1 A 1 start k2 B 2"),
			arrive(2, "ok 3"), answer(2, 3, "ok"), ends(2, ops.Stored, "ok k2 stored"), enqueue("k2", 2, "B", "queued"),
			fill("start k2 B 4"), ends(4, ops.Timeout, "ok connection-timeout k2 dropped"), see("contact", "A:0/0/0s"),
			see("marks", "set=0 refreshed=0 cleared=0 expired=0 unanswered=1"),
		}},
		{"CON-10", "cancelled and nothing sent are no evidence", share2, twoAtA(
			ends(1, ops.Cancelled, "ok k1 dropped"), ends(2, ops.SendFailed, "ok k2 dropped"), see("contact", "A:0/0/0s"),
		)},
	})
}

// CON-4: the verdict after reports applied at one instant is the same in every order that keeps each attempt's own.
func TestContactVerdictAnyOrder(t *testing.T) {
	reports := []step{
		answer(1, 4, "ok"), ends(2, ops.Timeout, "ok connection-timeout k2 dropped"), answer(3, 5, "ok"),
	}
	orders := [][3]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}
	cfg := testConfig()
	cfg.Share = 3
	for _, order := range orders {
		steps := []step{
			enqueue("k1", 1, "A", "queued"), enqueue("k2", 2, "A", "queued"), enqueue("k3", 3, "A", "queued"),
			fill("start k1 A 1 start k2 A 2 start k3 A 3"), arrive(1, "ok 4"), arrive(3, "ok 5"),
		}
		for _, i := range order {
			steps = append(steps, reports[i])
		}
		runSteps(t, NewScheduler(cfg), append(steps, see("contact", "A:5/2/0s")))
	}
}
