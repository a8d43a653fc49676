package serve

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"fetchproof/impl/responder"
	"fetchproof/impl/wire"
)

// TestFewestPorts: a store and a clock are enough, and then every error of the store says that the record is not here.
func TestFewestPorts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, err := New(Config{Responder: responder.Defaults(), AnswersBusy: true}, Ports{Store: shelf{}, Clock: sinceStart{time.Now()}})
		if err != nil {
			t.Fatal(err)
		}
		box := &inbox{}
		for _, key := range []wire.Key{missing, broken, rigged, {9}} {
			s.Handle(peer(1), wire.Request{Key: key}, box.reply)
			synctest.Wait()
		}
		box.slow = time.Second
		for range 3 { // the third is refused
			s.Handle(peer(1), wire.Request{AsksBusy: true}, box.reply)
		}
		time.Sleep(time.Minute)
		s.Shutdown()
		if n := box.kinds(); n[wire.NotFound] != 2 || n[wire.Success] != 3 || n[wire.Busy] != 1 {
			t.Errorf("replied %v", n)
		}
	})
}

// TestWorkers: as many requests are served at once as there are workers (RSP-2).
func TestWorkers(t *testing.T) {
	run(t, true, func(t *testing.T, b *bench) {
		b.box.slow = time.Second
		workers := b.cfg.Responder.Workers
		for n := range 2 * workers {
			b.ask(n, wire.Key{9}, true)
		}
		for round := range 2 {
			time.Sleep(time.Second)
			synctest.Wait()
			if n := b.box.kinds()[wire.Success]; n != (round+1)*workers {
				t.Errorf("after %d s: %d served by %d workers", round+1, n, workers)
			}
		}
	})
}

// TestMoreWorkersThanPlaces: a pool may be smaller than the workers are many (RSP-1).
func TestMoreWorkersThanPlaces(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		resp := responder.Defaults()
		resp.Pool, resp.Workers = 1, 3
		s, err := New(Config{Responder: resp}, Ports{Store: shelf{}, Clock: sinceStart{time.Now()}})
		if err != nil {
			t.Fatal(err)
		}
		box := &inbox{slow: time.Second}
		for n := range 2 {
			s.Handle(peer(n), wire.Request{Key: wire.Key{9}}, box.reply)
		}
		time.Sleep(time.Minute)
		s.Shutdown()
		if st := s.Stats(); st.Served != 1 || st.Responder.RefusedPool != 1 {
			t.Errorf("want one served and one refused: %+v", st)
		}
	})
}

// TestContextEnds: what a send holds on to ends with it, not with its deadline or the server.
func TestContextEnds(t *testing.T) {
	run(t, true, func(t *testing.T, b *bench) {
		given := map[wire.Kind]context.Context{}
		keep := func(ctx context.Context, m *wire.Message, sent func()) error {
			given[m.Kind] = ctx
			sent()
			return nil
		}
		ask := func() {
			b.Handle(peer(1), wire.Request{Key: wire.Key{9}, AsksBusy: true}, keep)
			synctest.Wait()
		}
		ask()
		b.gate.Close()
		for range 3 {
			ask()
		}
		if len(given) != 2 {
			t.Fatalf("sent %v", given)
		}
		for kind, ctx := range given {
			if !errors.Is(ctx.Err(), context.Canceled) {
				t.Errorf("%v: %v", kind, ctx.Err())
			}
		}
	})
}
