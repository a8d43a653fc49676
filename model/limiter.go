package model

import (
	"slices"

	"fetchproof/ops"
)

// token is the size of one token in the units of a bucket. With rate tokens per second, a nanosecond brings
// rate units, so a token takes exactly 10^9 / rate nanoseconds (RSP-5).
const token = 1_000_000_000

// bucket is a token bucket, held as the instant at which it is full if nothing more is spent: ns nanoseconds and part/rate of
// another, where 0 <= part < rate. This is exact at any time (DET-4): ns is at most the largest time plus what burst tokens
// take, 2^63 + 2^60. The zero bucket is full.
type bucket struct {
	ns   uint64
	part uint64
}

// missing is what the bucket lacks at now, in units. It is never more than burst tokens, 2^60.
func (b bucket) missing(now ops.Time, rate int64) uint64 {
	if b.ns < uint64(now) {
		return 0
	}
	return (b.ns-uint64(now))*uint64(rate) + b.part
}

// hasToken reports whether a whole token is in the bucket at now.
func (b bucket) hasToken(now ops.Time, burst, rate int64) bool {
	return b.missing(now, rate)+token <= uint64(burst)*token
}

// spent is the bucket after a token was taken out at now.
func (b bucket) spent(now ops.Time, rate int64) bucket {
	missing := b.missing(now, rate) + token
	return bucket{ns: uint64(now) + missing/uint64(rate), part: missing % uint64(rate)}
}

// fullAt is the smallest whole nanosecond at which the bucket is full, at most the largest time (DET-4).
func (b bucket) fullAt() ops.Time {
	at := b.ns
	if b.part > 0 {
		at++
	}
	return ops.Time(min(at, uint64(largest)))
}

// remembered is a peer that the limiter remembers, with its bucket.
type remembered struct {
	peer   ops.Peer
	bucket bucket
}

func (r *Responder) rememberedAt(peer ops.Peer) (int, bool) {
	for i := range r.remembered {
		if c := peer.Compare(r.remembered[i].peer); c <= 0 {
			return i, c == 0
		}
	}
	return len(r.remembered), false
}

// sendingTo is how many busy replies are being sent to peer.
func (r *Responder) sendingTo(peer ops.Peer) int64 {
	n := int64(0)
	for i := range r.sends {
		if r.sends[i].Peer == peer {
			n++
		}
	}
	return n
}

// deniedBy is RSP-5: the first bound that denies peer a busy reply, in the order of the rule. It changes nothing.
func (r *Responder) deniedBy(peer ops.Peer, now ops.Time) ops.LimiterBound {
	switch {
	case r.permitsOut():
		return ops.SendPermits
	case !r.canRemember(peer, now):
		return ops.PeerTable
	case r.sendingTo(peer) >= r.cfg.BusyPeerInFlight:
		return ops.PeerInFlight
	case !r.peerHasToken(peer, now):
		return ops.PeerRate
	case !r.globalHasToken(now):
		return ops.GlobalRate
	}
	return ops.NoBound
}

func (r *Responder) permitsOut() bool { return int64(len(r.sends)) >= r.cfg.BusySendPermits }

// canRemember reports whether peer is remembered or can be (RSP-7).
func (r *Responder) canRemember(peer ops.Peer, now ops.Time) bool {
	if _, known := r.rememberedAt(peer); known || !r.tableFull() {
		return true
	}
	_, ok := r.replaceable(now)
	return ok
}

// peerHasToken reports whether there is a token in the bucket of peer. A new peer's bucket starts full.
func (r *Responder) peerHasToken(peer ops.Peer, now ops.Time) bool {
	return r.peerBucket(peer).hasToken(now, r.cfg.BusyPeerBurst, r.cfg.BusyPeerRate)
}

func (r *Responder) peerBucket(peer ops.Peer) bucket {
	if i, known := r.rememberedAt(peer); known {
		return r.remembered[i].bucket
	}
	return bucket{}
}

func (r *Responder) globalHasToken(now ops.Time) bool {
	return r.global.hasToken(now, r.cfg.BusyGlobalBurst, r.cfg.BusyGlobalRate)
}

func (r *Responder) tableFull() bool { return int64(len(r.remembered)) >= r.cfg.BusyPeerTable }

// replaceable is RSP-7: of the remembered peers whose bucket is full at now and to which nothing is being sent, the one full
// for longest by whole nanoseconds (ties: smallest peer).
func (r *Responder) replaceable(now ops.Time) (at int, ok bool) {
	for i := range r.remembered {
		if !r.idle(i, now) {
			continue
		}
		if !ok || r.remembered[i].bucket.fullAt() < r.remembered[at].bucket.fullAt() {
			at, ok = i, true
		}
	}
	return at, ok
}

// idle reports whether the i-th remembered peer has a full bucket and nothing is being sent to it (RSP-7).
func (r *Responder) idle(i int, now ops.Time) bool {
	p := &r.remembered[i]
	return p.bucket.missing(now, r.cfg.BusyPeerRate) == 0 && r.sendingTo(p.peer) == 0
}

// spend takes the tokens of an allowed busy reply to peer (RSP-5), which is remembered from then on, if need be in the place
// of another peer (RSP-7).
func (r *Responder) spend(peer ops.Peer, now ops.Time) {
	if _, known := r.rememberedAt(peer); !known {
		if r.tableFull() {
			out, _ := r.replaceable(now)
			r.noteReplaced(out, now)
			r.remembered = slices.Delete(r.remembered, out, out+1)
		}
		i, _ := r.rememberedAt(peer)
		r.remembered = slices.Insert(r.remembered, i, remembered{peer: peer})
	}
	i, _ := r.rememberedAt(peer)
	b := &r.remembered[i].bucket
	*b = b.spent(now, r.cfg.BusyPeerRate)
	r.global = r.global.spent(now, r.cfg.BusyGlobalRate)
	r.noteSpent(*b)
}
