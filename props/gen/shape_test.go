package gen

import (
	"slices"
	"testing"

	"fetchproof/ops"
)

// Names are as many as were asked for, each once, however alike they are: the configuration of a stock, for one, is drawn
// between bounds that count peers.
func TestNamesAreDistinctAndAsManyAsAsked(t *testing.T) {
	for seed := range uint64(3000) {
		g := &Generator{src: Seeded(seed, 0), wide: true}
		keys, peers := g.between(1, 60), g.between(1, 60)
		g.names(keys, peers)
		slices.SortFunc(g.keys, func(a, b ops.Key) int { return slices.Compare(a[:], b[:]) })
		slices.SortFunc(g.peers, func(a, b ops.Peer) int { return slices.Compare(a[:], b[:]) })
		if n := len(slices.Compact(g.keys)); n != keys {
			t.Fatalf("seed %d: %d keys for the %d asked for", seed, n, keys)
		}
		if n := len(slices.Compact(g.peers)); n != peers {
			t.Fatalf("seed %d: %d peers for the %d asked for", seed, n, peers)
		}
	}
}

// rarely gives what is rare every time: each program is one of the few large ones.
type rarely struct{ Source }

func (r rarely) Intn(n int) int {
	if n == 4096 {
		return 4096 - 68 + r.Source.Intn(68)
	}
	return r.Source.Intn(n)
}

// A large program is one in sixty. Drawn alone, thousands of them have valid configurations.
func TestLargeProgramsHaveValidConfigurations(t *testing.T) {
	var shapes [stocked + 1]int
	for seed := range uint64(6_000) {
		g := New(rarely{Seeded(seed, 1)}, ops.SchedulerMachine)
		c := g.Config()
		if err := c.Validate(); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		shapes[g.shape]++
	}
	if shapes[small] > 0 || shapes[crowded] < 1000 || shapes[listed] < 1000 || shapes[stocked] < 1000 {
		t.Errorf("shapes %v: want none small, thousands of each other", shapes)
	}
}
