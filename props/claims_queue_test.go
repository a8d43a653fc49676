package props

import "fetchproof/ops"

// blocked has k1 in flight at A, whose share is one, and k2 and k4 waiting for A, k3 for B.
const blocked = "scheduler slots=2 share=1 | enqueue k1 at=1 from=A | enqueue k2 at=2 from=A | enqueue k3 at=3 from=B | enqueue k4 at=4 from=A"

// parked is blocked after a pass: k1 and k3 are in flight, k2 is parked, k4 was not looked at.
const parked = blocked + " | fill"

var stageClaims = []claim{
	{"one-stage", "PND-1", "a key is pending and queued", parked, func(b *broken) {
		b.s.Pending = append(b.s.Pending, ops.PendingKey{Key: key("k2")})
	}},
	{"one-stage", "PND-1", "a key is in the heap and parked", parked, func(b *broken) { b.s.Heap = append(b.s.Heap, key("k2")) }},
	{"one-stage", "PND-1", "a key is queued and in flight", parked, func(b *broken) { b.s.Heap = append(b.s.Heap, key("k1")) }},
	{"nearest-first", "PND-1", "a queued key is neither in the heap nor parked", parked, func(b *broken) { b.s.Heap = nil }},
	{
		"nearest-first", "PRK-1", "a key is parked that is not queued", parked,
		func(b *broken) { b.s.Parked = append(b.s.Parked, key("k9")) },
	},
	{"nearest-first", "PRK-1", "the parked keys are not nearest first", parked, func(b *broken) {
		b.s.Parked = append([]ops.Key{key("k4")}, b.s.Parked...)
		b.s.Heap = nil
	}},
	{"bounds", "SRC-4", "more in flight than slots", parked, func(b *broken) { b.Config.Scheduler.Slots = 1 }},
	{"bounds", "PRK-3", "more queued, a parked one among them", parked, func(b *broken) { b.Config.Scheduler.MaxQueued = 1 }},
	{
		"bounds", "PND-7", "more pending and reserved", "scheduler max_pending=2 | add k1 hints=A | add k2 hints=A | promote k2 at=2 from=A",
		func(b *broken) { b.s.Reserved++ },
	},
	{"bounds", "CON-7", "more tracked", parked, func(b *broken) { b.Config.Scheduler.ContactTable = 1 }},
	{
		"bounds", "BSY-6", "more in the busy table", "scheduler busy_table=1 | enqueue k1 at=1 from=A | fill | arrive k1 | busy k1 wait=5s",
		func(b *broken) { b.s.Busy = append(b.s.Busy, ops.Cooldown{Source: peer("B")}) },
	},
	{"stopped", "OUT-8", "a stop is forgotten", blocked + " | stop | fill", func(b *broken) { b.s.Stopped = false }},
	{"stopped", "OUT-8", "a stop does not stop", blocked + " | stop", func(b *broken) { b.s.Stopped = false }},
	{"stopped", "OUT-8", "a pass stops", blocked + " | fill", func(b *broken) { b.s.Stopped = true }},
	{"stopped", "OUT-8", "something starts", blocked + " | stop | fill", func(b *broken) {
		b.res.Events = append(b.res.Events, ops.Event{Kind: ops.Start, Key: key("k1"), Source: peer("A"), Attempt: 1})
	}},
	{"stopped", "OUT-8", "something parks", blocked + " | stop | fill", func(b *broken) { b.park("k2") }},
	{"ordered", "DET-2", "flights out of order", parked, func(b *broken) {
		b.s.InFlight[0], b.s.InFlight[1] = b.s.InFlight[1], b.s.InFlight[0]
	}},
	{"ordered", "DET-2", "a source twice", parked, func(b *broken) { b.s.Contact = append(b.s.Contact, b.s.Contact[1]) }},
	{"index-exact", "PRK-1", "a key is missing under its source", parked, func(b *broken) { b.s.Index = nil }},
	{"index-exact", "PRK-1", "a key that is not parked is indexed", parked, func(b *broken) {
		b.s.Index[0].Keys = append(b.s.Index[0].Keys, key("k4"))
	}},
	{
		"index-exact", "PRK-1", "an empty entry", parked,
		func(b *broken) { b.s.Index = append(b.s.Index, ops.IndexEntry{Source: peer("C")}) },
	},
	{"index-exact", "PRK-1", "a key under a source that it tried", retried, func(b *broken) {
		b.s.Index = append(b.s.Index, ops.IndexEntry{Source: peer("C"), Keys: []ops.Key{key("k2")}})
	}},
	{
		"index-exact", "PRK-4", "a merged source is not indexed", parked + " | add k2 hints=C!",
		func(b *broken) { b.s.Index = b.s.Index[:1] },
	},
	{"index-exact", "DEP-2", "a departed source is still indexed", parked + " | add k2 hints=C! | depart C", func(b *broken) {
		b.s.Index = append(b.s.Index, ops.IndexEntry{Source: peer("C"), Keys: []ops.Key{key("k2")}})
	}},
	{"parked-stays", "PRK-2", "a parked key goes back to the heap", parked + " | ready limit=1", func(b *broken) { b.unpark("k2") }},
	{"parked-stays", "PRK-4", "a merge takes it out of the parked set", parked + " | add k2 hints=C!", func(b *broken) { b.unpark("k2") }},
	{"parked-stays", "PRK-5", "it forgets what it tried", retried + " | fill", func(b *broken) { b.queued("k2").Tried = nil }},
	{"untouched", "PND-1", "a key is in another stage than it was, and nothing says so", parked + " | ready limit=1", func(b *broken) {
		b.dequeue("k4")
		b.s.Pending = append(b.s.Pending, ops.PendingKey{Key: key("k4")})
	}},
	{"untouched", "ADV-4", "an advertisement moves its key", parked + " | add k4 hints=C!", func(b *broken) {
		b.dequeue("k4")
		b.s.InFlight = append(b.s.InFlight, ops.Flight{Key: key("k4")})
	}},
	{"untouched", "PRK-2", "a parked key is gone", parked + " | enqueue k5 at=5 from=B", func(b *broken) { b.dequeue("k2") }},
	{
		"untouched", "PRK-5", "a parked key loses a source", parked + " | enqueue k5 at=5 from=B",
		func(b *broken) { b.queued("k2").Untried = nil },
	},
	{
		"untouched", "DEP-4", "an advertisement ends the attempt of its key", parked + " | add k1 hints=C!",
		func(b *broken) { b.flight("k1").Attempt = 9 },
	},
	{
		"untouched", "SEQ-2", "a stale report changes another attempt", parked + " | outcome #9 Timeout",
		func(b *broken) { b.flight("k1").Answered = true },
	},
	{"sources-apart", "PND-4", "more sources than the cap", "scheduler source_cap=2 | enqueue k1 at=1 from=A,B,C", func(b *broken) {
		b.queued("k1").Untried = append(b.queued("k1").Untried, peer("C"))
	}},
	{"sources-apart", "PND-4", "a source twice", "scheduler | enqueue k1 at=1 from=A,B,A", func(b *broken) {
		b.queued("k1").Untried = append(b.queued("k1").Untried, peer("A"))
	}},
	{"sources-apart", "ADV-2", "a tried source is merged back", parked + " | add k1 hints=A!", func(b *broken) {
		b.flight("k1").Untried = append(b.flight("k1").Untried, peer("A"))
	}},
	{
		"sources-apart", "DEP-3", "a key is queued without an untried source", parked + " | depart C",
		func(b *broken) { b.queued("k2").Untried = nil },
	},
	{"tried-stays", "SRC-1", "preference order is lost", "scheduler | enqueue k1 at=1 from=B,A,C | ready limit=1", func(b *broken) {
		q := b.queued("k1")
		q.Untried[0], q.Untried[1] = q.Untried[1], q.Untried[0]
	}},
	{
		"tried-stays", "DEP-2", "a departure forgets that its peer was tried", parked + " | depart A",
		func(b *broken) { b.flight("k1").Tried = nil },
	},
	{"tried-stays", "PRK-5", "a parked key forgets what it tried", retried, func(b *broken) { b.queued("k2").Tried = nil }},
	{
		"tried-stays", "OUT-2", "a restarted key forgets what it tried",
		"scheduler | enqueue k1 at=1 from=A,B | fill | outcome k1 Timeout", func(b *broken) {
			b.flight("k1").Tried = b.flight("k1").Tried[1:]
		},
	},
}

// retried has k2 parked after it was tried at C, with A as its other source, which k1 keeps busy.
const retried = "scheduler slots=2 share=1 | enqueue k1 at=1 from=A | enqueue k2 at=2 from=C,A | fill | outcome k2 SendFailed"

// opened starts k2 at the untracked B, whereupon the window opens and k1, blocked before, can start too.
const opened = "scheduler slots=4 share=1 contact_table=1 | enqueue k0 at=0 from=A | fill | enqueue k1 at=1 from=B | fill | " +
	"@61s enqueue k2 at=2 from=B | enqueue k3 at=3 from=C"

var fillClaims = []claim{
	{"work-conserved", "LIV-1", "a key that can start does not", blocked + " | fill", func(b *broken) {
		b.ground("k3")
		b.s.Queued = append(b.s.Queued, ops.QueuedKey{Key: key("k3"), Untried: []ops.Peer{peer("B")}})
	}},
	{
		"work-conserved", "PRK-2", "a parked key whose source freed a share does not start",
		parked + " | outcome k1 SendFailed | fill", func(b *broken) {
			b.ground("k2")
			b.s.Queued = append(b.s.Queued, ops.QueuedKey{Key: key("k2"), Untried: []ops.Peer{peer("A")}})
			b.s.Parked = append(b.s.Parked, key("k2"))
		},
	},
	{
		"work-conserved", "CON-6", "a source whose mark has ended is not probed",
		"scheduler share=1 | enqueue k1 at=1 from=A | fill | outcome k1 Timeout | " +
			"@61s enqueue k2 at=2 from=A | fill", func(b *broken) {
			b.ground("k2")
			b.s.Queued = append(b.s.Queued, ops.QueuedKey{Key: key("k2"), Untried: []ops.Peer{peer("A")}})
		},
	},
	{"work-conserved", "CON-8", "a key of an untracked source waits in the window", opened + " | fill", func(b *broken) {
		b.ground("k2")
		b.s.Queued = append(b.s.Queued, ops.QueuedKey{Key: key("k2"), Untried: []ops.Peer{peer("B")}})
	}},
	{"within-share", "SRC-4", "a start past the share of a source that answers", "scheduler share=1 | enqueue k1 at=1 from=A | fill | " +
		"enqueue k2 at=2 from=A,B | fill", func(b *broken) { b.startsAt("k2", "A") }},
	{
		"within-share", "CON-1", "a start past the share with silence off",
		"scheduler share=1 silence=off contact_table=1 | enqueue k1 at=1 from=B | " +
			"fill | enqueue k2 at=2 from=A | fill | enqueue k3 at=3 from=A,C | fill", func(b *broken) { b.startsAt("k3", "A") },
	},
	{
		"best-source", "SRC-1", "a later source in preference order", "scheduler | enqueue k1 at=1 from=B,A | fill",
		func(b *broken) { b.startsAt("k1", "A") },
	},
	{
		"best-source", "SRC-2", "a silent source before an answering one",
		"scheduler | enqueue k1 at=1 from=A | fill | outcome k1 Timeout | " +
			"enqueue k1 at=1 from=A,B | fill", func(b *broken) { b.startsAt("k1", "A") },
	},
	{
		"best-source", "SRC-2", "a cooling source before a silent one",
		"scheduler | enqueue k1 at=1 from=A | enqueue k2 at=2 from=B | fill | " +
			"outcome k1 Timeout | arrive k2 | busy k2 wait=5s | outcome k2 Busy | enqueue k1 at=1 from=B,A | fill", func(b *broken) { b.startsAt("k1", "B") },
	},
	{
		"best-source", "SRC-3", "another than the first of the cooling ones", "scheduler | enqueue k1 at=1 from=A | enqueue k2 at=2 from=B | fill | " +
			"arrive k1 | busy k1 wait=5s | outcome k1 Busy | arrive k2 | busy k2 wait=5s | outcome k2 Busy | enqueue k1 at=1 from=A,B | fill",
		func(b *broken) { b.startsAt("k1", "B") },
	},
	{"best-source", "BSY-5", "a source cools at the end of its cooldown", "scheduler | enqueue k1 at=1 from=A | fill | arrive k1 | " +
		"busy k1 wait=5s | outcome k1 Busy | @5s enqueue k1 at=1 from=A,B | fill", func(b *broken) { b.startsAt("k1", "B") }},
	{
		"best-source", "OUT-2", "a failed key moves on elsewhere than it should", "scheduler | enqueue k1 at=1 from=A,B,C | fill | outcome k1 Timeout",
		func(b *broken) { b.startsAt("k1", "C") },
	},
	{
		"nearest-starts", "FIL-1", "a farther key starts", "scheduler slots=1 | enqueue k1 at=1 from=A | enqueue k2 at=2 from=A | fill",
		func(b *broken) { b.res.Events[0].Key = key("k2") },
	},
	{
		"nearest-starts", "FIL-1", "a farther heap key before a nearer parked one", parked + " | outcome k1 SendFailed | fill",
		func(b *broken) { b.res.Events[0].Key = key("k4") },
	},
	{"nearest-starts", "FIL-1", "the starts come in another order", blocked + " | fill", func(b *broken) {
		b.res.Events[0], b.res.Events[1] = b.res.Events[1], b.res.Events[0]
	}},
	{"nearest-starts", "FIL-2", "a blocked key starts", blocked + " | fill", func(b *broken) { b.res.Events[1].Key = key("k2") }},
	{
		"nearest-starts", "CON-8", "a key that the window lets start is passed over in the same pass", "scheduler slots=6 share=1 contact_table=1 | " +
			"enqueue k1 at=1 from=A | enqueue k2 at=2 from=B | enqueue k3 at=3 from=B | enqueue k4 at=4 from=D | fill",
		func(b *broken) { b.res.Events = append(b.res.Events[:2], b.res.Events[3]) },
	},
	{
		"start-booked", "FIL-4", "a start is reported at another source", blocked + " | fill",
		func(b *broken) { b.res.Events[1].Source = peer("C") },
	},
	{"start-booked", "FIL-4", "a start is not reported", blocked + " | fill", func(b *broken) { b.res.Events = b.res.Events[:1] }},
	{
		"start-booked", "SEQ-1", "a place is left out", blocked + " | fill",
		func(b *broken) { b.res.Events[1].Attempt, b.flight("k3").Attempt = 3, 3 },
	},
	{"start-booked", "SEQ-1", "the next place was given", blocked + " | fill", func(b *broken) { b.s.NextPlace = 2 }},
	{
		"start-booked", "SEQ-1", "an attempt starts with a place for its answer", blocked + " | fill",
		func(b *broken) { b.flight("k1").Given = 1 },
	},
	{
		"start-booked", "OUT-2", "the source that it starts at is not tried", blocked + " | fill",
		func(b *broken) { b.flight("k1").Tried = nil },
	},
	{
		"start-booked", "OUT-2", "it started earlier", "scheduler | @5s enqueue k1 at=1 from=A,B | fill | @6s outcome k1 Timeout",
		func(b *broken) { b.flight("k1").Started-- },
	},
	{
		"start-booked", "PND-6", "its retry entry is gone", "scheduler | add k1 hints=A | promote k1 at=1 from=A | fill",
		func(b *broken) { b.flight("k1").HasRetry = false },
	},
	{
		"parks-only-nearer", "FIL-2", "a blocked key stays in the heap before one that starts", blocked + " | fill",
		func(b *broken) { b.unpark("k2") },
	},
	{"parks-only-nearer", "FIL-2", "a pass with a slot left leaves a blocked key in the heap", blocked + " | outcome #9 Timeout | fill | " +
		"outcome k3 SendFailed | fill", func(b *broken) { b.unpark("k4") }},
	{"parks-only-nearer", "FIL-3", "a key farther than all that started is parked", blocked + " | fill", func(b *broken) { b.park("k4") }},
	{"parks-only-nearer", "FIL-3", "a pass without a free slot parks", parked + " | fill", func(b *broken) { b.park("k4") }},
	{"parks-only-nearer", "FIL-3", "an operation that is no pass parks", parked + " | ready limit=1", func(b *broken) { b.park("k4") }},
	{"parks-only-nearer", "OUT-8", "a pass after a stop parks", blocked + " | stop | fill", func(b *broken) { b.park("k2") }},
}

// startsAt makes the only start of the step one at another of the key's sources, booked as such.
func (b *broken) startsAt(name, source string) {
	f, p := b.flight(name), peer(source)
	for i, q := range f.Untried {
		if q == p {
			f.Untried[i] = f.Source
		}
	}
	for i, q := range f.Tried {
		if q == f.Source {
			f.Tried[i] = p
		}
	}
	f.Source = p
	for i := range b.res.Events {
		b.res.Events[i].Source = p
	}
}
