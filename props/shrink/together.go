package shrink

import (
	"slices"

	"fetchproof/ops"
	"fetchproof/props/lockstep"
)

// simplifyTogether tries changes that only work when several operations change at once: the whole program moved to an
// earlier origin, one key or peer put for another everywhere, and identifiers renamed to the first ones.
func (s *shrinker) simplifyTogether() (any bool) {
	any = s.moveOrigin()
	any = s.rename(keysOf, func(op *ops.Op, from, to [32]byte) { op.RenameKey(ops.Key(from), ops.Key(to)) }, keyNames) || any
	return s.rename(peersOf, func(op *ops.Op, from, to [32]byte) { op.RenamePeer(ops.Peer(from), ops.Peer(to)) }, peerNames) || any
}

// moveOrigin lets the time of the first operation, or of any later one with all that follow, be that of the one before.
func (s *shrinker) moveOrigin() (any bool) {
	for i := 0; i < len(s.best.Ops) && !s.spent(); i++ {
		before := s.previousTime(i)
		if !s.best.Ops[i].Kind.Timed() || s.best.Ops[i].Now == before {
			continue
		}
		shift := s.best.Ops[i].Now - before
		p := clone(s.best)
		for j := i; j < len(p.Ops); j++ {
			if p.Ops[j].Kind.Timed() {
				p.Ops[j].Now -= shift
			}
		}
		any = s.try(p) || any
	}
	return any
}

var (
	keyNames  = names("k", "123456789")
	peerNames = names("", "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
)

func names(prefix, letters string) (list [][32]byte) {
	for _, l := range letters {
		list = append(list, [32]byte(ops.KeyNamed(prefix+string(l))))
	}
	return list
}

// rename replaces identifiers by simpler ones: merged into a smaller one that the program has, or, keeping their order, by
// the first names.
func (s *shrinker) rename(all func([]ops.Op) [][32]byte, apply func(op *ops.Op, from, to [32]byte), simplest [][32]byte) (any bool) {
	for i := len(all(s.best.Ops)) - 1; i >= 0 && !s.spent(); i-- {
		ids := all(s.best.Ops)
		if i >= len(ids) {
			continue
		}
		for _, to := range ids[:i] {
			if s.try(renamed(s.best, ids[i], to, apply)) {
				any = true
				break
			}
		}
	}
	for i, id := range all(s.best.Ops) {
		if s.spent() {
			break
		}
		if i < len(simplest) && id != simplest[i] {
			any = s.try(renamed(s.best, id, simplest[i], apply)) || any
		}
	}
	return any
}

func renamed(p lockstep.Program, from, to [32]byte, apply func(op *ops.Op, from, to [32]byte)) lockstep.Program {
	c := clone(p)
	for i := range c.Ops {
		apply(&c.Ops[i], from, to)
	}
	return c
}

func keysOf(list []ops.Op) (ids [][32]byte) {
	for i := range list {
		list[i].EachKey(func(k ops.Key) { ids = append(ids, k) })
	}
	return sortedSet(ids)
}

func peersOf(list []ops.Op) (ids [][32]byte) {
	for i := range list {
		list[i].EachPeer(func(p ops.Peer) { ids = append(ids, p) })
	}
	return sortedSet(ids)
}

func sortedSet(ids [][32]byte) [][32]byte {
	slices.SortFunc(ids, func(a, b [32]byte) int { return ops.Key(a).Compare(ops.Key(b)) })
	return slices.Compact(ids)
}
