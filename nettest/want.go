package nettest

import (
	"context"
	"math/rand/v2"
	"time"

	"fetchproof/impl/node/worker"
	"fetchproof/impl/scheduler"
	"fetchproof/impl/wire"
)

// want is a record that a requester is to fetch.
type want struct {
	by     *host
	item   worker.Item
	stored int // how often
	tries  int // episodes that ended without it
	over   bool
}

// maxEpisodes ends a key that is dropped again and again: with holders that answer at once that they have nothing, time would
// never pass.
const maxEpisodes = 100

// plan decides which requester wants what, from which holders in which order.
func (f *fleet) plan() {
	f.wants = make(map[scheduler.Key]*want)
	draw := rand.New(rand.NewPCG(f.s.Seed, 2))
	for r, h := range f.wanting {
		for k := range f.s.Keys {
			key, _ := f.s.record(r, k)
			it := h.node.Item(key, f.order(k, draw)...)
			f.wants[it.Key] = &want{by: h, item: it}
			f.remaining++
		}
	}
}

// order is the holders of a requester's k-th key in preference order.
func (f *fleet) order(k int, draw *rand.Rand) []wire.PeerID {
	ids := make([]wire.PeerID, len(f.holders))
	for i := range ids {
		at := i
		switch f.s.Order {
		case Rotated:
			at = (i + k) % len(ids)
		case FirstFixed:
			if i > 0 {
				at = 1 + (i-1+k)%(len(ids)-1)
			}
		}
		ids[i] = f.holders[at].id
	}
	if f.s.Order == Shuffled {
		draw.Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
	}
	return ids
}

// begin sets the timers, lets the flooders loose and gives every requester its keys.
func (f *fleet) begin() {
	for _, l := range f.laters {
		f.timers.Go(func() { l.wait(f.ctx) })
	}
	for _, x := range f.flood {
		for i := range f.holders {
			f.timers.Go(func() { f.drown(x, f.s.signer(i).ID()) })
		}
	}
	for r, h := range f.wanting {
		var items []worker.Item
		for k := range f.s.Keys {
			key, _ := f.s.record(r, k)
			w := f.wants[scheduler.Key(key)]
			if f.s.Verified {
				h.node.Advertise(key, hintsOf(w.item.Sources)...)
				continue
			}
			items = append(items, w.item)
		}
		if len(items) > 0 {
			h.node.Enqueue(items...)
		}
	}
}

func hintsOf(holders []scheduler.Peer) []scheduler.Hint {
	hints := make([]scheduler.Hint, len(holders))
	for i, p := range holders {
		hints[i] = scheduler.Hint{Peer: p, Claimant: true}
	}
	return hints
}

// verify is a verification round in which every holder says what the plan says.
func (f *fleet) verify(key scheduler.Key) []scheduler.Peer {
	f.mu.Lock()
	defer f.mu.Unlock()
	if w := f.wants[key]; w != nil {
		return w.item.Sources
	}
	return nil
}

// notify follows what becomes of the keys.
func (f *fleet) notify(h *host, e scheduler.Event) {
	if again := f.follow(e); again != nil && f.ctx.Err() == nil {
		h.node.Enqueue(*again)
	}
}

// follow returns the item that is to be enqueued again, or nil.
func (f *fleet) follow(e scheduler.Event) *worker.Item {
	f.mu.Lock()
	defer f.mu.Unlock()
	w := f.wants[e.Key]
	if w == nil {
		return nil
	}
	if e.Kind == scheduler.EventLeft && e.Reason == scheduler.ReasonStored {
		w.stored++
		f.finish(w)
		return nil
	}
	w.tries++
	switch {
	case w.tries >= maxEpisodes:
		f.finish(w)
	case e.Kind == scheduler.EventLeft && f.s.Again:
		return &w.item
	case e.Kind == scheduler.EventLeft:
		f.finish(w)
	}
	return nil
}

func (f *fleet) finish(w *want) {
	if w.over {
		return
	}
	w.over = true
	if f.remaining--; f.remaining == 0 {
		close(f.done)
	}
}

// wait waits until every key is stored or has left for good, and says how long that took.
func (f *fleet) wait(ctx context.Context) (time.Duration, error) {
	began := time.Now()
	f.begin()
	limit := time.NewTimer(time.Duration(f.s.Limit))
	defer limit.Stop()
	select {
	case <-f.done:
		return time.Since(began), nil
	case <-limit.C:
		return time.Since(began), errLimit
	case <-ctx.Done():
		return time.Since(began), context.Cause(ctx)
	}
}

// drown asks a holder for a record again and again until the run ends, without waiting for what it says.
func (f *fleet) drown(x *host, holder wire.PeerID) {
	key, _ := f.s.record(0, 0)
	r := worker.Request{Peer: scheduler.Peer(holder), Key: scheduler.Key(key), AsksBusy: true}
	t := time.NewTicker(time.Duration(f.s.FloodEvery))
	defer t.Stop()
	for {
		f.timers.Go(func() {
			ctx, cancel := context.WithTimeout(f.ctx, time.Duration(f.s.Timeout))
			defer cancel()
			_, _ = x.bare.Fetch(ctx, r, func() {})
		})
		select {
		case <-t.C:
		case <-f.ctx.Done():
			return
		}
	}
}
