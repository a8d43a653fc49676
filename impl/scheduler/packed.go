package scheduler

import "iter"

// packed is a run of keys, nearest first, that was filed in bulk. It holds their
// positions in an order that the lists of all sources share, as the gaps between
// them, in 7-bit groups, the lowest first, with the top bit set on all but a gap's
// last group. A source of a fair part of the keys takes little more than a byte
// for each: a pass that files a whole backlog writes a quarter of the memory that
// ids would take, and a source that can start again finds its list in order.
type packed struct {
	order []uint32 // key ids
	gaps  []byte   // behind the first
	at    uint32   // the position of the first
	n     int32    // how many there are
}

// packedRoom is how many bytes n gaps that add up to end take at most: at most
// end >> 7k of them are 2^7k or more and take more than k bytes.
func packedRoom(n, end int) int {
	return n + min(n, end>>7) + min(n, end>>14) + min(n, end>>21) + min(n, end>>28)
}

// packer writes gaps.
type packer struct {
	last uint32 // the last position
	to   uint32 // where the next gap goes
	n    uint32 // how many were put
}

func (w *packer) put(gaps []byte, at uint32) {
	gap := at - w.last
	w.last = at
	w.n++
	for ; gap >= 0x80; gap >>= 7 {
		gaps[w.to] = byte(gap) | 0x80
		w.to++
	}
	gaps[w.to] = byte(gap)
	w.to++
}

// newPacked is what a packer put: n positions of order, at least one.
func newPacked(order []uint32, gaps []byte, n uint32) packed {
	p := packed{order: order, gaps: gaps, n: int32(n)}
	at, next := p.gap(0)
	p.at, p.gaps = at, gaps[next:]
	return p
}

// gap reads the gap at byte i and returns it and where the following one is.
func (p *packed) gap(i int) (gap uint32, next int) {
	gap = uint32(p.gaps[i])
	if gap < 0x80 {
		return gap, i + 1
	}
	return p.longGap(i)
}

func (p *packed) longGap(i int) (gap uint32, next int) {
	for shift := 0; ; shift += 7 {
		b := p.gaps[i]
		i++
		gap |= uint32(b&0x7f) << shift
		if b < 0x80 {
			return gap, i
		}
	}
}

// first returns the nearest key; there is one.
func (p *packed) first() uint32 { return p.order[p.at] }

// drop takes out the first.
func (p *packed) drop() {
	if p.n--; p.n == 0 {
		*p = packed{}
		return
	}
	gap, next := p.gap(0)
	p.at += gap
	p.gaps = p.gaps[next:]
}

// positions yields where in order the keys are.
func (p *packed) positions() iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		if p.n == 0 || !yield(p.at) {
			return
		}
		at, gap := p.at, uint32(0)
		for i := 0; i < len(p.gaps); {
			gap, i = p.gap(i)
			if at += gap; !yield(at) {
				return
			}
		}
	}
}

// all yields the keys.
func (p *packed) all() iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		for at := range p.positions() {
			if !yield(p.order[at]) {
				return
			}
		}
	}
}

// filter drops the keys that keep refuses, in place: the gap that closes over one
// never takes more bytes than the two that it is the sum of.
func (p *packed) filter(keep func(id uint32) bool) {
	first, n, w := uint32(0), int32(0), packer{}
	for at := range p.positions() {
		if !keep(p.order[at]) {
			continue
		}
		if n++; n == 1 {
			first, w.last = at, at
		} else {
			w.put(p.gaps, at)
		}
	}
	if n == 0 {
		*p = packed{}
		return
	}
	p.gaps, p.at, p.n = p.gaps[:w.to], first, n
}
