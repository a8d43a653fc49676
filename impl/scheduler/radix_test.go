package scheduler

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"
)

// sortable returns a scheduler with n keys whose names and distances agree in
// their first 32 bits with others, or differ in the last of these, or in any.
func sortable(t *testing.T, n int, kind string, rng *rand.Rand) (*Scheduler, []uint32) {
	t.Helper()
	s, err := New(seeded())
	if err != nil {
		t.Fatal(err)
	}
	draw := func(i int) (b [32]byte) {
		for at := range b {
			b[at] = byte(rng.Uint32())
		}
		v := rng.Uint32()
		switch kind {
		case "close":
			v = 1<<31 + v%uint32(n)
		case "few":
			v = v % 5 * 0x40000001
		case "same":
			v = 0xc0ffee00
		case "distinct":
			v = uint32(i)*2654435761 | 1 // odd multiples of different numbers
		case "digit":
			v = v % 2048 << 11
		}
		b[0], b[1], b[2], b[3] = byte(v>>24), byte(v>>16), byte(v>>8), byte(v)
		return b
	}
	var ids []uint32
	for i := range n {
		k, d := Key(draw(i)), Distance(draw(i))
		if kind == "few" && i%3 > 0 {
			d = s.detail(ids[i-1]).distance
		}
		id := s.newKey(&k, s.names.Of(k[:]))
		s.setDistance(id, &d)
		ids = append(ids, id)
	}
	rng.Shuffle(n, func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
	return s, ids
}

// TestSortKeys: both orders are right, for many keys and few, wherever they
// differ, also in memory of a former use.
func TestSortKeys(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	for _, kind := range []string{"any", "close", "few", "same", "digit"} {
		s, ids := sortable(t, 600, kind, rng)
		for _, n := range []int{0, 1, 2, 63, 64, 65, 66, 300, 600, 80, 7} {
			for _, order := range []struct {
				name    string
				sort    func([]uint32)
				compare func(a, b uint32) int
			}{{"nearness", s.sortNearest, s.compareNearness}, {"names", s.sortNames, s.compareNames}} {
				got := slices.Clone(ids[len(ids)-n:])
				order.sort(got)
				want := slices.Clone(ids[len(ids)-n:])
				slices.SortFunc(want, order.compare)
				if !slices.Equal(got, want) {
					t.Fatalf("%d %s keys by %s: %v, want %v", n, kind, order.name, got, want)
				}
			}
		}
	}
}

// TestSortPacks: what is sorted by digits are the first 32 bits of a rank with the id,
// so that few keys are left for the comparison.
func TestSortPacks(t *testing.T) {
	s, ids := sortable(t, 2*sortWhole, "any", rand.New(rand.NewPCG(7, 7)))
	for _, order := range []struct {
		name string
		sort func([]uint32)
		rank func(id uint32) []byte
	}{
		{"nearness", s.sortNearest, func(id uint32) []byte { return s.detail(id).distance[:] }},
		{"names", s.sortNames, func(id uint32) []byte { return s.detail(id).name[:] }},
	} {
		order.sort(ids)
		for _, e := range s.packed[0] {
			if want := binary.BigEndian.Uint32(order.rank(uint32(e))); uint32(e>>32) != want {
				t.Fatalf("%s: sorted by %x, want %x", order.name, e>>32, want)
			}
		}
	}
}

// TestSortPackedCompares: only keys whose first 32 bits are the same are compared.
func TestSortPackedCompares(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	for _, kind := range []string{"close", "few", "same", "distinct"} {
		s, ids := sortable(t, 500, kind, rng)
		top := func(id uint32) uint64 { return s.prefix(id) >> 31 }
		s.pack(len(ids))
		for i, id := range ids {
			s.packed[0][i] = top(id)<<32 | uint64(id)
		}
		compares := 0
		s.sortPacked(ids, func(a, b uint32) int {
			if compares++; top(a) != top(b) {
				t.Fatalf("%s: compared %x with %x", kind, top(a), top(b))
			}
			return s.compareNearness(a, b)
		})
		if kind == "distinct" && compares > 0 || kind == "same" && compares < 500 || !slices.IsSortedFunc(ids, s.compareNearness) {
			t.Fatalf("%s: %d compared", kind, compares)
		}
	}
}
