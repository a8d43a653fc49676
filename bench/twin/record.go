package twin

import (
	"bytes"
	"slices"
)

// stage is where a key stands.
type stage uint8

const (
	stagePending stage = iota
	stageHeap
	stageParked
	stageInFlight
)

// record is a key in some stage.
type record struct {
	key      Key
	distance Distance
	untried  []*peer  // in preference order (SRC-1)
	tried    []*peer  // in the order of their attempts
	entry    *entry   // its pending or retry entry, or nil
	attempt  *attempt // while in flight
	pos      int      // in the heap
	stage    stage
}

// nearer orders keys by (distance, key).
func nearer(a, b *record) bool {
	c := bytes.Compare(a.distance[:], b.distance[:])
	return c < 0 || c == 0 && bytes.Compare(a.key[:], b.key[:]) < 0
}

// associated reports whether p is an untried or a tried source (ADV-2).
func (r *record) associated(p *peer) bool {
	return slices.Contains(r.untried, p) || slices.Contains(r.tried, p)
}

// entry is what a pending key, or a promoted key that can return to pending, remembers of its advertisers.
type entry struct {
	hints      []hint // by peer
	owner      *peer  // always one of hints (PND-8)
	created    Time
	nextVerify Time
}

// hint is one advertiser in an entry.
type hint struct {
	peer     *peer
	claimant bool
}

// find returns the position of p among the hints, or where it would stand.
func (e *entry) find(p *peer) (int, bool) {
	return slices.BinarySearchFunc(e.hints, p, func(h hint, p *peer) int { return comparePeers(h.peer, p) })
}

// attempt is one fetch in flight.
type attempt struct {
	place    Place
	record   *record
	source   *peer
	started  Time
	given    Place // the place of its answer, 0 if none arrived
	tracked  bool  // its source was, when it started (CON-9)
	answered bool  // an answer of it was applied
	busy     bool  // that was a busy
}

// peer is everything kept about one node. Records name it by pointer.
type peer struct {
	name     Peer
	inFlight int
	charge   int  // pending keys and reservations that it owns (PND-2)
	parked   tree // the keys parked under it
	indexAt  int  // its position in Scheduler.indexed, while parked is not empty
	contact  *contact
	cooldown *cooldown
}

func comparePeers(a, b *peer) int { return bytes.Compare(a.name[:], b.name[:]) }

// peerSweepFloor is the fewest peers for which a sweep is worth its scan.
const peerSweepFloor = 8192

// peer returns the record of a peer, a new one if there is none.
func (s *Scheduler) peer(name Peer) *peer {
	p := s.peers[name]
	if p == nil {
		p = &peer{name: name}
		s.peers[name] = p
	}
	return p
}

// forgetPeers drops the peers that no record and no table names. It runs between operations only, when nobody holds
// a peer that is not linked yet.
func (s *Scheduler) forgetPeers() {
	named := make(map[*peer]bool, len(s.peers))
	for _, keys := range []map[Key]*record{s.pending, s.active} {
		for _, r := range keys {
			for _, p := range r.untried {
				named[p] = true
			}
			for _, p := range r.tried {
				named[p] = true
			}
			if r.entry == nil {
				continue
			}
			for _, h := range r.entry.hints {
				named[h.peer] = true
			}
		}
	}
	for name, p := range s.peers {
		if !named[p] && p.contact == nil && p.cooldown == nil {
			delete(s.peers, name)
		}
	}
	s.sweepAt = max(s.floor, 2*len(s.peers))
}
