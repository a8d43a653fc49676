package scheduler

// ordering is what an addressable heap of ids needs: a total order, and to be told
// the new position of an id (-1: out).
type ordering interface {
	before(a, b uint32) bool
	moved(id uint32, pos int32)
}

// heapPush adds id.
func heapPush[O ordering](o O, h []uint32, id uint32) []uint32 {
	h = append(h, id)
	heapUp(o, h, len(h)-1)
	return h
}

// heapFix restores the order after the rank of the id at i changed.
func heapFix[O ordering](o O, h []uint32, i int) {
	if !heapDown(o, h, i) {
		heapUp(o, h, i)
	}
}

// heapRemove takes out the id at i.
func heapRemove[O ordering](o O, h []uint32, i int) []uint32 {
	o.moved(h[i], -1)
	last := len(h) - 1
	moved := h[last]
	h = h[:last]
	if i < last {
		h[i] = moved
		heapFix(o, h, i)
	}
	return h
}

func heapUp[O ordering](o O, h []uint32, i int) {
	id := h[i]
	for i > 0 {
		up := (i - 1) / 2
		if !o.before(id, h[up]) {
			break
		}
		h[i] = h[up]
		o.moved(h[i], int32(i))
		i = up
	}
	h[i] = id
	o.moved(id, int32(i))
}

// heapDown moves the id at i down, and reports whether it did.
func heapDown[O ordering](o O, h []uint32, i int) bool {
	id, from := h[i], i
	for {
		down := 2*i + 1
		if down >= len(h) {
			break
		}
		if down+1 < len(h) && o.before(h[down+1], h[down]) {
			down++
		}
		if !o.before(h[down], id) {
			break
		}
		h[i] = h[down]
		o.moved(h[i], int32(i))
		i = down
	}
	h[i] = id
	o.moved(id, int32(i))
	return i != from
}
