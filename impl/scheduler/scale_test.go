package scheduler

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"fetchproof/internal/cputime"
)

const (
	scaleKeys = 131072
	scalePool = 512
)

// peakRSS is VmHWM, as the kernel writes it.
func peakRSS() string {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return "unknown"
	}
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			return strings.TrimSpace(rest)
		}
	}
	return "unknown"
}

// scale is a scheduler at its bound, and the peers and keys it was built from.
type scale struct {
	s       *Scheduler
	rng     *rand.Rand
	peers   []Peer
	keys    []Key
	sources int
	buf     []Peer
	starts  []Start
}

func (c *scale) randomKey() (k Key, d Distance) {
	for i := 0; i < 32; i += 8 {
		binary.BigEndian.PutUint64(k[i:], c.rng.Uint64())
	}
	d = Distance(k)
	return k, d
}

// draw picks n distinct peers among the first m.
func (c *scale) draw(n, m int) []Peer {
	c.buf = c.buf[:0]
	for i := range n {
		j := i + c.rng.IntN(m-i)
		c.peers[i], c.peers[j] = c.peers[j], c.peers[i]
		c.buf = append(c.buf, c.peers[i])
	}
	return c.buf
}

// newScale makes a scheduler with a pool of peers of which all but the last are
// full, from share keys each that only they hold.
func newScale(tb testing.TB, keys, pool, sources int) *scale {
	tb.Helper()
	cfg := seeded()
	cfg.Slots, cfg.MaxQueued, cfg.MaxPending = 2*pool+64, 2*keys, 2*keys
	s, err := New(cfg)
	if err != nil {
		tb.Fatal(err)
	}
	c := &scale{s: s, rng: rand.New(rand.NewPCG(7, uint64(sources))), peers: make([]Peer, pool), sources: sources}
	for i := range c.peers {
		for j := 0; j < 32; j += 8 {
			binary.BigEndian.PutUint64(c.peers[i][j:], c.rng.Uint64())
		}
	}
	last := c.peers[pool-1]
	for i := range pool - 1 {
		for range cfg.Share {
			k, d := c.randomKey()
			s.Enqueue(1, k, d, c.peers[i:i+1])
		}
	}
	c.starts = s.Fill(1, c.starts)
	if len(c.starts) != cfg.Share*(pool-1) {
		tb.Fatalf("%d starts", len(c.starts))
	}
	for range keys - 1 {
		k, d := c.randomKey()
		s.Enqueue(1, k, d, c.draw(sources, pool-1))
		c.keys = append(c.keys, k)
	}
	far := Distance{}
	for i := range far {
		far[i] = 0xff
	}
	k, _ := c.randomKey()
	s.Enqueue(1, k, far, append(c.draw(sources-1, pool-1), last))
	return c
}

// TestScaleFigures prints where the scheduler stands at its bound; the
// thresholds are the benchmark's.
func TestScaleFigures(t *testing.T) {
	if testing.Short() {
		t.Skip("a measurement")
	}
	for _, sources := range []int{1, 8, 35} {
		t.Run(fmt.Sprint(sources), func(t *testing.T) { measureScale(t, sources) })
	}
}

func measureScale(t *testing.T, sources int) {
	runtime.GC()
	at := cputime.Self()
	lap := func() time.Duration { d := cputime.Self() - at; at = cputime.Self(); return d }
	c := newScale(t, scaleKeys, scalePool, sources)
	build := lap()
	var mem runtime.MemStats
	runtime.ReadMemStats(&mem)
	mallocs := mem.Mallocs
	lap()
	c.starts = c.s.Fill(1, c.starts[:0])
	forced := lap()
	runtime.ReadMemStats(&mem)
	if len(c.starts) != 1 || c.s.parkedKeys != scaleKeys-1 {
		t.Fatalf("forced pass: %d starts, %d parked", len(c.starts), c.s.parkedKeys)
	}
	passAllocs := mem.Mallocs - mallocs
	lap()
	for range 100 {
		c.s.Fill(1, c.starts[:0])
	}
	nothing := lap() / 100
	wakes := 0
	attempts := make([]Place, 0, 2048)
	for _, f := range c.s.flights {
		if f.place != 0 {
			attempts = append(attempts, f.place)
		}
	}
	lap()
	for round := 0; wakes < 20000; round++ {
		for i, a := range attempts {
			p, _ := c.s.Arrive(a)
			c.s.Outcome(1, a, OutcomeStored, p, true)
			c.starts = c.s.Fill(1, c.starts[:0])
			if len(c.starts) == 1 {
				attempts[i] = c.starts[0].Attempt
				wakes++
			}
		}
	}
	wake := lap() / time.Duration(wakes)
	c.s.Depart(1, c.peers[3], nil)
	departure := lap()
	runtime.GC()
	lap()
	runtime.ReadMemStats(&mem)
	heap := mem.HeapAlloc
	c.s = nil
	lap()
	runtime.GC()
	drop := lap()
	t.Logf("%2d sources: build %v, forced pass %v (%d allocs), nothing startable %v, wake+outcome %v, departure %v, drop %v, heap %d MiB, peak RSS of the process so far %s",
		sources, build, forced, passAllocs, nothing, wake, departure, drop, heap>>20, peakRSS())
}

// BenchmarkMerge is one claimant merged into one of 131,072 queued keys.
func BenchmarkMerge(b *testing.B) {
	for _, batch := range []int{1, 64} {
		b.Run(fmt.Sprint("batch=", batch), func(b *testing.B) {
			c := newScale(b, scaleKeys, scalePool, 8)
			ads := make([]Advertisement, batch)
			for i := range ads {
				ads[i].Hints = make([]Hint, 1)
			}
			var results []AddResult
			b.ReportAllocs()
			from, n := cputime.Self(), 0
			for b.Loop() {
				for i := range ads {
					ads[i].Key = c.keys[c.rng.IntN(len(c.keys))]
					ads[i].Hints[0] = Hint{c.peers[c.rng.IntN(scalePool)], true}
				}
				n += batch
				if batch == 1 {
					c.s.Add(2, ads[0].Key, ads[0].Hints)
				} else {
					results = c.s.AddBatch(2, ads, results[:0])
				}
			}
			b.ReportMetric(float64((cputime.Self()-from).Nanoseconds())/float64(n), "cpu-ns/merge")
		})
	}
}

// BenchmarkDispatch is an outcome, an enqueue and a fill at a steady state: with
// free sources every key starts at once, with full ones keys wait parked.
func BenchmarkDispatch(b *testing.B) {
	for _, sources := range []int{1, 8, 35} {
		for _, full := range []bool{false, true} {
			b.Run(fmt.Sprintf("sources=%d/full=%v", sources, full), func(b *testing.B) { dispatch(b, sources, full) })
		}
	}
}

func dispatch(b *testing.B, sources int, full bool) {
	cfg := seeded()
	pool := scalePool
	cfg.Slots = 64
	if full {
		pool, cfg.Slots = 40, 120
	}
	s, err := New(cfg)
	if err != nil {
		b.Fatal(err)
	}
	c := &scale{s: s, rng: rand.New(rand.NewPCG(7, 9)), peers: make([]Peer, pool)}
	for i := range c.peers {
		c.peers[i], _ = func() (Peer, int) { k, _ := c.randomKey(); return Peer(k), 0 }()
	}
	var attempts []Place
	for range 20000 {
		k, d := c.randomKey()
		s.Enqueue(1, k, d, c.draw(sources, pool))
	}
	for _, st := range s.Fill(1, nil) {
		attempts = append(attempts, st.Attempt)
	}
	type drawn struct {
		k Key
		d Distance
		p []Peer
	}
	inputs := make([]drawn, 4096)
	for i := range inputs {
		inputs[i].p = append([]Peer(nil), c.draw(sources, pool)...)
	}
	b.ReportAllocs()
	i := 0
	from := cputime.Self()
	for b.Loop() {
		in := &inputs[i&4095]
		in.k, in.d = c.randomKey()
		a := attempts[i%len(attempts)]
		p, _ := s.Arrive(a)
		s.Outcome(1, a, OutcomeStored, p, true)
		s.Enqueue(1, in.k, in.d, in.p)
		c.starts = s.Fill(1, c.starts[:0])
		if len(c.starts) > 0 {
			attempts[i%len(attempts)] = c.starts[0].Attempt
		}
		for _, st := range c.starts[min(1, len(c.starts)):] {
			attempts = append(attempts, st.Attempt)
		}
		i++
	}
	b.ReportMetric(float64((cputime.Self()-from).Nanoseconds())/float64(b.N), "cpu-ns/op")
}
