package model

import "fetchproof/ops"

// Situations of section 16: the busy limiter.
const (
	rsp5SendPermits SituationID = endResponder + iota
	rsp5PeerInFlight
	rsp5PeerRate
	rsp5GlobalRate
	rsp5PermitsFirst
	rsp5TableFirst
	rsp5InFlightFirst
	rsp5PeerRateFirst
	rsp5SpendsNothing
	rsp5RemembersNothing
	rsp5ReplacesNothing
	rsp5ExactPeer
	rsp5ExactGlobal
	rsp5NanosecondShort
	rsp5Fraction
	rsp5Refilled
	rsDet4Bucket
	rsp7Full
	rsp7Replaced
	rsp7Longest
	rsp7Tie
	rsp7KeepsSending
	rsp7KeepsSpent
	endLimiter
)

// NumSituations is how many situations there are: every id is below it.
const NumSituations = int(endLimiter)

var limiterSituations = []Situation{
	{rsp5SendPermits, "RSP-5", "a busy reply is denied for want of a send permit"},
	{rsp5PeerInFlight, "RSP-5", "a busy reply is denied as enough are being sent to the peer"},
	{rsp5PeerRate, "RSP-5", "a busy reply is denied as the peer's bucket has no token"},
	{rsp5GlobalRate, "RSP-5", "a busy reply is denied as the global bucket has no token"},
	{rsp5PermitsFirst, "RSP-5", "the send permits deny while a later bound would, too"},
	{rsp5TableFirst, "RSP-5", "the peer table denies while the global bucket would, too"},
	{rsp5InFlightFirst, "RSP-5", "the sends to the peer deny while a bucket would, too"},
	{rsp5PeerRateFirst, "RSP-5", "the peer's bucket denies while the global bucket would, too"},
	{rsp5SpendsNothing, "RSP-5", "the global bucket denies a remembered peer, whose bucket keeps its token"},
	{rsp5RemembersNothing, "RSP-5", "the global bucket denies a new peer, which is not remembered"},
	{rsp5ReplacesNothing, "RSP-5", "the global bucket denies a new peer that could have taken another's place"},
	{rsp5ExactPeer, "RSP-5", "a busy reply takes the peer's only token at the first nanosecond at which it is there"},
	{rsp5ExactGlobal, "RSP-5", "a busy reply takes the only global token at the first nanosecond at which it is there"},
	{rsp5NanosecondShort, "RSP-5", "a busy reply is denied whose token is there a nanosecond later"},
	{rsp5Fraction, "RSP-5", "a bucket will be full between two whole nanoseconds"},
	{rsp5Refilled, "RSP-5", "a busy reply spends a token of a bucket that is full again"},
	{rsDet4Bucket, "DET-4", "a bucket will be full past the largest time"},
	{rsp7Full, "RSP-7", "a busy reply to a new peer is denied, as no remembered one can be forgotten"},
	{rsp7Replaced, "RSP-7", "a new peer takes the place of a remembered one"},
	{rsp7Longest, "RSP-7", "of several that can be forgotten, another than the smallest peer is full for longest"},
	{rsp7Tie, "RSP-7", "of several that are full for equally long, the smallest peer is forgotten"},
	{rsp7KeepsSending, "RSP-7", "a remembered peer with a full bucket is kept, as a reply is being sent to it"},
	{rsp7KeepsSpent, "RSP-7", "a remembered peer to which nothing is being sent is kept, as its bucket is not full"},
}

// noteDenied looks at a busy reply to peer that bound denies.
func (r *Responder) noteDenied(bound ops.LimiterBound, peer ops.Peer, now ops.Time) {
	r.saw(rsp4Denied)
	_, known := r.rememberedAt(peer)
	peerSends := r.sendingTo(peer) >= r.cfg.BusyPeerInFlight
	peerRate, globalRate := !r.peerHasToken(peer, now), !r.globalHasToken(now)
	switch bound {
	case ops.SendPermits:
		r.saw(rsp5SendPermits)
		r.sawIf(!r.canRemember(peer, now) || peerSends || peerRate || globalRate, rsp5PermitsFirst)
	case ops.PeerTable:
		r.saw(rsp7Full)
		r.sawIf(globalRate, rsp5TableFirst)
		r.noteKept(now)
	case ops.PeerInFlight:
		r.saw(rsp5PeerInFlight)
		r.sawIf(peerRate || globalRate, rsp5InFlightFirst)
	case ops.PeerRate:
		r.saw(rsp5PeerRate)
		r.sawIf(globalRate, rsp5PeerRateFirst)
		r.sawIf(now < largest && r.peerHasToken(peer, now+1), rsp5NanosecondShort)
	case ops.GlobalRate:
		r.saw(rsp5GlobalRate)
		r.sawIf(known, rsp5SpendsNothing)
		r.sawIf(!known, rsp5RemembersNothing)
		r.sawIf(!known && r.tableFull(), rsp5ReplacesNothing)
		r.sawIf(now < largest && r.globalHasToken(now+1), rsp5NanosecondShort)
	}
}

// noteAllowed looks at a busy reply to peer that is allowed, before it spends anything.
func (r *Responder) noteAllowed(peer ops.Peer, now ops.Time) {
	r.saw(rsp4Busy)
	own := r.peerBucket(peer)
	if now > 0 {
		r.sawIf(!own.hasToken(now-1, r.cfg.BusyPeerBurst, r.cfg.BusyPeerRate), rsp5ExactPeer)
		r.sawIf(!r.global.hasToken(now-1, r.cfg.BusyGlobalBurst, r.cfg.BusyGlobalRate), rsp5ExactGlobal)
	}
	r.sawIf(own.ns > 0 && own.missing(now, r.cfg.BusyPeerRate) == 0, rsp5Refilled)
}

// noteSpent looks at the peer's bucket and the global one after a busy reply took its tokens.
func (r *Responder) noteSpent(own bucket) {
	r.sawIf(own.part > 0 || r.global.part > 0, rsp5Fraction)
	r.sawIf(max(own.ns, r.global.ns) > uint64(largest), rsDet4Bucket)
}

// noteReplaced looks at the limiter's table before its out-th peer makes room.
func (r *Responder) noteReplaced(out int, now ops.Time) {
	r.saw(rsp7Replaced)
	r.noteKept(now)
	fullAt := r.remembered[out].bucket.fullAt()
	for i := range r.remembered {
		if i == out || !r.idle(i, now) {
			continue
		}
		r.sawIf(i < out, rsp7Longest)
		r.sawIf(r.remembered[i].bucket.fullAt() == fullAt, rsp7Tie)
	}
}

// noteKept looks at what keeps remembered peers from making room.
func (r *Responder) noteKept(now ops.Time) {
	for i := range r.remembered {
		p := &r.remembered[i]
		full, sending := p.bucket.missing(now, r.cfg.BusyPeerRate) == 0, r.sendingTo(p.peer) > 0
		r.sawIf(full && sending, rsp7KeepsSending)
		r.sawIf(!full && !sending, rsp7KeepsSpent)
	}
}
