package twin

import "encoding/binary"

// tree is an ordered set of keys, nearest first: a treap. Its shape depends on its keys alone (DET-2). The zero tree
// is empty.
type tree struct {
	root  *node
	first *record // the nearest, or nil
	n     int
}

// node holds the first bytes of its key's distance, which nearly always decide a comparison, so that a way down the
// tree touches nodes only.
type node struct {
	prefix      uint64
	record      *record
	left, right *node
}

func newNode(r *record) *node {
	return &node{prefix: binary.BigEndian.Uint64(r.distance[:8]), record: r}
}

// nearer orders nodes as their keys.
func (n *node) nearer(m *node) bool {
	if n.prefix != m.prefix {
		return n.prefix < m.prefix
	}
	return nearer(n.record, m.record)
}

// priority is at least that of the children. It scatters the prefix: the finaliser of SplitMix64.
func (n *node) priority() uint64 {
	x := n.prefix
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// insert adds a key that is not in the set.
func (t *tree) insert(r *record) {
	m := newNode(r)
	t.root = t.root.insert(m, m.priority())
	t.n++
	if t.first == nil || nearer(r, t.first) {
		t.first = r
	}
}

// remove takes out a key that is in the set.
func (t *tree) remove(r *record) {
	at := newNode(r)
	t.root = t.root.remove(at)
	t.n--
	if r == t.first {
		t.first = t.root.leftmost()
	}
}

// each calls f with every key, nearest first.
func (t *tree) each(f func(*record)) { t.root.each(f) }

func (n *node) insert(m *node, priority uint64) *node {
	switch {
	case n == nil:
		return m
	case priority > n.priority():
		m.left, m.right = n.split(m)
		return m
	case m.nearer(n):
		n.left = n.left.insert(m, priority)
	default:
		n.right = n.right.insert(m, priority)
	}
	return n
}

// split divides a subtree at m, which is not in it.
func (n *node) split(m *node) (near, far *node) {
	if n == nil {
		return nil, nil
	}
	if m.nearer(n) {
		near, n.left = n.left.split(m)
		return near, n
	}
	n.right, far = n.right.split(m)
	return n, far
}

// remove takes out the node of at's key.
func (n *node) remove(at *node) *node {
	switch {
	case n.record == at.record:
		return join(n.left, n.right)
	case at.nearer(n):
		n.left = n.left.remove(at)
	default:
		n.right = n.right.remove(at)
	}
	return n
}

// join unites two subtrees, all of near nearer than all of far.
func join(near, far *node) *node {
	switch {
	case near == nil:
		return far
	case far == nil:
		return near
	case near.priority() >= far.priority():
		near.right = join(near.right, far)
		return near
	default:
		far.left = join(near, far.left)
		return far
	}
}

func (n *node) leftmost() *record {
	if n == nil {
		return nil
	}
	for n.left != nil {
		n = n.left
	}
	return n.record
}

func (n *node) each(f func(*record)) {
	if n != nil {
		n.left.each(f)
		f(n.record)
		n.right.each(f)
	}
}
