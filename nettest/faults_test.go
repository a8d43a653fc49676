package nettest

import (
	"bytes"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"fetchproof/impl/node"
	"fetchproof/impl/node/store"
	"fetchproof/impl/scheduler"
	"fetchproof/impl/wire"
)

// bench is a victim, an honest holder and an adversary, on a simulated network in a bubble.
type bench struct {
	*testing.T
	f       *fleet
	victim  *host // host 0: fetches and serves
	honest  *host // host 1: holds every record
	bad     *adversary
	badID   wire.PeerID
	stopped bool
}

const (
	victimHost = iota
	honestHost
	badHost
)

// record is one that the honest holder has.
func (b *bench) record(n int) (wire.Key, []byte) { return b.f.s.record(0, n) }

// fetch has the victim fetch record n from the given holders, in this order.
func (b *bench) fetch(n int, holders ...wire.PeerID) {
	key, _ := b.record(n)
	b.victim.node.Enqueue(b.victim.node.Item(key, holders...))
}

func (b *bench) stats() node.Stats { return b.victim.node.Stats() }

func (b *bench) outcomes(k scheduler.OutcomeKind) uint64 {
	return b.stats().Scheduler.Counters.Outcomes[k]
}

func (b *bench) charged(p wire.PeerID) [4]uint64 {
	return b.victim.node.Ledger().Account(scheduler.Peer(p)).Charges
}

// stop shuts the victim down, which must not take time whatever is under way.
func (b *bench) stop() {
	if b.stopped {
		return
	}
	b.stopped = true
	began := time.Now()
	if err := b.victim.node.Shutdown(); err != nil {
		b.Error(err)
	}
	if took := time.Since(began); took > time.Second {
		b.Errorf("shutdown took %v", took)
	}
	if st := b.stats(); st.Transport.Arriving != 0 || st.Scheduler.InFlight != 0 {
		b.Errorf("after shutdown: %+v", st)
	}
}

// onBench runs test in a bubble; all goroutines must end, and the model must accept the traces.
func onBench(t *testing.T, o node.Options, test func(b *bench)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s := &Scenario{Name: t.Name(), Seed: 9, Keys: 8, Slots: 4, Timeout: short, Latency: flightTime, Holders: make([]Holder, 1)}
		if err := s.check(); err != nil {
			t.Fatal(err)
		}
		f := &fleet{s: s, net: s.simulated(), log: slog.New(slog.DiscardHandler), done: make(chan struct{})}
		b := &bench{T: t, f: f}
		b.victim = b.must(f.whole(victimHost, node.ShareAndBusy.String(), o))
		b.honest = b.must(f.whole(honestHost, node.ShareAndBusy.String(), node.Options{Store: shelf{records: s.records(bytes.Clone)}}))
		conn, err := f.net.Listen(badHost)
		if err != nil {
			t.Fatal(err)
		}
		b.bad = newAdversary(t, conn, s.signer(badHost))
		b.badID = b.bad.signer.ID()
		for id, h := range map[wire.PeerID]int{b.honest.id: honestHost, b.badID: badHost} {
			if err := b.victim.node.AddPeer(id, addrOf(h)); err != nil {
				t.Fatal(err)
			}
		}
		test(b)
		b.stop()
		b.bad.close()
		if err := errors.Join(b.honest.close(), f.net.Close()); err != nil {
			t.Error(err)
		}
		f.wanting, f.holders = []*host{b.victim}, []*host{b.honest}
		if err := (&Result{Traces: map[string][]byte{}}).judge(f); err != nil {
			t.Error(err)
		}
	})
}

func (b *bench) must(h *host, err error) *host {
	if err != nil {
		b.Fatal(err)
	}
	return h
}

// fault is something that goes wrong. cause makes it happen; check looks when all has come to rest. Between the two the
// victim's run goes on for lasts. It is also stopped in the middle, after half of that.
type fault struct {
	name  string
	opts  func(t *testing.T) node.Options
	cause func(b *bench)
	lasts time.Duration
	check func(b *bench)
}

// TestFaults has each fault happen to the end, and with the victim shut down in the middle. The table of
// docs/FAULTS.md names each.
func TestFaults(t *testing.T) {
	for _, list := range [][]fault{wireFaults, holderFaults, floodFaults} {
		for _, f := range list {
			o := func(t *testing.T) node.Options {
				if f.opts == nil {
					return node.Options{}
				}
				return f.opts(t)
			}
			t.Run(f.name, func(t *testing.T) {
				onBench(t, o(t), func(b *bench) {
					f.cause(b)
					time.Sleep(f.lasts)
					synctest.Wait()
					f.check(b)
				})
			})
			t.Run(f.name+", then shutdown in the middle", func(t *testing.T) {
				onBench(t, o(t), func(b *bench) {
					f.cause(b)
					time.Sleep(f.lasts / 2)
					b.stop()
				})
			})
		}
	}
}

// holderFaults are holders that fail, and disks.
var holderFaults = []fault{
	{
		name: "holder killed in the middle",
		cause: func(b *bench) {
			for n := range 4 {
				b.fetch(n, b.honest.id)
			}
			time.Sleep(time.Millisecond / 2) // its requests are on their way
			_ = b.f.net.Cut(honestHost)
		},
		lasts: 20 * time.Second,
		check: func(b *bench) {
			if n := b.outcomes(scheduler.OutcomeTimeout) + b.outcomes(scheduler.OutcomeUnreachable); n != 4 {
				b.Errorf("%d attempts unanswered, want 4: %+v", n, b.stats().Scheduler)
			}
			if c := b.charged(b.honest.id); c[scheduler.ChargeConnectionTimeout] != 4 {
				b.Errorf("charges %v", c)
			}
			_ = b.f.net.Join(honestHost)
			time.Sleep(2 * time.Minute) // the dead connection is idle for long enough
			b.fetch(5, b.honest.id)
			time.Sleep(short.std())
			if n := b.outcomes(scheduler.OutcomeStored); n != 1 {
				b.Errorf("stored %d after it came back", n)
			}
		},
	},
	{
		name: "holder restarted",
		cause: func(b *bench) {
			b.fetch(0, b.honest.id)
			time.Sleep(time.Second)
			_ = b.f.net.Cut(honestHost) // so that it cannot say that it goes
			if err := b.honest.close(); err != nil {
				b.Error(err)
			}
			_ = b.f.net.Join(honestHost)
			b.honest = b.must(b.f.whole(honestHost, node.ShareAndBusy.String(), node.Options{Store: shelf{records: b.f.s.records(bytes.Clone)}}))
			b.fetch(1, b.honest.id)
		},
		lasts: time.Second,
		check: func(b *bench) {
			if n, c := b.outcomes(scheduler.OutcomeStored), b.charged(b.honest.id); n != 2 || c != [4]uint64{} {
				b.Errorf("stored %d, charges %v: %+v", n, c, b.stats().Scheduler)
			}
		},
	},
	{
		name: "full disk",
		opts: func(*testing.T) node.Options { return node.Options{Store: store.NewMemory(1500)} },
		cause: func(b *bench) {
			for n := range 3 {
				b.fetch(n, b.honest.id)
			}
		},
		lasts: time.Second,
		check: func(b *bench) {
			if s, f := b.outcomes(scheduler.OutcomeStored), b.outcomes(scheduler.OutcomeStoreFailed); s != 1 || f != 2 {
				b.Errorf("stored %d, failed %d, want 1 and 2", s, f)
			}
			if c := b.charged(b.honest.id); c != [4]uint64{} {
				b.Errorf("charged for our disk: %v", c)
			}
			if n := b.stats().Scheduler.Silent; n != 0 {
				b.Errorf("%d silent for our disk", n)
			}
		},
	},
	{
		name: "corrupt record on the holder's disk",
		cause: func(b *bench) {
			dir := b.TempDir()
			d, err := store.OpenDisk(dir)
			if err != nil {
				b.Fatal(err)
			}
			key, data := b.record(0)
			if err := d.Put(scheduler.Key(key), data); err != nil {
				b.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, key.String()[:2], key.String()), data[1:], 0o644); err != nil {
				b.Fatal(err)
			}
			if err := b.honest.close(); err != nil {
				b.Error(err)
			}
			b.honest = b.must(b.f.whole(honestHost, node.ShareAndBusy.String(), node.Options{Store: d}))
			b.fetch(0, b.honest.id)
			time.Sleep(time.Second)
			b.fetch(0, b.honest.id) // by now it is set aside
		},
		lasts: time.Second,
		check: func(b *bench) {
			if e, n := b.outcomes(scheduler.OutcomeErrorReply), b.outcomes(scheduler.OutcomeNotFound); e != 1 || n != 1 {
				b.Errorf("error replies %d, not found %d, want 1 and 1", e, n)
			}
			if c := b.charged(b.honest.id); c[scheduler.ChargeApplicationFailure] != 2 {
				b.Errorf("charges %v", c)
			}
		},
	},
	{
		name: "corrupt record from the holder",
		cause: func(b *bench) {
			b.bad.answers(func(q asked) {
				_, data := b.record(1)
				b.bad.send(q.conn, b.bad.seal(q.id, true, &wire.Message{RequestID: q.req.RequestID, Kind: wire.Success, Key: q.req.Key, Data: data}))
			})
			b.fetch(0, b.badID, b.honest.id)
		},
		lasts: time.Second,
		check: func(b *bench) {
			if i, s := b.outcomes(scheduler.OutcomeInvalid), b.outcomes(scheduler.OutcomeStored); i != 1 || s != 1 {
				b.Errorf("invalid %d, stored %d, want 1 and 1", i, s)
			}
			if c := b.charged(b.badID); c[scheduler.ChargeMalformed] != 1 {
				b.Errorf("charges %v", c)
			}
		},
	},
}

func (d Duration) std() time.Duration { return time.Duration(d) }

// droppedAs counts what the victim dropped.
func (b *bench) droppedAs(c wire.Class) uint64 { return b.stats().Transport.Dropped[c] }

// unanswered: the victim took nothing for an answer: the attempt timed out and is charged as that, and went on to the
// honest holder.
func (b *bench) unanswered() {
	b.Helper()
	if n, s := b.outcomes(scheduler.OutcomeTimeout), b.outcomes(scheduler.OutcomeStored); n != 1 || s != 1 {
		b.Errorf("timeouts %d, stored %d, want 1 and 1", n, s)
	}
	if c := b.charged(b.badID); c[scheduler.ChargeConnectionTimeout] != 1 || c[scheduler.ChargeMalformed] != 0 {
		b.Errorf("charges %v", c)
	}
}
