package nettest

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/quic-go/quic-go"

	"fetchproof/impl/node"
	"fetchproof/impl/scheduler"
	"fetchproof/impl/wire"
)

func replaceOnce(s, old, with string) string { return strings.Replace(s, old, with, 1) }

// big is a store with one record of the largest size.
type big struct{ data []byte }

func (b big) Get(scheduler.Key) ([]byte, error) { return b.data, nil }

func (big) Put(scheduler.Key, []byte) error { return nil }

// floodFaults are those who want more than they should get.
var floodFaults = []fault{
	{
		name: "flood of connections",
		cause: func(b *bench) {
			for range 3 * 64 { // MaxInboundPerHost is 64
				_, _ = b.bad.dial(addrOf(victimHost))
			}
			b.fetch(0, b.honest.id)
		},
		lasts: 2 * time.Minute, // longer than connections may be idle
		check: func(b *bench) {
			st := b.stats().Transport
			if st.MostInbound != 64 || st.RefusedConns < 2*64 {
				b.Errorf("%d connections, %d refused", st.MostInbound, st.RefusedConns)
			}
			if st.Inbound != 0 {
				b.Errorf("%d connections after the idle timeout", st.Inbound)
			}
			if n := b.outcomes(scheduler.OutcomeStored); n != 1 {
				b.Errorf("stored %d during the flood", n)
			}
		},
	},
	{
		name: "flood of requests",
		cause: func(b *bench) {
			c, err := b.bad.dial(addrOf(victimHost))
			if err != nil {
				b.Fatal(err)
			}
			b.bad.tasks.Go(func() { b.bad.read(c, func(asked) {}) })
			b.victim.gate.Close()
			for n := range 20 {
				m := &wire.Message{RequestID: uint64(n), Kind: wire.FetchRequest, AsksBusy: true}
				b.bad.send(c, b.bad.seal(wire.NewMessageID([16]byte{byte(n)}), false, m))
			}
		},
		lasts: time.Second,
		check: func(b *bench) {
			r := b.stats().Serve.Responder
			if r.Admitted != 2 || r.RefusedPeerShare != 18 || r.BusyReplied != 2 {
				b.Errorf("%+v", r)
			}
		},
	},
	{
		name: "forged requests",
		cause: func(b *bench) {
			c, err := b.bad.dial(addrOf(victimHost))
			if err != nil {
				b.Fatal(err)
			}
			for n := range 20 {
				buf := b.bad.seal(wire.NewMessageID([16]byte{byte(n)}), false, &wire.Message{Kind: wire.FetchRequest})
				b.bad.send(c, []byte(replaceOnce(string(buf), b.badID.String(), b.honest.id.String())))
			}
		},
		lasts: time.Second,
		check: func(b *bench) {
			if n, r := b.droppedAs(wire.ClassSender), b.stats().Serve.Responder; n != 20 || r.Admitted != 0 {
				b.Errorf("dropped %d, %+v", n, r)
			}
		},
	},
	{
		name: "slow reader",
		opts: func(*testing.T) node.Options {
			return node.Options{Store: big{bytes.Repeat([]byte("x"), wire.MaxRecord)}}
		},
		cause: func(b *bench) {
			c, err := b.bad.dial(addrOf(victimHost))
			if err != nil {
				b.Fatal(err)
			}
			for n := range 2 {
				b.bad.send(c, b.bad.seal(wire.NewMessageID([16]byte{byte(n)}), false, &wire.Message{Kind: wire.FetchRequest}))
			}
		},
		lasts: 31 * time.Second, // FetchTimeout of the responder is 30 s
		check: func(b *bench) {
			if st := b.stats().Serve; st.SendFailed != 2 || st.Responder.Released != 2 || st.ServedBytes != 0 {
				b.Errorf("%+v", st)
			}
		},
	},
	{
		name: "message without end",
		cause: func(b *bench) {
			c, err := b.bad.dial(addrOf(victimHost))
			if err != nil {
				b.Fatal(err)
			}
			s, err := c.OpenUniStreamSync(b.bad.ctx)
			if err != nil {
				b.Fatal(err)
			}
			b.bad.tasks.Go(func() { drown(s) })
		},
		lasts: 10 * time.Second,
		check: func(b *bench) {
			if n, held := b.droppedAs(wire.ClassOversized), b.stats().Transport.Arriving; n != 1 || held != 0 {
				b.Errorf("dropped %d, %d bytes held", n, held)
			}
		},
	},
}

// drown writes until it is told to stop.
func drown(s *quic.SendStream) {
	block := make([]byte, 64<<10)
	for {
		if _, err := s.Write(block); err != nil {
			return
		}
	}
}
