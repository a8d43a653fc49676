package nettest

import (
	"log/slog"
	"os"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"fetchproof/impl/node"
	"fetchproof/impl/node/worker"
	"fetchproof/impl/scheduler"
	"fetchproof/impl/wire"
)

// TestManyFetches: one node fetches from 24 holders over 24 connections, in rounds, with no goroutine and no memory left
// behind. With FETCHPROOF_LONG set each holder serves 1,000 records, else 20.
func TestManyFetches(t *testing.T) {
	const holders = 24
	each := 20
	if os.Getenv("FETCHPROOF_LONG") != "" {
		each = 1000
	}
	s := &Scenario{
		Name: "many", Seed: 1, Keys: holders * each, Slots: 2 * holders, Timeout: long, Holders: make([]Holder, holders),
		Order: Rotated, RecordSize: 64, Latency: flightTime,
	}
	heap := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	others, before := goleak.IgnoreCurrent(), heap()
	synctest.Test(t, func(t *testing.T) { inRounds(t, s, each) })
	if err := goleak.Find(others); err != nil {
		t.Error(err)
	}
	if now := heap(); now > before+32<<20 {
		t.Errorf("%d MiB of heap, %d at the start", now>>20, before>>20)
	}
}

// inRounds has the requester fetch four keys from each holder at a time.
func inRounds(t *testing.T, s *Scenario, each int) {
	if err := s.check(); err != nil {
		t.Fatal(err)
	}
	f, err := build(s, node.ShareAndBusy.String(), s.simulated(), slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	f.plan()
	for from := 0; from < s.Keys; from += 4 * len(s.Holders) {
		var items []worker.Item
		var keys []wire.Key
		for k := from; k < min(from+4*len(s.Holders), s.Keys); k++ {
			key, _ := s.record(0, k)
			keys = append(keys, key)
			items = append(items, f.wants[scheduler.Key(key)].item)
		}
		f.wanting[0].node.Enqueue(items...)
		if err := f.wanting[0].node.WaitDrained(t.Context(), keys); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.close(); err != nil {
		t.Error(err)
	}
	r := f.result("share-and-busy", 0)
	if err := r.judge(f); err != nil {
		t.Error(err)
	}
	if r.Stored != s.Keys || r.RefusedPeerShare != 0 || r.Stats[0].Transport.Responses != uint64(s.Keys) {
		t.Errorf("stored %d of %d, %d refused", r.Stored, s.Keys, r.RefusedPeerShare)
	}
	for i, h := range r.Holders {
		if h.Served != uint64(each) {
			t.Errorf("holder %d served %d", i, h.Served)
		}
	}
}

// TestOneConnection: fetches share one connection, and it is used again after a pause.
func TestOneConnection(t *testing.T) {
	onBench(t, node.Options{}, func(b *bench) {
		for n := range 4 {
			b.fetch(n, b.honest.id)
		}
		time.Sleep(30 * time.Second)
		b.fetch(4, b.honest.id)
		time.Sleep(time.Second)
		if n := b.honest.node.Stats().Transport.MostInbound; n != 1 {
			b.Errorf("%d connections", n)
		}
		time.Sleep(2 * time.Minute)
		if n := b.honest.node.Stats().Transport.Inbound; n != 0 {
			b.Errorf("%d connections after the idle timeout", n)
		}
		b.fetch(5, b.honest.id)
		time.Sleep(time.Second)
		if n := b.outcomes(1); n != 6 {
			b.Errorf("stored %d", n)
		}
	})
}
