package responder

import "maps"

// place is what an admitted request holds.
type place struct {
	peer  Peer
	since int64
	taken bool
}

// admission hands out the places of the pool (RSP-1, RSP-2). Both maps are
// bounded by the pool; a peer without a place has no entry.
type admission struct {
	share, pool int
	timeout     int64

	last   Ticket
	places map[Ticket]place
	peers  map[Peer]int
}

func newAdmission(c Config) admission {
	return admission{
		share:   c.PeerShare,
		pool:    c.Pool,
		timeout: int64(c.FetchTimeout),
		places:  make(map[Ticket]place),
		peers:   make(map[Peer]int),
	}
}

// refuses says why there is no place for peer, its own share first, or NoReason
// if there is one (RSP-1, RSP-3). held is how many places peer has.
func (a *admission) refuses(peer Peer) (why Reason, held int) {
	held = a.peers[peer]
	switch {
	case held >= a.share:
		return PeerShare, held
	case len(a.places) >= a.pool:
		return Pool, held
	}
	return NoReason, held
}

// admit takes a place for peer, after refuses found one free and counted the
// places that peer held (RSP-1).
func (a *admission) admit(now int64, peer Peer, held int) Ticket {
	a.last++
	a.places[a.last] = place{peer: peer, since: now}
	a.peers[peer] = held + 1
	return a.last
}

// take hands a waiting request to a worker, once, or sheds it if it has waited
// the whole timeout (RSP-2).
func (a *admission) take(now int64, t Ticket) Taken {
	p, ok := a.places[t]
	if !ok || p.taken {
		return TakeStale
	}
	if now-p.since >= a.timeout {
		a.release(t)
		return Shed
	}
	p.taken = true
	a.places[t] = p
	return Serve
}

// release gives a place back, taken or not (RSP-1). It reports whether t held
// one.
func (a *admission) release(t Ticket) bool {
	p, ok := a.places[t]
	if !ok {
		return false
	}
	delete(a.places, t)
	if a.peers[p.peer]--; a.peers[p.peer] == 0 {
		delete(a.peers, p.peer)
	}
	return true
}

// copyFrom makes a deep copy of src, in a's own memory.
func (a *admission) copyFrom(src *admission) {
	places, peers := a.places, a.peers
	clear(places)
	clear(peers)
	maps.Copy(places, src.places)
	maps.Copy(peers, src.peers)
	*a = *src
	a.places, a.peers = places, peers
}
