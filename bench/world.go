package bench

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"

	"fetchproof/impl/scheduler"
)

// chunk is how many keys' inputs are drawn at a time, while the meter pauses: few, so that they do not show in the
// memory of the process, and are as warm when they are used as a message just decoded.
const chunk = 64

// now is the time of every operation: nothing that is measured depends on time passing.
const now = scheduler.Time(1)

// world is a machine under load, and the peers and keys of the load. Keys are computed from their number, not kept.
type world struct {
	c   Case
	cfg scheduler.Config
	m   machine
	rng *rand.Rand

	pool   []scheduler.Peer // the peers that hold keys, in random order
	full   []scheduler.Peer // peers that hold no key and are full all the time: advertisers, the hub
	open   scheduler.Peer   // a peer that has room
	counts map[scheduler.Peer]int

	flights []scheduler.Place // attempts in flight, oldest first, from head on
	head    int
	held    int                                   // how many attempts hold started
	extra   func(i int, sources []scheduler.Peer) // changes the sources of key i before it is queued

	keys    [chunk]scheduler.Key
	sources [chunk][]scheduler.Peer
	starts  []scheduler.Start
	events  []scheduler.Event
	added   []scheduler.AddResult
}

// Numbers of keys that are not of the load, far above those that are.
const (
	heldKeys    = 1 << 27
	farthestKey = 1 << 28
)

// newWorld makes a machine in its default configuration but for the bounds that the case raises, and slots.
func newWorld(c Case, slots int) *world {
	cfg := scheduler.Defaults()
	cfg.Slots, cfg.HashSeed = slots, 1
	cfg.MaxQueued, cfg.MaxPending = c.Keys+slots, c.Keys+slots
	w := &world{c: c, cfg: cfg, rng: rand.New(rand.NewPCG(uint64(c.Keys), uint64(c.Sources)<<32|uint64(c.Peers)))}
	w.pool = make([]scheduler.Peer, c.Peers)
	for i := range w.pool {
		w.pool[i] = w.randomPeer()
	}
	w.open = w.randomPeer()
	for i := range w.sources {
		w.sources[i] = make([]scheduler.Peer, 0, c.Sources)
	}
	return w
}

// boot makes the machine, once the configuration is final.
func (w *world) boot() (err error) {
	w.m, err = newMachine(w.c.Machine, w.cfg)
	return err
}

func (w *world) randomPeer() (p scheduler.Peer) {
	for i := 0; i < len(p); i += 8 {
		binary.BigEndian.PutUint64(p[i:], w.rng.Uint64())
	}
	return p
}

// key returns the i-th key. Its distance is its own bytes: this node is the one named zero.
func key(i int) (k scheduler.Key) {
	for j := range 4 {
		binary.BigEndian.PutUint64(k[8*j:], splitmix(uint64(i)<<2|uint64(j)))
	}
	return k
}

// splitmix is the output function of SplitMix64, a bijection.
func splitmix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// farthest is the distance of the one key that can start in a forced pass.
func farthest() (d scheduler.Distance) {
	for i := range d {
		d[i] = 0xff
	}
	return d
}

// draw appends n distinct peers of the pool.
func (w *world) draw(dst []scheduler.Peer, n int) []scheduler.Peer {
	for i := range n {
		j := i + w.rng.IntN(len(w.pool)-i)
		w.pool[i], w.pool[j] = w.pool[j], w.pool[i]
		dst = append(dst, w.pool[i])
	}
	return dst
}

// hold fills the share of peers with attempts that stay in flight.
func (w *world) hold(peers []scheduler.Peer) error {
	for _, p := range peers {
		for range w.cfg.Share {
			w.held++
			k := key(heldKeys + w.held)
			if r := w.m.Enqueue(now, k, scheduler.Distance(k), []scheduler.Peer{p}); r != scheduler.Queued {
				return fmt.Errorf("bench: a held key was not queued: %v", r)
			}
		}
		w.starts = w.m.Fill(now, w.starts[:0])
		if len(w.starts) != w.cfg.Share {
			return fmt.Errorf("bench: %d attempts started at a held peer, not %d", len(w.starts), w.cfg.Share)
		}
		w.takeStarts()
	}
	return nil
}

func (w *world) takeStarts() {
	for _, s := range w.starts {
		w.flights = append(w.flights, s.Attempt)
	}
}

// prepare draws the inputs of keys from up to below to, at most chunk of them. It allocates nothing, but for counts.
func (w *world) prepare(from, to int) {
	for i := from; i < to; i++ {
		w.keys[i-from] = key(i)
		s := w.draw(w.sources[i-from][:0], w.c.Sources)
		if w.extra != nil {
			w.extra(i, s)
		}
		w.sources[i-from] = s
		if w.counts != nil {
			for _, p := range s {
				w.counts[p]++
			}
		}
	}
}

// chunks calls f with n things, chunk by chunk, each time after prepare, and measures f alone.
func chunks(op string, n int, prepare, f func(from, to int)) Sample {
	var m meter
	m.start()
	for from := 0; from < n; from += chunk {
		to := min(from+chunk, n)
		m.pause()
		prepare(from, to)
		m.resume()
		f(from, to)
	}
	m.stop()
	return m.sample(op, n)
}

// build queues n keys and returns what that cost.
func (w *world) build(n int) (Sample, error) {
	refused := 0
	s := chunks("build", n, w.prepare, func(from, to int) {
		for i := range to - from {
			k := w.keys[i]
			if w.m.Enqueue(now, k, scheduler.Distance(k), w.sources[i]) != scheduler.Queued {
				refused++
			}
		}
	})
	if refused > 0 {
		return s, fmt.Errorf("bench: %d of %d keys were not queued", refused, n)
	}
	return s, nil
}

// queueFarthest queues the key that a forced pass starts: the open peer is the last of its sources, the others are
// full like everybody's.
func (w *world) queueFarthest() error {
	sources := append(w.draw(nil, w.c.Sources-1), w.open)
	if r := w.m.Enqueue(now, key(farthestKey), farthest(), sources); r != scheduler.Queued {
		return fmt.Errorf("bench: the farthest key was not queued: %v", r)
	}
	return nil
}

// forcedPass is the pass that must look past every key but the farthest, and the peak RSS of the process right after it.
func (w *world) forcedPass() (Sample, error) {
	before := w.touched()
	s := measure("forced-pass", 1, func() { w.starts = w.m.Fill(now, w.starts[:0]) })
	s.Touched = float64(w.touched() - before)
	peak, err := peakRSS()
	if err != nil {
		return s, err
	}
	s.RSS = float64(peak)
	if len(w.starts) != 1 || w.starts[0].Source != w.open {
		return s, fmt.Errorf("bench: the forced pass started %d attempts, not one at the open peer", len(w.starts))
	}
	if parked := w.m.Snapshot(now).Parked; parked != w.c.Keys-1 {
		return s, fmt.Errorf("bench: the forced pass left %d keys parked, not %d", parked, w.c.Keys-1)
	}
	return s, nil
}

// touched is how many keys and index entries the passes have looked at so far, 0 if the machine does not count them.
func (w *world) touched() uint64 {
	if m, ok := w.m.(toucher); ok {
		return m.Touched()
	}
	return 0
}

// finish ends an attempt as stored.
func (w *world) finish(attempt scheduler.Place) bool {
	place, _ := w.m.Arrive(attempt)
	_, v := w.m.Outcome(now, attempt, scheduler.OutcomeStored, place, true)
	return v.OK()
}
