package props

import "fetchproof/ops"

// departing has k1 pending with A and B, k2 queued at A and B with an entry of A and B that A owns, k3 in flight at A with B
// untried, k4 queued at A alone with an entry of A and B, k5 queued at A alone without one.
const departing = "scheduler slots=1 | add k1 hints=A,B! | add k2 hints=A,B! | add k4 hints=B,A | enqueue k3 at=0 from=A,B | fill | " +
	"promote k2 at=2 from=A,B | promote k4 at=4 from=A | enqueue k5 at=5 from=A"

// lost is what A's departure leaves of it: k4 returns to pending, k5 is purged.
const lost = departing + " | depart A"

var departureClaims = []claim{
	{
		"departed-gone", "DEP-1", "it is still a hint source of a pending key", lost,
		func(b *broken) { b.pending("k1").Entry.Hints = []ops.Peer{peer("A"), peer("B")} },
	},
	{
		"departed-gone", "DEP-2", "it is still a source of a queued key", lost,
		func(b *broken) { b.queued("k2").Untried = []ops.Peer{peer("A"), peer("B")} },
	},
	{"departed-gone", "DEP-2", "it is still in the index", parked + " | depart A", func(b *broken) {
		b.s.Index = []ops.IndexEntry{{Source: peer("A"), Keys: []ops.Key{key("k2")}}}
	}},
	{
		"departed-gone", "DEP-4", "it is still a future source of a key in flight", departing + " | depart B",
		func(b *broken) { b.flight("k3").Untried = []ops.Peer{peer("B")} },
	},
	{
		"departed-exactly", "DEP-1", "another hint source leaves too", departing + " | depart C",
		func(b *broken) { b.pending("k1").Entry.Hints = []ops.Peer{peer("A")} },
	},
	{"departed-exactly", "DEP-1", "the owner's charge goes to nobody", lost, func(b *broken) { b.pending("k1").Entry.Owner = peer("A") }},
	{
		"departed-exactly", "DEP-1", "another than the smallest inherits", "scheduler | add k1 hints=A,B,C | depart A",
		func(b *broken) { b.pending("k1").Entry.Owner = peer("C") },
	},
	{
		"departed-exactly", "DEP-1", "an entry without a hint source stays", "scheduler | add k1 hints=A | depart A",
		func(b *broken) { b.res.Events = b.res.Events[:0] },
	},
	{"departed-exactly", "DEP-1", "a key with a hint source left is orphaned", lost, func(b *broken) {
		b.res.Events = append([]ops.Event{{Kind: ops.Left, Reason: ops.LeftOrphaned, Key: key("k1")}}, b.res.Events...)
	}},
	{"departed-exactly", "DEP-2", "another source leaves a queued key too", lost, func(b *broken) { b.queued("k2").Untried = nil }},
	{
		"departed-exactly", "DEP-2", "an entry without a hint source is carried on",
		"scheduler | add k1 hints=A | promote k1 at=1 from=B | depart A", func(b *broken) {
			b.queued("k1").HasRetry = true
		},
	},
	{"departed-exactly", "DEP-2", "a tried source is forgotten", lost, func(b *broken) { b.flight("k3").Tried = nil }},
	{"departed-exactly", "DEP-3", "a key without a source stays queued", lost, func(b *broken) {
		b.s.Queued = append(b.s.Queued, ops.QueuedKey{Key: key("k5"), Distance: ops.DistanceOf(5)})
	}},
	{"departed-exactly", "DEP-3", "a key with an entry is purged", lost, func(b *broken) {
		b.res.Events[0] = ops.Event{Kind: ops.Left, Reason: ops.LeftOrphaned, Key: key("k4")}
	}},
	{
		"departed-exactly", "DEP-3", "a key without one returns", lost,
		func(b *broken) { b.res.Events[1] = ops.Event{Kind: ops.ToPending, Key: key("k5")} },
	},
	{"departed-exactly", "DEP-3", "a key with a source left returns", lost, func(b *broken) {
		b.dequeue("k2")
		b.res.Events = append([]ops.Event{{Kind: ops.ToPending, Key: key("k2")}}, b.res.Events...)
	}},
	{"departed-exactly", "DEP-4", "the running attempt ends", lost, func(b *broken) { b.ground("k3") }},
	{"departed-exactly", "DEP-4", "the running attempt is another", lost, func(b *broken) { b.flight("k3").Attempt++ }},
	{"departed-exactly", "DEP-4", "a key in flight loses another source", lost, func(b *broken) { b.flight("k3").Untried = nil }},
	{
		"departed-exactly", "DEP-6", "not in key order", lost,
		func(b *broken) { b.res.Events[0], b.res.Events[1] = b.res.Events[1], b.res.Events[0] },
	},
	{"departed-exactly", "DEP-6", "one is not reported", lost, func(b *broken) { b.res.Events = b.res.Events[:1] }},
	{"departed-exactly", "PND-6", "a queued key loses its entry", lost, func(b *broken) { b.queued("k2").HasRetry = false }},
	{"departed-exactly", "PND-8", "the owner is the peer that left", lost, func(b *broken) { b.queued("k2").Retry.Owner = peer("A") }},
}

// failing has k1 in flight at A with B untried, k2 in flight at B, whose share is one, and an entry for k1.
const failing = "scheduler slots=3 share=1 max_queued=1 | add k1 hints=A | promote k1 at=1 from=A,B | fill | enqueue k2 at=2 from=B | fill"

// becomes makes the one event of an outcome another.
func (b *broken) becomes(kind ops.EventKind, why ops.Reason) {
	b.res.Events[0] = ops.Event{Kind: kind, Key: b.res.Events[0].Key, Reason: why}
}

var outcomeClaims = []claim{
	{
		"moves-on", "OUT-1", "its own share is not free when it moves", "scheduler share=1 slots=1 | enqueue k1 at=1 from=A | fill | add k1 hints=B! | outcome k1 SendFailed",
		func(b *broken) { b.becomes(ops.Park, ops.NoReason) },
	},
	{
		"moves-on", "OUT-2", "it is parked though a source can start", failing + " | outcome k2 SendFailed | enqueue k3 at=3 from=C | outcome k1 SendFailed",
		func(b *broken) { b.becomes(ops.Park, ops.NoReason) },
	},
	{
		"moves-on", "OUT-2", "it starts elsewhere", "scheduler | enqueue k1 at=1 from=A,B,C | fill | outcome k1 Timeout",
		func(b *broken) { b.res.Events[0].Source = peer("C") },
	},
	{
		"moves-on", "OUT-3", "it returns though it could park", failing + " | outcome k1 SendFailed",
		func(b *broken) { b.becomes(ops.ToPending, ops.NoReason) },
	},
	{
		"moves-on", "OUT-3", "it parks without an untried source", failing + " | outcome k2 SendFailed",
		func(b *broken) { b.becomes(ops.Park, ops.NoReason) },
	},
	{
		"moves-on", "OUT-4", "it is dropped with an entry", "scheduler | add k1 hints=A | promote k1 at=1 from=A | fill | outcome k1 Timeout",
		func(b *broken) { b.becomes(ops.Left, ops.LeftDropped) },
	},
	{"moves-on", "OUT-4", "it returns without one", marked, func(b *broken) { b.becomes(ops.ToPending, ops.NoReason) }},
	{
		"moves-on", "OUT-4", "a stored key returns", promoted + " | fill | arrive k1 | outcome k1 Stored answered",
		func(b *broken) { b.becomes(ops.ToPending, ops.NoReason) },
	},
	{
		"moves-on", "OUT-4", "a cancelled key moves on", "scheduler | enqueue k1 at=1 from=A,B | fill | outcome k1 Cancelled",
		func(b *broken) { b.becomes(ops.Park, ops.NoReason) },
	},
	{
		"moves-on", "OUT-8", "after a stop it starts",
		"scheduler | enqueue k1 at=1 from=A,B | fill | stop | outcome k1 Timeout", func(b *broken) {
			b.res.Events[0] = ops.Event{Kind: ops.Start, Key: key("k1"), Source: peer("B"), Attempt: 2}
		},
	},
	{
		"moves-on", "OUT-8", "after a stop it parks", failing + " | stop | outcome k1 SendFailed",
		func(b *broken) { b.becomes(ops.Park, ops.NoReason) },
	},
	{
		"moves-on", "PRK-3", "it parks in a full queue", failing + " | enqueue k3 at=3 from=B | outcome k1 SendFailed",
		func(b *broken) { b.becomes(ops.Park, ops.NoReason) },
	},
	{"moves-on", "SRC-4", "it starts at a source that is full", failing + " | outcome k1 SendFailed", func(b *broken) {
		b.res.Events[0] = ops.Event{Kind: ops.Start, Key: key("k1"), Source: peer("B"), Attempt: 3}
	}},
	{
		"charged-rightly", "OUT-6", "a timeout after an applied answer is charged", "scheduler | enqueue k1 at=1 from=A | fill | arrive k1 | answer k1 | outcome k1 Timeout",
		func(b *broken) { b.res.Charge = ops.ConnectionTimeout },
	},
	{"charged-rightly", "OUT-6", "a timeout is not charged", marked, func(b *broken) { b.res.Charge = ops.NoCharge }},
	{
		"charged-rightly", "CON-5", "a failed local write is charged", "scheduler | enqueue k1 at=1 from=A | fill | arrive k1 | outcome k1 StoreFailed answered",
		func(b *broken) { b.res.Charge = ops.ApplicationFailure },
	},
	{
		"charged-rightly", "CON-5", "a bad record is charged as a timeout", "scheduler | enqueue k1 at=1 from=A | fill | arrive k1 | outcome k1 Invalid answered",
		func(b *broken) { b.res.Charge = ops.ConnectionTimeout },
	},
	{"parked-whole", "PRK-5", "a parked key forgets what it tried", retried, func(b *broken) { b.queued("k2").Tried = nil }},
	{"parked-whole", "OUT-3", "it is reported as parked and is not", retried, func(b *broken) { b.unpark("k2") }},
	{"parked-whole", "OUT-3", "it has another distance", retried, func(b *broken) { b.queued("k2").Distance = ops.DistanceOf(9) }},
	{
		"parked-whole", "PND-6", "it loses its entry", failing + " | outcome k1 SendFailed",
		func(b *broken) { b.queued("k1").HasRetry = false },
	},
	{
		"result-shaped", "FIL-4", "a pass reports what is no start", parked + " | outcome k1 SendFailed | fill",
		func(b *broken) { b.res.Events[0].Kind = ops.Park },
	},
	{"result-shaped", "FIL-4", "a start without a place", parked, func(b *broken) { b.res.Events[0].Attempt = 0 }},
	{"result-shaped", "OUT-7", "a key leaves without a reason", marked, func(b *broken) { b.res.Events[0].Reason = ops.NoReason }},
	{"result-shaped", "OUT-7", "an operation in which nothing can leave reports that", parked + " | ready limit=1", func(b *broken) {
		b.res.Events = append(b.res.Events, ops.Event{Kind: ops.Left, Reason: ops.LeftDropped, Key: key("k4")})
	}},
	{
		"result-shaped", "OUT-7", "a refused outcome reports an event",
		"scheduler | enqueue k1 at=1 from=A | fill | outcome k1 Stored", func(b *broken) {
			b.res.Events = append(b.res.Events, ops.Event{Kind: ops.Left, Reason: ops.LeftStored, Key: key("k1")})
		},
	},
}

// flying has k1 in flight at A with the answer at #2, applied, and k2 in flight at A with none.
const flying = "scheduler | enqueue k1 at=1 from=A | fill | arrive k1 | answer k1 | enqueue k2 at=2 from=A | fill"

var reportClaims = []claim{
	{
		"stale-judged", "SEQ-2", "the report of an attempt that ended is applied", marked + " | outcome #1 Timeout",
		func(b *broken) { b.answers(ops.OK) },
	},
	{
		"stale-judged", "SEQ-2", "the report of a running attempt is stale", flying + " | outcome k2 Timeout",
		func(b *broken) { b.answers(ops.Stale) },
	},
	{
		"stale-judged", "DET-4", "nonsense about an attempt that ended is invalid", marked + " | arrive #1",
		func(b *broken) { b.answers(ops.Invalid) },
	},
	{"sense-judged", "SEQ-3", "a second answer is applied", flying + " | answer k1", func(b *broken) { b.answers(ops.OK) }},
	{"sense-judged", "SEQ-3", "a busy after an answer", flying + " | busy k1 wait=5s", func(b *broken) { b.answers(ops.OK) }},
	{
		"sense-judged", "SEQ-3", "an outcome brings a second answer", flying + " | outcome k1 Stored answered",
		func(b *broken) { b.answers(ops.OK) },
	},
	{
		"sense-judged", "SEQ-3", "an outcome that needs an answer has none", flying + " | outcome k2 Stored",
		func(b *broken) { b.answers(ops.OK) },
	},
	{
		"sense-judged", "SEQ-3", "a timeout brings an answer", flying + " | arrive k2 | outcome k2 Timeout answered",
		func(b *broken) { b.answers(ops.OK) },
	},
	{"sense-judged", "SEQ-3", "Busy without a busy report", flying + " | outcome k1 Busy", func(b *broken) { b.answers(ops.OK) }},
	{"sense-judged", "SEQ-3", "Stored after a busy report", saidBusy + " | outcome k1 Stored", func(b *broken) { b.answers(ops.OK) }},
	{"sense-judged", "SEQ-3", "Timeout after a busy report", saidBusy + " | outcome k1 Timeout", func(b *broken) { b.answers(ops.OK) }},
	{"sense-judged", "SEQ-3", "SendFailed after an answer", flying + " | outcome k1 SendFailed", func(b *broken) { b.answers(ops.OK) }},
	{
		"sense-judged", "SEQ-3", "Declined after a busy report is refused", saidBusy + " | outcome k1 Declined",
		func(b *broken) { b.answers(ops.Invalid) },
	},
	{
		"sense-judged", "SEQ-3", "an early answer and its outcome are refused", flying + " | outcome k1 Stored",
		func(b *broken) { b.answers(ops.Invalid) },
	},
	{
		"sense-judged", "DET-4", "another place than was given", flying + " | arrive k2 | answer k2 place=#3",
		func(b *broken) { b.answers(ops.OK) },
	},
	{"sense-judged", "DET-4", "a place that was never given", flying + " | answer k2", func(b *broken) { b.answers(ops.OK) }},
	{"sense-judged", "DET-4", "an unknown outcome", flying + " | outcome k2 Unknown", func(b *broken) { b.answers(ops.OK) }},
	{"sense-judged", "DET-4", "a second place for one answer", flying + " | arrive k1", func(b *broken) { b.answers(ops.OK) }},
	{
		"sense-judged", "BSY-1", "a wait out of its range", flying + " | arrive k2 | busy k2 wait=10.000000001s",
		func(b *broken) { b.answers(ops.OK) },
	},
	{
		"sense-judged", "BSY-1", "a wait at the end of its range", flying + " | arrive k2 | busy k2 wait=10s",
		func(b *broken) { b.answers(ops.Invalid) },
	},
	{"place-given", "SEQ-1", "the answer takes a place that was given", flying + " | arrive k2", func(b *broken) { b.res.Place = 3 }},
	{"report-booked", "SEQ-1", "the attempt keeps another place", flying + " | arrive k2", func(b *broken) { b.flight("k2").Given = 5 }},
	{
		"report-booked", "SEQ-3", "an applied answer is not noted", flying + " | arrive k2 | answer k2",
		func(b *broken) { b.flight("k2").Answered = false },
	},
	{
		"report-booked", "CON-5", "an answer is applied when it only arrived", flying + " | arrive k2",
		func(b *broken) { b.flight("k2").Answered = true },
	},
	{"report-booked", "BSY-1", "a busy attempt gives its slot back", saidBusy, func(b *broken) { b.ground("k1") }},
	{"report-booked", "BSY-1", "a busy reply is noted as a plain answer", saidBusy, func(b *broken) { b.flight("k1").Busy = false }},
	{"report-booked", "BSY-1", "a busy reply takes a source away", saidBusy, func(b *broken) { b.flight("k1").Untried = nil }},
}

var queryClaims = []claim{
	{"clock", "DET-3", "an operation does not move the clock", "scheduler | @5s fill", func(b *broken) { b.s.Clock = 0 }},
	{
		"clock", "DET-3", "an earlier one moves it back", "scheduler | @5s fill | @3s fill",
		func(b *broken) { b.s.Clock = ops.Time(3 * ops.Second) },
	},
	{"clock", "DET-3", "a query moves it", "scheduler | @5s ready limit=1", func(b *broken) { b.s.Clock = ops.Time(5 * ops.Second) }},
	{"clock", "DET-3", "a refused operation does not move it", "scheduler | @5s remove k1", func(b *broken) { b.s.Clock = 0 }},
	{
		"refused-unchanged", "DET-4", "an invalid call leaves a trace", hinted + " | add k1 hints=",
		func(b *broken) { b.pending("k1").Entry.Claimants = nil },
	},
	{
		"refused-unchanged", "SEQ-2", "a stale report leaves a trace", marked + " | enqueue k2 at=2 from=A | fill | outcome #1 Timeout",
		func(b *broken) { b.flight("k2").Answered = true },
	},
	{
		"refused-unchanged", "PND-3", "a rejected key changes a charge", "scheduler max_pending=1 | add k1 hints=A | add k2 hints=B",
		func(b *broken) { b.s.Charges[0].Charge++ },
	},
	{
		"refused-unchanged", "PND-4", "a refused promotion takes the key", hinted + " | promote k1 at=1 from=",
		func(b *broken) { b.s.Pending = nil },
	},
	{"drained-judged", "BOOT-1", "a parked key does not hold it open", parked + " | drained k2", func(b *broken) { b.res.Drained = true }},
	{"drained-judged", "BOOT-1", "a key in no stage holds it open", parked + " | drained k9", func(b *broken) { b.res.Drained = false }},
	{"ready-judged", "PND-10", "a due key is missing", aged + " | ready limit=9", func(b *broken) { b.res.Keys = b.res.Keys[:1] }},
	{
		"ready-judged", "PND-10", "not in key order", aged + " | ready limit=9",
		func(b *broken) { b.res.Keys[0], b.res.Keys[1] = b.res.Keys[1], b.res.Keys[0] },
	},
	{
		"ready-judged", "PND-10", "more than were asked for", aged + " | ready limit=2",
		func(b *broken) { b.res.Keys = append(b.res.Keys, key("k3")) },
	},
	{
		"ready-judged", "PND-10", "one that is not due yet", promoted + " | fill | outcome k1 Cancelled | @14.999999999s ready limit=1",
		func(b *broken) { b.res.Keys = append(b.res.Keys, key("k1")) },
	},
	{
		"ready-judged", "PND-10", "one that falls due now is missing", promoted + " | fill | outcome k1 Cancelled | @15s ready limit=1",
		func(b *broken) { b.res.Keys = nil },
	},
}
