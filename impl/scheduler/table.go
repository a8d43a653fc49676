package scheduler

// table maps hashes to ids: open addressing with linear probing. The names
// themselves are in the records that the ids stand for. No table is ever
// iterated, so the keys of the hash never show (DET-2).
type table struct {
	slots []tableSlot
	n     int
}

type tableSlot struct {
	hash uint32
	id   uint32 // the id + 1; 0 in an empty slot
}

// next is the slot that a search looks at after i. The searches that operations
// inline spell it out, for the compiler would not inline them if they called it.
func next[T uint32 | uint64](i, mask T) T { return (i + 1) & mask }

// insert adds an id that is not in the table.
func (t *table) insert(h, id uint32) {
	if 4*(t.n+1) > 3*len(t.slots) {
		t.resize()
	}
	t.place(tableSlot{h, id + 1})
	t.n++
}

func (t *table) place(e tableSlot) {
	mask := uint32(len(t.slots) - 1)
	i := e.hash & mask
	for t.slots[i].id != 0 {
		i = (i + 1) & mask
	}
	t.slots[i] = e
}

func (t *table) resize() {
	old := t.slots
	t.slots = make([]tableSlot, max(8, 2*len(old)))
	for _, e := range old {
		if e.id != 0 {
			t.place(e)
		}
	}
}

// likely returns the first id with that hash, or none. If the table has the name
// looked for, it is nearly always that one's. The table is not empty.
func (t *table) likely(h uint32) uint32 {
	mask := uint32(len(t.slots) - 1)
	for i := h & mask; ; i = (i + 1) & mask {
		if e := t.slots[i]; e.id == 0 {
			return none
		} else if e.hash == h {
			return e.id - 1
		}
	}
}

// at returns the slot where id is; id must be in the table.
func (t *table) at(h, id uint32) uint32 {
	mask := uint32(len(t.slots) - 1)
	i := h & mask
	for t.slots[i].id != id+1 {
		i = next(i, mask)
	}
	return i
}

// remove takes id out, and moves later ids of its probe chain back, so that no
// tombstone is needed.
func (t *table) remove(h, id uint32) {
	mask := uint32(len(t.slots) - 1)
	hole := t.at(h, id)
	for i := next(hole, mask); t.slots[i].id != 0; i = next(i, mask) {
		if (i-t.slots[i].hash)&mask >= (i-hole)&mask {
			t.slots[hole] = t.slots[i]
			hole = i
		}
	}
	t.slots[hole] = tableSlot{}
	t.n--
}

// rename puts id in the slot of old.
func (t *table) rename(h, old, id uint32) { t.slots[t.at(h, old)].id = id + 1 }

func (t *table) copyFrom(src *table) {
	t.slots = append(t.slots[:0], src.slots...)
	t.n = src.n
}
