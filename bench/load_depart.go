package bench

import (
	"cmp"
	"fmt"
	"slices"

	"fetchproof/impl/scheduler"
)

// departures is how many of the peers with the most keys depart.
const departures = 8

// departLoad is departures from keys that no pass has looked at.
func departLoad(r *run) error { return departFrom(r, false) }

// departParkedLoad is departures from keys that a forced pass parked.
func departParkedLoad(r *run) error { return departFrom(r, true) }

// departFrom builds a queue in which one peer, the hub, is a source of every second key, and lets the peers with the
// most keys depart, the hub last.
func departFrom(r *run, parked bool) error {
	w := newWorld(r.c, 0)
	hub := w.randomPeer()
	w.full = []scheduler.Peer{hub}
	w.counts = map[scheduler.Peer]int{}
	w.extra = func(i int, sources []scheduler.Peer) {
		if i%2 == 0 {
			sources[len(sources)-1] = hub
		}
	}
	if _, err := w.fillUp(); err != nil {
		return err
	}
	name := "depart"
	if parked {
		name = "depart-parked"
		if _, err := w.forcedPass(); err != nil {
			return err
		}
	}
	delete(w.counts, hub)
	byKeys := slices.SortedFunc(slices.Values(w.pool), func(a, b scheduler.Peer) int {
		return cmp.Or(cmp.Compare(w.counts[b], w.counts[a]), slices.Compare(a[:], b[:]))
	})
	one := newSingles()
	n := min(departures, len(byKeys))
	s := measure(name, n, func() {
		for _, p := range byKeys[:n] {
			one.time(func() { w.events = w.m.Depart(now, p, w.events[:0]) })
		}
	})
	r.add(one.into(s))
	r.add(measure(name+"-hub", 1, func() { w.events = w.m.Depart(now, hub, w.events[:0]) }))
	if w.c.Sources == 1 && len(w.events) != w.c.Keys/2 {
		return fmt.Errorf("bench: the hub's departure orphaned %d keys, not half of %d", len(w.events), w.c.Keys)
	}
	return nil
}
