package transport

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"fetchproof/impl/node/worker"
	"fetchproof/impl/wire"
)

// TestFetch: small and large records come whole, and each answer arrives once.
func TestFetch(t *testing.T) {
	for _, size := range []int{0, 1, firstRead, 100_000, wire.MaxRecord, wire.MaxMessage - 100} {
		inBubble(t, func(n *net10) {
			var got wire.Request
			var sent atomic.Int64
			a := n.start(0, Defaults(), nil)
			n.start(1, Defaults(), func(from wire.PeerID, r wire.Request, reply Reply) {
				got = r
				if from != id(0) {
					n.Errorf("from %v", from)
				}
				echo(size)(from, r, func(ctx context.Context, m *wire.Message, _ func()) error {
					return reply(ctx, m, func() { sent.Add(1) })
				})
			})
			r, arrived, err := a.fetch(1, time.Minute)
			if err != nil || r.Err != nil || len(r.Message.Data) != size || arrived != 1 {
				n.Errorf("size %d: %d bytes, arrived %d times, %v, %v", size, len(r.Message.Data), arrived, err, r.Err)
			}
			if !got.AsksBusy || sent.Load() != 1 {
				n.Errorf("asked %+v, told %d times that the answer was sent", got, sent.Load())
			}
			if st := n.stats(a); !reflect.DeepEqual(st, Stats{Responses: 1, Dropped: map[wire.Class]uint64{}}) {
				n.Errorf("counted %+v", st)
			}
		})
	}
}

// TestFailures: what each failure of a fetch is.
func TestFailures(t *testing.T) {
	for _, c := range []struct {
		name string
		host int
		want error
	}{
		{"no address", 20, worker.ErrNotSent},
		{"nobody there", 5, worker.ErrUnreachable},
		{"no answer", 1, context.DeadlineExceeded},
	} {
		t.Run(c.name, func(t *testing.T) {
			inBubble(t, func(n *net10) {
				a := n.start(0, Defaults(), nil)
				n.start(1, Defaults(), nil)
				// DialTimeout is 10 s: the second joins the dial of the first, the third begins one.
				for _, timeout := range []time.Duration{time.Second, 15 * time.Second, 15 * time.Second} {
					began := time.Now()
					if _, arrived, err := a.fetch(c.host, timeout); !errors.Is(err, c.want) || arrived != 0 {
						n.Errorf("%v, arrived %d times", err, arrived)
					}
					if took := time.Since(began); took > timeout {
						n.Errorf("took %v", took)
					}
				}
			})
		})
	}
}

// TestPeerCloses: a request whose connection ends is unreachable at once, and the next one dials anew.
func TestPeerCloses(t *testing.T) {
	inBubble(t, func(n *net10) {
		a, b := n.start(0, Defaults(), nil), n.start(1, Defaults(), nil)
		go func() {
			time.Sleep(time.Second)
			_ = b.Close()
		}()
		began := time.Now()
		if _, _, err := a.fetch(1, time.Minute); !errors.Is(err, worker.ErrUnreachable) || time.Since(began) > 2*time.Second {
			n.Errorf("after %v: %v", time.Since(began), err)
		}
		n.start(1, Defaults(), echo(1))
		if _, _, err := a.fetch(1, time.Minute); err != nil {
			n.Error(err)
		}
	})
}

// TestClose: Close ends fetches that wait, dials that hang, and may be called twice; after it nothing is sent.
func TestClose(t *testing.T) {
	inBubble(t, func(n *net10) {
		a := n.start(0, Defaults(), nil)
		n.start(1, Defaults(), nil)
		var all sync.WaitGroup
		for _, host := range []int{1, 1, 5} {
			all.Go(func() {
				if _, _, err := a.fetch(host, time.Hour); !errors.Is(err, worker.ErrUnreachable) {
					n.Errorf("host %d: %v", host, err)
				}
			})
		}
		time.Sleep(time.Second)
		began := time.Now()
		for range 2 {
			all.Go(func() {
				if err := a.Close(); err != nil {
					n.Error(err)
				}
			})
		}
		all.Wait()
		if took := time.Since(began); took > time.Second {
			n.Errorf("took %v", took)
		}
		if _, _, err := a.fetch(1, time.Second); !errors.Is(err, worker.ErrNotSent) {
			n.Errorf("after Close: %v", err)
		}
	})
}

// TestAddressBook: it is bounded, and a peer that moved is found at its new place.
func TestAddressBook(t *testing.T) {
	inBubble(t, func(n *net10) {
		cfg := Defaults()
		cfg.MaxPeers = 2
		a := n.start(0, cfg, nil) // knows 0 and 1
		if err := a.AddPeer(id(2), addr(2)); err == nil {
			n.Error("no bound")
		}
		n.start(2, Defaults(), echo(1))
		a.ForgetPeer(id(1))
		if err := a.AddPeer(id(2), addr(9)); err != nil {
			n.Error(err)
		}
		if err := a.AddPeer(id(2), addr(2)); err != nil {
			n.Error(err)
		}
		if _, _, err := a.fetch(2, time.Second); err != nil {
			n.Error(err)
		}
	})
}

// TestPanic: a handler that panics costs its message alone, and the log, if there is one, says where.
func TestPanic(t *testing.T) {
	inBubble(t, func(n *net10) {
		a := n.start(0, Defaults(), nil)
		first := true
		n.start(1, Defaults(), func(from wire.PeerID, r wire.Request, reply Reply) {
			if first {
				first = false
				panic("boom")
			}
			echo(1)(from, r, reply)
		})
		if _, _, err := a.fetch(1, time.Second); !errors.Is(err, context.DeadlineExceeded) {
			n.Error(err)
		}
		if _, _, err := a.fetch(1, time.Second); err != nil {
			n.Error(err)
		}
		synctest.Wait()
		if log := n.log.String(); strings.Count(log, "\n") != 1 || !strings.Contains(log, `panicked" panic=boom stack="goroutine `) {
			n.Errorf("logged %s", log)
		}
		n.log.Reset()
		x, err := New(Defaults(), n.socket(addr(2)), signer(2), func(wire.PeerID, wire.Request, Reply) { panic("unheard") }, nil)
		if err != nil {
			n.Fatal(err)
		}
		n.all = append(n.all, x)
		for range 2 {
			if _, _, err := a.fetch(2, time.Second); !errors.Is(err, context.DeadlineExceeded) {
				n.Errorf("without a log: %v", err)
			}
		}
	})
}

// TestManyAtOnce is for the race detector: fetches in both directions share the two connections.
func TestManyAtOnce(t *testing.T) {
	inBubble(t, func(n *net10) {
		ts := []*Transport{n.start(0, Defaults(), echo(10)), n.start(1, Defaults(), echo(1000))}
		var all sync.WaitGroup
		for i := range 40 {
			all.Go(func() {
				if _, _, err := ts[i%2].fetch(1-i%2, time.Minute); err != nil {
					n.Error(err)
				}
			})
		}
		all.Wait()
		for i, x := range ts {
			if st := n.stats(x); st.Requests != 20 || st.Responses != 20 || st.MostInbound != 1 {
				n.Errorf("%d: %+v", i, st)
			}
		}
	})
}
