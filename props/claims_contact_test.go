package props

import "fetchproof/ops"

// marked has A silent by #1 until 60 s.
const marked = "scheduler share=1 | enqueue k1 at=1 from=A | fill | outcome k1 Timeout"

// crammed has a table of two with A, which is silent, and B, to which an attempt is in flight.
const crammed = "scheduler slots=6 share=1 contact_table=2 | enqueue k1 at=1 from=A | fill | outcome k1 Timeout | enqueue k2 at=2 from=B | fill"

// untracked starts k3 at C, for which the table has no room.
const untracked = crammed + " | enqueue k3 at=3 from=C | fill"

var contactClaims = []claim{
	{
		"mark-founded", "CON-1", "a mark with silence off", "scheduler silence=off | enqueue k1 at=1 from=A | fill | outcome k1 Timeout",
		func(b *broken) { b.contact("A").MarkedUntil = ops.Time(60 * ops.Second) },
	},
	{
		"mark-founded", "CON-1", "a mark that has ended", marked + " | @60s ready limit=1",
		func(b *broken) { b.contact("A").MarkedUntil = ops.Time(60 * ops.Second) },
	},
	{"mark-founded", "CON-2", "a mark despite a newer answer", marked, func(b *broken) { b.contact("A").LastAnswer = 2 }},
	{"mark-founded", "CON-3", "a mark for more than a lifetime", marked, func(b *broken) { b.contact("A").MarkedUntil++ }},
	{
		"evidence-grows", "CON-2", "an older answer is the last", "scheduler | enqueue k1 at=1 from=A | fill | arrive k1 | answer k1 | ready limit=1",
		func(b *broken) { b.contact("A").LastAnswer = 1 },
	},
	{
		"evidence-grows", "CON-2", "an answer at a place not given yet", "scheduler | enqueue k1 at=1 from=A | fill | arrive k1 | answer k1",
		func(b *broken) { b.contact("A").LastAnswer = 3 },
	},
	{
		"evidence-grows", "CON-3", "an older failure is the last", marked + " | ready limit=1",
		func(b *broken) { b.contact("A").LastUnanswered = 0 },
	},
	{"evidence-grows", "CON-7", "a silent source is dropped", untracked, func(b *broken) { b.forget("A") }},
	{"flight-guarded", "CON-7", "a source with an attempt in flight is dropped", untracked, func(b *broken) { b.forget("B") }},
	{
		"flight-guarded", "CON-9", "an attempt counts as tracked whose source is not", untracked,
		func(b *broken) { b.flight("k3").Tracked = true },
	},
	{"tracked-exactly", "CON-7", "a source is not tracked from its start", marked, func(b *broken) { b.forget("A") }},
	{
		"tracked-exactly", "CON-7", "an idle source stays though room is needed",
		"scheduler contact_table=2 | enqueue k1 at=1 from=A | enqueue k2 at=2 from=B | " +
			"fill | outcome k1 SendFailed | outcome k2 SendFailed | enqueue k3 at=3 from=C | fill", func(b *broken) {
			b.s.Contact = append([]ops.Contact{{Source: peer("A")}}, b.s.Contact...)
		},
	},
	{
		"tracked-exactly", "CON-7", "an idle source is dropped though there is room",
		"scheduler contact_table=3 | enqueue k1 at=1 from=A | enqueue k2 at=2 from=B | " +
			"fill | outcome k1 SendFailed | enqueue k3 at=3 from=C | fill", func(b *broken) { b.forget("A") },
	},
	{
		"tracked-exactly", "CON-7", "a source is dropped and nothing started", marked + " | @60s enqueue k2 at=2 from=B",
		func(b *broken) { b.forget("A") },
	},
	{
		"tracked-exactly", "OUT-1", "the source of an attempt that ended is still guarded when its key moves on",
		"scheduler contact_table=1 | " +
			"enqueue k1 at=1 from=A,B | fill | outcome k1 SendFailed", func(b *broken) { b.contact("B").Source = peer("A") },
	},
	{"tracked-exactly", "CON-8", "a source is tracked for which there is no room", untracked, func(b *broken) {
		b.s.Contact = append(b.s.Contact, ops.Contact{Source: peer("C")})
	}},
	{
		"tracked-exactly", "CON-9", "an attempt says that its source was tracked", untracked,
		func(b *broken) { b.flight("k3").Tracked = true },
	},
	{
		"tracked-exactly", "CON-9", "an attempt says that its source was not", marked + " | enqueue k2 at=2 from=B | fill",
		func(b *broken) { b.flight("k2").Tracked = false },
	},
	{"tracked-exactly", "DEP-5", "a departure drops its peer from the table", marked + " | depart A", func(b *broken) { b.forget("A") }},
	{
		"evidence-exact", "CON-2", "an answer is not the last", "scheduler | enqueue k1 at=1 from=A | fill | arrive k1 | answer k1",
		func(b *broken) { b.contact("A").LastAnswer = 0 },
	},
	{
		"evidence-exact", "CON-2", "an answer from before the newest request clears its mark", "scheduler | enqueue k1 at=1 from=A | enqueue k2 at=2 from=A | " +
			"fill | enqueue k3 at=3 from=A | arrive k1 | outcome k2 SendFailed | fill | outcome k3 Timeout | answer k1",
		func(b *broken) { b.contact("A").MarkedUntil = 0 },
	},
	{
		"evidence-exact", "CON-3", "a newer failure does not refresh the mark", twice + " | @20s outcome k2 Timeout",
		func(b *broken) { b.contact("A").MarkedUntil = ops.Time(70 * ops.Second) },
	},
	{
		"evidence-exact", "CON-3", "an older failure refreshes the mark",
		"scheduler | enqueue k1 at=1 from=A | enqueue k2 at=2 from=A | fill | " +
			"@10s outcome k2 Timeout | @20s outcome k1 Timeout", func(b *broken) { b.contact("A").MarkedUntil = ops.Time(80 * ops.Second) },
	},
	{"evidence-exact", "CON-3", "a failure does not mark", marked, func(b *broken) { b.contact("A").MarkedUntil = 0 }},
	{
		"evidence-exact", "CON-3", "the lifetime runs from the request", "scheduler | enqueue k1 at=1 from=A | fill | @30s outcome k1 Timeout",
		func(b *broken) { b.contact("A").MarkedUntil = ops.Time(60 * ops.Second) },
	},
	{
		"evidence-exact", "CON-5", "an answer counts only with the outcome", "scheduler | enqueue k1 at=1 from=A | fill | arrive k1 | answer k1",
		func(b *broken) { b.contact("A").LastAnswer = 0 },
	},
	{
		"evidence-exact", "CON-5", "a bad record is silence", "scheduler | enqueue k1 at=1 from=A | fill | arrive k1 | answer k1 | outcome k1 Invalid",
		func(b *broken) { b.contact("A").LastUnanswered = 1 },
	},
	{
		"evidence-exact", "CON-6", "a mark does not end", marked + " | @60s ready limit=1",
		func(b *broken) { b.contact("A").MarkedUntil = ops.Time(60*ops.Second) + 1 },
	},
	{"evidence-exact", "CON-6", "a mark ends early", marked + " | @59s ready limit=1", func(b *broken) { b.contact("A").MarkedUntil = 0 }},
	{
		"evidence-exact", "CON-9", "the failure of an untracked attempt counts",
		crammed + " | enqueue k3 at=3 from=C | fill | outcome k2 SendFailed | " +
			"enqueue k4 at=4 from=C | fill | outcome k3 Timeout", func(b *broken) { b.contact("C").LastUnanswered = 3 },
	},
	{
		"evidence-exact", "CON-10", "a cancelled attempt is silence", "scheduler | enqueue k1 at=1 from=A | fill | outcome k1 Cancelled",
		func(b *broken) { b.contact("A").LastUnanswered = 1 },
	},
	{
		"evidence-exact", "CON-10", "an answer does not stay after a cancelled outcome",
		"scheduler | enqueue k1 at=1 from=A | fill | arrive k1 | answer k1 | " +
			"outcome k1 Cancelled", func(b *broken) { b.contact("A").LastAnswer = 0 },
	},
	{
		"evidence-exact", "OUT-6", "a timeout after an applied answer marks", "scheduler | enqueue k1 at=1 from=A | fill | arrive k1 | answer k1 | outcome k1 Timeout",
		func(b *broken) { b.contact("A").LastUnanswered = 1 },
	},
	{"evidence-exact", "DEP-5", "a departure forgives", marked + " | depart A", func(b *broken) { b.contact("A").MarkedUntil = 0 }},
	{
		"window-founded", "CON-1", "a window with silence off", "scheduler silence=off contact_table=1 share=2 | enqueue k1 at=1 from=A | enqueue k2 at=2 from=B | fill",
		func(b *broken) { b.s.OverflowUntil = ops.Time(60 * ops.Second) },
	},
	{"window-founded", "CON-8", "no window opens", untracked, func(b *broken) { b.s.OverflowUntil = 0 }},
	{
		"window-founded", "CON-8", "a window opens though there was room", marked + " | enqueue k2 at=2 from=B | fill",
		func(b *broken) { b.s.OverflowUntil = ops.Time(60 * ops.Second) },
	},
	{
		"window-founded", "CON-8", "a later overflow does not extend it", untracked + " | @10s enqueue k4 at=4 from=D | fill",
		func(b *broken) { b.s.OverflowUntil = ops.Time(60 * ops.Second) },
	},
	{
		"window-founded", "CON-8", "it does not end", untracked + " | @60s ready limit=1",
		func(b *broken) { b.s.OverflowUntil = ops.Time(60*ops.Second) + 1 },
	},
	{"window-founded", "CON-8", "it ends early", untracked + " | @59s ready limit=1", func(b *broken) { b.s.OverflowUntil = 0 }},
	{"counters-recounted", "SUM-1", "a counter falls", parked + " | ready limit=1", func(b *broken) { b.s.Counters[ops.Started]-- }},
	{"counters-recounted", "SUM-1", "a start is not counted", parked, func(b *broken) { b.s.Counters[ops.Started]-- }},
	{"counters-recounted", "SUM-1", "a park of a pass is not counted", parked, func(b *broken) { b.s.Counters[ops.Parked]-- }},
	{"counters-recounted", "SUM-1", "a parked key is counted again", parked + " | fill", func(b *broken) { b.s.Counters[ops.Parked]++ }},
	{"counters-recounted", "SUM-1", "a park of an outcome is not counted", retried, func(b *broken) { b.s.Counters[ops.Parked]-- }},
	{
		"counters-recounted", "SUM-1", "a park on the way of a key that then starts is not counted",
		"scheduler slots=6 share=1 contact_table=1 | " +
			"enqueue k1 at=1 from=A | enqueue k2 at=2 from=B | enqueue k3 at=3 from=B | enqueue k4 at=4 from=D | fill", func(b *broken) { b.s.Counters[ops.Parked]++ },
	},
	{"counters-recounted", "SUM-1", "an outcome is counted as another", marked, func(b *broken) {
		b.s.Counters[ops.OutcomeCounter+ops.Counter(ops.Timeout)]--
		b.s.Counters[ops.OutcomeCounter+ops.Counter(ops.Unreachable)]++
	}},
	{
		"counters-recounted", "SUM-1", "an untracked failure is not counted as unanswered", untracked + " | outcome k3 Timeout",
		func(b *broken) { b.s.Counters[ops.Unanswered]-- },
	},
	{"counters-recounted", "SUM-1", "a busy report is not counted", saidBusy, func(b *broken) { b.s.Counters[ops.BusyReports]-- }},
	{"contact-counted", "SUM-1", "an overflow is not counted", untracked, func(b *broken) { b.s.Counters[ops.Overflows]-- }},
	{
		"contact-counted", "SUM-1", "a cleared mark is not counted", twice + " | arrive k2 | @20s answer k2",
		func(b *broken) { b.s.Counters[ops.MarksCleared]-- },
	},
	{
		"contact-counted", "CON-1", "an overflow counts with silence off",
		"scheduler silence=off contact_table=1 | enqueue k1 at=1 from=A | " +
			"enqueue k2 at=2 from=B | fill", func(b *broken) { b.s.Counters[ops.Overflows]++ },
	},
	{"contact-counted", "CON-3", "a refreshed mark counts as set", twice + " | @20s outcome k2 Timeout", func(b *broken) {
		b.s.Counters[ops.MarksSet]++
		b.s.Counters[ops.MarksRefreshed]--
	}},
	{
		"marks-balance", "SUM-1", "a mark that ended is not counted", marked + " | @60s fill",
		func(b *broken) { b.s.Counters[ops.MarksExpired]-- },
	},
	{"marks-balance", "CON-3", "a mark stands that was not set", marked, func(b *broken) { b.s.Counters[ops.MarksSet]-- }},
	{"marks-balance", "CON-6", "a mark ends twice", marked + " | @60s fill", func(b *broken) { b.s.Counters[ops.MarksExpired]++ }},
	{
		"attempts-balance", "SUM-1", "an outcome is not counted", marked,
		func(b *broken) { b.s.Counters[ops.OutcomeCounter+ops.Counter(ops.Timeout)]-- },
	},
	{"attempts-balance", "OUT-7", "an attempt is gone without an outcome", parked + " | ready limit=1", func(b *broken) { b.ground("k1") }},
	{"attempts-balance", "SEQ-1", "an attempt is in flight that never started", parked + " | ready limit=1", func(b *broken) {
		b.s.InFlight = append(b.s.InFlight, ops.Flight{Key: key("k9"), Attempt: 9})
	}},
}

// twice has A marked by #1 at 10 s, with #2 in flight.
const twice = "scheduler | enqueue k1 at=1 from=A | enqueue k2 at=2 from=A | fill | @10s outcome k1 Timeout"

// saidBusy has A, to which #1 is in flight, say busy once, at 0 s, with a wait of 5 s.
const saidBusy = "scheduler | enqueue k1 at=1 from=A,B | fill | arrive k1 | busy k1 wait=5s"

// again has A say busy again at 4 s, with a wait of 6 s: the cooldown is 12 s.
const again = saidBusy + " | enqueue k2 at=2 from=A | fill | arrive k2 | @4s busy k2 wait=6s"

var busyClaims = []claim{
	{
		"cooldown-kept", "BSY-3", "a busy answer shortens a cooldown",
		"scheduler busy_multiplier_max=1 | enqueue k1 at=1 from=A | enqueue k2 at=2 from=A | fill | " +
			"arrive k1 | arrive k2 | busy k1 wait=10s | @1s busy k2 wait=5s", func(b *broken) { b.cooldown("A").Until = ops.Time(6 * ops.Second) },
	},
	{
		"cooldown-kept", "BSY-4", "serving ends a cooldown", saidBusy + " | enqueue k2 at=2 from=A | fill | arrive k2 | outcome k2 Stored answered",
		func(b *broken) { b.cooldown("A").Until = 0 },
	},
	{"cooldown-kept", "BSY-6", "an entry leaves and no room is needed", again, func(b *broken) { b.s.Busy = nil }},
	{
		"cooldown-kept", "BSY-6", "another than the soonest to end leaves",
		"scheduler busy_table=2 | enqueue k1 at=1 from=A | enqueue k2 at=2 from=B | " +
			"enqueue k3 at=3 from=C | fill | arrive k1 | arrive k2 | arrive k3 | busy k1 wait=6s | busy k2 wait=5s | busy k3 wait=5s", func(b *broken) {
			b.cooldown("A").Source = peer("B")
		},
	},
	{
		"cooldown-kept", "DEP-5", "a departure drops its peer from the busy table", saidBusy + " | depart A",
		func(b *broken) { b.s.Busy = nil },
	},
	{
		"cooldown-founded", "BSY-1", "an entry appears without a busy reply", marked,
		func(b *broken) { b.s.Busy = append(b.s.Busy, ops.Cooldown{Source: peer("A"), Streak: 1}) },
	},
	{
		"cooldown-founded", "BSY-1", "a busy reply makes an entry of another source", saidBusy,
		func(b *broken) { b.cooldown("A").Source = peer("B") },
	},
	{"cooldown-founded", "BSY-2", "a streak starts at two", saidBusy, func(b *broken) { b.cooldown("A").Streak = 2 }},
	{"cooldown-founded", "BSY-2", "a streak does not grow", again, func(b *broken) { b.cooldown("A").Streak = 1 }},
	{
		"cooldown-founded", "BSY-2", "a streak starts anew that should grow", "scheduler busy_forget_after=5s | " + again[len("scheduler | "):],
		func(b *broken) { b.cooldown("A").Streak = 1 },
	},
	{
		"cooldown-founded", "BSY-2", "a streak grows that should start anew", "scheduler busy_forget_after=4s | " + again[len("scheduler | "):],
		func(b *broken) { b.cooldown("A").Streak = 2 },
	},
	{
		"cooldown-founded", "BSY-2", "a streak passes its bound", "scheduler busy_multiplier_max=1 | " + again[len("scheduler | "):],
		func(b *broken) { b.cooldown("A").Streak = 2 },
	},
	{
		"cooldown-founded", "BSY-2", "the multiplier is left out", again,
		func(b *broken) { b.cooldown("A").Until = ops.Time(10 * ops.Second) },
	},
	{
		"cooldown-founded", "BSY-2", "the multiplier of the streak before", again,
		func(b *broken) { b.cooldown("A").Until = ops.Time(4*ops.Second) + ops.Time(6*ops.Second) },
	},
	{
		"cooldown-founded", "BSY-2", "a nanosecond more than the wait times the multiplier", again,
		func(b *broken) { b.cooldown("A").Until++ },
	},
	{
		"cooldown-founded", "BSY-2", "the cap is passed", "scheduler busy_cooldown_cap=11s | " + again[len("scheduler | "):],
		func(b *broken) { b.cooldown("A").Until = ops.Time(16 * ops.Second) },
	},
	{"cooldown-founded", "BSY-2", "the last busy is another time", again, func(b *broken) { b.cooldown("A").Last = 0 }},
	{
		"cooldown-founded", "BSY-3", "the cooldown begins at the end of the old one", again,
		func(b *broken) { b.cooldown("A").Until = ops.Time(17 * ops.Second) },
	},
	{
		"cooldown-founded", "BSY-4", "serving leaves the streak", saidBusy + " | enqueue k2 at=2 from=A | fill | arrive k2 | outcome k2 Stored answered",
		func(b *broken) { b.cooldown("A").Streak = 1 },
	},
	{
		"cooldown-founded", "BSY-4", "a decline after a busy resets the streak", saidBusy + " | outcome k1 Declined",
		func(b *broken) { b.cooldown("A").Streak = 0 },
	},
	{
		"cooldown-founded", "BSY-4", "a timeout resets the streak", saidBusy + " | enqueue k2 at=2 from=A | fill | outcome k2 Timeout",
		func(b *broken) { b.cooldown("A").Streak = 0 },
	},
	{
		"cooldown-founded", "DEP-5", "a departure resets the streak", saidBusy + " | depart A",
		func(b *broken) { b.cooldown("A").Streak = 0 },
	},
	{
		"busy-due", "BSY-1", "the attempt is due after its deadline", "scheduler | enqueue k1 at=1 from=A | fill | arrive k1 | @28s busy k1 wait=5s",
		func(b *broken) { b.res.Due = ops.Time(33 * ops.Second) },
	},
	{"busy-due", "BSY-1", "the attempt is due before its wait", saidBusy, func(b *broken) { b.res.Due-- }},
	{"busy-due", "BSY-3", "another cooldown than is in force", again, func(b *broken) { b.res.Cooldown = 6 * ops.Second }},
}
