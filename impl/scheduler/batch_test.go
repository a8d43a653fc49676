package scheduler

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// batched applies ads to a copy of s at once and to another one by one, and
// compares: the results, the whole state, what the summary reads of it, and the
// bookkeeping.
func batched(t *testing.T, s *Scheduler, now Time, ads []Advertisement) []AddResult {
	t.Helper()
	var one, many Scheduler
	one.CopyFrom(s)
	many.CopyFrom(s)
	prefix := []AddResult{AddInvalid, CapacityRejected}
	results := many.AddBatch(now, ads, slices.Grow(prefix, len(ads)))
	if !slices.Equal(results[:2], prefix) || len(results) != 2+len(ads) {
		t.Fatalf("%d results of %d advertisements, behind %v", len(results)-2, len(ads), results[:2])
	}
	results = results[2:]
	for i, ad := range ads {
		if r := one.Add(now, ad.Key, ad.Hints); r != results[i] {
			t.Fatalf("advertisement %d of %d: %v, in a batch %v", i, len(ads), r, results[i])
		}
	}
	var a, b all
	a.ask(&one)
	b.ask(&many)
	if len(ads) > 0 && !a.same(&b) {
		t.Fatalf("one by one\n%+v\nin a batch\n%+v", a, b)
	}
	if err := many.SelfCheck(); err != nil {
		t.Fatal(err)
	}
	return results
}

// TestAddBatch: a batch is the adds one by one, whatever the state and the batch,
// and what comes after is the same.
func TestAddBatch(t *testing.T) {
	seen := map[AddResult]int{}
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 4))
		d := newDriver(t, seed, smallConfig(rng), 10, 6)
		for range 60 {
			d.step()
		}
		ads := make([]Advertisement, rng.IntN(150))
		for i := range ads {
			ads[i].Key = d.key()
			for range rng.IntN(4) {
				ads[i].Hints = append(ads[i].Hints, Hint{peerN(rng.IntN(6)), rng.IntN(2) == 0})
			}
		}
		for _, r := range batched(t, d.s, d.now+Time(rng.IntN(40)-5), ads) {
			seen[r]++
		}
	}
	for _, r := range []AddResult{Admitted, AlreadyPresent, CapacityRejected, AddInvalid} {
		if seen[r] < 100 {
			t.Errorf("%v only %d times: %v", r, seen[r], seen)
		}
	}
}

// TestAddBatchOrder: each advertisement finds what those before it have made:
// room, charges, hint sources, places among the sources. Every order of them is
// as the adds in that order, and orders differ.
func TestAddBatchOrder(t *testing.T) { // PND-2, PND-3, ADV-1, ADV-2
	ad := func(n int, hinted string) Advertisement { return Advertisement{key(n), hints(hinted)} }
	for _, c := range []struct {
		name  string
		setup func(f *fix)
		ads   []Advertisement
	}{
		{"the room ends in the middle", func(f *fix) {
			f.Add(0, key(1), hints("A"))
			f.Add(0, key(2), hints("A"))
		}, []Advertisement{ad(3, "A"), ad(4, "B"), ad(3, "C"), ad(5, "D")}},
		{"each key is charged to the least charged so far", func(*fix) {}, []Advertisement{ad(1, "AB"), ad(2, "AB"), ad(3, "B")}},
		{"claimants displace paid-only advertisers", func(f *fix) {
			f.Add(0, key(1), hints("Abc"))
		}, []Advertisement{ad(1, "D"), ad(1, "E"), ad(1, "F"), ad(1, "d")}},
		{"the sources of a parked key are full", func(f *fix) {
			f.put(1, "A")
			f.put(2, "A")
			f.Fill(0, nil)
		}, []Advertisement{ad(2, "B"), ad(2, "C"), ad(2, "D"), ad(1, "D")}},
		{"a key in the index", func(f *fix) {
			f.put(1, "A")
			f.Fill(0, nil)
			f.put(2, "A")
			f.put(3, "B")
			f.fill("3B#2") // files the nearer key 2 on the way
		}, []Advertisement{ad(2, "C"), ad(2, "D"), ad(4, "D"), ad(2, "c")}},
		{"a retry entry and its sources", func(f *fix) {
			f.promote(1, "x", "A")
			f.Fill(0, nil)
		}, []Advertisement{ad(1, "C"), ad(1, "b"), ad(1, "D"), ad(1, "")}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newFix(t, func(cfg *Config) { cfg.MaxPending, cfg.MaxHintSources, cfg.SourceCap = 4, 3, 3 })
			c.setup(f)
			different := map[string]bool{}
			permutations(c.ads, func(ads []Advertisement) {
				results := batched(t, f.Scheduler, 5, ads)
				var after Scheduler
				after.CopyFrom(f.Scheduler)
				after.AddBatch(5, ads, nil)
				var st State
				after.Observe(5, &st)
				st.keys, st.peers = nil, nil
				different[fmt.Sprint(results, st)] = true
			})
			if len(different) < 3 {
				t.Errorf("only %d different outcomes: the order hardly matters", len(different))
			}
		})
	}
}

// permutations yields every order of list.
func permutations[T any](list []T, yield func([]T)) {
	var rec func(n int)
	rec = func(n int) {
		if n == len(list) {
			yield(list)
			return
		}
		for i := n; i < len(list); i++ {
			list[n], list[i] = list[i], list[n]
			rec(n + 1)
			list[n], list[i] = list[i], list[n]
		}
	}
	rec(0)
}

// TestAddBatchSizes: batches around the size in which keys are looked up ahead,
// over keys in every stage, so that the first and the last of a group count. The
// look-up ahead finds nothing that the adds before it have changed.
func TestAddBatchSizes(t *testing.T) {
	const share = 1
	for _, n := range []int{0, 1, 2, warmGroup - 1, warmGroup, warmGroup + 1, 2 * warmGroup, 2*warmGroup + 1} {
		for _, full := range []bool{false, true} {
			t.Run(fmt.Sprintf("%d, full %v", n, full), func(t *testing.T) {
				f := newFix(t, func(cfg *Config) {
					cfg.Slots, cfg.Share, cfg.MaxPending = 4, share, 3*warmGroup
					if full {
						cfg.MaxPending = warmGroup
					}
				})
				for i := range 3 * warmGroup / 2 {
					switch i % 4 {
					case 0:
						f.put(i, "AB") // in flight, parked, or in the heap
					case 1:
						f.Add(0, key(i), hints("cD"))
					}
				}
				f.Fill(0, nil)
				f.put(201, "C")
				f.Fill(0, nil) // files the nearer keys on the way
				f.put(202, "C")
				var ads []Advertisement
				for i := range n {
					ads = append(ads, Advertisement{key((n - i) * 5 % 200), hints([]string{"E", "f", "aB", ""}[i%4])})
				}
				batched(t, f.Scheduler, Time(time.Second), ads)
			})
		}
	}
}

// TestAddBatchTime: a batch moves the clock once, as far as its now, and then
// time has ended what it ends; a batch of nothing moves it too.
func TestAddBatchTime(t *testing.T) { // DET-3, PND-10
	f := newFix(t, func(c *Config) { c.MarkLifetime, c.FetchTimeout = 10, 5 })
	f.promote(1, "A", "B")
	f.fill("1B#1")
	f.ends(1, OutcomeTimeout, false, "pending 1, connection-timeout")
	if got := nums(f.Ready(0, 9, nil)); got != "" {
		t.Fatalf("ready %q", got)
	}
	f.AddBatch(15*sec, []Advertisement{{key(1), hints("C")}, {key(2), hints("C")}}, nil)
	if got := nums(f.Ready(0, 9, nil)); got != "1 2" || f.silentNow('B') || f.state().Clock != 15*sec {
		t.Fatalf("ready %q, clock %d, silent %v", got, f.state().Clock, f.silentNow('B'))
	}
	f.AddBatch(3, []Advertisement{{key(3), hints("C")}}, nil) // counts as 15 s
	f.AddBatch(20*sec, nil, nil)
	if st := f.state(); st.Clock != 20*sec || st.Pending[2].Entry.Created != 15*sec {
		t.Fatalf("a batch moves the clock as one operation, want 20 s and key 3 created at 15 s (DET-3): %+v", st)
	}
}
