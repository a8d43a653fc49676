package trace

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"fetchproof/impl/node/worker"
	"fetchproof/impl/scheduler"
	"fetchproof/impl/wire"
)

// TestRandomWorkers has several goroutines do random things to a worker whose peers do random things, under virtual time.
// Whenever all is at rest no slot may be free while a key can start (LIV-1, LIV-4); in the end the worker shuts down
// (LIV-5), and the model accepts the trace (WRK-5).
func TestRandomWorkers(t *testing.T) {
	runs, lines := 0, 0
	rapid.Check(t, func(rt *rapid.T) {
		p := drawPlan(rt)
		var trace bytes.Buffer
		w := NewWriter(&trace)
		rapid.SyncTest(rt, func(rt *rapid.T) { p.run(rt, Requests{w}) })
		if err := w.Flush(); err != nil {
			rt.Fatal(err)
		}
		n, err := Judge("worker", &trace)
		if err != nil {
			rt.Fatal(err)
		}
		runs, lines = runs+1, lines+n
	})
	if runs < 20 || lines < 20*runs {
		t.Errorf("%d runs with %d operations: too few to mean anything", runs, lines)
	}
}

// plan is one run: a configuration, what each caller does, and when the worker is shut down.
type plan struct {
	cfg     worker.Config
	seed    uint64
	callers [][]step
	stop    time.Duration
}

// step is one call on the worker, after a pause.
type step struct {
	pause time.Duration
	do    int
	key   byte
	peers []scheduler.Peer
}

const doings = 8

func drawPlan(rt *rapid.T) plan {
	num := func(label string, least, most int) int { return rapid.IntRange(least, most).Draw(rt, label) }
	s := scheduler.Defaults()
	s.Slots, s.Share, s.HashSeed = num("slots", 1, 5), num("share", 1, 3), 1
	s.FetchTimeout = time.Duration(num("timeout", 1, 4)) * time.Second
	s.MarkLifetime = time.Duration(num("mark", 1, 8)) * time.Second
	s.ContactTable, s.MaxQueued, s.MaxPending = num("contacts", 1, 4), num("queued", 1, 12), num("pending", 1, 12)
	s.BusyWaitMin, s.BusyWaitMax = time.Second, time.Duration(num("busy", 1, 6))*time.Second
	s.Silence = rapid.Bool().Draw(rt, "silence")
	p := plan{
		cfg:  worker.Config{Scheduler: s, SummaryEvery: 7 * time.Second, AsksBusy: true},
		seed: rapid.Uint64().Draw(rt, "seed"), stop: time.Duration(num("stop", 1, 30)) * time.Second,
	}
	draw := rand.New(rand.NewPCG(p.seed, 1)) // one draw of rapid's a step would be slow
	for range num("callers", 1, 4) {
		var steps []step
		for range num("steps", 1, 40) {
			st := step{do: draw.IntN(doings), key: byte(draw.IntN(24)), pause: time.Duration(draw.IntN(4)*draw.IntN(400)) * time.Millisecond}
			for range 1 + draw.IntN(3) {
				st.peers = append(st.peers, scheduler.Peer{byte(draw.IntN(4))})
			}
			steps = append(steps, st)
		}
		p.callers = append(p.callers, steps)
	}
	return p
}

// record is the bytes of key n.
func record(n byte) (scheduler.Key, []byte) {
	data := []byte{n, 'r'}
	return scheduler.Key(wire.KeyOf(data)), data
}

func (p *plan) run(rt *rapid.T, rec worker.Recorder) {
	peers := &peers{draw: rand.New(rand.NewPCG(p.seed, 2))}
	w, err := worker.New(p.cfg, worker.Ports{
		Transport: peers, Store: peers, Ledger: peers, Clock: worker.NewClock(), Rand: rand.New(rand.NewPCG(p.seed, 3)), Recorder: rec,
	})
	if err != nil {
		rt.Fatal(err)
	}
	var callers sync.WaitGroup
	for _, steps := range p.callers {
		callers.Go(func() {
			for _, s := range steps {
				time.Sleep(s.pause)
				s.take(w)
			}
		})
	}
	for range int(p.stop / (500 * time.Millisecond)) {
		time.Sleep(500 * time.Millisecond)
		synctest.Wait()
		if err := idle(w, p.cfg.Scheduler); err != nil {
			rt.Errorf("%v", err)
		}
	}
	w.Shutdown()
	callers.Wait()
	if snap := w.Snapshot(); snap.InFlight != 0 {
		rt.Errorf("%d in flight after shutdown", snap.InFlight)
	}
}

func (s step) take(w *worker.Worker) {
	key, _ := record(s.key)
	it := worker.Item{Key: key, Distance: scheduler.Distance{s.key}, Sources: s.peers}
	hints := make([]scheduler.Hint, len(s.peers))
	for i, p := range s.peers {
		hints[i] = scheduler.Hint{Peer: p, Claimant: i%2 == 0}
	}
	switch s.do {
	case 0, 1:
		w.Enqueue(it)
	case 2, 3:
		w.Add(key, hints)
	case 4:
		w.Add(key, hints)
		w.Promote(it)
	case 5:
		for _, k := range w.Ready(3, nil) {
			w.Promote(worker.Item{Key: k, Distance: it.Distance, Sources: s.peers})
		}
	case 6:
		w.Depart(s.peers[0])
	default:
		w.Remove(key)
		w.Evict(20 * time.Second)
	}
}

// idle decides every queued key again, from what can be observed, and finds those that could have been started (LIV-1).
func idle(w *worker.Worker, cfg scheduler.Config) error {
	var st scheduler.State
	w.Observe(&st)
	if st.Stopped || len(st.InFlight) >= cfg.Slots {
		return nil
	}
	at := map[scheduler.Peer]int{}
	for _, f := range st.InFlight {
		at[f.Source]++
	}
	silent := func(p scheduler.Peer) bool {
		i := slices.IndexFunc(st.Contact, func(c scheduler.ContactState) bool { return c.Source == p })
		if i < 0 {
			return st.OverflowUntil != 0
		}
		return st.Contact[i].MarkedUntil != 0
	}
	for _, q := range st.Queued {
		for _, p := range q.Untried {
			if at[p] < cfg.Share || cfg.Silence && silent(p) {
				return fmt.Errorf("%d of %d slots are free, and key %x can start at %x", cfg.Slots-len(st.InFlight), cfg.Slots, q.Key[:4], p[:1])
			}
		}
	}
	return nil
}

// peers are all peers, the store and the ledger: each request draws what becomes of it.
type peers struct {
	mu   sync.Mutex
	draw *rand.Rand
}

func (n *peers) pick(most int) int {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.draw.IntN(most)
}

func (n *peers) Charge(scheduler.Peer, scheduler.Charge) {}

func (n *peers) Put(scheduler.Key, []byte) error {
	time.Sleep(time.Duration(n.pick(3)*n.pick(500)) * time.Millisecond)
	switch n.pick(12) {
	case 0:
		return errors.New("full")
	case 1:
		panic("in the store")
	}
	return nil
}

// Fetch answers after up to a second in any of the ways in which a peer can, or not at all.
func (n *peers) Fetch(ctx context.Context, r worker.Request, arrived func()) (worker.Response, error) {
	m := wire.Message{Kind: wire.Success, Key: wire.Key(r.Key)}
	for k := range byte(24) {
		if key, data := record(k); key == r.Key {
			m.Data = data
		}
	}
	how := n.pick(12)
	wait := time.NewTimer(time.Duration(n.pick(1000)) * time.Millisecond)
	defer wait.Stop()
	select {
	case <-wait.C:
	case <-ctx.Done():
		return worker.Response{}, ctx.Err()
	}
	switch how {
	case 0, 1:
		<-ctx.Done()
		return worker.Response{}, ctx.Err()
	case 2:
		return worker.Response{}, worker.ErrUnreachable
	case 3:
		return worker.Response{}, worker.ErrNotSent
	case 4:
		panic("in the transport")
	case 5, 6:
		m.Kind, m.Data = wire.Busy, nil
	case 7:
		m.Kind, m.Data = wire.NotFound, nil
	case 8:
		m.Data = []byte("lie")
	case 9:
		arrived() // it came too late to be looked at, or its signature was wrong
		<-ctx.Done()
		return worker.Response{}, ctx.Err()
	}
	arrived()
	return worker.Response{Message: m}, nil
}
