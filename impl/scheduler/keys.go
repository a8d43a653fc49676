package scheduler

import "bytes"

// stage is where a key is (PND-1).
type stage uint8

const (
	stageFree stage = iota // the id names nothing
	// stageGone: the key has left this id; the id waits for dead entries in
	// sources' lists, which order by it, to go.
	stageGone
	stagePending
	stageQueued
	stageInFlight
)

// keyRec is the part of an interned key that passes and sources' lists touch.
type keyRec struct {
	// Sources (SRC-1): block words [0, untried) in preference order, then tried
	// ones up to untried + tried.
	sources span
	untried int32
	tried   int32

	stamp    uint64 // when it entered the backlog, see parkedThrough
	listRefs int32  // entries in sources' lists that name this id
	stage    stage
	hasEntry bool
	parked   bool // parked one by one, see isParked
	filed    bool // queued: in the index, not in the backlog
}

// keyDetail is the rest of it.
type keyDetail struct {
	name     Key
	distance Distance // while queued or in flight, and for dead entries

	// The pending or retry entry: words of peer<<1 | claimant.
	hints      span
	hintCount  int32
	owner      uint32
	created    Time
	nextVerify Time

	flight  uint32 // in flights
	pendPos int32  // in pending
}

// The details are in pages, so that growing leaves no copies behind. The first
// page grows as it is needed, for schedulers of a few keys.
const (
	detailShift = 9
	detailPage  = 1 << detailShift
)

// detail returns a key's details. The pointer is good until the next new key.
func (s *Scheduler) detail(id uint32) *keyDetail {
	return &s.details[id>>detailShift][id&(detailPage-1)]
}

// addDetail makes room for the details of one more id.
func (s *Scheduler) addDetail() {
	last := len(s.details) - 1
	switch {
	case last < 0:
		s.details = append(s.details, make([]keyDetail, 1, firstIDs))
	case len(s.details[last]) == detailPage:
		s.details = append(s.details, make([]keyDetail, 1, detailPage))
	default:
		s.details[last] = append(s.details[last], keyDetail{})
	}
}

// findKey returns the key's id, or none.
func (s *Scheduler) findKey(k *Key, h uint32) uint32 {
	if len(s.keyIDs.slots) == 0 {
		return none
	}
	mask := uint32(len(s.keyIDs.slots) - 1)
	for i := h & mask; ; i = (i + 1) & mask {
		e := s.keyIDs.slots[i]
		if e.id == 0 {
			return none
		}
		if e.hash == h && s.detail(e.id-1).name == *k {
			return e.id - 1
		}
	}
}

// newKey interns a key that has no id.
func (s *Scheduler) newKey(k *Key, h uint32) uint32 {
	id := s.newKeyID()
	s.keys[id] = keyRec{}
	*s.detail(id) = keyDetail{name: *k, owner: none}
	s.keyIDs.insert(h, id)
	return id
}

func (s *Scheduler) newKeyID() uint32 {
	if n := len(s.freeKeys); n > 0 {
		id := s.freeKeys[n-1]
		s.freeKeys = s.freeKeys[:n-1]
		return id
	}
	if s.keys == nil {
		s.keys = make([]keyRec, 0, firstIDs)
		s.prefix = make([]uint64, 0, firstIDs)
		s.parkedAt = make([]Time, 0, firstIDs)
	}
	s.keys = append(s.keys, keyRec{})
	s.addDetail()
	s.prefix = append(s.prefix, 0)
	s.parkedAt = append(s.parkedAt, 0)
	return uint32(len(s.keys) - 1)
}

// freeKey forgets a key without sources and entry. Its id waits while lists name
// it.
func (s *Scheduler) freeKey(id uint32) {
	s.keyIDs.remove(hash(s.detail(id).name[:]), id)
	s.retireKeyID(id)
}

func (s *Scheduler) retireKeyID(id uint32) {
	k := &s.keys[id]
	if k.listRefs > 0 {
		k.stage = stageGone
		return
	}
	k.stage = stageFree
	s.freeKeys = append(s.freeKeys, id)
}

// freshKey gives a key whose id dead list entries still name another one, so that
// they stay dead and keep their order. It returns the id to go on with.
func (s *Scheduler) freshKey(id uint32) uint32 {
	if s.keys[id].listRefs == 0 {
		return id
	}
	fresh := s.newKeyID()
	k, m := &s.keys[id], s.detail(id)
	s.keys[fresh], *s.detail(fresh) = *k, *m
	s.keys[fresh].listRefs = 0
	s.prefix[fresh] = s.prefix[id]
	s.keyIDs.rename(hash(m.name[:]), id, fresh)
	*k = keyRec{listRefs: k.listRefs, stage: stageGone}
	*m = keyDetail{name: m.name, distance: m.distance, owner: none}
	return fresh
}

// unlist drops one list entry's hold on an id.
func (s *Scheduler) unlist(id uint32) {
	k := &s.keys[id]
	k.listRefs--
	if k.listRefs == 0 && k.stage == stageGone {
		s.retireKeyID(id)
	}
}

// nearer is the order of keys by (distance, key). It holds for retired ids too.
func (s *Scheduler) nearer(a, b uint32) bool {
	if pa, pb := s.prefix[a], s.prefix[b]; pa != pb {
		return pa < pb
	}
	return s.nearerTie(a, b)
}

func (s *Scheduler) nearerTie(a, b uint32) bool {
	ka, kb := s.detail(a), s.detail(b)
	if c := bytes.Compare(ka.distance[8:], kb.distance[8:]); c != 0 {
		return c < 0
	}
	return bytes.Compare(ka.name[:], kb.name[:]) < 0
}
