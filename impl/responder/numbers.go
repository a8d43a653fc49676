package responder

import "fetchproof/impl/namehash"

// numbers finds a remembered peer's number by its name. It is a hash table of
// open addresses beside limiter.table, which holds the names. Unlike a built-in
// map it never grows because of deletions, of which a full table makes one for
// every new peer, and a copy is a copy of one slice.
//
// The hash decides only where a name is kept, so that its keys never show
// (DET-2).
type numbers struct {
	names namehash.Hash
	slots []slot // a power of two of them, at most half in use
}

// slot is vacant if next is 0.
type slot struct {
	hash uint32 // low bits of the name's hash: where it wants to be
	next int32  // the peer's number, plus 1
}

// next is the slot that a search looks at after i.
func next(i, mask uint32) uint32 { return (i + 1) & mask }

func newNumbers(seed uint64) numbers {
	return numbers{names: namehash.New(seed), slots: make([]slot, 2)}
}

// hash is what the other methods take for a peer.
func (n *numbers) hash(peer *Peer) uint32 {
	return n.names.Of(peer[:])
}

// find returns the number in table of a peer with that hash. If it has none,
// the second result is false.
func (n *numbers) find(table []remembered, peer *Peer, hash uint32) (int32, bool) {
	mask := uint32(len(n.slots) - 1)
	for i := hash & mask; ; i = next(i, mask) {
		s := n.slots[i]
		if s.next == 0 {
			return 0, false
		}
		if s.hash == hash && table[s.next-1].peer == *peer {
			return s.next - 1, true
		}
	}
}

// add enters the number of a peer with that hash that has none yet. count is
// how many numbers there will be.
func (n *numbers) add(hash uint32, number int32, count int) {
	if 2*count > len(n.slots) {
		n.grow()
	}
	n.put(slot{hash: hash, next: number + 1})
}

func (n *numbers) put(s slot) {
	mask := uint32(len(n.slots) - 1)
	i := s.hash & mask
	for n.slots[i].next != 0 {
		i = next(i, mask)
	}
	n.slots[i] = s
}

func (n *numbers) grow() {
	old := n.slots
	n.slots = make([]slot, 2*len(old))
	for _, s := range old {
		if s.next != 0 {
			n.put(s)
		}
	}
}

// remove takes out a number that add entered with that hash. The entries behind
// it close the gap, so that no search ever crosses a slot for nothing.
func (n *numbers) remove(hash uint32, number int32) {
	mask := uint32(len(n.slots) - 1)
	gap := hash & mask
	for n.slots[gap].next != number+1 {
		gap = next(gap, mask)
	}
	for i := next(gap, mask); n.slots[i].next != 0; i = next(i, mask) {
		// The entry at i may move to the gap unless it wants to be behind it.
		if home := n.slots[i].hash & mask; (i-home)&mask >= (i-gap)&mask {
			n.slots[gap] = n.slots[i]
			gap = i
		}
	}
	n.slots[gap] = slot{}
}

// copyFrom makes a copy of src, in n's own memory.
func (n *numbers) copyFrom(src *numbers) {
	n.names = src.names
	n.slots = append(n.slots[:0], src.slots...)
}
