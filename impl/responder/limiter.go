package responder

import "maps"

// remembered is what the limiter knows of a peer. Its number, the index in
// limiter.table, stays the same until another peer takes its place.
type remembered struct {
	peer    Peer
	bucket  bucket
	sending int32
	at      int32  // its position in limiter.idle, -1 while sending > 0
	hash    uint32 // what numbers.hash says of peer
}

// limiter decides whether a refused request gets a busy reply (RSP-4 to
// RSP-7). A decision costs a few look-ups and at most two paths of the idle
// heap. The table grows by doubling up to its bound; nothing else is ever
// linear in the number of peers, and nothing allocates once it has grown.
type limiter struct {
	permits      int
	peerInFlight int
	peerTable    int
	peerTariff   tariff
	globalTariff tariff

	last    Send
	sends   map[Send]int32 // to the peer's number
	global  bucket
	table   []remembered
	numbers numbers
	idle    []idlePeer // see idle.go
}

func newLimiter(c Config) limiter {
	return limiter{
		permits:      c.BusySendPermits,
		peerInFlight: c.BusyPeerInFlight,
		peerTable:    c.BusyPeerTable,
		peerTariff:   newTariff(c.BusyPeerBurst, c.BusyPeerRate),
		globalTariff: newTariff(c.BusyGlobalBurst, c.BusyGlobalRate),
		sends:        make(map[Send]int32),
		numbers:      newNumbers(c.HashSeed),
	}
}

// start begins a busy send to peer, or names the first bound that denies it.
// The bounds come first and the changes after, so a denial leaves no trace
// (RSP-5).
func (l *limiter) start(now int64, peer Peer) (Send, Bound) {
	hash := l.numbers.hash(&peer)
	n, known := l.numbers.find(l.table, &peer, hash)
	if b := l.denies(now, n, known); b != NoBound {
		return 0, b
	}
	if !known {
		n = l.remember(peer, hash)
	}
	p := &l.table[n]
	if p.at >= 0 {
		l.idleRemove(p.at)
	}
	p.bucket = l.peerTariff.spend(p.bucket, now)
	p.sending++
	l.global = l.globalTariff.spend(l.global, now)
	l.last++
	l.sends[l.last] = n
	return l.last, NoBound
}

// denies returns the first bound, in the order of RSP-5, that denies a reply
// to the peer, whose number is n if it is known.
func (l *limiter) denies(now int64, n int32, known bool) Bound {
	if len(l.sends) >= l.permits {
		return SendPermits
	}
	if known {
		p := &l.table[n]
		if int(p.sending) >= l.peerInFlight {
			return PeerInFlight
		}
		if !l.peerTariff.allows(p.bucket, now) {
			return PeerRate
		}
	} else if !l.canRemember(now) {
		return PeerTable
	}
	// A peer that is new has nothing in flight and a full bucket: the bounds of
	// the peer's own cannot deny it.
	if !l.globalTariff.allows(l.global, now) {
		return GlobalRate
	}
	return NoBound
}

// canRemember reports whether the table has room for a new peer, or an entry
// that gives way (RSP-7): one that is full at now, and idle. The heap's first
// has been full for longest, so if that one is not full, none is.
func (l *limiter) canRemember(now int64) bool {
	if len(l.table) < l.peerTable {
		return true
	}
	return len(l.idle) > 0 && l.table[l.idle[0].number].bucket.fullBy(now)
}

// remember gives a new peer a number, after canRemember said that there is one.
// An entry leaves only to make room (RSP-7), and forgetting it loses nothing,
// since its bucket is as full as that of a peer that was never seen.
func (l *limiter) remember(peer Peer, hash uint32) int32 {
	n := int32(len(l.table))
	if len(l.table) < l.peerTable {
		l.table = append(l.table, remembered{})
	} else {
		n = l.idle[0].number
		l.idleRemove(0)
		l.numbers.remove(l.table[n].hash, n)
	}
	l.table[n] = remembered{peer: peer, hash: hash, at: -1}
	l.numbers.add(hash, n, len(l.table))
	return n
}

// done ends a busy send and frees its permit (RSP-6). It reports whether s was
// being sent.
func (l *limiter) done(s Send) bool {
	n, ok := l.sends[s]
	if !ok {
		return false
	}
	delete(l.sends, s)
	p := &l.table[n]
	if p.sending--; p.sending == 0 {
		l.idleAdd(n)
	}
	return true
}

// copyFrom makes a deep copy of src, in l's own memory.
func (l *limiter) copyFrom(src *limiter) {
	sends, numbers, table, idle := l.sends, l.numbers, l.table, l.idle
	clear(sends)
	maps.Copy(sends, src.sends)
	numbers.copyFrom(&src.numbers)
	*l = *src
	l.sends, l.numbers = sends, numbers
	l.table = append(table[:0], src.table...)
	l.idle = append(idle[:0], src.idle...)
}
