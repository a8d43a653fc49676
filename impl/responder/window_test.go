package responder_test

import (
	"math/bits"
	"testing"

	"fetchproof/impl/responder"

	"pgregory.net/rapid"
)

// checkWindows holds that no window of any length saw more busy replies than
// burst + rate * length, to one peer and overall (RSP-5). It is enough to look
// at windows that begin and end with a reply.
func checkWindows(t rapid.TB, c responder.Config, replies []reply) {
	t.Helper()
	var all []int64
	byPeer := map[responder.Peer][]int64{}
	for _, r := range replies {
		all = append(all, r.at)
		byPeer[r.peer] = append(byPeer[r.peer], r.at)
	}
	if i, j, ok := overdrawn(all, c.BusyGlobalBurst, c.BusyGlobalRate); ok {
		t.Fatalf("overall: %d busy replies from %d to %d, burst %d, rate %d",
			j-i+1, all[i], all[j], c.BusyGlobalBurst, c.BusyGlobalRate)
	}
	for p, at := range byPeer {
		if i, j, ok := overdrawn(at, c.BusyPeerBurst, c.BusyPeerRate); ok {
			t.Fatalf("to %x: %d busy replies from %d to %d, burst %d, rate %d",
				p[:3], j-i+1, at[i], at[j], c.BusyPeerBurst, c.BusyPeerRate)
		}
	}
}

// overdrawn finds a window [at[i], at[j]] with more than burst + rate * length
// replies, exactly: (replies - burst) * 10^9 > rate * length in nanoseconds.
func overdrawn(at []int64, burst, rate int) (i, j int, found bool) {
	for i := range at {
		for j := i + burst; j < len(at); j++ {
			h1, l1 := bits.Mul64(uint64(j-i+1-burst), 1e9)
			h2, l2 := bits.Mul64(uint64(rate), uint64(at[j]-at[i]))
			if h1 > h2 || h1 == h2 && l1 > l2 {
				return i, j, true
			}
		}
	}
	return 0, 0, false
}

// TestOverdrawn shows that the check of windows can fail, and by how little.
func TestOverdrawn(t *testing.T) {
	for _, c := range []struct {
		at          []int64
		burst, rate int
		want        bool
	}{
		{[]int64{5, 5}, 2, 1, false},
		{[]int64{5, 5, 5}, 2, 1, true},
		{[]int64{5, 5, 5 + second}, 2, 1, false},
		{[]int64{5, 5, 4 + second}, 2, 1, true},
		{[]int64{today, today + 333_333_333}, 1, 3, true},
		{[]int64{today, today + 333_333_334}, 1, 3, false},
		{[]int64{0, endNs, endNs}, 1, 1 << 30, true},
	} {
		if _, _, got := overdrawn(c.at, c.burst, c.rate); got != c.want {
			t.Errorf("%v with burst %d, rate %d: %v, want %v", c.at, c.burst, c.rate, got, c.want)
		}
	}
}

// TestWindows asks as often as it can be answered, in steps around the time of
// one token, and holds the bound over every window (RSP-5).
func TestWindows(t *testing.T) {
	var replies int
	rapid.Check(t, func(t *rapid.T) {
		c := configs.Draw(t, "config")
		c.Pool, c.BusySendPermits, c.BusyPeerInFlight = 1, 1000, 1000
		r, err := responder.New(c)
		if err != nil {
			t.Fatal(err)
		}
		now := rapid.SampledFrom(bases).Draw(t, "base")
		r.Request(now, peer(9), false)
		token := 1_000_000_000 / int64(rapid.SampledFrom([]int{c.BusyPeerRate, c.BusyGlobalRate}).Draw(t, "token"))
		steps := rapid.SliceOfN(rapid.Int64Range(0, 5), 60, 60).Draw(t, "steps")
		var seen []reply
		for _, k := range steps {
			step := []int64{0, 0, 1, token / 2, max(token-1, 0), token + 1}[k]
			now += min(step, endNs-now)
			for n := range 3 {
				if d := r.Request(now, peer(n), true); d.Result == responder.Busy {
					seen = append(seen, reply{at: now, peer: peer(n)})
					r.SendDone(now, d.Send)
				}
			}
		}
		checkWindows(t, c, seen)
		replies += len(seen)
	})
	t.Logf("%d replies", replies)
	if !t.Failed() && !testing.Short() && replies < 200 {
		t.Errorf("only %d replies were seen", replies)
	}
}
