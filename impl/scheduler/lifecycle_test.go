package scheduler

import (
	"testing"
	"time"
)

func TestFailedKeyParksAndReturns(t *testing.T) { // OUT-3, OUT-4, OUT-5, PRK-5, PND-6
	f := newFix(t, func(c *Config) { c.MaxQueued = 1 })
	f.promote(1, "X", "AB")
	f.fill("1A#1")
	f.put(2, "B")
	f.fill("2B#2")
	f.ends(1, OutcomeNotFound, true, "park 1, application-failure")
	f.index("B:1")
	if st := f.state(); st.Reserved != 1 || names(st.Queued[0].Tried) != "A" {
		t.Fatalf("a parked key keeps its reservation and that A was tried (PRK-5): %+v", st)
	}
	if r := f.Enqueue(0, key(3), dist(3), peers("C")); r != QueueFull {
		t.Fatal(r)
	}
	f.ends(2, OutcomeStored, true, "left 2 stored")
	f.put2(t)
	f.now = 7
	f.fill("1B#5")
	f.ends(5, OutcomeSendFailed, false, "pending 1")
	f.entry(1, "X/X/X")
	st := f.state()
	if p := st.Pending[0]; st.Reserved != 0 || p.NextVerify != 7+15*sec || p.Entry.Created != 0 {
		t.Fatalf("a returned key keeps its age, to be verified a retry delay later, without a reservation (OUT-5): %+v", p)
	}
	if got := nums(f.Ready(7+15*sec, 9, nil)); got != "1" {
		t.Fatalf("ready %q", got)
	}
}

// put2 checks that a full queue keeps a pending key pending (PND-4).
func (f *fix) put2(t *testing.T) {
	t.Helper()
	f.Add(0, key(9), hints("Y"))
	if r := f.Promote(0, key(9), dist(9), nil); r != NoSource {
		t.Fatal(r)
	}
	if r := f.Promote(0, key(9), dist(9), peers("Z")); r != QueueFull {
		t.Fatal(r)
	}
	if r := resultOf(f.Remove(0, key(9))); r != Removed {
		t.Fatal(r)
	}
	if r := f.Promote(0, key(9), dist(9), peers("Z")); r != NotPending {
		t.Fatal(r)
	}
}

func TestQueueFullFallback(t *testing.T) { // OUT-4, KC-4, KC-16
	f := newFix(t, func(c *Config) { c.MaxQueued, c.Share = 1, 1 })
	f.put(1, "AB")
	f.fill("1A#1")
	f.put(2, "B")
	f.fill("2B#2")
	f.put(3, "B")
	f.ends(1, OutcomeNotFound, true, "left 1 dropped, application-failure")
}

func TestPendingCapacityAndOwners(t *testing.T) { // PND-2, PND-3, PND-7, PND-8
	f := newFix(t, func(c *Config) { c.MaxPending = 3 })
	for i, c := range []struct {
		hints string
		want  AddResult
		entry string
	}{
		{"", AddInvalid, ""},
		{"BA", Admitted, "AB/AB/A"},
		{"AB", Admitted, "AB/AB/B"},
		{"aBAb", Admitted, "AB/AB/A"},
		{"C", CapacityRejected, ""},
	} {
		if r := f.Add(0, key(i), hints(c.hints)); r != c.want {
			t.Fatalf("add %d: %v", i, r)
		}
		if c.entry != "" {
			f.entry(i, c.entry)
		}
	}
	f.Promote(0, key(1), dist(1), peers("Z")) // still charged, and counted
	if r := f.Add(0, key(4), hints("C")); r != CapacityRejected {
		t.Fatal(r)
	}
	st := f.state()
	if len(st.Charges) != 2 || st.Charges[0].Charge != 2 || st.Charges[1].Charge != 1 {
		t.Fatalf("want two owners, charged with 2 and 1 (PND-2): %+v", st.Charges)
	}
}

func TestMergeEntry(t *testing.T) { // ADV-1, KC-19
	for _, c := range []struct{ first, then, want string }{
		{"abc", "D", "ACD/D/A"}, // B, the smallest that is not the owner A
		{"abc", "DE", "ADE/DE/A"},
		{"abc", "DEF", "ADE/DE/A"},
		{"abc", "B", "ABC/B/A"},
		{"ABC", "D", "ABC/ABC/A"},
		{"A", "cb", "ABC/A/A"},
		{"A", "dCb", "ABC/AC/A"},
		{"AB", "a", "AB/AB/A"},
		{"edCba", "", ""},
	} {
		f := newFix(t, func(c *Config) { c.MaxHintSources = 3 })
		f.Add(0, key(1), hints(c.first))
		if c.then == "" {
			f.entry(1, "ABC/C/A")
			continue
		}
		if r := f.Add(9, key(1), hints(c.then)); r != AlreadyPresent {
			t.Fatal(r)
		}
		f.entry(1, c.want)
	}
}

func TestMergeSources(t *testing.T) { // ADV-2, ADV-3, PRK-4
	f := newFix(t, func(c *Config) { c.SourceCap, c.MaxHintSources, c.Slots = 3, 2, 2 })
	f.promote(1, "X", "AAB")
	f.put(2, "A")
	f.put(3, "B")
	f.fill("1A#1 3B#2")
	f.Add(0, key(1), hints("DcbA")) // in flight: D joins, A was tried, c and b do not claim
	if q := f.state().InFlight[0]; names(q.Untried) != "BD" || names(q.Retry.Hints) != "AX" || q.Retry.Owner != peer('X') {
		t.Fatalf("want the untried sources BD, and the entry AX of X (ADV-3): %+v", q)
	}
	f.Add(0, key(2), hints("CB")) // heap or parked, without an entry
	if q := f.state().Queued[0]; names(q.Untried) != "ABC" || q.HasRetry {
		t.Fatalf("want the untried sources ABC and no entry (ADV-2): %+v", q)
	}
	f.Add(0, key(2), hints("E")) // over the cap
	if q := f.state().Queued[0]; names(q.Untried) != "ABC" {
		t.Fatalf("want the untried sources ABC still: the cap is 3 (ADV-2): %+v", q)
	}
}

func TestDeparture(t *testing.T) { // DEP-1 to DEP-6, KC-6
	f := newFix(t, func(c *Config) { c.Slots = 2 })
	f.put(1, "A")
	f.put(2, "B")
	f.fill("1A#1 2B#2")
	f.put(3, "A")                // purged
	f.promote(4, "AX", "A")      // returns
	f.promote(5, "A", "AB")      // loses its entry, keeps B
	f.Add(0, key(6), hints("A")) // pending, orphaned
	f.Add(0, key(7), hints("AB"))
	f.promote(8, "A", "A") // entry and source gone
	f.ends(2, OutcomeStored, true, "left 2 stored")
	f.put(20, "B")
	f.fill("5B#4")
	f.fill("")
	f.now = 3
	f.events(f.Depart(3, peer('A'), nil), "left 3 orphaned; pending 4; left 6 orphaned; left 8 orphaned")
	f.entry(4, "X/X/X")
	f.entry(7, "B/B/B")
	f.index("")
	f.ends(4, OutcomeSendFailed, false, "left 5 dropped") // its entry is gone, and A too
	f.ends(1, OutcomeStored, true, "left 1 stored")
	f.events(f.Depart(3, peer('Q'), nil), "")
	f.fill("20B#6")
}

func TestOldestParked(t *testing.T) { // SUM-2
	f := newFix(t, func(c *Config) { c.Slots = 3 })
	age := func(want time.Duration, some bool) {
		t.Helper()
		if got, ok := f.OldestParked(f.now); got != want || ok != some {
			t.Fatalf("oldest parked %v %v, want %v %v", got, ok, want, some)
		}
	}
	f.put(1, "A")
	f.put(2, "B")
	f.fill("1A#1 2B#2")
	age(0, false)
	f.put(3, "A")
	f.now = 1
	f.fill("") // parks 3 with the backlog
	f.put(4, "AB")
	f.now = 5
	f.fill("")
	age(4, true)
	f.now = 6
	f.put(9, "C")
	f.fill("9C#3") // examines 3 and 4
	f.now = 7
	age(6, true)
	f.ends(1, OutcomeStored, true, "left 1 stored")
	f.fill("3A#5")
	age(2, true)
}

func TestStop(t *testing.T) { // OUT-8
	f := newFix(t, nil)
	f.put(1, "AB")
	f.promote(2, "X", "CD")
	f.fill("1A#1 2C#2")
	f.put(3, "E")
	f.Stop(0)
	f.fill("")
	f.ends(1, OutcomeNotFound, true, "left 1 dropped, application-failure")
	f.ends(2, OutcomeTimeout, false, "pending 2, connection-timeout")
	if st := f.state(); nums(st.Heap) != "3" || !st.Stopped {
		t.Fatalf("after a stop key 3 stays in the heap (OUT-8): %+v", st)
	}
}

func TestEvictReadyDrained(t *testing.T) { // PND-9, PND-10, BOOT-1
	f := newFix(t, nil)
	for i := range 6 {
		f.Add(Time(i), key(9-i), hints("A"))
	}
	if got := nums(f.Ready(2, 3, nil)); got != "4 5 6" { // the clock is at 5
		t.Fatal(got)
	}
	if got := f.Ready(5, 0, nil); len(got) != 0 {
		t.Fatal(got)
	}
	f.events(f.Evict(5, 3, nil), "left 7 evicted; left 8 evicted; left 9 evicted")
	if !f.Drained([]Key{key(7), key(1)}) || f.Drained([]Key{key(7), key(6)}) {
		t.Fatal("drained")
	}
	f.events(f.Evict(2, -1, nil), "left 4 evicted; left 5 evicted; left 6 evicted")
}
