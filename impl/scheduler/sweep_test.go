package scheduler

import (
	"slices"
	"testing"
)

// sweeper is a scheduler of which one slot is free and whose sources but C are full.
type sweeper struct {
	*fix
	queued byte
}

func newSweeper(t *testing.T) *sweeper {
	f := &sweeper{fix: newFix(t, func(c *Config) { c.Slots = 3 })}
	f.put(1, "A")
	f.put(2, "C")
	f.put(3, "Z")
	f.fill("1A#1 2C#2 3Z#3")
	return f
}

// add queues a key at a distance, behind others at the same.
func (f *sweeper) add(distance int, from string) {
	f.t.Helper()
	k := keyN(distance)
	if from != "A" {
		f.queued++
		k[1] = f.queued
	}
	if r := f.Enqueue(f.now, k, Distance(keyN(distance)), peers(from)); r != Queued {
		f.t.Fatalf("enqueue %d: %v", distance, r)
	}
}

// pass is a pass that starts the key at a distance, whose attempt ends at once. It
// expects how many keys are parked then, how many of them are in the index, and
// how many entries the pass has touched.
func (f *sweeper) pass(distance, parked, filed int, touched uint64) {
	f.t.Helper()
	before := f.touched
	got := f.Fill(f.now, nil)
	if len(got) != 1 || Distance(keyN(distance)) != f.detail(f.findKey(&got[0].Key, f.names.Of(got[0].Key[:]))).distance {
		f.t.Fatalf("started %v, want the key at %d", got, distance)
	}
	if err := f.SelfCheck(); err != nil {
		f.t.Fatal(err)
	}
	inIndex := 0
	for _, k := range f.allKeys() {
		if k.filed {
			inIndex++
		}
	}
	if f.parkedKeys != parked || inIndex != filed || f.touched-before != touched {
		f.t.Fatalf("%d parked, %d filed, %d touched, want %d, %d, %d", f.parkedKeys, inIndex, f.touched-before, parked, filed, touched)
	}
	f.Outcome(f.now, got[0].Attempt, OutcomeDeclined, 0, false)
}

// TestSweep: a pass in which little can start files the nearest keys and then
// parks the others without filing them, up to the nearest that can start. FIL-1,
// FIL-2, FIL-3, PRK-6.
func TestSweep(t *testing.T) {
	const keys = 200 // of A alone, at distances from 11 on
	for _, c := range []struct {
		name          string
		open          []int // distances of keys of A and C, in the order in which they are queued
		before        int   // that of one that was filed before, if any
		aside         int   // how many keys are pending
		start         int
		parked, filed int
		touched       uint64
	}{
		// With one more key, 12 are filed until that is more than a 16th of the rest. Touched are all to sort them,
		// those that are filed and one more, and all ids in the sweep.
		{name: "one", open: []int{150}, start: 150, parked: 140, filed: 12, touched: 201 + 13 + 204},
		{name: "the nearest of some", open: []int{180, 150, 170}, start: 150, parked: 140, filed: 12, touched: 203 + 13 + 206},
		{name: "the farthest", open: []int{300}, start: 300, parked: 200, filed: 12, touched: 201 + 13 + 204},
		{name: "near", open: []int{17}, start: 17, parked: 7, filed: 7, touched: 201 + 8},
		{name: "filed", before: 120, start: 120, parked: 110, filed: 11, touched: 200 + 12 + 204},
		{name: "filed and a farther one", before: 120, open: []int{150}, start: 120, parked: 110, filed: 11, touched: 201 + 12 + 205},
		{name: "filed and a nearer one", before: 120, open: []int{100}, start: 100, parked: 91, filed: 12, touched: 201 + 12 + 205},
		{name: "few", open: slices.Repeat([]int{150}, 16), start: 150, parked: 140, filed: 13, touched: 216 + 14 + 219},
		{name: "too many", open: slices.Repeat([]int{150}, 17), start: 150, parked: 140, filed: 140, touched: 217 + 141},
		{name: "among others", open: []int{150}, aside: 2835, start: 150, parked: 140, filed: 12, touched: 201 + 13 + 3039},
		{name: "among too many others", open: []int{150}, aside: 2836, start: 150, parked: 140, filed: 140, touched: 201 + 141},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newSweeper(t)
			if c.before > 0 {
				f.ends(3, OutcomeSendFailed, false, "left 3 dropped")
				f.add(c.before, "AC")
				f.add(1000, "Z")
				f.Fill(0, nil)
			}
			for i := range c.aside {
				k := keyN(i)
				k[2] = 1
				f.Add(0, k, hints("A"))
			}
			for i := range keys {
				f.add(11+i*7%keys, "A")
			}
			for _, d := range c.open {
				f.add(d, "AC")
			}
			f.ends(2, OutcomeSendFailed, false, "left 2 dropped")
			f.pass(c.start, c.parked, c.filed, c.touched)
		})
	}
}

// TestSweeps: each pass that looks far files a share of what is left, a key stays parked since it was, and those that
// are farther than what starts stay in the heap. PRK-2, SUM-2.
func TestSweeps(t *testing.T) {
	f := newSweeper(t)
	for i := range 200 {
		f.add(11+i*7%200, "A")
	}
	for _, d := range []int{150, 180, 250} {
		f.add(d, "AC")
	}
	f.now = 100
	f.ends(2, OutcomeSendFailed, false, "left 2 dropped")
	f.pass(150, 140, 12, 203+13+206)
	f.now = 200
	f.pass(180, 170, 24, 13+206)
	if st := f.state(); len(st.Heap) != 31 || len(st.Index) != 1 || len(st.Index[0].Keys) != 170 {
		t.Fatalf("heap %d, index %d", len(st.Heap), len(st.Index))
	}
	if age, _ := f.OldestParked(300); age != 200 {
		t.Fatalf("the oldest has been parked for %v", age)
	}
}
