package bench

import (
	"fmt"

	"fetchproof/impl/scheduler"
)

// mergeLoad merges advertisements into keys that no pass has looked at.
func mergeLoad(r *run) error { return mergeInto(r, false) }

// mergeParkedLoad merges advertisements into keys that a forced pass parked.
func mergeParkedLoad(r *run) error { return mergeInto(r, true) }

// mergeInto gives queued keys, visited in an order of their own, new sources that are full like the ones they have, a
// third of the keys each way: one claimant an advertisement, one advertisement at a time; the same in batches of a chunk;
// and advertisements of eight claimants.
func mergeInto(r *run, parked bool) error {
	w := newWorld(r.c, 0)
	w.cfg.SourceCap = w.c.Sources + 16
	for range 16 {
		w.full = append(w.full, w.randomPeer())
	}
	if _, err := w.fillUp(); err != nil {
		return err
	}
	suffix := ""
	if parked {
		suffix = "-parked"
		if _, err := w.forcedPass(); err != nil {
			return err
		}
	}
	one := func(i int) []scheduler.Peer { return w.full[i/chunk%8:][:1] }
	eight := func(int) []scheduler.Peer { return w.full[8:16] }
	for round, m := range []merging{
		{"merge-one" + suffix, one, w.addEach},
		{"merge-batch" + suffix, one, w.addBatch},
		{"merge-eight" + suffix, eight, w.addEach},
	} {
		s, err := w.merge(m, round)
		if err != nil {
			return err
		}
		r.add(s)
	}
	return nil
}

// merging is a way of merging: who advertises the i-th key, and how a chunk of advertisements is added. The latter
// returns how many did not find their key.
type merging struct {
	op    string
	peers func(i int) []scheduler.Peer
	add   func(ads []scheduler.Advertisement) (wrong int)
}

// merge merges into the round-th third of the keys and returns the cost per association.
func (w *world) merge(how merging, round int) (Sample, error) {
	n := (w.c.Keys - 1) / 3
	stride := coprime(n)
	each := len(how.peers(0))
	var ads [chunk]scheduler.Advertisement
	for i := range ads {
		ads[i].Hints = make([]scheduler.Hint, each)
	}
	wrong := 0
	s := chunks(how.op, n, func(from, to int) {
		for i := from; i < to; i++ {
			ad := &ads[i-from]
			ad.Key = key(round*n + i*stride%n)
			for j, p := range how.peers(i) {
				ad.Hints[j] = scheduler.Hint{Peer: p, Claimant: true}
			}
		}
	}, func(from, to int) { wrong += how.add(ads[:to-from]) })
	if wrong > 0 {
		return s, fmt.Errorf("bench: %d advertisements did not find their key", wrong)
	}
	return s.per(each), nil
}

func (w *world) addEach(ads []scheduler.Advertisement) (wrong int) {
	for i := range ads {
		if w.m.Add(now, ads[i].Key, ads[i].Hints) != scheduler.AlreadyPresent {
			wrong++
		}
	}
	return wrong
}

func (w *world) addBatch(ads []scheduler.Advertisement) (wrong int) {
	w.added = w.m.AddBatch(now, ads, w.added[:0])
	for _, r := range w.added {
		if r != scheduler.AlreadyPresent {
			wrong++
		}
	}
	return wrong
}

// coprime returns a stride that visits n places in an order far from their own.
func coprime(n int) int {
	for s := n*5/8 | 1; ; s += 2 {
		a, b := s, n
		for b != 0 {
			a, b = b, a%b
		}
		if a == 1 {
			return s
		}
	}
}
