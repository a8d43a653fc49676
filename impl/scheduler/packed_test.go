package scheduler

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestPacked: what is packed is what was put in, within the room for it, and
// after each of a few filters and drops what those leave.
func TestPacked(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	for round := range 400 {
		order := make([]uint32, 1+rng.IntN(1<<(1+round%17)))
		for i := range order {
			order[i] = uint32(i) ^ 0x5555
		}
		var want []uint32
		var w packer
		rare := 1 + rng.IntN(400)
		gaps := make([]byte, packedRoom(len(order)/rare+2, len(order)))
		for at := rng.IntN(rare); at < len(order); at += rare - rng.IntN(2)*(rare/2) {
			if len(want) == len(order)/rare+2 {
				break
			}
			want = append(want, order[at])
			w.put(gaps, uint32(at))
		}
		if w.n == 0 {
			continue
		}
		p := newPacked(order, gaps[:w.to], w.n)
		for range 4 {
			if got := slices.Collect(p.all()); !slices.Equal(got, want) || int(p.n) != len(want) {
				t.Fatalf("round %d: %d of %d: %v, want %v", round, p.n, len(order), got, want)
			}
			if len(want) > 0 {
				if p.first() != want[0] {
					t.Fatalf("round %d: first %d, want %d", round, p.first(), want[0])
				}
				p.drop()
				want = want[1:]
			}
			odds := 1 + rng.IntN(5)
			kept := map[uint32]bool{}
			want = slices.DeleteFunc(want, func(id uint32) bool {
				kept[id] = rng.IntN(odds) == 0
				return !kept[id]
			})
			p.filter(func(id uint32) bool { return kept[id] })
		}
	}
}
