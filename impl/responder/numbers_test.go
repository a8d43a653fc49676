package responder

import (
	"testing"

	"pgregory.net/rapid"
)

// TestNumbers steps the table of numbers beside a map. Few names, and slots
// that are half in use, make for long runs that wrap around.
func TestNumbers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := newNumbers(1)
		var table []remembered
		want := map[Peer]int32{}
		for _, b := range rapid.SliceOfN(rapid.ByteRange(0, 40), 150, 150).Draw(t, "names") {
			peer := Peer{31: b}
			number, known := want[peer]
			switch {
			case known:
				n.remove(n.hash(&peer), number)
				delete(want, peer)
				table[number].peer = Peer{0: 1} // no name that is looked for
			default:
				want[peer] = int32(len(table))
				table = append(table, remembered{peer: peer})
				n.add(n.hash(&peer), want[peer], len(want))
			}
			for b := range byte(41) {
				peer := Peer{31: b}
				number, known := want[peer]
				if got, ok := n.find(table, &peer, n.hash(&peer)); ok != known || got != number {
					t.Fatalf("peer %d: number %d %v, want %d %v", b, got, ok, number, known)
				}
			}
		}
	})
}

// TestNumbersCollide gives every name one of four places at the end of the
// slots, so that each removal has to close a gap across the end.
func TestNumbersCollide(t *testing.T) {
	const places = 16
	for drop := range 8 {
		n := numbers{slots: make([]slot, places)}
		n.names = newNumbers(uint64(drop) + 1).names
		var table []remembered
		for i := 0; len(table) < places/2; i++ {
			peer := Peer{0: byte(i), 1: byte(i >> 8)}
			if n.hash(&peer)%places < places-4 {
				continue
			}
			table = append(table, remembered{peer: peer})
			n.add(n.hash(&peer), int32(len(table)-1), len(table))
		}
		n.remove(n.hash(&table[drop].peer), int32(drop))
		for i := range table {
			if got, ok := n.find(table, &table[i].peer, n.hash(&table[i].peer)); ok == (i == drop) || ok && got != int32(i) {
				t.Errorf("after dropping %d: peer %d has number %d %v", drop, i, got, ok)
			}
		}
	}
}

// TestNumbersCopy changes the origin of a copy within the same slots.
func TestNumbersCopy(t *testing.T) {
	origin, other := newNumbers(1), newNumbers(2)
	table := []remembered{{peer: Peer{1}}, {peer: Peer{2}}}
	for i := range table {
		origin.add(origin.hash(&table[i].peer), int32(i), i+1)
	}
	other.copyFrom(&origin)
	for i := range table {
		origin.remove(origin.hash(&table[i].peer), int32(i))
	}
	for i := range table {
		if got, ok := other.find(table, &table[i].peer, other.hash(&table[i].peer)); !ok || got != int32(i) {
			t.Errorf("the copy lost peer number %d", i)
		}
	}
}

// TestNumbersSeed finds a name in the same place wherever the seed is the same, and
// nobody knows where without one.
func TestNumbersSeed(t *testing.T) {
	hash := func(seed uint64) uint32 {
		c := Defaults()
		c.HashSeed = seed
		l := newLimiter(c)
		return l.numbers.hash(&Peer{1})
	}
	five, secret := hash(5), hash(0)
	if hash(5) != five || hash(6) == five {
		t.Error("one seed hashes in two ways, or two seeds in one")
	}
	if hash(0) == secret {
		t.Error("two limiters without a seed hash alike")
	}
}

// TestNumbersSameHash gives several peers one hash: each has a number of its own
// all the same, and a peer that was never added has none.
func TestNumbersSameHash(t *testing.T) {
	const hash, stranger = 5, 4
	n := newNumbers(1)
	var table []remembered
	for i := range stranger {
		table = append(table, remembered{peer: Peer{byte(i)}})
		n.add(hash, int32(i), i+1)
	}
	for i := range table {
		if got, ok := n.find(table, &table[i].peer, hash); !ok || got != int32(i) {
			t.Errorf("peer %d has number %d %v", i, got, ok)
		}
	}
	if got, ok := n.find(table, &Peer{stranger}, hash); ok {
		t.Errorf("a stranger has number %d", got)
	}
	n.remove(hash, 1)
	for i := range table {
		if got, ok := n.find(table, &table[i].peer, hash); ok != (i != 1) || ok && got != int32(i) {
			t.Errorf("with peer 1 removed, peer %d has number %d %v", i, got, ok)
		}
	}
}
