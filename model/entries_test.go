package model

import (
	"testing"
	"time"

	"fetchproof/ops"
)

func TestPending(t *testing.T) {
	runScripts(t, []script{
		{"PND-1", "a key in a stage is present", nil, []step{
			add("k1", "A", "admitted"), enqueue("k1", 1, "A", "present"), promote("k1", 1, "A", "queued"),
			enqueue("k1", 1, "", "present"), promote("k1", 1, "A", "not-pending"), fill("start k1 A 1"),
			enqueue("k1", 1, "A", "present"), remove("k1", "not-pending"),
		}},
		{"PND-2", "charged to the least-charged, ties to the smallest", nil, []step{
			add("k1", "A B", "admitted"), add("k2", "A B", "admitted"), add("k3", "B A", "admitted"),
			see("charges", "reserved=0 A:2 B:1"), see("pending", "k1[A B][] by A at 0s k2[A B][] by B at 0s k3[A B][] by A at 0s"),
		}},
		{"PND-3", "reservations count against capacity", func(c *ops.SchedulerConfig) { c.MaxPending = 1 }, []step{
			add("k1", "A", "admitted"), promote("k1", 1, "A", "queued"), add("k2", "A", "capacity-rejected"),
			depart("A", "k1 orphaned"), add("k2", "B", "admitted"),
		}},
		{"PND-4", "why a promotion fails, the first that applies", func(c *ops.SchedulerConfig) {
			c.MaxQueued, c.SourceCap = 1, 2
		}, []step{
			promote("k1", 1, "", "not-pending"), add("k1", "A", "admitted"), add("k2", "A", "admitted"),
			promote("k1", 1, "C D C E", "queued"), see("queued", "k1[C D] tried[] retry=true"), promote("k2", 1, "", "no-source"),
			promote("k2", 1, "A", "queue-full"), see("charges", "reserved=1 A:2"),
		}},
		{"PND-5", "no entry, no reservation", func(c *ops.SchedulerConfig) { c.MaxQueued = 1 }, []step{
			enqueue("k1", 1, "A", "queued"), see("charges", "reserved=0"), enqueue("k2", 1, "", "no-source"),
			enqueue("k2", 1, "A", "queue-full"),
		}},
		{"PND-9", "removal and eviction by original age", nil, []step{
			add("k1", "A", "admitted"), add("k2", "A", "admitted"), at(5*time.Second, add("k0", "A", "admitted")),
			promote("k2", 1, "A", "queued"), fill("start k2 A 1"), ends(1, ops.Cancelled, "ok pending k2"),
			at(10*time.Second, evict(10*time.Second+1, "")), evict(10*time.Second, "k1 evicted k2 evicted"),
			remove("k0", "ok k0 removed"), remove("k0", "not-pending"), add("k3", "A", "admitted"), evict(-1, "k3 evicted"),
		}},
		{"PND-10", "ready by time, in key order, limited", nil, []step{
			at(time.Second, add("k2", "A", "admitted")), add("k1", "A", "admitted"), ready(9, "k1 k2"), ready(1, "k1"), ready(0, ""),
			promote("k1", 1, "A", "queued"), fill("start k1 A 1"), ends(1, ops.Cancelled, "ok pending k1"),
			at(16*time.Second-1, ready(9, "k2")), at(16*time.Second, ready(9, "k1 k2")),
		}},
		{"BOOT-1", "any stage holds a drain open", nil, []step{
			drained("drained"), enqueue("k1", 1, "A", "queued"), enqueue("k2", 2, "A", "queued"), drained("", "k1", "k9"),
			fill("start k1 A 1"), drained("", "k2"), ends(1, ops.Cancelled, "ok k1 dropped"), drained("drained", "k1"),
		}},
	})
}

func TestAdvertise(t *testing.T) {
	hints3 := func(c *ops.SchedulerConfig) { c.MaxHintSources = 3 }
	runScripts(t, []script{
		{"ADV-1", "claimants in place, then new ones over paid-only ones but the owner", hints3, []step{
			add("k1", "A B C", "admitted"), add("k1", "B+", "already-present"), see("pending", "k1[A B C][B] by A at 0s"),
			add("k1", "D+ B", "already-present"), see("pending", "k1[A B D][B D] by A at 0s"),
			add("k1", "E+ F", "already-present"), see("pending", "k1[A B D][B D] by A at 0s"),
		}},
		{"ADV-1", "a first admission keeps claimants first", hints3, []step{
			add("k1", "A B C D+ E+", "admitted"), see("pending", "k1[A D E][D E] by A at 0s"),
		}},
		{"ADV-2", "claimants become sources, up to the cap, never twice", func(c *ops.SchedulerConfig) { c.SourceCap = 3 }, []step{
			enqueue("k1", 1, "D", "queued"), add("k1", "E+ B+ D+ A C+", "already-present"),
			see("queued", "k1[D B C] tried[] retry=false"), fill("start k1 D 1"), add("k1", "D+ F+", "already-present"),
			see("flights", "k1@D#1[B C] retry=false"),
		}},
		{"ADV-3", "the retry entry merges, its owner stays", func(c *ops.SchedulerConfig) { c.MaxHintSources = 1 }, []step{
			add("k1", "B", "admitted"), promote("k1", 1, "C", "queued"), add("k1", "A+", "already-present"),
			see("retry", "k1[B][] by B"), see("queued", "k1[C A] tried[] retry=true"),
		}},
	})
}

func TestDepart(t *testing.T) {
	runScripts(t, []script{
		{"DEP-1", "entries lose the peer, the smallest remaining owns", nil, []step{
			add("k1", "A", "admitted"), add("k2", "A B C", "admitted"), see("charges", "reserved=0 A:1 B:1"),
			depart("B", ""), depart("A", "k1 orphaned"), see("pending", "k2[C][] by C at 0s"),
		}},
		{"DEP-2", "sources, index and retry entries lose it; tried stays tried", nil, []step{
			add("k1", "A", "admitted"), promote("k1", 1, "A B C", "queued"), enqueue("x2", 2, "B", "queued"),
			enqueue("x3", 3, "C", "queued"), fill("start k1 A 1 start x2 B 2 start x3 C 3"),
			ends(1, ops.SendFailed, "ok park k1"), depart("B", ""), see("index", "C[k1]"),
			depart("A", ""), see("queued", "k1[C] tried[A] retry=false"), see("charges", "reserved=0"),
		}},
		{"DEP-3", "without a source left it returns or is purged, in key order", nil, []step{
			add("k3", "A B", "admitted"), promote("k3", 1, "A", "queued"), enqueue("k1", 2, "A", "queued"),
			add("k2", "A", "admitted"), depart("A", "k1 orphaned k2 orphaned pending k3"),
			see("pending", "k3[B][] by B at 15s"), see("heap", "[]"),
		}},
		{"DEP-4", "a running attempt goes on", nil, []step{
			add("k1", "A", "admitted"), promote("k1", 1, "A B", "queued"), fill("start k1 A 1"), depart("B", ""), depart("A", ""),
			see("flights", "k1@A#1[] retry=false"), ends(1, ops.SendFailed, "ok k1 dropped"),
		}},
		{"DEP-5", "contact and busy tables stay", nil, marked(
			depart("A", ""), depart("B", ""), see("contact", "A:0/1/1m0s B:3/0/0s"), see("busy", "B:1/0s/10s"),
		)},
	})
}
