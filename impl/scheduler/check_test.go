package scheduler

import (
	"slices"
	"testing"
	"time"
)

// checkFix has something in every list, table and heap that SelfCheck looks at.
//
//	in flight        15 from E, with L untried
//	filed            20 under A; 21 under B and 23 under A and B, which can start; 24 has left A's list behind
//	backlog          70 parked with it, 62 with a retry entry; 71 and 72 not parked
//	due              50, 51, 52; waiting 60, 61
//	silent           C, D
//	cooling          H, I
//	free             a key, an entry and a peer, each twice
func checkFix(t *testing.T) *fix {
	f := newFix(t, func(c *Config) { c.Slots, c.SourceCap = 8, 3 })
	put := func(n int, from string) Place {
		t.Helper()
		f.put(n, from)
		starts := f.Fill(f.now, nil)
		if len(starts) != 1 {
			t.Fatalf("%d starts for key %d", len(starts), n)
		}
		return starts[0].Attempt
	}
	ends := func(a Place, kind OutcomeKind, answer bool) {
		t.Helper()
		var p Place
		if answer {
			p, _ = f.Arrive(a)
		}
		if _, v := f.Outcome(f.now, a, kind, p, answer); !v.OK() {
			t.Fatalf("outcome %v of %d: %v", kind, a, v.Why)
		}
	}
	park := func(n int, from string) { ends(put(n, "G"+from), OutcomeNotFound, true) }

	f.now = 1
	atA := put(10, "A")
	atB := put(11, "B")
	park(20, "A")
	park(24, "AB")
	ends(atB, OutcomeStored, true)
	ends(f.Fill(f.now, nil)[0].Attempt, OutcomeStored, true) // 24 from B: A's list keeps a dead entry
	atB = put(12, "B")
	park(21, "B")
	park(23, "AB")
	atC, atD := put(13, "C"), put(14, "D")
	put(15, "EL")
	ends(atC, OutcomeTimeout, false)
	f.now = 2
	ends(atD, OutcomeTimeout, false)
	for i, p := range "HI" {
		a := put(40+i, string(p))
		f.saysBusy(a, 5*time.Second+time.Duration(i))
		ends(a, OutcomeBusy, false)
	}
	for i := range 2 {
		f.Add(f.now, key(60+i), hints("X"))
		f.Promote(f.now, key(60+i), dist(60+i), peers("J"))
		ends(f.Fill(f.now, nil)[0].Attempt, OutcomeCancelled, false)
		f.now++
	}
	f.put(70, "E")
	f.promote(62, "X", "E")
	f.fill("")
	ends(atA, OutcomeStored, true)
	ends(atB, OutcomeStored, true)
	f.put(71, "E")
	f.put(72, "EK")
	for n := range 3 {
		f.Add(f.now, key(50+n), hints([]string{"XC", "X", "X"}[n]))
	}
	for _, n := range []int{53, 54} {
		f.Add(f.now, key(n), hints(string(rune('Y'+n-53))))
	}
	for _, n := range []int{53, 54} {
		f.Remove(f.now, key(n))
	}
	return f
}

// swapTwo swaps the first two of a heap, each of which knows its place.
func swapTwo(o ordering, h []uint32) {
	h[0], h[1] = h[1], h[0]
	o.moved(h[0], 0)
	o.moved(h[1], 1)
}

// TestSelfCheckReports: whatever single thing is put wrong, SelfCheck says what it
// is, what it should be, and of whom.
func TestSelfCheckReports(t *testing.T) {
	for _, c := range []struct {
		name  string
		spoil func(s *Scheduler)
		want  string
	}{
		// names
		{"gone for good", func(s *Scheduler) { s.key(3).listRefs = 0 }, "key id 3 waits for no list entry"},
		{"key renamed", func(s *Scheduler) { s.detail(11).name[9]++ }, "key id 11 is not found"},
		{"key under another hash", func(s *Scheduler) {
			name := &s.detail(11).name
			s.keyIDs.slots[s.keyIDs.at(s.names.Of(name[:]), 11)].hash ^= 1 << 31
		}, "key id 11 is not found"},
		{"key table", func(s *Scheduler) { s.keyIDs.n-- }, "13 keys and 2 free, but 12 in the table and 2 in the free list (1 gone)"},
		{"free keys", func(s *Scheduler) { s.freeKeys = s.freeKeys[:1] }, "13 keys and 2 free, but 13 in the table and 1 in the free list (1 gone)"},
		{"peer renamed", func(s *Scheduler) { s.peers[4].name[9]++ }, "peer id 4 is found as 4294967295"},
		{"peer under another hash", func(s *Scheduler) {
			name := &s.peers[4].name
			s.peerIDs.slots[s.peerIDs.at(s.names.Of(name[:]), 4)].hash ^= 1 << 31
		}, "peer id 4 is found as 4294967295"},
		{"peer table", func(s *Scheduler) { s.peerIDs.n-- }, "12 peers of 14, but 11 in the table and 2 free"},
		{"free peers", func(s *Scheduler) { s.freePeers = s.freePeers[:1] }, "12 peers of 14, but 12 in the table and 1 free"},

		// free ids
		{"free and used key", func(s *Scheduler) { s.freeKeys[1] = 11 }, "key id 11 is in the free list, and in use or there twice"},
		{"key free twice", func(s *Scheduler) { s.freeKeys[1] = 14; s.freeKeys[0] = 14 }, "key id 14 is in the free list, and in use or there twice"},
		{"free and used peer", func(s *Scheduler) { s.freePeers[1] = 4 }, "peer id 4 is in the free list, and in use or there twice"},
		{"peer free twice", func(s *Scheduler) { s.freePeers[1] = s.freePeers[0] }, "peer id 12 is in the free list, and in use or there twice"},

		// keys
		{"gone with sources", func(s *Scheduler) { s.key(3).sources.words = 1 }, "key id 3 has left and keeps something"},
		{"free with an entry", func(s *Scheduler) { s.key(14).hasEntry = true }, "key id 14 has left and keeps something"},
		{"free and filed", func(s *Scheduler) { s.key(14).filed = true }, "key id 14 has left and keeps something"},
		{"pending without an entry", func(s *Scheduler) { s.key(11).hasEntry = false }, "pending key id 11 is not in order"},
		{"pending with sources", func(s *Scheduler) { s.key(11).untried, s.key(11).tried = 1, 1 }, "pending key id 11 is not in order"},
		{"pending and listed", func(s *Scheduler) { s.key(11).listRefs = 1 }, "pending key id 11 is not in order"},
		{"in another's place", func(s *Scheduler) { s.detail(11).pos = 1 }, "pending key id 11 is not in order"},
		{"behind the heap", func(s *Scheduler) { s.detail(11).pos = 3 }, "pending key id 11 is not in order"},
		{"due out of order", func(s *Scheduler) { s.setPrefix(11, 1) }, "pending key id 11 is not in order"},
		{"due and waits", func(s *Scheduler) { s.entry(11).nextVerify = 5 }, "pending key id 11 is not in order"},
		{"waiting and due", func(s *Scheduler) { s.entry(7).nextVerify = 4 }, "pending key id 7 is not in order"},
		{"nothing to try", func(s *Scheduler) { s.key(1).untried = 0 }, "queued key id 1 has no untried source"},
		{"another's flight", func(s *Scheduler) { s.flights[s.detail(8).pos].key = 9 }, "key id 8 flies in 4, which is another's"},
		{"unknown attempt", func(s *Scheduler) { s.flights[s.detail(8).pos].place = 99 }, "key id 8 flies in 4, which is another's"},
		{"too many sources", func(s *Scheduler) { s.cfg.SourceCap = 1 }, "key id 0 has too many sources"},
		{"too many tried", func(s *Scheduler) { s.cfg.SourceCap = 1; s.key(0).untried = 1 }, "key id 2 has too many sources"},
		{"too many hints", func(s *Scheduler) { s.entry(6).hintCount = 9 }, "key id 6 has too many hints, or an owner that is none (ADV-1, PND-8)"},
		{"owner without a hint", func(s *Scheduler) { s.entry(6).owner = 0 }, "key id 6 has too many hints, or an owner that is none (ADV-1, PND-8)"},
		{"flights", func(s *Scheduler) { s.attempts.n++ }, "1 flights, 5 pending, 1 reserved, but counted 2, 5, 1"},
		{"pending", func(s *Scheduler) { s.due = append(s.due, 11) }, "1 flights, 5 pending, 1 reserved, but counted 1, 6, 1"},
		{"reserved", func(s *Scheduler) { s.reserved += 2 }, "1 flights, 5 pending, 1 reserved, but counted 1, 5, 3"},
		{"an entry lost", func(s *Scheduler) { s.freeEntries = s.freeEntries[:1] }, "1 entries neither belong to a key nor are free"},
		{"an entry twice", func(s *Scheduler) { s.freeEntries = append(s.freeEntries, 0) }, "-1 entries neither belong to a key nor are free"},

		// queue
		{"prefix", func(s *Scheduler) { s.setPrefix(1, 7) }, "key id 1 has another's prefix"},
		{"filed and not parked", func(s *Scheduler) { s.key(2).parked = false }, "key id 2 is filed and not parked"},
		{"keys in the heap", func(s *Scheduler) { s.heapKeys++ }, "heap 2 (3), parked 5 (6), but counted 3 (3), 5 (6)"},
		{"associations of the heap", func(s *Scheduler) { s.heapAssoc++ }, "heap 2 (3), parked 5 (6), but counted 2 (4), 5 (6)"},
		{"keys parked", func(s *Scheduler) { s.parkedKeys++ }, "heap 2 (3), parked 5 (6), but counted 2 (3), 6 (6)"},
		{"associations parked", func(s *Scheduler) { s.parkedAssoc++ }, "heap 2 (3), parked 5 (6), but counted 2 (3), 5 (7)"},
		{"twice in the backlog", func(s *Scheduler) { s.backlog.ids = append(s.backlog.ids, 9) }, "key id 9 does not belong in the backlog"},
		{"in the backlog and in flight", func(s *Scheduler) { s.backlog.ids = append(s.backlog.ids, 8) }, "key id 8 does not belong in the backlog"},
		{"in the backlog and filed", func(s *Scheduler) { s.backlog.ids = append(s.backlog.ids, 2) }, "key id 2 does not belong in the backlog"},
		{"not in the backlog", func(s *Scheduler) { s.backlog.mix(); s.backlog.ids = s.backlog.ids[:4] }, "3 keys in the backlog, not 4"},
		{"the backlog's first", func(s *Scheduler) { s.backlog = list{ids: s.backlog.all(), limit: prefixEnd} }, "the backlog is out of order at 0"},
		{"the backlog's order", func(s *Scheduler) { slices.Reverse(s.backlog.all()) }, "the backlog is out of order at 2"},

		// lists
		{"the last source's list", func(s *Scheduler) { s.lists[13] = list{ids: []uint32{2}, limit: prefixEnd} }, "the list of peer id 13 is out of order at 0"},
		{"filed elsewhere", func(s *Scheduler) { s.lists[5].ids = append(s.lists[5].ids, 4) }, "key id 4 is filed under peer id 5 without reason, or twice"},
		{"filed twice", func(s *Scheduler) { s.lists[0].mix(); s.lists[0].ids = append(s.lists[0].ids, 5) }, "key id 5 is filed under peer id 0 without reason, or twice"},
		{"filed keys", func(s *Scheduler) { s.hot[0].filed++ }, "peer id 0 has 2 filed keys in 3 entries, counted 3 in 3"},
		{"entries", func(s *Scheduler) { s.hot[0].entries++ }, "peer id 0 has 2 filed keys in 3 entries, counted 2 in 4"},
		{"not filed", func(s *Scheduler) {
			s.lists[1].mix()
			s.lists[1].ids = []uint32{3, 4}
			s.hot[1].filed, s.hot[1].entries = 1, 2
		}, "1 index entries are missing (PRK-1)"},
		{"entries that name a key", func(s *Scheduler) { s.key(4).listRefs++ }, "1 list entries name key id 4, counted 2"},
		{"entries that name the last", func(s *Scheduler) { s.key(15).listRefs++ }, "0 list entries name key id 15, counted 1"},

		// peers
		{"references", func(s *Scheduler) { s.hot[6].refs++ }, "peer id 6 has 1 references, counted 2"},
		{"a free peer that cools", func(s *Scheduler) { s.peers[12].busyPos = 0 }, "peer id 12 has 1 references, counted 0"},
		{"a free peer's list", func(s *Scheduler) {
			s.lists[12] = list{ids: []uint32{3}}
			s.hot[12].entries = 1
			s.key(3).listRefs++
		}, "peer id 12 is free and keeps a list"},
		{"charge", func(s *Scheduler) { s.peers[9].charge++ }, "peer id 9: charge 5, live 0, in flight 0, counted 6, 0, 0"},
		{"a free peer's charge", func(s *Scheduler) { s.peers[12].charge++ }, "peer id 12: charge 0, live 0, in flight 0, counted 1, 0, 0"},
		{"live", func(s *Scheduler) { s.hot[5].live++ }, "peer id 5: charge 0, live 4, in flight 1, counted 0, 5, 1"},
		{"load", func(s *Scheduler) { s.hot[5].inFlight++ }, "peer id 5: charge 0, live 4, in flight 1, counted 0, 4, 2"},
		{"charge of a loaded one", func(s *Scheduler) { s.peers[5].charge += 7 }, "peer id 5: charge 0, live 4, in flight 1, counted 7, 4, 1"},
		{"can start", func(s *Scheduler) { s.hot[5].can = true }, "peer id 5 can start: false, noted true"},
		{"open associations", func(s *Scheduler) { s.openAssoc++ }, "1 open associations in the backlog, counted 2"},
		{"startable", func(s *Scheduler) { s.startable++ }, "3 startable, 9 tracked, 1 at the limit, counted 4, 9, 1"},
		{"tracked", func(s *Scheduler) { s.tracked++ }, "3 startable, 9 tracked, 1 at the limit, counted 3, 10, 1"},
		{"at the limit", func(s *Scheduler) { s.atLimit++ }, "3 startable, 9 tracked, 1 at the limit, counted 3, 9, 2"},
		{"silent with silence off", func(s *Scheduler) { s.cfg.Silence = false }, "peer id 3 in marks: false, position 0"},
		{"silent and untracked", func(s *Scheduler) { s.peers[3].tracked = false; s.hot[3].refs-- }, "peer id 3 in marks: false, position 0"},
		{"silent and answered", func(s *Scheduler) { s.peers[3].lastAnswer = s.peers[3].lastUnanswered }, "peer id 3 in marks: false, position 0"},
		{"silent for too long", func(s *Scheduler) { s.peers[3].markedUntil = s.clock }, "peer id 3 in marks: false, position 0"},
		{"not noted as silent", func(s *Scheduler) { s.peers[3].markPos = -1 }, "peer id 3 in marks: true, position -1"},
		{"not noted as idle", func(s *Scheduler) { s.peers[7].idlePos = -1 }, "peer id 7 in idle: true, position -1"},
		{"another's place", func(s *Scheduler) { s.peers[7].idlePos = 0 }, "peer id 7 in idle: true, position 0"},
		{"full and untracked", func(s *Scheduler) { s.peers[5].tracked = false; s.hot[5].refs-- }, "peer id 5 in fullUntracked: true, position -1"},
		{"not full", func(s *Scheduler) { s.peers[6].fullPos = 0 }, "peer id 6 in fullUntracked: false, position 0"},
		{"not ready", func(s *Scheduler) { s.peers[6].readyPos = 0 }, "peer id 6 in ready: false, position 0"},
		{"ready and not noted", func(s *Scheduler) { s.hot[0].ready = false }, "peer id 0 is ordered by key id 2, not by its front"},
		{"ordered by a farther key", func(s *Scheduler) { s.peers[0].front = 5 }, "peer id 0 is ordered by key id 5, not by its front"},
		{"ordered by another's key", func(s *Scheduler) { s.peers[1].front = 2 }, "peer id 1 is ordered by key id 2, not by its front"},

		// heaps
		{"order of marks", func(s *Scheduler) { swapTwo(markOrder{s}, s.marks) }, "the heap marks is out of order at 1"},
		{"order of busy", func(s *Scheduler) { swapTwo(busyOrder{s}, s.busy) }, "the heap busy is out of order at 1"},
		{"order of ready", func(s *Scheduler) { swapTwo(readyOrder{s}, s.ready) }, "the heap ready is out of order at 1"},
		{"order of due", func(s *Scheduler) { swapTwo(dueOrder{s}, s.due) }, "the heap due is out of order at 1"},
		{"order of waiting", func(s *Scheduler) { swapTwo(waitOrder{s}, s.waiting) }, "the heap waiting is out of order at 1"},
		{"marks twice", func(s *Scheduler) { s.marks = append(s.marks, 4) }, "peer id 4 stands in marks at 2, noted 1"},
		{"busy twice", func(s *Scheduler) { s.busy = append(s.busy, 8) }, "peer id 8 stands in busy at 2, noted 1"},
		{"ready twice", func(s *Scheduler) { s.ready = append(s.ready, 1) }, "peer id 1 stands in ready at 2, noted 1"},
		{"idle twice", func(s *Scheduler) { s.idle = append(s.idle, 2) }, "peer id 2 stands in idle at 6, noted 0"},
		{"a free peer stays", func(s *Scheduler) { s.fullUntracked = append(s.fullUntracked, 12) }, "peer id 12 stands in fullUntracked at 0, noted -1"},

		// bounds
		{"slots", func(s *Scheduler) { s.cfg.Slots = 0 }, "1 in flight, 0 slots"},
		{"queue", func(s *Scheduler) { s.cfg.MaxQueued = 6 }, "7 queued, bound 6"},
		{"pending", func(s *Scheduler) { s.cfg.MaxPending = 5 }, "5 pending and 1 reserved, bound 5 (PND-7)"},
		{"contact table", func(s *Scheduler) { s.cfg.ContactTable = 8 }, "9 tracked, bound 8"},
		{"busy table", func(s *Scheduler) { s.cfg.BusyTable = 1 }, "2 busy, bound 1"},
		{"window", func(s *Scheduler) { s.overflowUntil = s.clock }, "the overflow window ended at 4"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var s Scheduler
			s.CopyFrom(checkFix(t).Scheduler)
			c.spoil(&s)
			if err := s.SelfCheck(); err == nil || err.Error() != "scheduler: self-check: "+c.want {
				t.Errorf("it says: %v\nwant: scheduler: self-check: %s", err, c.want)
			}
		})
	}
}

// TestSelfCheckBounds: what just keeps within the bounds is in order.
func TestSelfCheckBounds(t *testing.T) {
	s := checkFix(t).Scheduler
	s.cfg.Slots, s.cfg.MaxQueued, s.cfg.MaxPending, s.cfg.ContactTable, s.cfg.BusyTable = 1, 7, 6, 9, 2
	s.cfg.SourceCap, s.cfg.MaxHintSources = 3, 2
	if err := s.SelfCheck(); err != nil {
		t.Error(err)
	}
}

// TestListDisorder: the first entry that is not as a list wants it is found: the
// run is nearest first, then comes a heap, and only what is beyond the limit is
// behind it.
func TestListDisorder(t *testing.T) {
	s, ids := newListed(t, 0, 10, 20, 30, 40, 50, 60, 70, 80, 90)
	limit := s.prefix(ids[8])
	for _, c := range []struct {
		name      string
		order     []int // of the tens above
		head, run int32
		near      int32
		limit     uint64
		want      int
	}{
		{"empty", nil, 0, 0, 0, 0, -1},
		{"no order", []int{3, 1, 2}, 0, 0, 0, 0, -1},
		{"a run", []int{1, 2, 3}, 0, 3, 3, limit, -1},
		{"all three", []int{9, 5, 6, 1, 2, 3, 4, 7, 9, 8}, 1, 3, 8, limit, -1},
		{"used up", []int{5, 4, 3}, 2, 3, 3, limit, -1},
		{"the run's second", []int{2, 1, 3}, 0, 3, 3, limit, 1},
		{"the run's last", []int{1, 3, 2}, 0, 3, 3, limit, 2},
		{"the heap's second", []int{2, 1}, 0, 0, 2, limit, 1},
		{"the heap's third", []int{2, 4, 1}, 0, 0, 3, limit, 2},
		{"the heap's fourth", []int{0, 1, 2, 3, 2}, 0, 1, 5, limit, -1},
		{"below the second", []int{0, 1, 4, 2, 3}, 0, 1, 5, limit, 4},
		{"below the third", []int{0, 1, 2, 5, 3, 3, 4}, 0, 1, 7, limit, 6},
		{"below the fourth", []int{0, 1, 2, 2, 5, 3, 3, 3, 4}, 0, 1, 9, limit, 8},
		{"the rest's first", []int{1, 2, 8, 7}, 0, 1, 2, limit, 3},
		{"near and beyond the limit", []int{1, 8}, 0, 2, 2, limit, 1},
	} {
		l := list{head: c.head, run: c.run, near: c.near, limit: c.limit}
		for _, n := range c.order {
			l.ids = append(l.ids, ids[n])
		}
		if got := s.listDisorder(&l); got != c.want {
			t.Errorf("%s: disorder at %d, want %d", c.name, got, c.want)
		}
	}
}
