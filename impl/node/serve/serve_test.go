package serve

import (
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"fetchproof/impl/responder"
	"fetchproof/impl/wire"
)

func TestReplies(t *testing.T) {
	for _, c := range []struct {
		key    wire.Key
		kind   wire.Kind
		reason string
		st     Stats
	}{
		{wire.Key{9}, wire.Success, "", Stats{Served: 1, ServedBytes: 6}},
		{missing, wire.NotFound, "", Stats{NotFound: 1}},
		{broken, wire.ErrorReply, "record unavailable", Stats{Errors: 1}},
	} {
		run(t, true, func(t *testing.T, b *bench) {
			b.ask(1, c.key, true)
			synctest.Wait()
			if len(b.box.got) != 1 {
				t.Fatalf("%d replies", len(b.box.got))
			}
			if reason := "error=\"" + errIO.Error() + `"`; c.kind == wire.ErrorReply && !strings.Contains(b.log.String(), "key="+broken.String()+" "+reason) {
				t.Errorf("the reason is not in the log: %s", b.log)
			}
			if m := b.box.got[0]; m.Kind != c.kind || m.RequestID != 7 || m.Key != c.key || string(m.Reason) != c.reason {
				t.Errorf("replied %+v", m)
			}
			st := b.Stats()
			st.Responder = responder.Counters{}
			if st != c.st {
				t.Errorf("counted %+v, want %+v", st, c.st)
			}
		})
	}
}

// TestPanic: a store that panics, or a reply, costs its request and nothing else, and the log says where.
func TestPanic(t *testing.T) {
	run(t, true, func(t *testing.T, b *bench) {
		for range 8 {
			b.ask(1, rigged, true)
			synctest.Wait()
		}
		b.ask(1, wire.Key{9}, true)
		synctest.Wait()
		if n := b.box.kinds()[wire.Success]; n != 1 || b.panics("serving a fetch", "in the store") != 8 {
			t.Errorf("%d served, log %s", n, b.log)
		}
	})
	run(t, true, func(t *testing.T, b *bench) {
		b.gate.Close()
		b.ask(1, wire.Key{9}, true)
		b.ask(1, wire.Key{9}, true)
		b.box.after = func() { panic("in the reply") }
		b.ask(1, wire.Key{9}, true)
		synctest.Wait()
		b.box.after = nil
		b.ask(1, wire.Key{9}, true)
		synctest.Wait()
		if st := b.Stats(); st.BusyFailed != 1 || st.BusySent != 1 || b.panics("sending a busy reply", "in the reply") != 1 {
			t.Errorf("%+v, log %s", st, b.log)
		}
	})
}

// panics is how often the log tells of a panic while doing something, with its stack.
func (b *bench) panics(doing, panicked string) int {
	return strings.Count(b.log.String(), `msg="`+doing+` panicked" panic="`+panicked+`" stack="goroutine `)
}

// TestRefusals: the peer's share before the pool, a busy reply only if it was asked
// for and this node gives them, and one warning for each (RSP-1, RSP-3, RSP-4).
func TestRefusals(t *testing.T) {
	for _, c := range []struct{ asks, answers, busy bool }{
		{true, true, true}, {false, true, false}, {true, false, false}, {false, false, false},
	} {
		run(t, c.answers, func(t *testing.T, b *bench) {
			b.gate.Close()
			for range 3 {
				b.ask(1, wire.Key{9}, c.asks) // the third is past the share
			}
			for n := 2; n <= 12; n++ {
				b.ask(n, wire.Key{9}, c.asks) // the last is past the pool of 12
			}
			synctest.Wait()
			want := 0
			if c.busy {
				want = 2
			}
			if got := b.box.kinds()[wire.Busy]; got != want || len(b.box.got) != want {
				t.Errorf("%+v: %d busy replies of %d, want %d", c, got, len(b.box.got), want)
			}
			var st responder.State
			if b.Observe(&st); st.Outstanding != 12 {
				t.Errorf("%d places taken", st.Outstanding)
			}
			r := b.Stats().Responder
			if r.RefusedPeerShare != 1 || r.RefusedPool != 1 || r.Admitted != 12 {
				t.Errorf("want 12 admitted, one refused by share and one by pool: %+v", r)
			}
			if n := strings.Count(b.log.String(), responder.RefusalMessage); n != 2 {
				t.Errorf("%d warnings", n)
			}
			b.gate.Open()
			synctest.Wait()
			if got := b.box.kinds()[wire.Success]; got != 12 {
				t.Errorf("%d served after the gate opened", got)
			}
			if st := b.Stats(); st.Served != 12 || st.ServedBytes != 72 || st.BusySent != uint64(want) {
				t.Errorf("%+v: a busy reply is nothing served (RSP-8)", st)
			}
		})
	}
}

// TestNextRequest: a requester within its share that asks again the moment it has
// its answer is never refused, though the server is not through with that answer.
func TestNextRequest(t *testing.T) {
	run(t, true, func(t *testing.T, b *bench) {
		rounds := 0
		b.box.after = func() {
			if rounds++; rounds < 50 {
				b.ask(1, wire.Key{9}, true)
			}
		}
		b.ask(1, wire.Key{9}, true)
		b.ask(1, wire.Key{9}, true)
		time.Sleep(time.Second)
		if r := b.Stats().Responder; r.RefusedPeerShare != 0 || rounds < 50 {
			t.Errorf("after %d rounds: %+v", rounds, r)
		}
	})
}

// TestShed: who waited FetchTimeout for a worker gets no reply (RSP-2).
func TestShed(t *testing.T) {
	run(t, true, func(t *testing.T, b *bench) {
		b.gate.Close()
		b.ask(1, wire.Key{9}, true)
		time.Sleep(time.Nanosecond)
		b.ask(1, wire.Key{9}, true)
		time.Sleep(30*time.Second - time.Nanosecond)
		b.gate.Open()
		synctest.Wait()
		if r := b.Stats().Responder; r.Shed != 1 || b.box.kinds()[wire.Success] != 1 {
			t.Errorf("%+v, %v", r, b.box.kinds())
		}
	})
}

// TestSendFailures: a reply that fails, or whose reader is slow for FetchTimeout,
// releases its place; a busy reply ends after BusySendDeadline (RSP-1, RSP-6).
func TestSendFailures(t *testing.T) {
	run(t, true, func(t *testing.T, b *bench) {
		b.box.err = errors.New("connection lost")
		b.ask(1, wire.Key{9}, true)
		synctest.Wait()
		b.box.err, b.box.slow = nil, time.Hour
		b.ask(1, wire.Key{9}, true)
		b.ask(1, wire.Key{9}, true)
		b.ask(1, wire.Key{9}, true) // refused: busy
		time.Sleep(2*time.Second - 1)
		if st := b.Stats(); st.BusyFailed != 0 || st.SendFailed != 1 {
			t.Errorf("before the deadline: %+v", st)
		}
		time.Sleep(time.Nanosecond)
		synctest.Wait()
		if st := b.Stats(); st.BusyFailed != 1 || st.BusySent != 0 {
			t.Errorf("at the deadline: %+v", st)
		}
		time.Sleep(28 * time.Second)
		synctest.Wait()
		if st := b.Stats(); st.SendFailed != 3 || st.Responder.Released != 3 {
			t.Errorf("at FetchTimeout: %+v", st)
		}
	})
}

// TestShutdown: requests at a closed gate, in the queue, and being sent, busy
// replies too, are all released at once (LIV-5).
func TestShutdown(t *testing.T) {
	run(t, true, func(t *testing.T, b *bench) {
		b.box.slow = time.Hour
		b.ask(1, wire.Key{9}, true)
		synctest.Wait()
		b.gate.Close()
		for n := range 12 {
			b.ask(n, wire.Key{9}, true)
		}
		synctest.Wait()
		if b.Stats().Responder.BusyReplied != 1 {
			t.Errorf("want one busy reply: %+v", b.Stats())
		}
		began := time.Now()
		var both sync.WaitGroup
		for range 2 {
			both.Go(b.Shutdown)
		}
		both.Wait()
		if took := time.Since(began); took != 0 || len(b.box.got) != 0 {
			t.Errorf("took %v, %d replies", took, len(b.box.got))
		}
		if n := b.Stats().SendFailed; n != 1 { // those at the gate and in the queue were not begun
			t.Errorf("%d were being sent", n)
		}
	})
}

// TestAdmissionRace is B18 on the admission: however many ask at once, never more
// than the share or the pool is outstanding.
func TestAdmissionRace(t *testing.T) {
	run(t, true, func(t *testing.T, b *bench) {
		b.box.slow = time.Millisecond
		var all sync.WaitGroup
		for c := range 16 {
			all.Go(func() {
				for range 30 {
					b.ask(c/2, wire.Key{9}, c%2 == 0)
					time.Sleep(time.Millisecond / 2)
					b.withinBounds(t)
				}
			})
		}
		all.Wait()
	})
}

func (b *bench) withinBounds(t *testing.T) {
	var st responder.State
	b.Observe(&st)
	cfg := b.cfg.Responder
	if st.Outstanding > cfg.Pool {
		t.Errorf("%d outstanding", st.Outstanding)
	}
	for _, p := range st.Peers {
		if p.Outstanding > cfg.PeerShare {
			t.Errorf("%d outstanding of one peer", p.Outstanding)
		}
	}
}

func TestNew(t *testing.T) {
	for _, p := range []Ports{{}, {Store: shelf{}}, {Clock: sinceStart{}}} {
		if _, err := New(Config{Responder: responder.Defaults()}, p); !errors.Is(err, errMissingPort) {
			t.Errorf("%+v: %v", p, err)
		}
	}
	var ce *responder.ConfigError
	if _, err := New(Config{}, Ports{Store: shelf{}, Clock: sinceStart{}}); !errors.As(err, &ce) {
		t.Error(err)
	}
}
