package explore

import (
	"bytes"
	"slices"

	"fetchproof/ops"
)

// Renumbering. Two states with the same canonical form behave the same for ever, up to the numbers that were left out: each
// letter is enabled in both or in neither, gives the same result, and leads to states with the same form again. What is left
// out, and why no rule can show it:
//
//   - The clock, and the counters. Rules compare instants with the clock and with each other, never with an origin, and stop
//     at the largest time (DET-4), which a scope never comes near. Counters only grow (SUM-1), and no rule reads one.
//   - Places but for their order, and that per source: CON-1, CON-2 and CON-3 compare places of one source alone, and a new
//     place is greater than all (SEQ-1). See [canon.places] for which are left.
//   - The end of a mark that no longer runs: CON-1 asks only whether it runs, and it runs again only after CON-3 set it anew.
//   - When an attempt started, unless it can still be answered busy: only BSY-1 asks.
//   - Of an attempt whose answer was applied, all places and whether it was tracked: a report that brings an answer is invalid
//     whatever its place (SEQ-3), and its failure is no evidence (CON-5, OUT-6).
//   - A streak with BusyForgetAfter behind it, and the age of one that was reset: the next is 1 in both cases (BSY-2, BSY-4).
//   - The ends of cooldowns that are over, except their order, which is kept only if the busy table can be full (BSY-6).
//     Where it cannot, an entry that is not cooling and has no streak is as good as none (BSY-2, BSY-5).
//   - The index, charges and reservations: they follow from the rest (PRK-1, PND-6, PND-7).
//   - What the alphabet cannot ask for: tried sources, hints and claimants' standing where nothing is added (ADV-1, ADV-2),
//     ages where nothing is evicted and beyond the greatest age asked for (PND-9), verification times where nobody asks what
//     is ready (PND-10).
//
// A test re-explores states that were merged, and compares what every letter does there.
type canon struct {
	scope  *Scope
	traits traits
	peers  [256]uint8 // a peer's index by its first byte
	keys   [256]uint8 // a key's index by its last byte that is not zero
	group  []permutation

	key    [maxKeys]keyForm
	peer   [maxPeers]peerForm
	places []placeOf
	ended  []ops.Time
	form   []byte // the least so far
	other  []byte

	window  uint8 // how long the overflow window stays open
	stopped uint8

	responder responderForm
}

// keyForm is a key as the canonical form has it. What does not apply is 0.
type keyForm struct {
	stage            uint8
	distance         uint8
	untried          [maxPeers]uint8
	untriedN         uint8
	tried            uint8 // a set of peers, a bit each
	retry            bool
	hints, claimants uint8
	owner            uint8
	created, verify  uint8

	source, flags, age uint8
	request, answer    uint8 // rank among its source's places that can still matter, from 1
}

const (
	inNoStage uint8 = iota
	isPending
	inHeap
	isParked
	isFlying
)

const (
	flagTracked = 1 << iota
	flagGiven
	flagAnswered
	flagBusy
)

// peerForm is a source as the canonical form has it.
type peerForm struct {
	contact             uint8 // 0: untracked; else 1 and how long it stays marked
	streak, last, until uint8
}

// permutation renames peers: to[p] is the new index of p, from the inverse, and set a set of peers renamed.
type permutation struct {
	to, from [maxPeers]uint8
	set      [1 << maxPeers]uint8
}

// placeOf is a place that can still matter, and which field of which key holds its rank.
type placeOf struct {
	source uint8
	place  uint64
	rank   *uint8
}

func newCanon(s *Scope, merge bool) *canon {
	c := &canon{scope: s, traits: s.traits()}
	for i := range c.peers {
		c.peers[i], c.keys[i] = maxPeers, maxKeys
	}
	for i, p := range s.Peers {
		c.peers[p[0]] = uint8(i)
	}
	for i, k := range s.Keys {
		c.keys[lastByte(k)] = uint8(i)
	}
	c.group = c.permutations(merge)
	return c
}

func lastByte(k ops.Key) byte {
	n := len(k)
	for n > 1 && k[n-1] == 0 {
		n--
	}
	return k[n-1]
}

// permutations are all that exchange symmetric peers, the identity first.
func (c *canon) permutations(merge bool) (group []permutation) {
	var moved []uint8
	if merge {
		for _, p := range c.scope.Symmetric {
			moved = append(moved, c.peers[p[0]])
		}
	}
	var images []uint8
	var extend func()
	extend = func() {
		if len(images) == len(moved) {
			group = append(group, newPermutation(moved, images))
			return
		}
		for _, p := range moved {
			if !slices.Contains(images, p) {
				images = append(images, p)
				extend()
				images = images[:len(images)-1]
			}
		}
	}
	extend()
	return group
}

func newPermutation(moved, images []uint8) (p permutation) {
	for i := range p.to {
		p.to[i] = uint8(i)
	}
	for i, m := range moved {
		p.to[m] = images[i]
	}
	for i, to := range p.to {
		p.from[to] = uint8(i)
	}
	for set := range p.set {
		for i, to := range p.to {
			if set&(1<<i) != 0 {
				p.set[set] |= 1 << to
			}
		}
	}
	return p
}

// sum is the hash of the canonical form of a state, and how many states of the raw space are merged into it: as many as
// there are images of it under exchanging symmetric peers.
func (c *canon) sum(st *ops.State) (Hash, int) {
	encode := c.encodeResponder
	if st.Machine == ops.SchedulerMachine {
		c.normalize(&st.Scheduler)
		encode = c.encode
	} else {
		c.normalizeResponder(&st.Responder)
	}
	c.form = encode(c.form[:0], &c.group[0])
	same := 1
	for i := range c.group[1:] {
		c.other = encode(c.other[:0], &c.group[1+i])
		switch bytes.Compare(c.other, c.form) {
		case 0:
			same++
		case -1:
			c.form, c.other, same = c.other, c.form, 1
		}
	}
	return hashOf(c.form), len(c.group) / same
}

// encode writes the form with its peers renamed. Every part says how long it is, so that no two forms are written the same.
func (c *canon) encode(b []byte, p *permutation) []byte {
	for i := range c.scope.Keys {
		k := &c.key[i]
		b = append(b, k.stage)
		if k.stage == inNoStage {
			continue
		}
		if k.stage != isPending {
			b = append(b, k.distance, k.untriedN)
			for _, u := range k.untried[:k.untriedN] {
				b = append(b, p.to[u])
			}
			b = append(b, p.set[k.tried])
		}
		if k.stage == isFlying {
			b = append(b, p.to[k.source], k.flags, k.age, k.request, k.answer)
		}
		if k.retry {
			b = append(b, 1, p.set[k.hints], p.set[k.claimants], p.to[k.owner], k.created, k.verify)
		} else {
			b = append(b, 0)
		}
	}
	for i := range c.scope.Peers {
		x := &c.peer[p.from[i]]
		b = append(b, x.contact, x.streak, x.last, x.until)
	}
	return append(b, c.window, c.stopped)
}

func (c *canon) index(p ops.Peer) uint8 { return c.peers[p[0]] }

func (c *canon) set(peers []ops.Peer) (set uint8) {
	for _, p := range peers {
		set |= 1 << c.index(p)
	}
	return set
}

// clamp is a length of time as a byte, 0 if it is over and limit if it is more.
func clamp[T ~int64](d T, limit T) uint8 { return uint8(min(max(d, 0), limit)) }
