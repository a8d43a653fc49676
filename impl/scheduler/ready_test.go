package scheduler

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestReadyOfMany: of many pending keys, some due since long and some from later
// on, the first are returned that are due, however many are asked for, and no
// more are looked at than that and those that fall due until then. PND-10.
func TestReadyOfMany(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 41))
	f := newFix(t, func(c *Config) { c.Slots = 400 })
	dueAt := map[Key]Time{}
	for n := range 400 { // these return to pending and are due later, each at its own time
		k := Key{byte(rng.Uint32()), byte(rng.Uint32()), byte(n >> 8), byte(n)}
		f.Add(0, k, hints("X"))
		f.Promote(0, k, Distance(k), []Peer{peerN(n)})
		dueAt[k] = 0
	}
	starts := f.Fill(0, nil)
	rng.Shuffle(len(starts), func(i, j int) { starts[i], starts[j] = starts[j], starts[i] })
	for _, st := range starts {
		f.now += Time(rng.IntN(3))
		f.Outcome(f.now, st.Attempt, OutcomeDeclined, 0, false)
		delete(dueAt, st.Key)
	}
	for n, st := range starts {
		f.now += Time(rng.IntN(3))
		f.Add(f.now, st.Key, hints("X"))
		if n%2 == 0 {
			dueAt[st.Key] = f.now
			continue
		}
		f.Promote(f.now, st.Key, Distance(st.Key), peers("A"))
		a := f.Fill(f.now, nil)[0].Attempt
		f.Outcome(f.now, a, OutcomeSendFailed, 0, false)
		dueAt[st.Key] = f.now + Time(f.Config().VerifyRetryDelay)
	}
	if len(f.due) != 200 || len(f.waiting) != 200 {
		t.Fatalf("%d due, %d waiting", len(f.due), len(f.waiting))
	}
	last := f.now + Time(f.Config().VerifyRetryDelay)
	for _, at := range []Time{-1, 0, f.now, last - 300, last - 200, last - 100, last - 1, last} {
		var want []Key
		soon := 0
		for k, due := range dueAt {
			if due <= max(at, f.now) {
				want = append(want, k)
			}
			if due > f.now && due <= at {
				soon++
			}
		}
		slices.SortFunc(want, func(a, b Key) int { return bytes.Compare(a[:], b[:]) })
		for _, limit := range []int{-3, 0, 1, 2, 3, 50, 199, 200, 201, 399, 400, 1000} {
			held := []Key{key(1)}
			got := f.Ready(at, limit, held)
			if n := max(0, min(limit, len(want))); got[0] != key(1) || !slices.Equal(got[1:], want[:n]) {
				t.Fatalf("at %d, limit %d: %d keys %x, want %d %x", at, limit, len(got)-1, got[1:], n, want[:n])
			}
			if most := max(0, min(limit, 200)) + soon; len(f.picks) != most {
				t.Fatalf("at %d, limit %d: looked at %d, want %d", at, limit, len(f.picks), most)
			}
		}
	}
}

// TestRoomForMany: who asks for few keys pays for few, a list of many events grows
// at once, to about what it needs, and the memory to find them is kept. PND-10.
func TestRoomForMany(t *testing.T) {
	f := newFix(t, nil)
	const n = 900
	for i := range n {
		f.Add(0, keyN(i), hints("X"))
	}
	if f.Ready(0, 3, nil); cap(f.listed) > 8 {
		t.Fatalf("room to look at %d keys is left by asking for three", cap(f.listed))
	}
	if f.Ready(0, n, nil); cap(f.listed) < n/4 {
		t.Fatalf("room to look at %d keys is left by asking for all", cap(f.listed))
	}
	if gone := f.Evict(0, 0, nil); len(gone) != n || cap(gone) > n+n/8 {
		t.Fatalf("%d events, room for %d", len(gone), cap(gone))
	}
	if cap(f.picks) < n {
		t.Fatalf("room for %d keys is left", cap(f.picks))
	}
}
