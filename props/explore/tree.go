package explore

// tree keeps, for each state, the state that it was first reached from, and by which letter. States are numbered in the order
// of breadth-first search, so the path to a state is a shortest one, and of those the first.
type tree struct {
	seen   *seenSet
	parent []uint32
	letter []uint16
	orbit  []uint8  // raw states merged into it
	level  []uint32 // the number of the first state of each depth
}

func newTree() *tree { return &tree{seen: newSeenSet()} }

func (t *tree) size() int { return len(t.parent) }

func (t *tree) add(h Hash, parent uint32, letter uint16, orbit uint8) (number uint32, added bool) {
	number, added = t.seen.add(h)
	if added {
		t.parent, t.letter, t.orbit = append(t.parent, parent), append(t.letter, letter), append(t.orbit, orbit)
	}
	return number, added
}

// depth is how many operations lead to state n.
func (t *tree) depth(n uint32) int {
	lo, hi := 0, len(t.level)
	for lo+1 < hi {
		if mid := (lo + hi) / 2; t.level[mid] <= n {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}

// pathTo is the states on the way to n, n last, from below its nearest ancestor for which stop is true; without one, from
// below the initial state.
func (t *tree) pathTo(n uint32, stop func(depth int, ancestor uint32) bool) (path []uint32) {
	for depth := t.depth(n); depth > 0 && !stop(depth, n); depth-- {
		path = append(path, n)
		n = t.parent[n]
	}
	for i, j := 0, len(path)-1; i < j; i, j = i+1, j-1 {
		path[i], path[j] = path[j], path[i]
	}
	return path
}

// letters are those on the way to n.
func (t *tree) letters(n uint32) (list []uint16) {
	for _, s := range t.pathTo(n, func(int, uint32) bool { return false }) {
		list = append(list, t.letter[s])
	}
	return list
}
