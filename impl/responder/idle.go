package responder

import "bytes"

// The idle heap holds the remembered peers to which nothing is being sent,
// first the one whose bucket has been full for longest, by whole nanoseconds,
// and of several the smallest peer (RSP-7). A bucket changes only when a send
// starts, and its peer has left the heap by then: an entry's order never
// changes while it is inside.

// idleWidth is how many children an element of the heap has: four are half as
// deep as two, and lie side by side.
const idleWidth = 4

// idlePeer is an element of the heap. It carries the full-at time so that most
// comparisons stay within the heap's own memory.
type idlePeer struct {
	fullAt uint64 // bucket.fullAt.ceil()
	number int32
}

func (l *limiter) idleLess(a, b idlePeer) bool {
	return a.fullAt < b.fullAt || a.fullAt == b.fullAt && l.smaller(a.number, b.number)
}

func (l *limiter) smaller(a, b int32) bool {
	return bytes.Compare(l.table[a].peer[:], l.table[b].peer[:]) < 0
}

// idleAdd puts the peer with number n into the heap.
func (l *limiter) idleAdd(n int32) {
	l.idle = append(l.idle, idlePeer{})
	l.idleUp(len(l.idle)-1, idlePeer{fullAt: l.table[n].bucket.fullAt.ceil(), number: n})
}

// idleRemove takes the element at position i out of the heap.
func (l *limiter) idleRemove(i int32) {
	l.table[l.idle[i].number].at = -1
	end := len(l.idle) - 1
	moved := l.idle[end]
	l.idle = l.idle[:end]
	if int(i) == end {
		return
	}
	// The last element moves up from the gap, or else down: if it moves up, it
	// comes before everything below.
	l.idleUp(int(i), moved)
	l.idleDown(int(l.table[moved.number].at), moved)
}

// idleUp puts e where the vacant position i belongs after moving it up.
func (l *limiter) idleUp(i int, e idlePeer) {
	for i > 0 {
		parent := (i - 1) / idleWidth
		if !l.idleLess(e, l.idle[parent]) {
			break
		}
		l.idleSet(i, l.idle[parent])
		i = parent
	}
	l.idleSet(i, e)
}

// idleDown puts e where the vacant position i belongs after moving it down.
func (l *limiter) idleDown(i int, e idlePeer) {
	for {
		first := idleWidth*i + 1
		if first >= len(l.idle) {
			break
		}
		least, at := l.idle[first], first
		for j, child := range l.idle[first+1 : min(first+idleWidth, len(l.idle))] {
			if l.idleLess(child, least) {
				least, at = child, first+1+j
			}
		}
		if !l.idleLess(least, e) {
			break
		}
		l.idleSet(i, least)
		i = at
	}
	l.idleSet(i, e)
}

func (l *limiter) idleSet(i int, e idlePeer) {
	l.idle[i] = e
	l.table[e.number].at = int32(i)
}
