package props

import "fetchproof/ops"

// admitted has two places of A and one of B taken, which is the pool, the first of A's by a worker.
const admitted = "responder pool=3 | request A | @1s request A | @2s request B | take #1"

var responderClaims = []claim{
	{"places-recounted", "RSP-1", "more outstanding than tickets", admitted, func(b *broken) { b.r.Outstanding++ }},
	{"places-recounted", "RSP-1", "a peer past its share", admitted, func(b *broken) { b.Config.Responder.PeerShare = 1 }},
	{"places-recounted", "RSP-1", "the pool is passed", admitted, func(b *broken) { b.Config.Responder.Pool = 2 }},
	{"places-recounted", "RSP-1", "a peer with a place is not counted", admitted, func(b *broken) { b.r.Peers = b.r.Peers[:1] }},
	{"places-recounted", "RSP-2", "a released place is still the peer's", admitted + " | release #3", func(b *broken) {
		b.r.Peers = append(b.r.Peers, ops.PeerOutstanding{Peer: peer("B"), Outstanding: 1})
	}},
	{
		"places-moved", "RSP-1", "an admitted request has no place", admitted + " | release #3 | request B",
		func(b *broken) { b.r.Tickets = b.r.Tickets[:2] },
	},
	{
		"places-moved", "RSP-1", "it is admitted at another time", admitted + " | release #3 | request B",
		func(b *broken) { b.r.Tickets[2].Since++ },
	},
	{
		"places-moved", "RSP-1", "a place is gone before it is released", admitted + " | request C",
		func(b *broken) { b.r.Tickets = b.r.Tickets[1:] },
	},
	{
		"places-moved", "RSP-1", "a release gives back another's place", admitted + " | release #1",
		func(b *broken) { b.r.Tickets[0].ID = 1 },
	},
	{"places-moved", "RSP-2", "a place is released twice", admitted + " | release #1 | release #1", func(b *broken) { b.answers(ops.OK) }},
	{
		"places-moved", "RSP-2", "a request is served after the whole timeout", admitted + " | @31s take #2",
		func(b *broken) { b.answers(ops.Serve) },
	},
	{
		"places-moved", "RSP-2", "a request is shed a nanosecond early", admitted + " | @30.999999999s take #2",
		func(b *broken) { b.answers(ops.Shed) },
	},
	{"places-moved", "RSP-2", "a shed request keeps its place", admitted + " | @31s take #2", func(b *broken) {
		b.r.Tickets = append(b.r.Tickets[:1], ops.Ticket{ID: 2, Peer: peer("A"), Since: ops.Time(ops.Second)}, b.r.Tickets[1])
	}},
	{"places-moved", "RSP-2", "a request is taken twice", admitted + " | take #1", func(b *broken) { b.answers(ops.Serve) }},
	{"places-moved", "RSP-2", "that it was taken is not noted", admitted, func(b *broken) { b.r.Tickets[0].Taken = false }},
	{
		"refusal-founded", "RSP-1", "a request is refused though there is room", "responder | request A",
		func(b *broken) { b.res.Code, b.res.Reason = ops.Silent, ops.RefusedPool },
	},
	{
		"refusal-founded", "RSP-1", "a request past the share is admitted", admitted + " | request A",
		func(b *broken) { b.res.Code, b.res.Reason = ops.Admitted, ops.NoRefusal },
	},
	{
		"refusal-founded", "RSP-3", "the pool is named before the peer's share", admitted + " | request A",
		func(b *broken) { b.res.Reason = ops.RefusedPool },
	},
	{
		"refusal-founded", "RSP-3", "the share is named for a peer within it", admitted + " | request B",
		func(b *broken) { b.res.Reason = ops.RefusedPeerShare },
	},
	{"busy-only-asked", "RSP-4", "busy for a request that did not ask", admitted + " | request A", func(b *broken) { b.answers(ops.Busy) }},
	{
		"busy-only-asked", "RSP-4", "busy for a request that was not refused", "responder | request A asks_busy",
		func(b *broken) { b.answers(ops.Busy) },
	},
	{
		"busy-only-asked", "RSP-4", "silence for one that asked, and nothing denied it", admitted + " | request A asks_busy",
		func(b *broken) { b.answers(ops.Silent) },
	},
	{
		"busy-only-asked", "RSP-4", "the limiter is named for one that did not ask", admitted + " | request A",
		func(b *broken) { b.res.Limiter = ops.PeerRate },
	},
	{"responder-clock", "DET-3", "an operation does not move the clock", "responder | @5s request A", func(b *broken) { b.r.Clock = 0 }},
	{
		"responder-clock", "DET-3", "an earlier one moves it back", "responder | @5s request A | @4s request A",
		func(b *broken) { b.r.Clock = ops.Time(4 * ops.Second) },
	},
	{"responder-clock", "DET-3", "a stale one does not move it", "responder | @5s release #9", func(b *broken) { b.r.Clock = 0 }},
	{
		"responder-ordered", "DET-2", "peers out of order", admitted,
		func(b *broken) { b.r.Peers[0], b.r.Peers[1] = b.r.Peers[1], b.r.Peers[0] },
	},
	{"responder-ordered", "DET-2", "a ticket twice", admitted, func(b *broken) { b.r.Tickets[1].ID = 1 }},
	{"reply-shaped", "RSP-1", "a refused request gets a ticket", admitted + " | request A", func(b *broken) { b.res.Ticket = 4 }},
	{"reply-shaped", "RSP-2", "a take is answered ok", admitted, func(b *broken) { b.answers(ops.OK) }},
	{
		"reply-shaped", "RSP-3", "an admitted request gets a reason", "responder | request A",
		func(b *broken) { b.res.Reason = ops.RefusedPool },
	},
	{"reply-shaped", "RSP-4", "a silent request gets a send", admitted + " | request A", func(b *broken) { b.res.Send = 1 }},
	{
		"reply-shaped", "RSP-4", "a busy one names a bound", admitted + " | request A asks_busy",
		func(b *broken) { b.res.Limiter = ops.PeerRate },
	},
	{
		"reply-shaped", "RSP-6", "the end of a send is answered served", replied + " | send_done #1",
		func(b *broken) { b.answers(ops.Serve) },
	},
}

// replied has busy replies being sent to A at 0 s and to B at 0.5 s. A bucket of one token takes a second; the table is full.
const replied = "responder pool=1 busy_peer_burst=1 busy_peer_table=2 busy_global_burst=4 busy_global_rate=1 | request Z | request A asks_busy | " +
	"@500ms request B asks_busy"

// idle is replied when both are sent and both buckets are full, B's for a shorter time.
const idle = replied + " | send_done #1 | send_done #2 | @2s take #9"

// thirds has a rate of three tokens a second: a token takes a third of a nanosecond more than the states show.
const thirds = "responder pool=1 busy_peer_burst=2 busy_peer_rate=3 | request Z | request A asks_busy | request A asks_busy | send_done #1"

var limiterClaims = []claim{
	{"sends-recounted", "RSP-5", "more being sent than permits", replied, func(b *broken) { b.Config.Responder.BusySendPermits = 1 }},
	{"sends-recounted", "RSP-5", "more being sent to a peer than it may have", thirds + " | request A", func(b *broken) {
		b.r.Sends = append(b.r.Sends, ops.Send{ID: 8, Peer: peer("A")}, ops.Send{ID: 9, Peer: peer("A")})
		b.limited("A").Sending = 3
	}},
	{"sends-recounted", "RSP-6", "a permit is not freed", replied + " | send_done #1", func(b *broken) { b.limited("A").Sending = 1 }},
	{"sends-recounted", "RSP-7", "a peer is forgotten while it is sent to", replied, func(b *broken) { b.r.Limiter = b.r.Limiter[1:] }},
	{"sends-recounted", "RSP-7", "more are remembered than may be", replied, func(b *broken) { b.Config.Responder.BusyPeerTable = 1 }},
	{"sends-moved", "RSP-6", "a busy reply takes no permit", replied, func(b *broken) { b.r.Sends = b.r.Sends[:1] }},
	{
		"sends-moved", "RSP-6", "its end frees another's", replied + " | send_done #1",
		func(b *broken) { b.r.Sends[0] = ops.Send{ID: 1, Peer: peer("A")} },
	},
	{"sends-moved", "RSP-6", "a send ends twice", replied + " | send_done #1 | send_done #1", func(b *broken) { b.answers(ops.OK) }},
	{"sends-moved", "RSP-6", "a send ends by itself", replied + " | @30s request C", func(b *broken) { b.r.Sends = b.r.Sends[1:] }},
	{"denial-free", "RSP-5", "a denial spends", replied + " | request A asks_busy", func(b *broken) { b.r.GlobalFullAt++ }},
	{
		"denial-free", "RSP-5", "a denial remembers",
		"responder pool=1 busy_send_permits=1 | request Z | request A asks_busy | request B asks_busy", func(b *broken) {
			b.r.Limiter = append(b.r.Limiter, ops.LimiterPeer{Peer: peer("B")})
		},
	},
	{"denial-founded", "RSP-4", "busy is denied though every bound allows it", idle + " | request A asks_busy", func(b *broken) {
		b.res.Code, b.res.Limiter = ops.Silent, ops.PeerInFlight
	}},
	{
		"denial-founded", "RSP-5", "a later bound is named", "responder pool=1 busy_peer_burst=1 busy_peer_in_flight=1 | request Z | request A asks_busy | request A asks_busy",
		func(b *broken) { b.res.Limiter = ops.PeerRate },
	},
	{
		"denial-founded", "RSP-5", "more are sent than permits", "responder pool=1 busy_send_permits=1 | request Z | request A asks_busy | request B asks_busy",
		func(b *broken) { b.res.Code, b.res.Limiter = ops.Busy, ops.NoBound },
	},
	{
		"denial-founded", "RSP-5", "a token a nanosecond early",
		replied + " | send_done #1 | @999.999999ms request A asks_busy", func(b *broken) {
			b.res.Code, b.res.Limiter = ops.Busy, ops.NoBound
		},
	},
	{"denial-founded", "RSP-5", "a token a nanosecond late", replied + " | send_done #1 | @1s request A asks_busy", func(b *broken) {
		b.res.Code, b.res.Limiter = ops.Silent, ops.PeerRate
	}},
	{
		"denial-founded", "RSP-5", "a token of a third of a second two nanoseconds early",
		thirds + " | @333.333332ms request A asks_busy", func(b *broken) {
			b.res.Code, b.res.Limiter = ops.Busy, ops.NoBound
		},
	},
	{
		"denial-founded", "RSP-5", "the global bucket is passed over", "responder pool=1 busy_global_burst=1 | request Z | request A asks_busy | request B asks_busy",
		func(b *broken) { b.res.Code, b.res.Limiter = ops.Busy, ops.NoBound },
	},
	{"denial-founded", "RSP-7", "the table is full though a peer gives way", idle + " | request C asks_busy", func(b *broken) {
		b.res.Code, b.res.Limiter = ops.Silent, ops.PeerTable
	}},
	{"denial-founded", "RSP-7", "a peer gives way that is sent to", replied + " | @30s request C asks_busy", func(b *broken) {
		b.res.Code, b.res.Limiter = ops.Busy, ops.NoBound
	}},
	{"spent-exactly", "RSP-5", "the peer's token is not spent", replied, func(b *broken) { b.limited("B").FullAt = 0 }},
	{"spent-exactly", "RSP-5", "the global token is not spent", replied, func(b *broken) { b.r.GlobalFullAt = ops.Time(ops.Second) }},
	{"spent-exactly", "RSP-5", "a nanosecond too much is spent", replied, func(b *broken) { b.r.GlobalFullAt++ }},
	{
		"spent-exactly", "RSP-5", "a full bucket with a rate of thirds is rounded down", "responder pool=1 busy_peer_rate=3 | request Z | request A asks_busy",
		func(b *broken) { b.limited("A").FullAt-- },
	},
	{
		"spent-exactly", "RSP-5", "an idle peer's bucket changes by itself", idle + " | request A",
		func(b *broken) { b.limited("A").FullAt = 0 },
	},
	{
		"spent-exactly", "RSP-5", "another's token is spent too", idle + " | request A asks_busy",
		func(b *broken) { b.limited("B").FullAt++ },
	},
	{
		"spent-exactly", "RSP-7", "another than the one full for longest gives way", idle + " | request C asks_busy",
		func(b *broken) { b.limited("B").Peer = peer("A") },
	},
	{
		"spent-exactly", "RSP-7", "a peer is forgotten though there is room", "responder pool=1 | request Z | request A asks_busy | send_done #1 | @9s request B asks_busy",
		func(b *broken) { b.r.Limiter = b.r.Limiter[1:] },
	},
	{
		"spent-exactly", "RSP-7", "the new peer is not remembered", idle + " | request C asks_busy",
		func(b *broken) { b.r.Limiter = b.r.Limiter[:1] },
	},
	{
		"spent-exactly", "DET-4", "a bucket past the largest time shows another", "responder pool=1 | @9223372036854775807ns request Z | request A asks_busy",
		func(b *broken) { b.limited("A").FullAt-- },
	},
	{"window", "RSP-5", "a reply more than burst and rate allow", replied, func(b *broken) { b.Config.Responder.BusyGlobalBurst = 0 }},
	{
		"window", "RSP-5", "a reply more to one peer than burst and rate allow", replied,
		func(b *broken) { b.Config.Responder.BusyPeerBurst = 0 },
	},
}
