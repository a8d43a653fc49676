package scheduler

import "bytes"

// firstIDs is how many keys, or peers, there is room for when the first one comes.
const firstIDs = 8

// none is the id of nothing.
const none = ^uint32(0)

// peerRec is an interned peer.
type peerRec struct {
	name   Peer
	seen   uint64 // the last listing that named it, and
	seenAt int32  // at which position of hinted
	charge int32  // PND-2: pending keys and reservations charged to it

	// Contact (section 5), all zero when tracking begins.
	tracked        bool
	lastAnswer     Place
	lastUnanswered Place
	markedUntil    Time
	markPos        int32 // in marks, while silent; -1
	idlePos        int32 // in idle, while tracked, answering and without an attempt; -1
	fullPos        int32 // in fullUntracked, while untracked and at its share; -1

	// Busy (section 10), meaningful while busyPos >= 0.
	busyPos   int32
	streak    int32
	busyLast  Time
	busyUntil Time

	// Index (park.go).
	readyPos int32  // in ready; -1
	front    uint32 // in ready: the nearest entry of its list, by which ready orders it
}

// peerHot is the part of a peer that choosing and counting touch for each
// association.
type peerHot struct {
	live     int32 // queued keys that have it untried
	filed    int32 // those of them that are filed
	entries  int32 // of its source list, dead ones included
	inFlight int32 // attempts at it

	// refs keeps the peer: it counts each key that the peer is associated with, each
	// pending or retry entry that lists it, its contact and its busy entry, and each
	// use in the operation that runs.
	refs int32

	can   bool // it can start (section 1)
	ready bool // it is in ready
}

// findPeer returns the peer's id, or none.
func (s *Scheduler) findPeer(p *Peer, h uint32) uint32 {
	if len(s.peerIDs.slots) == 0 {
		return none
	}
	mask := uint32(len(s.peerIDs.slots) - 1)
	for i := h & mask; ; i = (i + 1) & mask {
		e := s.peerIDs.slots[i]
		if e.id == 0 {
			return none
		}
		if e.hash == h && s.peers[e.id-1].name == *p {
			return e.id - 1
		}
	}
}

// internPeer returns the peer's id with one more reference.
func (s *Scheduler) internPeer(p *Peer) uint32 {
	h := s.names.Of(p[:])
	id := s.findPeer(p, h)
	if id == none {
		if n := len(s.freePeers); n > 0 {
			id = s.freePeers[n-1]
			s.freePeers = s.freePeers[:n-1]
		} else {
			if s.peers == nil {
				s.peers = make([]peerRec, 0, firstIDs)
				s.hot = make([]peerHot, 0, firstIDs)
				s.lists = make([]list, 0, firstIDs)
			}
			id = uint32(len(s.peers))
			s.peers = append(s.peers, peerRec{})
			s.hot = append(s.hot, peerHot{})
			s.lists = addList(s.lists)
		}
		s.peers[id] = peerRec{name: *p, markPos: -1, idlePos: -1, fullPos: -1, busyPos: -1, readyPos: -1, front: none}
		s.hot[id] = peerHot{can: true}
		s.peerIDs.insert(h, id)
	}
	s.hot[id].refs++
	return id
}

// unref drops one reference to a peer, and frees the peer with the last one. Then
// its source list has none but dead entries.
func (s *Scheduler) unref(p uint32) {
	if s.hot[p].refs--; s.hot[p].refs == 0 {
		s.freePeer(p)
	}
}

func (s *Scheduler) freePeer(p uint32) {
	s.dropList(p)
	s.peerIDs.remove(s.names.Of(s.peers[p].name[:]), p)
	s.freePeers = append(s.freePeers, p)
}

// peerLess orders peers by their bytes.
func (s *Scheduler) peerLess(a, b uint32) bool { return s.comparePeers(a, b) < 0 }

func (s *Scheduler) comparePeers(a, b uint32) int {
	return bytes.Compare(s.peers[a].name[:], s.peers[b].name[:])
}
