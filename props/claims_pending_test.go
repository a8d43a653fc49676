package props

import "fetchproof/ops"

// hinted has k1 pending, hinted by A, who claims it, and B, who does not; A owns it.
const hinted = "scheduler max_hint_sources=2 | add k1 hints=A!,B"

// promoted has k1 in the heap with C and D as sources and the entry of hinted.
const promoted = hinted + " | promote k1 at=1 from=C,D"

var pendingClaims = []claim{
	{"entries-sound", "PND-8", "the owner is no hint source", hinted, func(b *broken) { b.pending("k1").Entry.Owner = peer("C") }},
	{"entries-sound", "ADV-1", "more hint sources than there may be", hinted, func(b *broken) { b.Config.Scheduler.MaxHintSources = 1 }},
	{
		"entries-sound", "ADV-1", "a claimant is no hint source", promoted,
		func(b *broken) { b.queued("k1").Retry.Claimants = []ops.Peer{peer("C")} },
	},
	{
		"entries-sound", "ADV-1", "a hint source twice", promoted,
		func(b *broken) { b.queued("k1").Retry.Hints = []ops.Peer{peer("A"), peer("A")} },
	},
	{"entries-sound", "ADV-1", "no hint source", hinted, func(b *broken) { b.pending("k1").Entry.Hints = nil }},
	{"charges-recounted", "PND-6", "a reservation without a retry entry", promoted, func(b *broken) { b.s.Reserved++ }},
	{"charges-recounted", "PND-6", "a retry entry without a reservation", promoted, func(b *broken) { b.s.Reserved = 0 }},
	{"charges-recounted", "PND-4", "a promotion gives the charge to another", promoted, func(b *broken) { b.s.Charges[0].Owner = peer("B") }},
	{"charges-recounted", "PND-7", "an owner is charged too much", promoted, func(b *broken) { b.s.Charges[0].Charge++ }},
	{"charges-recounted", "PND-7", "an owner is not charged", promoted, func(b *broken) { b.s.Charges = nil }},
	{
		"charges-recounted", "PND-7", "one is charged that owns nothing", promoted,
		func(b *broken) { b.s.Charges = append(b.s.Charges, ops.OwnerCharge{Owner: peer("B"), Charge: 1}) },
	},
	{
		"claimants-stay", "ADV-1", "a claimant stops being one", hinted + " | add k1 hints=A",
		func(b *broken) { b.pending("k1").Entry.Claimants = nil },
	},
	{
		"claimants-stay", "ADV-3", "the owner changes", promoted + " | add k1 hints=B!",
		func(b *broken) { b.queued("k1").Retry.Owner = peer("B") },
	},
	{
		"claimants-stay", "PND-9", "a returned key is younger than it is", promoted + " | @5s fill | outcome k1 Cancelled",
		func(b *broken) { b.pending("k1").Entry.Created = b.s.Clock },
	},
	{
		"rejection-honest", "PND-2", "a key without a hint source is admitted", "scheduler | add k1 hints=",
		func(b *broken) { b.answers(ops.Admitted) },
	},
	{
		"rejection-honest", "PND-3", "rejected though there is room", "scheduler max_pending=1 | add k1 hints=A",
		func(b *broken) { b.answers(ops.CapacityRejected) },
	},
	{
		"rejection-honest", "PND-3", "admitted though a reservation takes the room", "scheduler max_pending=1 | add k1 hints=A | promote k1 at=1 from=A | add k2 hints=A",
		func(b *broken) { b.answers(ops.Admitted) },
	},
	{
		"rejection-honest", "PND-4", "the queue is full first", "scheduler max_queued=1 | enqueue k1 at=1 from=A | add k2 hints=A | promote k2 at=2 from=",
		func(b *broken) { b.answers(ops.QueueFull) },
	},
	{
		"rejection-honest", "PND-4", "a key that is not pending has no source", "scheduler | promote k2 at=2 from=",
		func(b *broken) { b.answers(ops.NoSource) },
	},
	{"rejection-honest", "PND-4", "refused though there is room", promoted, func(b *broken) { b.answers(ops.QueueFull) }},
	{
		"rejection-honest", "PND-5", "a pending key is enqueued", hinted + " | enqueue k1 at=1 from=A",
		func(b *broken) { b.answers(ops.Queued) },
	},
	{"rejection-honest", "PND-9", "a queued key is removed", promoted + " | remove k1", func(b *broken) { b.answers(ops.OK) }},
	{
		"rejection-honest", "PRK-3", "a parked key does not count in the queue",
		"scheduler share=1 max_queued=1 | enqueue k1 at=1 from=A | fill | " +
			"enqueue k2 at=2 from=A | fill | enqueue k3 at=3 from=A", func(b *broken) { b.answers(ops.Queued) },
	},
	{
		"rejection-honest", "ADV-4", "a queued key is not present", promoted + " | add k1 hints=B",
		func(b *broken) { b.answers(ops.Admitted) },
	},
	{
		"rejection-honest", "DET-4", "an advertisement without a hint source of a key that is there", hinted + " | add k1 hints=",
		func(b *broken) { b.answers(ops.AlreadyPresent) },
	},
	{
		"rejection-honest", "DET-4", "capacity is judged first", "scheduler max_pending=1 | add k1 hints=A | add k2 hints=",
		func(b *broken) { b.answers(ops.CapacityRejected) },
	},
	{
		"evicted-exactly", "PND-9", "a key as old as that stays", aged + " | @20s evict max_age=20s",
		func(b *broken) { b.res.Events = b.res.Events[:0] },
	},
	{"evicted-exactly", "PND-9", "a younger key goes too", aged + " | @20s evict max_age=20s", func(b *broken) {
		b.res.Events = append(b.res.Events, ops.Event{Kind: ops.Left, Reason: ops.LeftEvicted, Key: key("k3")})
	}},
	{
		"evicted-exactly", "PND-9", "another of the pending keys goes", aged + " | @20s evict max_age=20s",
		func(b *broken) { b.res.Events[0].Key = key("k3") },
	},
	{"evicted-exactly", "PND-9", "they are not named in key order", aged + " | @20s evict max_age=10s", func(b *broken) {
		b.res.Events[0], b.res.Events[1] = b.res.Events[1], b.res.Events[0]
	}},
	{
		"evicted-exactly", "PND-9", "the age is that since the return",
		"scheduler | add k1 hints=A | promote k1 at=1 from=A | @5s fill | outcome k1 Cancelled | " +
			"@10s evict max_age=6s", func(b *broken) { b.res.Events = b.res.Events[:0] },
	},
	{
		"evicted-exactly", "PND-9", "a removal removes another key", aged + " | remove k1",
		func(b *broken) { b.res.Events[0].Key = key("k3") },
	},
	{
		"returned-whole", "OUT-5", "it is to be verified at once", promoted + " | @5s fill | outcome k1 Cancelled",
		func(b *broken) { b.pending("k1").Entry.NextVerify = b.s.Clock },
	},
	{
		"returned-whole", "OUT-5", "it lost a hint source", promoted + " | @5s fill | outcome k1 Cancelled",
		func(b *broken) { b.pending("k1").Entry.Hints = []ops.Peer{peer("A")} },
	},
	{
		"returned-whole", "OUT-5", "it lost a claimant", promoted + " | @5s fill | outcome k1 Cancelled",
		func(b *broken) { b.pending("k1").Entry.Claimants = nil },
	},
	{
		"returned-whole", "PND-6", "one that carried nothing returns",
		"scheduler | enqueue k1 at=1 from=A | fill | outcome k1 Cancelled", func(b *broken) {
			b.res.Events[0] = ops.Event{Kind: ops.ToPending, Key: key("k1")}
			b.s.Pending = append(b.s.Pending, ops.PendingKey{Key: key("k1")})
		},
	},
	{
		"returned-whole", "PND-9", "it is younger than it was", promoted + " | @5s fill | outcome k1 Cancelled",
		func(b *broken) { b.pending("k1").Entry.Created = b.s.Clock },
	},
	{"conserved", "OUT-7", "a key is gone and nothing says so", parked + " | ready limit=1", func(b *broken) { b.dequeue("k4") }},
	{
		"conserved", "OUT-7", "a key left and is still there", marked,
		func(b *broken) { b.s.Pending = append(b.s.Pending, ops.PendingKey{Key: key("k1")}) },
	},
	{"conserved", "OUT-7", "a key left that was not there", marked, func(b *broken) { b.res.Events[0].Key = key("k9") }},
	{"conserved", "OUT-7", "it is reported twice", marked, func(b *broken) { b.res.Events = append(b.res.Events, b.res.Events[0]) }},
	{
		"conserved", "OUT-4", "a key without a retry entry is dropped and not reported", marked,
		func(b *broken) { b.res.Events = b.res.Events[:0] },
	},
	{
		"reason-fits", "OUT-7", "a stored key is dropped", "scheduler | enqueue k1 at=1 from=A | fill | arrive k1 | outcome k1 Stored answered",
		func(b *broken) { b.res.Events[0].Reason = ops.LeftDropped },
	},
	{
		"reason-fits", "PND-9", "an evicted key was removed", aged + " | @20s evict max_age=20s",
		func(b *broken) { b.res.Events[0].Reason = ops.LeftRemoved },
	},
	{
		"reason-fits", "DEP-1", "an orphaned pending key was evicted", "scheduler | add k1 hints=A | depart A",
		func(b *broken) { b.res.Events[0].Reason = ops.LeftEvicted },
	},
	{
		"reason-fits", "DEP-3", "a purged key was dropped", "scheduler | enqueue k1 at=1 from=A | depart A",
		func(b *broken) { b.res.Events[0].Reason = ops.LeftDropped },
	},
}

// aged has k2 made at 0 s, k1 at 10 s less a nanosecond, k3 at 15 s.
const aged = "scheduler | add k2 hints=A | @9.999999999s add k1 hints=A | @15s add k3 hints=A"

var mergeClaims = []claim{
	{
		"entry-merged", "ADV-1", "a claimant that was a hint source stays what it was", hinted + " | add k1 hints=B!",
		func(b *broken) { b.pending("k1").Entry.Claimants = []ops.Peer{peer("A")} },
	},
	{"entry-merged", "ADV-1", "a new claimant is left out", hinted + " | add k1 hints=C!", func(b *broken) {
		b.pending("k1").Entry.Hints, b.pending("k1").Entry.Claimants = []ops.Peer{peer("A"), peer("B")}, []ops.Peer{peer("A")}
	}},
	{
		"entry-merged", "ADV-1", "another than the smallest paid-only advertiser is displaced", "scheduler max_hint_sources=3 | add k1 hints=A!,B,C | add k1 hints=D!",
		func(b *broken) { b.pending("k1").Entry.Hints = []ops.Peer{peer("A"), peer("B"), peer("D")} },
	},
	{
		"entry-merged", "ADV-1", "the larger of two new claimants gets the place",
		"scheduler max_hint_sources=1 | add k1 hints=D!,C!", func(b *broken) {
			b.pending("k1").Entry.Hints, b.pending("k1").Entry.Claimants, b.pending("k1").Entry.Owner = []ops.Peer{peer("D")}, []ops.Peer{peer("D")}, peer("D")
		},
	},
	{
		"entry-merged", "ADV-1", "a paid-only advertiser gets a place before a claimant",
		"scheduler max_hint_sources=2 | add k1 hints=A!,B,C!", func(b *broken) {
			b.pending("k1").Entry.Hints, b.pending("k1").Entry.Claimants = []ops.Peer{peer("A"), peer("B")}, []ops.Peer{peer("A")}
		},
	},
	{"entry-merged", "ADV-3", "the entry of a queued key is left alone", promoted + " | add k1 hints=C!", func(b *broken) {
		b.queued("k1").Retry.Hints, b.queued("k1").Retry.Claimants = []ops.Peer{peer("A"), peer("B")}, []ops.Peer{peer("A")}
	}},
	{"entry-merged", "ADV-3", "a key without an entry gets one", "scheduler | enqueue k1 at=1 from=A | add k1 hints=B!", func(b *broken) {
		b.queued("k1").HasRetry = true
		b.queued("k1").Retry = ops.Entry{Hints: []ops.Peer{peer("B")}, Claimants: []ops.Peer{peer("B")}, Owner: peer("B")}
	}},
	{
		"entry-merged", "PND-2", "another than the least-charged owns it", "scheduler | add k1 hints=A | add k2 hints=A,B",
		func(b *broken) { b.pending("k2").Entry.Owner = peer("A") },
	},
	{
		"entry-merged", "PND-2", "a reservation is no charge", "scheduler | add k1 hints=A | promote k1 at=1 from=A | add k2 hints=A,B",
		func(b *broken) { b.pending("k2").Entry.Owner = peer("A") },
	},
	{
		"entry-merged", "PND-2", "the larger of two equals owns it", "scheduler | add k2 hints=A,B",
		func(b *broken) { b.pending("k2").Entry.Owner = peer("B") },
	},
	{
		"entry-merged", "PND-2", "it was made at another time", "scheduler | @5s add k1 hints=A",
		func(b *broken) { b.pending("k1").Entry.Created = 0 },
	},
	{
		"entry-merged", "PND-2", "it is to be verified later", "scheduler | @5s add k1 hints=A",
		func(b *broken) { b.pending("k1").Entry.NextVerify++ },
	},
	{
		"entry-merged", "PND-8", "the least-charged owns it, though it was left out",
		"scheduler max_hint_sources=1 | add k1 hints=A! | add k2 hints=A!,B", func(b *broken) {
			b.pending("k2").Entry.Owner = peer("B")
		},
	},
	{
		"entry-merged", "PND-10", "an advertisement makes a returned key ready", promoted + " | fill | outcome k1 Cancelled | add k1 hints=A",
		func(b *broken) { b.pending("k1").Entry.NextVerify = 0 },
	},
	{
		"entry-merged", "DET-4", "a peer listed both ways is no claimant", "scheduler | add k1 hints=A!,A",
		func(b *broken) { b.pending("k1").Entry.Claimants = nil },
	},
	{
		"sources-merged", "ADV-2", "a claimant does not become a source", promoted + " | add k1 hints=E!",
		func(b *broken) { b.queued("k1").Untried = b.queued("k1").Untried[:2] },
	},
	{
		"sources-merged", "ADV-2", "a paid-only advertiser does", promoted + " | add k1 hints=E",
		func(b *broken) { b.queued("k1").Untried = append(b.queued("k1").Untried, peer("E")) },
	},
	{"sources-merged", "ADV-2", "not in peer order", promoted + " | add k1 hints=F!,E!", func(b *broken) {
		u := b.queued("k1").Untried
		u[2], u[3] = u[3], u[2]
	}},
	{
		"sources-merged", "ADV-2", "past the source cap",
		"scheduler source_cap=2 | enqueue k1 at=1 from=A | add k1 hints=B!,C!", func(b *broken) {
			b.queued("k1").Untried = append(b.queued("k1").Untried, peer("C"))
		},
	},
	{
		"sources-merged", "ADV-2", "the tried ones do not count in the cap",
		"scheduler source_cap=2 | enqueue k1 at=1 from=A,B | fill | add k1 hints=C!", func(b *broken) {
			b.flight("k1").Untried = append(b.flight("k1").Untried, peer("C"))
		},
	},
	{"sources-merged", "ADV-2", "a tried one comes back", "scheduler | enqueue k1 at=1 from=A,B | fill | add k1 hints=A!", func(b *broken) {
		b.flight("k1").Untried = append(b.flight("k1").Untried, peer("A"))
	}},
	{
		"sources-merged", "PRK-4", "a parked key does not get it", parked + " | add k2 hints=C!",
		func(b *broken) { b.queued("k2").Untried = b.queued("k2").Untried[:1] },
	},
	{"sources-merged", "SRC-1", "it comes before the others", promoted + " | add k1 hints=E!", func(b *broken) {
		u := b.queued("k1").Untried
		u[1], u[2] = u[2], u[1]
	}},
	{
		"sources-merged", "DET-4", "a peer listed both ways is no source", promoted + " | add k1 hints=E,E!",
		func(b *broken) { b.queued("k1").Untried = b.queued("k1").Untried[:2] },
	},
	{
		"queued-whole", "PND-4", "the last ones are kept under the cap",
		"scheduler source_cap=2 | add k1 hints=A | promote k1 at=1 from=A,B,C", func(b *broken) {
			b.queued("k1").Untried = []ops.Peer{peer("B"), peer("C")}
		},
	},
	{
		"queued-whole", "PND-4", "duplicates count in the cap",
		"scheduler source_cap=2 | add k1 hints=A | promote k1 at=1 from=A,A,B", func(b *broken) {
			b.queued("k1").Untried = []ops.Peer{peer("A")}
		},
	},
	{"queued-whole", "PND-4", "it has another distance", promoted, func(b *broken) { b.queued("k1").Distance = ops.DistanceOf(2) }},
	{"queued-whole", "PND-4", "it is parked at once", promoted, func(b *broken) { b.park("k1") }},
	{
		"queued-whole", "PND-5", "an enqueued key carries an entry", "scheduler | enqueue k1 at=1 from=A",
		func(b *broken) { b.queued("k1").HasRetry = true },
	},
	{"queued-whole", "PND-6", "a promoted key carries none", promoted, func(b *broken) { b.queued("k1").HasRetry = false }},
	{"queued-whole", "PND-6", "another owner has the reservation", promoted, func(b *broken) { b.queued("k1").Retry.Owner = peer("B") }},
	{
		"queued-whole", "SRC-1", "another preference order", promoted,
		func(b *broken) { b.queued("k1").Untried = []ops.Peer{peer("D"), peer("C")} },
	},
}
