package gen

import (
	"bytes"
	"slices"

	"fetchproof/ops"
)

// shape is how large the world of a program is. What depends on size has its bounds beyond the small worlds that show most:
// sorts that change their way, lists that are put in order in parts, tables that grow, blocks and pages that are outgrown.
type shape uint8

const (
	small   shape = iota // a handful of keys and peers: things collide
	crowded              // hundreds of keys, or dozens of peers, that come one by one
	listed               // a few keys, each with dozens of sources and hint sources
	stocked              // a queue or a pending list that is long from the start
)

// universe draws how many keys and peers there are. Small ones make things collide: the same key is added, promoted and
// reported again, a handful of sources are always full. Large ones are for what only a crowd shows. They are as rare as they
// are dear, for the whole state is compared at every step; one program in 64 is large, one in 2,000 very large.
func (g *Generator) universe() {
	keys, peers := g.between(1, 8), g.between(1, 6)
	g.length = g.between(10, 120)
	if g.config.Machine == ops.ResponderMachine {
		if g.chance(25) {
			peers, g.shape = g.between(12, 40), crowded
			g.length = g.between(60, 240)
		}
	} else {
		keys, peers = g.large(keys, peers)
	}
	if g.src.Intn(400) == 399 && g.shape != stocked {
		g.length = 4000 // the length of the published randomised run
	}
	g.wide = g.chance(50)
	g.names(keys, peers)
}

// large is the universe of a program for the scheduler, if it is one of the few large ones, or as it was.
func (g *Generator) large(keys, peers int) (int, int) {
	switch r := g.src.Intn(4096); {
	case r < 4096-68:
		return keys, peers
	case r < 4096-44:
		keys, peers = g.between(30, 300), g.between(5, 40)
		g.shape, g.crowd = crowded, g.chance(50)
		g.length = g.between(200, 600)
		return keys, peers
	case r < 4096-18:
		g.shape = listed
		if g.chance(50) {
			keys = min(keys, 2) // each is tried at one source after another
		}
		g.length = g.between(60, 240)
		if g.chance(15) {
			return keys, g.between(65, 80)
		}
		return keys, g.between(17, 48)
	case r < 4096-2:
		return g.stockUp(pick(g, g.between(40, 80), g.between(70, 140), g.between(140, 400)))
	default:
		return g.stockUp(g.between(1200, 1500))
	}
}

// names draws the names of keys and peers: words, and in wide programs all sorts of 32 bytes among them.
func (g *Generator) names(keys, peers int) {
	words := make([][32]byte, 0, max(keys, peers))
	for i := range keys {
		words = append(words, [32]byte(ops.KeyNamed(keyName(i, keys))))
	}
	for _, name := range g.variants(words) {
		g.keys = append(g.keys, ops.Key(name))
	}
	words = words[:0]
	for i := range peers {
		words = append(words, [32]byte(ops.PeerNamed(peerName(i))))
	}
	for _, name := range g.variants(words) {
		g.peers = append(g.peers, ops.Peer(name))
	}
	if g.wide {
		first := g.bytes()
		g.spots = [3][32]byte{{}, first, g.tailed(first)}
	}
}

// variants are the words, in a wide program every other one replaced: by one like it or like one before, or by any 32 bytes.
// They are as many as before: what is drawn twice is not taken the second time, for shapes count on the peers they asked for.
func (g *Generator) variants(words [][32]byte) [][32]byte {
	if !g.wide {
		return words
	}
	for i := range words {
		if like := words[g.src.Intn(i+1)]; g.chance(50) {
			var other [32]byte
			switch g.src.Intn(4) {
			case 0, 1:
				other = g.flipped(like)
			case 2:
				other = g.tailed(like)
			default:
				other = g.bytes()
			}
			if !slices.Contains(words, other) {
				words[i] = other
			}
		}
	}
	slices.SortFunc(words, func(a, b [32]byte) int { return bytes.Compare(a[:], b[:]) })
	return words
}

// flipped differs from b in one bit, of any byte: a comparison that leaves that byte out takes the two for the same.
func (g *Generator) flipped(b [32]byte) [32]byte {
	bit := 0
	if g.chance(50) {
		bit = g.src.Intn(8)
	}
	b[g.src.Intn(32)] ^= 1 << bit
	return b
}

// tailed begins like b and goes on as it likes.
func (g *Generator) tailed(b [32]byte) [32]byte {
	from, other := 1+g.src.Intn(31), g.bytes()
	copy(b[from:], other[from:])
	return b
}

// bytes is 32 bytes, drawn from few choices.
func (g *Generator) bytes() (b [32]byte) {
	x := uint64(g.src.Intn(1<<16)) + 1
	for i := range b {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
		b[i] = byte(x >> 32)
	}
	return b
}

// distance is mostly small, so that keys often stand at the same one. In a wide program it is most often one of three spots,
// one of which is 0, or differs from it in one bit.
func (g *Generator) distance() ops.Distance {
	if g.shape == stocked && !g.Filling() && g.chance(50) {
		return ops.DistanceOf(uint64(g.src.Intn(8))) // before most of what is there
	}
	if g.wide {
		switch r := g.src.Intn(10); {
		case r < 2:
			return ops.Distance(g.spots[g.src.Intn(3)])
		case r < 7:
			return ops.Distance(g.flipped(g.spots[g.src.Intn(3)]))
		case r < 8:
			return ops.Distance(g.bytes())
		}
	}
	return ops.DistanceOf(uint64(g.src.Intn(2*len(g.keys) + 1)))
}

// keyName names keys so that they order as they are numbered.
func keyName(i, of int) string {
	digits := "0123456789"
	if of <= 9 {
		return "k" + digits[i+1:i+2]
	}
	name := "k" + digits[i/100%10:i/100%10+1] + digits[i/10%10:i/10%10+1] + digits[i%10:i%10+1]
	if of > 1000 {
		return "k" + digits[i/1000:i/1000+1] + name[1:]
	}
	return name
}

// peerName names peers so that they order as they are numbered, up to 26 times 5.
func peerName(i int) string {
	letters := "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	if i < len(letters) {
		return letters[i : i+1]
	}
	return "Z" + letters[i/26-1:i/26] + letters[i%26:i%26+1]
}
