package scheduler

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"testing"
)

// TestTable: whatever is inserted, renamed and removed, each id is where its hash
// leads, chains that wrap and names with the same hash included.
func TestTable(t *testing.T) {
	for seed := range uint64(5) {
		rng := rand.New(rand.NewPCG(seed, 51))
		hashes := uint32(2 + rng.IntN(40)) // few, so that chains are long
		var table, copied table
		in := map[uint32]uint32{} // the hash of each id
		for n := range uint32(400) {
			switch id, h := anyOf(in, rng), uint32(0); {
			case id == none || rng.IntN(2) == 0 && len(in) < 60:
				h = ^rng.Uint32N(hashes) // at the end of the table
				table.insert(h, n)
				in[n] = h
			case rng.IntN(4) == 0:
				table.rename(in[id], id, n)
				in[n] = in[id]
				delete(in, id)
			default:
				table.remove(in[id], id)
				delete(in, id)
			}
			copied.copyFrom(&table)
			if copied.n != len(in) {
				t.Fatalf("%d ids, counted %d", len(in), copied.n)
			}
			for h := range hashes {
				h = ^h
				found := copied.likely0(h)
				if found != none && in[found] != h {
					t.Fatalf("id %d is found by hash %x, it has %x", found, h, in[found])
				}
				for id, other := range in {
					if other == h && found == none {
						t.Fatalf("id %d is not found by hash %x", id, h)
					}
				}
			}
			for id, h := range in {
				if at := copied.at(h, id); copied.slots[at] != (tableSlot{h, id + 1}) {
					t.Fatalf("at %d, where id %d should be, is %v", at, id, copied.slots[at])
				}
			}
		}
	}
}

// likely0 is likely, of a table that may be empty.
func (t *table) likely0(h uint32) uint32 {
	if len(t.slots) == 0 {
		return none
	}
	return t.likely(h)
}

// anyOf returns the least id in it that is not below a drawn one, or none.
func anyOf(in map[uint32]uint32, rng *rand.Rand) uint32 {
	from, best := rng.Uint32N(400), none
	for id := range in {
		if id >= from && id < best {
			best = id
		}
	}
	return best
}

// TestTableSize: a table has the fewest slots, a power of two and at least eight,
// of which a quarter is empty; one of attempts, of which half is empty.
func TestTableSize(t *testing.T) {
	size := func(n, num, den int) int {
		slots := 8
		for n*den > slots*num {
			slots *= 2
		}
		return slots
	}
	var names table
	var attempts attemptTable
	for n := 1; n <= 200; n++ {
		names.insert(uint32(n), uint32(n))
		attempts.insert(Place(n), uint32(n))
		if got, want := len(names.slots), size(n, 3, 4); got != want {
			t.Fatalf("%d slots for %d ids, want %d", got, n, want)
		}
		if got, want := len(attempts.slots), size(n, 1, 2); got != want {
			t.Fatalf("%d slots for %d attempts, want %d", got, n, want)
		}
	}
}

// TestHashSeed: schedulers of one seed keep a name in the same place, of another
// seed elsewhere, and none knows where one without a seed does. A copy keeps it
// where its source does, whatever it was before.
func TestHashSeed(t *testing.T) {
	hash := func(s *Scheduler) uint32 { k := keyN(1); return s.names.Of(k[:]) }
	of := func(seed uint64) *Scheduler {
		return newFix(t, func(c *Config) { c.HashSeed = seed }).Scheduler
	}
	five, six, secret := of(5), of(6), of(0)
	if hash(five) != hash(of(5)) || hash(five) == hash(six) {
		t.Error("the seed does not decide")
	}
	if hash(secret) == hash(of(0)) {
		t.Error("two schedulers without a seed hash alike")
	}
	k := keyN(1)
	secret.Add(0, k, hints("A"))
	six.CopyFrom(secret)
	if hash(six) != hash(secret) || six.Drained([]Key{k}) {
		t.Error("a copy does not hash as its source")
	}
}

// TestSameHash: two names with the same hash are two names. It finds such a pair
// by drawing names until two meet, after some 80,000.
func TestSameHash(t *testing.T) {
	f := newFix(t, nil)
	var a, b Key
	rng := rand.New(rand.NewPCG(1, 53))
	for seen := map[uint32]Key{}; ; {
		binary.BigEndian.PutUint64(b[:], rng.Uint64())
		h := f.names.Of(b[:])
		if other, met := seen[h]; met {
			a = other
			break
		}
		seen[h] = b
	}
	if bytes.Compare(a[:], b[:]) > 0 {
		a, b = b, a // states are in the order of names
	}
	f.Add(0, a, []Hint{{Peer(a), true}})
	if !f.Drained([]Key{b}) {
		t.Error("a key is taken for another with its hash")
	}
	if r := f.Add(0, b, []Hint{{Peer(b), true}}); r != Admitted {
		t.Errorf("another key: %v", r)
	}
	st := f.state()
	if len(st.Pending) != 2 || st.Pending[0].Entry.Owner != Peer(a) || st.Pending[1].Entry.Owner != Peer(b) {
		t.Errorf("keys %x and %x of owners of these names: %+v", a[:8], b[:8], st.Pending)
	}
	f.Depart(0, Peer(a), nil)
	if !f.Drained([]Key{a}) || f.Drained([]Key{b}) {
		t.Error("a departed peer is taken for another with its hash")
	}
}

// TestAttempts: whatever starts and ends, each attempt that is in flight is found,
// and no other number is.
func TestAttempts(t *testing.T) {
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 52))
		var table attemptTable
		if table.find(1) != none {
			t.Fatal("an attempt in an empty table")
		}
		in := map[Place]uint32{}
		most := 1 + rng.IntN(40)
		for n := Place(1); n < 600; n++ {
			if len(in) < most && rng.IntN(3) > 0 {
				table.insert(n, uint32(n)+7)
				in[n] = uint32(n) + 7
			} else if gone := Place(rng.IntN(int(n))); in[gone] != 0 {
				table.remove(gone)
				delete(in, gone)
			}
			if table.n != len(in) {
				t.Fatalf("%d attempts, counted %d", len(in), table.n)
			}
			for p := range n + 2 {
				want, flies := in[p]
				if !flies {
					want = none
				}
				if got := table.find(p); got != want {
					t.Fatalf("attempt %d flies in %d, want %d", p, got, want)
				}
			}
		}
	}
}

// TestAttemptsSpread: attempts that start one after another, twice as few as there
// are slots, belong in different slots, but for one in eight.
func TestAttemptsSpread(t *testing.T) {
	for _, slots := range []int{8, 16, 64, 1024} {
		table := attemptTable{slots: make([]attemptSlot, slots)}
		for first := Place(1); first < 5000; first += 77 {
			homes := map[uint64]bool{}
			for n := range Place(slots / 2) {
				home := table.home(first + n)
				if home >= uint64(slots) {
					t.Fatalf("attempt %d belongs at %d of %d", first+n, home, slots)
				}
				homes[home] = true
			}
			if len(homes) < slots/2-slots/16 {
				t.Fatalf("%d attempts from %d on belong in %d of %d slots", slots/2, first, len(homes), slots)
			}
		}
	}
}
