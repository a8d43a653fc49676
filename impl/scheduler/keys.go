package scheduler

import (
	"bytes"
	"encoding/binary"
	"iter"
)

// stage is where a key is (PND-1).
type stage uint8

const (
	stageFree stage = iota // the id names nothing
	// stageGone: the key has left this id, but dead entries of source lists name
	// the id, and are ordered by its record.
	stageGone
	stagePending
	stageQueued
	stageInFlight
)

// keyRec is the part of an interned key that passes and source lists touch.
type keyRec struct {
	// Sources (SRC-1): block words [0, untried) in preference order, then tried
	// ones up to untried + tried.
	sources span
	untried int32
	tried   int32

	// since is the stamp with which the key joined the backlog, see
	// parkedThrough; once the key is parked singly, the Time when it was.
	since    uint64
	listRefs int32 // entries of source lists that name this id
	stage    stage
	hasEntry bool // it is pending, or carries a retry entry
	parked   bool // parked singly, see isParked
	filed    bool // queued: in source lists, not in the backlog
}

// keyDetail is the rest of a key's record.
type keyDetail struct {
	name     Key
	distance Distance // while queued or in flight, or named by dead entries
	entry    uint32   // in entries, if the key has one
	pos      uint32   // pending: in due or waiting; in flight: in flights
}

// The records are in pages, so that growing copies nothing and leaves no garbage
// behind. The first page grows as it is needed, for schedulers of a few keys.
const (
	keyPageShift = 10
	keyPageSize  = 1 << keyPageShift
)

// keyPage holds the records of keyPageSize ids. A prefix is the first 63 bits of
// what the key is ordered by: its distance, or its name while it is pending. Most
// comparisons need no more; 63, so that one past the last is a number too.
type keyPage struct {
	recs    []keyRec
	prefix  []uint64
	details []keyDetail
}

const prefixEnd = 1 << 63 // above every prefix

// prefixOf returns the first 63 bits.
func prefixOf(b *[32]byte) uint64 { return binary.BigEndian.Uint64(b[:]) >> 1 }

// key returns a key's record. The pointer is good until the next new key.
func (s *Scheduler) key(id uint32) *keyRec {
	return &s.pages[id>>keyPageShift].recs[id%keyPageSize]
}

// detail returns the rest of it. That pointer is good for as long.
func (s *Scheduler) detail(id uint32) *keyDetail {
	return &s.pages[id>>keyPageShift].details[id%keyPageSize]
}

func (s *Scheduler) prefix(id uint32) uint64 {
	return s.pages[id>>keyPageShift].prefix[id%keyPageSize]
}

func (s *Scheduler) setPrefix(id uint32, prefix uint64) {
	s.pages[id>>keyPageShift].prefix[id%keyPageSize] = prefix
}

// idCount is how many key ids there are, free ones included.
func (s *Scheduler) idCount() int {
	if len(s.pages) == 0 {
		return 0
	}
	last := len(s.pages) - 1
	return last<<keyPageShift + len(s.pages[last].recs)
}

// allKeys yields every key id with its record. No key may be made meanwhile.
func (s *Scheduler) allKeys() iter.Seq2[uint32, *keyRec] {
	return func(yield func(uint32, *keyRec) bool) {
		for n := range s.pages {
			recs := s.pages[n].recs
			for i := range recs {
				if !yield(uint32(n)<<keyPageShift|uint32(i), &recs[i]) {
					return
				}
			}
		}
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

// newKey interns a key that has no id. What a former key has left in the id's
// record is set before it is read.
func (s *Scheduler) newKey(k *Key, h uint32) uint32 {
	id := s.newKeyID()
	*s.detail(id) = keyDetail{name: *k}
	s.keyIDs.insert(h, id)
	return id
}

func (s *Scheduler) newKeyID() uint32 {
	if n := len(s.freeKeys); n > 0 {
		id := s.freeKeys[n-1]
		s.freeKeys = s.freeKeys[:n-1]
		return id
	}
	id := s.idCount()
	if id%keyPageSize == 0 {
		room := keyPageSize
		if id == 0 {
			room = firstIDs
		}
		s.pages = append(s.pages, keyPage{make([]keyRec, 0, room), make([]uint64, 0, room), make([]keyDetail, 0, room)})
	}
	page := &s.pages[len(s.pages)-1]
	page.recs = append(page.recs, keyRec{})
	page.prefix, _ = extend(page.prefix)
	page.details = append(page.details, keyDetail{})
	return uint32(id)
}

// freeKey forgets a key that has neither sources nor an entry. Its id is gone
// while list entries name it, then free.
func (s *Scheduler) freeKey(id uint32) {
	s.keyIDs.remove(s.names.Of(s.detail(id).name[:]), id)
	s.retireKeyID(id)
}

func (s *Scheduler) retireKeyID(id uint32) {
	k := s.key(id)
	if k.listRefs > 0 {
		k.stage = stageGone
		return
	}
	k.stage = stageFree
	s.freeKeys = append(s.freeKeys, id)
}

// freshKey gives a key a new id if dead list entries name the old one, so that
// they stay dead and in order. It returns the key's id.
func (s *Scheduler) freshKey(id uint32) uint32 {
	if s.key(id).listRefs == 0 {
		return id
	}
	fresh := s.newKeyID()
	k, m := s.key(id), s.detail(id)
	moved := s.key(fresh)
	*moved, *s.detail(fresh) = *k, *m
	moved.listRefs = 0
	s.setPrefix(fresh, s.prefix(id))
	s.keyIDs.rename(s.names.Of(m.name[:]), id, fresh)
	*k = keyRec{listRefs: k.listRefs, stage: stageGone}
	return fresh
}

// unlist counts one list entry less that names an id.
func (s *Scheduler) unlist(id uint32) {
	k := s.key(id)
	k.listRefs--
	if k.stage == stageGone {
		s.retireKeyID(id)
	}
}

// setDistance gives a key its distance.
func (s *Scheduler) setDistance(id uint32, d *Distance) {
	s.detail(id).distance = *d
	s.setPrefix(id, prefixOf((*[32]byte)(d)))
}

// nearer is the order of keys by (distance, key). It holds for gone ids too.
func (s *Scheduler) nearer(a, b uint32) bool {
	pa, pb := s.prefix(a), s.prefix(b)
	return pa < pb || pa == pb && s.compareNearness(a, b) < 0
}

// compareNearness is that order, for keys with the same prefix and for sorting.
func (s *Scheduler) compareNearness(a, b uint32) int {
	ka, kb := s.detail(a), s.detail(b)
	if c := bytes.Compare(ka.distance[:], kb.distance[:]); c != 0 {
		return c
	}
	return bytes.Compare(ka.name[:], kb.name[:])
}

// keyLess orders pending keys by their bytes.
func (s *Scheduler) keyLess(a, b uint32) bool {
	pa, pb := s.prefix(a), s.prefix(b)
	return pa < pb || pa == pb && s.compareNames(a, b) < 0
}

// compareNames orders keys by their bytes.
func (s *Scheduler) compareNames(a, b uint32) int {
	return bytes.Compare(s.detail(a).name[:], s.detail(b).name[:])
}
