package explore

import "sync"

// The scopes, each with what must be counted when it is explored. Counts change when the model does; a test prints the new
// ones.
var sketches = []sketch{
	{
		name: "share-parking-silence", text: "full sources, parked keys, and sources that fall silent under them",
		config: "scheduler slots=2 share=1", keys: "k1 k2 k3", peers: "A B",
		letters: `
			fill
			enqueue k1 at=1 from=A
			enqueue k1 at=1 from=B
			enqueue k2 at=2 from=A,B
			enqueue k2 at=2 from=B,A
			enqueue k3 at=3 from=A
			enqueue k3 at=3 from=B
			arrive {k}
			outcome {k} Timeout
			outcome {k} NotFound answered
			+tick
			+fill
			>>fill`,
		symmetric: "A B", why: "keys stand at fixed distances and list their sources in both orders; nothing is added, and no table is full",
		pin: Pin{States: 24654, Transitions: 194912, Merged: 12329, Depth: 20},
	},
	{
		name: "silence-order-expiry", text: "answers and failures of one source applied in any order, early and late, while its mark runs out",
		config: "scheduler slots=3 share=2", keys: "k1 k2 k3", peers: "A",
		letters: `
			fill
			enqueue {k} at=1 from=A
			!arrive {k}
			!answer {k}
			!outcome {k} Timeout
			!outcome {k} Stored answered
			outcome {k} Stored
			outcome {k} SendFailed
			outcome {k} Cancelled
			+tick
			>outcome k1 Timeout`,
		pin: Pin{States: 3831, Transitions: 75115, Merged: 3831, Depth: 17},
	},
	{
		name: "retry-reservation-full", text: "retry entries keep their reservations while the queue is full and pending is",
		config: "scheduler slots=2 share=1 max_queued=1 max_pending=3", keys: "k1 k2 k3 k4", peers: "A B",
		letters: `
			fill
			add {k} hints=A
			add k1 hints=A,B
			add k2 hints=B!
			!promote k1 at=1 from=A,B
			!promote k2 at=2 from=B,A
			promote k3 at=3 from=A
			!enqueue k4 at=4 from=A
			arrive k1
			arrive k2
			outcome k1 NotFound answered
			outcome k2 Stored answered
			outcome {k} SendFailed
			outcome k1 Cancelled
			outcome k4 Panicked
			!remove k1`,
		pin: Pin{States: 9341, Transitions: 132670, Merged: 9341, Depth: 20},
	},
	{
		name: "busy-silence-choice", text: "sources that cool, are silent, or both, and what a key chooses among them",
		config: "scheduler slots=2 share=1 busy_cooldown_cap=2ns busy_multiplier_max=1", keys: "k1 k2", peers: "A B",
		letters: `
			fill
			enqueue k1 at=1 from=A,B
			enqueue k1 at=1 from=B,A
			enqueue k2 at=2 from=A
			enqueue k2 at=2 from=B
			arrive k1
			arrive k2
			busy {k} wait=1ns
			outcome {k} Busy
			outcome k1 Timeout
			outcome k1 StoreFailed answered
			+tick`,
		symmetric: "A B", why: "both orders of preference are there, and the busy table has room for both",
		pin: Pin{States: 33183, Transitions: 155452, Merged: 16597, Depth: 32},
	},
	{
		name: "advertise-depart-park", text: "advertisements and departures of keys that are pending, parked and in flight",
		config: "scheduler slots=2 share=1 max_hint_sources=2 source_cap=3", keys: "k1 k2", peers: "A B C",
		letters: `
			fill
			add k1 hints=A
			add k1 hints=B!
			add k1 hints=C!
			promote k1 at=2 from=A
			enqueue k2 at=1 from=A,B
			!depart A
			!depart B
			outcome {k} SendFailed
			outcome k1 Cancelled
			<fill`,
		pin: Pin{States: 11344, Transitions: 94476, Merged: 11344, Depth: 20},
	},
	{
		name: "owners-depart", text: "who is charged for a key, as its hint sources come and go",
		config: "scheduler slots=1 share=1 max_hint_sources=3 max_pending=3", keys: "k1 k2", peers: "A B C",
		letters: `
			fill
			add k1 hints=A,B,C
			add k1 hints=B!
			add {k} hints={p}
			depart {p}
			promote {k} at=1 from=C
			outcome {k} Cancelled
			outcome {k} SendFailed`,
		pin: Pin{States: 10714, Transitions: 144808, Merged: 10714, Depth: 17},
	},
	{
		name: "contact-overflow", text: "more sources than the contact table holds: sweeps, guards, untracked attempts, the window",
		config: "scheduler slots=2 share=1 contact_table=1", keys: "k1 k2 k3", peers: "A B",
		letters: `
			fill
			enqueue k1 at=1 from=A
			enqueue k1 at=1 from=B
			enqueue k2 at=2 from=A
			enqueue k2 at=2 from=B
			enqueue k3 at=3 from=A,B
			enqueue k3 at=3 from=B,A
			arrive {k}
			answer {k}
			outcome {k} Timeout
			outcome {k} Stored
			outcome {k} Stored answered
			+tick
			>>fill`,
		symmetric: "A B", why: "the contact table drops all that it may drop, whoever they are",
		pin: Pin{States: 52573, Transitions: 409491, Merged: 26287, Depth: 24},
	},
	{
		name: "overflow-window", text: "a window that opens again while an untracked source is full and has a key parked under it",
		config: "scheduler slots=3 share=1 contact_table=1", keys: "k1 k2 k3 k4", peers: "A B C",
		letters: `
			fill
			enqueue k1 at=1 from=A
			enqueue k2 at=2 from=B
			enqueue k3 at=3 from=B
			enqueue k4 at=4 from=C,B
			outcome k1 Timeout
			outcome k2 Unreachable
			outcome k3 Cancelled
			outcome k4 SendFailed
			+tick`,
		pin: Pin{States: 6547, Transitions: 29913, Merged: 6547, Depth: 23},
	},
	{
		name: "busy-table", text: "more sources that say busy than the busy table holds",
		config: "scheduler slots=1 share=1 busy_table=2 busy_forget_after=3ns", keys: "k1", peers: "A B C",
		letters: `
			fill
			enqueue k1 at=1 from={p}
			enqueue k1 at=1 from=A,B,C
			arrive {k}
			busy {k} wait=1ns
			busy {k} wait=2ns
			outcome {k} Busy
			outcome {k} Stored answered
			outcome {k} Declined
			+tick`,
		pin: Pin{States: 73734, Transitions: 311010, Merged: 73734, Depth: 45},
	},
	{
		name: "stop", text: "a stop at every moment of a small life, with everything that may follow it",
		config: "scheduler slots=1 share=1", keys: "k1 k2", peers: "A B",
		letters: `
			fill
			stop
			add k1 hints=A,B
			promote k1 at=1 from=A,B
			enqueue k2 at=2 from=A,B
			arrive {k}
			answer k1
			outcome {k} Timeout
			outcome k1 Stored
			outcome {k} Stored answered
			outcome {k} Declined
			outcome {k} Panicked
			depart A
			+tick
			!drained k1 k2`,
		pin: Pin{States: 3660, Transitions: 33649, Merged: 3660, Depth: 18},
	},
	{
		name: "pending-time", text: "what is ready, what is evicted, and what returned, by age",
		config: "scheduler slots=1 share=1 max_pending=2 verify_retry_delay=2ns", keys: "k1 k2 k3", peers: "A B",
		letters: `
			fill
			add {k} hints=A
			add k3 hints=A,B
			promote {k} at=1 from=A
			outcome {k} Timeout
			outcome {k} Unreachable
			ready limit=1
			+ready limit=9
			evict max_age=-1ns
			evict max_age=2ns
			+tick
			<fill`,
		pin: Pin{States: 2896, Transitions: 36805, Merged: 2896, Depth: 14},
	},
	{
		name: "responder", text: "admission, shedding, and the busy limiter with a table of one",
		config: "responder peer_share=1 pool=2 busy_send_permits=2 busy_peer_in_flight=1 busy_peer_table=1", peers: "A B",
		letters: `
			request {p} asks_busy
			request {p}
			take 0
			take 1
			release 0
			release 1
			send_done 0
			send_done 1
			+request {p} asks_busy
			+take 0
			+take 1
			>request A asks_busy
			>request B asks_busy`,
		symmetric: "A B", why: "a table of one never has a tie between two peers that could make room (RSP-7)",
		pin: Pin{States: 321, Transitions: 3906, Merged: 162, Depth: 7},
	},
	{
		name: "responder-ties", text: "several peers that could make room in the limiter's table, some full for equally long",
		config: "responder peer_share=1 pool=1 busy_send_permits=2 busy_peer_in_flight=1 busy_peer_table=2 busy_peer_rate=400000000",
		peers:  "A B C",
		letters: `
			request {p} asks_busy
			release 0
			send_done 0
			send_done 1
			+request {p} asks_busy`,
		pin: Pin{States: 2404, Transitions: 18867, Merged: 2404, Depth: 9},
	},
	{
		name: "responder-rates", text: "buckets that fill in fractions of a nanosecond, and a table that is full",
		config: "responder peer_share=1 pool=1 busy_send_permits=2 busy_peer_in_flight=2 busy_peer_table=2 busy_peer_rate=400000000 busy_global_rate=700000000 busy_global_burst=1",
		peers:  "A B C",
		letters: `
			request {p} asks_busy
			release 0
			send_done 0
			send_done 1
			+request {p} asks_busy`,
		pin: Pin{States: 1864, Transitions: 15021, Merged: 1864, Depth: 11},
	},
	{
		name: "large-busy-choice", text: "as busy-silence-choice, with cooldowns that grow and a second key that times out",
		config: "scheduler slots=2 share=1 busy_cooldown_cap=2ns", keys: "k1 k2", peers: "A B",
		letters: `
			fill
			enqueue k1 at=1 from=A,B
			enqueue k1 at=1 from=B,A
			enqueue k2 at=2 from=A
			enqueue k2 at=2 from=B
			arrive k1
			arrive k2
			busy {k} wait=1ns
			outcome {k} Busy
			outcome {k} Timeout
			outcome k1 StoreFailed answered
			+tick`,
		large: true, symmetric: "A B", why: "both orders of preference are there, and the busy table has room for both",
		pin: Pin{States: 275452, Transitions: 1527772, Merged: 137738, Depth: 53},
	},
	{
		name: "large-busy-silence", text: "as large-busy-choice, with waits of two lengths, both keys at both sources, and everything they can answer",
		config: "scheduler slots=2 share=1", keys: "k1 k2", peers: "A B",
		letters: `
			fill
			enqueue k1 at=1 from=A,B
			enqueue k1 at=1 from=B,A
			enqueue k2 at=2 from=A,B
			enqueue k2 at=2 from=B,A
			arrive {k}
			busy {k} wait=1ns
			busy {k} wait=2ns
			outcome {k} Busy
			outcome {k} Timeout
			outcome {k} Stored answered
			outcome {k} StoreFailed answered
			+tick`,
		large: true, symmetric: "A B", why: "both orders of preference are there, and the busy table has room for both",
		pin: Pin{States: 2364680, Transitions: 18450108, Merged: 1182365, Depth: 65},
	},
	{
		name: "large-advertise-depart", text: "as advertise-depart-park, with two promoted keys, a third peer that departs, and marks",
		config: "scheduler slots=1 share=1 max_hint_sources=2 source_cap=3", keys: "k1 k2", peers: "A B C",
		letters: `
			fill
			add k1 hints=A
			add k1 hints=B!
			add k1 hints=C!
			add k2 hints=A!,B
			promote k1 at=1 from=A
			promote k2 at=2 from=A,B
			!depart {p}
			outcome {k} Timeout
			outcome {k} SendFailed
			outcome {k} Cancelled
			+tick`,
		large: true,
		pin:   Pin{States: 283924, Transitions: 3249778, Merged: 283924, Depth: 28},
	},
	{
		name: "large-stop", text: "as stop, with busy answers and early ones",
		config: "scheduler slots=1 share=1", keys: "k1 k2", peers: "A B",
		letters: `
			fill
			stop
			add k1 hints=A,B
			promote k1 at=1 from=A,B
			enqueue k2 at=2 from=A,B
			arrive {k}
			answer {k}
			busy {k} wait=1ns
			outcome {k} Timeout
			outcome {k} Stored
			outcome {k} Stored answered
			outcome {k} Declined
			outcome {k} Busy
			outcome {k} Panicked
			depart A
			+tick
			!drained k1 k2`,
		large: true,
		pin:   Pin{States: 218767, Transitions: 2170368, Merged: 218767, Depth: 52},
	},
	{
		name: "large-share-parking", text: "as share-parking-silence, with a third source and a share of two",
		config: "scheduler slots=3 share=2", keys: "k1 k2 k3 k4", peers: "A B C",
		letters: `
			fill
			enqueue k1 at=1 from={p}
			enqueue k2 at=2 from={p}
			enqueue k3 at=3 from=A,B,C
			enqueue k3 at=3 from=A,C,B
			enqueue k3 at=3 from=B,A,C
			enqueue k3 at=3 from=B,C,A
			enqueue k3 at=3 from=C,A,B
			enqueue k3 at=3 from=C,B,A
			enqueue k4 at=4 from={p}
			arrive {k}
			outcome {k} Timeout
			outcome {k} NotFound answered
			+tick`,
		symmetric: "A B C", why: "keys stand at fixed distances and list their sources in every order; nothing is added, and no table is full",
		large: true,
		pin:   Pin{States: 21261373, Transitions: 171053075, Merged: 3575517, Depth: 28},
	},
}

var made = sync.OnceValues(func() ([]*Scope, error) {
	var list []*Scope
	for i := range sketches {
		s, err := sketches[i].scope()
		if err != nil {
			return nil, err
		}
		list = append(list, s)
	}
	return list, nil
})

// Scopes are all scopes, small ones first.
func Scopes() ([]*Scope, error) { return made() }
