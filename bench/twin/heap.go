package twin

// heap is a binary heap of keys, the nearest on top. Each record knows its position, so that one can be taken out of
// the middle.
type heap struct{ records []*record }

func (h *heap) len() int { return len(h.records) }

// top returns the nearest key, or nil.
func (h *heap) top() *record {
	if len(h.records) == 0 {
		return nil
	}
	return h.records[0]
}

func (h *heap) push(r *record) {
	r.pos = len(h.records)
	h.records = append(h.records, r)
	h.up(r.pos)
}

func (h *heap) remove(r *record) {
	i, last := r.pos, len(h.records)-1
	moved := h.records[last]
	h.records[last] = nil
	h.records = h.records[:last]
	if i == last {
		return
	}
	h.records[i], moved.pos = moved, i
	h.down(i)
	h.up(moved.pos)
}

func (h *heap) up(i int) {
	for i > 0 {
		parent := (i - 1) / 2
		if !nearer(h.records[i], h.records[parent]) {
			return
		}
		h.swap(i, parent)
		i = parent
	}
}

func (h *heap) down(i int) {
	for {
		child := 2*i + 1
		if child >= len(h.records) {
			return
		}
		if right := child + 1; right < len(h.records) && nearer(h.records[right], h.records[child]) {
			child = right
		}
		if !nearer(h.records[child], h.records[i]) {
			return
		}
		h.swap(i, child)
		i = child
	}
}

func (h *heap) swap(i, j int) {
	a, b := h.records[i], h.records[j]
	h.records[i], h.records[j] = b, a
	a.pos, b.pos = j, i
}
