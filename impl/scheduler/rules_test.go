package scheduler

import (
	"errors"
	"math"
	"testing"
	"time"
)

const sec = Time(time.Second)

func TestFillParksOnlyNearerKeys(t *testing.T) { // FIL-1 to FIL-4, PRK-1
	f := newFix(t, func(c *Config) { c.Slots = 2 })
	f.put(1, "A")
	f.put(2, "A")
	f.put(3, "AB")
	f.put(4, "A")
	f.fill("1A#1 3B#2")
	st := f.state()
	if nums(st.Heap) != "4" || nums(st.Parked) != "2" || st.Counters.Parked != 1 {
		t.Fatalf("heap %s, parked %s", nums(st.Heap), nums(st.Parked))
	}
	f.index("A:2")
	f.ends(2, OutcomeStored, true, "left 3 stored")
	f.fill("")
	if st := f.state(); nums(st.Parked) != "2 4" || st.Counters.Parked != 2 {
		t.Fatalf("parked %s", nums(st.Parked))
	}
	f.index("A:2 4")
	f.ends(1, OutcomeStored, true, "left 1 stored")
	f.put(5, "B")
	f.fill("2A#5 5B#6")
}

func TestNearestParkedOverAllSources(t *testing.T) { // FIL-1, PRK-2
	f := newFix(t, func(c *Config) { c.Slots = 3 })
	f.put(10, "A")
	f.put(11, "B")
	f.put(12, "C")
	f.fill("10A#1 11B#2 12C#3")
	f.put(3, "C")
	f.put(1, "B")
	f.put(2, "A")
	f.ends(1, OutcomeStored, true, "left 10 stored")
	f.fill("2A#5")
	f.ends(3, OutcomeStored, true, "left 12 stored")
	f.ends(2, OutcomeStored, true, "left 11 stored")
	f.fill("1B#8 3C#9")
}

func TestChoiceOrder(t *testing.T) { // SRC-2, SRC-3, SRC-4, KC-1
	for _, c := range []struct {
		name         string
		silent, cool string // of A, B
		want         string
	}{
		{"preference", "", "", "9A"},
		{"silent behind answering", "A", "", "9B"},
		{"cooling behind silent", "B", "A", "9B"},
		{"cooling silent last", "A", "AB", "9B"},
		{"all cooling", "", "AB", "9A"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newFix(t, func(c *Config) { c.Slots, c.Share = 8, 4 })
			for i, p := range c.cool {
				f.put(20+i, string(p))
				st := f.Fill(0, nil)[0]
				f.saysBusy(st.Attempt, 10*time.Second)
				f.ends(st.Attempt, OutcomeBusy, false, eventText(Event{Kind: EventLeft, Key: st.Key, Reason: ReasonDropped}))
			}
			for i, p := range c.silent {
				f.put(30+i, string(p))
				st := f.Fill(0, nil)[0]
				f.Outcome(0, st.Attempt, OutcomeTimeout, 0, false)
			}
			f.put(9, "AB")
			if st := f.Fill(0, nil)[0]; string(rune('0'+st.Key[31]))+string(rune(st.Source[0])) != c.want {
				t.Fatalf("started at %c, want %s", st.Source[0], c.want)
			}
		})
	}
}

func TestSilentSourceGoesPastShare(t *testing.T) { // SRC-4, CON-6, LIV-3
	f := newFix(t, func(c *Config) { c.Slots, c.Share = 8, 2 })
	for n := 1; n <= 16; n++ {
		f.put(n, "A")
	}
	f.fill("1A#1 2A#2")
	f.now = 30 * sec
	f.ends(1, OutcomeTimeout, false, "left 1 dropped, connection-timeout")
	if got := len(f.Fill(f.now, nil)); got != 7 {
		t.Fatalf("%d starts past the share", got)
	}
	f.ends(2, OutcomeTimeout, false, "left 2 dropped, connection-timeout")
	f.answer(3) // newer than both failures: answering again, and over its share
	f.fill("")
	if f.silentNow('A') || f.Snapshot(f.now).SourcesAtLimit != 1 {
		t.Fatal("the answer did not clear the mark")
	}
}

func TestMarks(t *testing.T) { // CON-2, CON-3, SUM-1
	f := newFix(t, func(c *Config) { c.Slots, c.Share, c.MarkLifetime = 8, 8, 60*time.Second })
	for n := 1; n <= 5; n++ {
		f.put(n, "A")
	}
	f.fill("1A#1 2A#2 3A#3 4A#4 5A#5")
	old, _ := f.Arrive(1) // place 6, after all requests
	f.now = 10 * sec
	f.ends(3, OutcomeTimeout, false, "left 3 dropped, connection-timeout")
	f.now = 20 * sec
	f.ends(2, OutcomeTimeout, false, "left 2 dropped, connection-timeout") // older: no refresh
	if c := f.state().Contact[0]; c.MarkedUntil != 70*sec || c.LastUnanswered != 3 {
		t.Fatalf("an older failure is no refresh, want the mark of #3 until 70 s (CON-3): %+v", c)
	}
	f.ends(4, OutcomeUnreachable, false, "left 4 dropped, connection-timeout")
	if c := f.state().Contact[0]; c.MarkedUntil != 80*sec {
		t.Fatalf("a newer failure refreshes the mark, want it until 80 s (CON-3): %+v", c)
	}
	if v := f.Answer(f.now, 1, old); !v.OK() {
		t.Fatal(v)
	}
	f.ends(5, OutcomeTimeout, false, "left 5 dropped, connection-timeout") // r=5 < answer 6: no mark
	c := f.state().Counters
	if f.silentNow('A') || c.MarksSet != 1 || c.MarksRefreshed != 1 || c.MarksCleared != 1 || c.Unanswered != 4 {
		t.Fatalf("want an answering source, one mark set, refreshed and cleared, and 4 unanswered: %+v", c)
	}
}

func TestAnswerBeforeNewestRequestKeepsMark(t *testing.T) { // CON-2, CON-4
	f := newFix(t, func(c *Config) { c.Share = 4 })
	f.put(1, "A")
	f.fill("1A#1")
	p, _ := f.Arrive(1)
	f.put(2, "A")
	f.fill("2A#3")
	f.ends(3, OutcomeTimeout, false, "left 2 dropped, connection-timeout")
	f.Answer(0, 1, p)
	if !f.silentNow('A') {
		t.Fatal("an old answer cleared a newer mark")
	}
	f.now = 60*sec - 1
	f.Stop(f.now)
	if !f.silentNow('A') || f.state().Counters.MarksExpired != 0 {
		t.Fatal("the mark ended early")
	}
	f.now++
	if f.silentNow('A') { // a query: shows it, and does not count it
		t.Fatal("the mark outlived its time")
	}
	if f.state().Counters.MarksExpired != 0 {
		t.Fatal("a query moved the clock")
	}
	f.Stop(f.now)
	f.Stop(f.now + 1)
	if f.state().Counters.MarksExpired != 1 {
		t.Fatal("the end of the mark was not counted once")
	}
}

func TestContactTable(t *testing.T) { // CON-7, CON-8, CON-9
	f := newFix(t, func(c *Config) { c.Slots, c.ContactTable, c.MarkLifetime = 9, 2, 10*time.Second })
	f.put(1, "A")
	f.put(2, "B")
	f.put(3, "C")
	f.put(4, "CD")
	f.put(5, "D")
	// A and B fill the table; C overflows it, which makes every untracked source
	// silent: 4 and 5 start past the share.
	f.fill("1A#1 2B#2 3C#3 4C#4 5D#5")
	st := f.state()
	if st.OverflowUntil != 10*sec || st.Counters.Overflows != 3 || len(st.Contact) != 2 {
		t.Fatalf("want the window open until 10 s by three overflows, and 2 sources tracked (CON-8): %+v", st)
	}
	f.ends(3, OutcomeTimeout, false, "left 3 dropped, connection-timeout") // untracked: no evidence
	if st := f.state(); st.Counters.Unanswered != 1 || st.Counters.MarksSet != 0 {
		t.Fatalf("the failure of an untracked source sets no mark (CON-9): %+v", st.Counters)
	}
	f.ends(1, OutcomeStored, true, "left 1 stored")
	f.put(6, "C") // A is idle: dropped, and C is tracked
	f.fill("6C#7")
	f.now = 10 * sec
	f.Stop(f.now)
	if st := f.state(); st.OverflowUntil != 0 || names([]Peer{st.Contact[0].Source, st.Contact[1].Source}) != "BC" {
		t.Fatalf("want the window closed, and B and C tracked: %+v", st.Contact)
	}
}

func TestWindowWakesParked(t *testing.T) { // PRK-2, CON-8
	f := newFix(t, func(c *Config) { c.Slots, c.ContactTable = 3, 1 })
	f.put(1, "A")
	f.put(2, "B")
	f.fill("1A#1 2B#2") // B untracked, the window opens
	f.put(3, "B")
	f.fill("3B#3")
	f.put(4, "B")
	f.now = 60 * sec
	f.ends(3, OutcomeStored, true, "left 3 stored")
	f.fill("") // the window has closed, B is full
	f.index("B:4")
	f.put(0, "C")
	f.fill("0C#5") // overflows again: B is silent once more
	f.ends(1, OutcomeCancelled, false, "left 1 dropped")
	f.fill("4B#6")
}

func TestOutcomes(t *testing.T) { // section 9
	for _, c := range []struct {
		kind   OutcomeKind
		answer bool
		want   string // one source left, without and with a retry entry
		last   string // no source left, retry entry
	}{
		{OutcomeStored, true, "left 1 stored", "left 1 stored"},
		{OutcomeDeclined, false, "left 1 declined", "left 1 declined"},
		{OutcomeDeclined, true, "left 1 declined", "left 1 declined"},
		{OutcomeStoreFailed, true, "start 1B#3", "pending 1"},
		{OutcomeNotFound, true, "start 1B#3, application-failure", "pending 1, application-failure"},
		{OutcomeErrorReply, true, "start 1B#3, application-failure", "pending 1, application-failure"},
		{OutcomeInvalid, true, "start 1B#3, malformed", "pending 1, malformed"},
		{OutcomeTimeout, false, "start 1B#2, connection-timeout", "pending 1, connection-timeout"},
		{OutcomeUnreachable, false, "start 1B#2, connection-timeout", "pending 1, connection-timeout"},
		{OutcomeSendFailed, false, "start 1B#2", "pending 1"},
		{OutcomeCancelled, false, "left 1 dropped", "pending 1"},
		{OutcomePanicked, false, "left 1 dropped", "pending 1"},
		{OutcomeStored, false, "invalid", "invalid"},
		{OutcomeInvalid, false, "invalid", "invalid"},
		{OutcomeTimeout, true, "invalid", "invalid"},
		{OutcomeBusy, false, "invalid", "invalid"},
		{OutcomeBusy, true, "invalid", "invalid"},
		{0, false, "invalid", "invalid"},
		{OutcomeKind(outcomeKinds), false, "invalid", "invalid"},
	} {
		f := newFix(t, nil)
		f.put(1, "AB")
		f.fill("1A#1")
		f.ends(1, c.kind, c.answer, c.want)
		g := newFix(t, nil)
		g.promote(1, "X", "A")
		g.fill("1A#1")
		g.ends(1, c.kind, c.answer, c.last)
	}
}

func TestReportsThatMakeNoSense(t *testing.T) { // SEQ-1 to SEQ-3, DET-4
	f := newFix(t, func(c *Config) { c.Share = 4 })
	f.put(1, "A")
	f.put(2, "A")
	f.fill("1A#1 2A#2")
	p, _ := f.Arrive(1)
	if _, v := f.Arrive(1); v.Why != WhyHasPlace {
		t.Fatal(v)
	}
	if _, v := f.Arrive(99); v.Result != Stale {
		t.Fatal(v)
	}
	for _, c := range []struct {
		got  Verdict
		want Why
	}{
		{f.Answer(5, 1, p+1), WhyPlaceNotGiven},
		{f.Answer(5, 2, p), WhyPlaceNotGiven},
		{f.Answer(5, 2, 0), WhyPlaceNotGiven},
		{f.Answer(5, 77, p), WhyNotInFlight},
		{second(f.Busy(5, 1, p, 5*time.Second-1)), WhyWaitRange},
		{second(f.Busy(5, 1, p, 10*time.Second+1)), WhyWaitRange},
		{second(f.Busy(5, 1, p, 5*time.Second)), WhyNone},
		{f.Answer(5, 1, p), WhyAnswered},
		{outcome(f.Outcome(5, 1, OutcomeStored, 0, false)), WhyAfterBusy},
		{outcome(f.Outcome(5, 1, OutcomeTimeout, 0, false)), WhyAfterBusy},
		{outcome(f.Outcome(5, 1, OutcomeBusy, p, true)), WhyAnswered},
		{outcome(f.Outcome(5, 1, OutcomeBusy, 0, false)), WhyNone},
		{outcome(f.Outcome(9, 1, OutcomeBusy, 0, false)), WhyNotInFlight},
	} {
		if c.got.Why != c.want {
			t.Errorf("%v, want %v", c.got.Why, c.want)
		}
	}
	if f.state().Clock != 9 {
		t.Error("a stale report moves the clock all the same")
	}
	f.answer(2)
	f.ends(2, OutcomeSendFailed, false, "invalid")
	f.ends(2, OutcomeTimeout, false, "left 2 dropped") // OUT-6
	if f.state().Counters.Unanswered != 0 {
		t.Error("an answered timeout is no silence")
	}
}

func second(_ BusyReply, v Verdict) Verdict         { return v }
func outcome(_ OutcomeReport, v Verdict) Verdict    { return v }
func resultOf(_ Event, r RemoveResult) RemoveResult { return r }

func TestBusyCooldowns(t *testing.T) { // BSY-1 to BSY-4
	f := newFix(t, func(c *Config) { c.Slots, c.Share = 40, 40 })
	wait := 10 * time.Second
	attempt := func(n int) Place { f.put(n, "A"); return f.Fill(f.now, nil)[0].Attempt }
	for i, want := range []time.Duration{10, 20, 40, 60, 60} {
		r := f.saysBusy(attempt(i+1), wait)
		if r.Cooldown != want*time.Second || r.Due != f.now+10*sec {
			t.Fatalf("busy %d: %+v", i, r)
		}
	}
	if b := f.state().Busy[0]; b.Streak != 4 || b.Until != 60*sec {
		t.Fatalf("want a streak that stops at 4, cooling until 60 s (BSY-2): %+v", b)
	}
	a := attempt(20)
	f.now = 25 * sec
	if r := f.saysBusy(a, wait); r.Due != 30*sec { // its own deadline
		t.Fatalf("the attempt is due at its own deadline, 30 s (BSY-1): %+v", r)
	}
	f.now = 26 * sec
	f.ends(attempt(21), OutcomeStored, true, "left 21 stored")
	if b := f.state().Busy[0]; b.Streak != 0 || b.Until != 85*sec {
		t.Fatalf("served resets the streak and leaves the cooldown until 85 s (BSY-4): %+v", b)
	}
	if r := f.saysBusy(attempt(22), wait); r.Cooldown != 59*time.Second { // never shortened
		t.Fatalf("a cooldown is never shortened, want 59 s of it (BSY-3): %+v", r)
	}
	f.now = 26*sec + 10*60*sec - 1
	f.saysBusy(attempt(23), wait)
	if b := f.state().Busy[0]; b.Streak != 2 {
		t.Fatalf("a nanosecond before it is forgotten the streak grows to 2 (BSY-2): %+v", b)
	}
	f.now += 10 * 60 * sec
	f.saysBusy(attempt(24), wait)
	if b := f.state().Busy[0]; b.Streak != 1 {
		t.Fatalf("a streak that was forgotten begins at 1 (BSY-2): %+v", b)
	}
}

func TestBusyTableBound(t *testing.T) { // BSY-6
	f := newFix(t, func(c *Config) { c.BusyTable, c.Slots = 2, 9 })
	for i, p := range "CBA" {
		f.put(i+1, string(p))
		f.saysBusy(f.Fill(0, nil)[0].Attempt, 5*time.Second+time.Duration(i/2))
	}
	st := f.state()
	if len(st.Busy) != 2 || st.Busy[0].Source != peer('A') || st.Busy[1].Source != peer('C') {
		t.Fatalf("want A and C in the busy table (BSY-6): %+v", st.Busy) // B and C tied: the smaller went
	}
}

func TestEndOfTime(t *testing.T) { // DET-4
	f := newFix(t, func(c *Config) { c.ContactTable = 1; c.Slots = 9 })
	f.now = forever - 1
	f.put(1, "A")
	f.fill("1A#1")
	f.ends(1, OutcomeTimeout, false, "left 1 dropped, connection-timeout")
	if !f.silentNow('A') || f.state().Contact[0].MarkedUntil != forever {
		t.Fatalf("want A marked until the largest time (DET-4): %+v", f.state().Contact)
	}
	f.now = forever
	f.put(2, "A")
	f.put(3, "B")
	f.fill("2A#2 3B#3")
	f.ends(2, OutcomeTimeout, false, "left 2 dropped, connection-timeout")
	st := f.state()
	if c := st.Counters; c.MarksSet != 1 || c.MarksExpired != 1 || c.Overflows != 1 || st.OverflowUntil != 0 {
		t.Fatalf("at the largest time want no further mark and no window (DET-4): %+v", st)
	}
	if r := f.saysBusy(3, 5*time.Second); r.Cooldown != 0 || r.Due != forever {
		t.Fatalf("at the largest time want no cooldown, due at that time (DET-4): %+v", r)
	}
}

func TestConfig(t *testing.T) { // section 2
	d := Defaults()
	if d.MarkLifetime != time.Minute || d.SourceCap != 35 || d.Validate() != nil {
		t.Fatalf("want a mark lifetime of a minute and a source cap of 35: %+v", d)
	}
	for _, c := range []struct {
		field  string
		change func(*Config)
	}{
		{"Slots", func(c *Config) { c.Slots = 0 }},
		{"SourceCap", func(c *Config) { c.SourceCap = 1<<30 + 1 }},
		{"FetchTimeout", func(c *Config) { c.FetchTimeout = 0 }},
		{"BusyWaitMin", func(c *Config) { c.BusyWaitMin = c.BusyWaitMax + 1 }},
		{"BusyMultiplierMax", func(c *Config) { c.BusyMultiplierMax = 6 }},
	} {
		cfg := Defaults()
		c.change(&cfg)
		_, err := New(cfg)
		var bad *ConfigError
		if !errors.As(err, &bad) || bad.Field != c.field || bad.Error() == "" {
			t.Errorf("%s: %v", c.field, err)
		}
	}
	c := Config{FetchTimeout: math.MaxInt64}
	c.Derive()
	if c.MarkLifetime != math.MaxInt64 {
		t.Fatal(c.MarkLifetime)
	}
	c = Config{FetchTimeout: 1}
	if c.Derive(); c.MarkLifetime != time.Second {
		t.Fatal(c.MarkLifetime)
	}
}
