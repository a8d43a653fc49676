package nettest

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net"
	"sync"
	"time"

	"fetchproof/impl/node"
	"fetchproof/impl/node/serve"
	"fetchproof/impl/node/store"
	"fetchproof/impl/node/transport"
	"fetchproof/impl/responder"
	"fetchproof/impl/scheduler"
	"fetchproof/impl/wire"
	"fetchproof/props/trace"
)

// host is one running node, with everything that it writes down.
type host struct {
	id       wire.PeerID
	addr     net.Addr
	node     *node.Node           // nil if it is not a whole node
	bare     *transport.Transport // of a holder that only listens
	gate     *serve.Gate
	requests bytes.Buffer
	serves   bytes.Buffer
	tally    *tally
	places   *places
}

func (h *host) close() error {
	switch {
	case h.node != nil:
		return h.node.Shutdown()
	case h.bare != nil:
		return h.bare.Close()
	}
	return nil
}

// fleet is all nodes of one run.
type fleet struct {
	s       *Scenario
	net     Network
	log     *slog.Logger
	holders []*host
	wanting []*host
	idle    []*host
	flood   []*host

	ctx    context.Context // ends with the run
	stop   context.CancelFunc
	timers sync.WaitGroup // of leaving holders, gates and flooders
	laters []later        // what is to happen once the run has begun

	mu        sync.Mutex // guards all below
	former    []*host    // holders before they were restarted
	failed    error      // what could not be done on the way
	wants     map[scheduler.Key]*want
	remaining int
	done      chan struct{} // closed when none remain
}

// signer is the identity of host n of a scenario.
func (s *Scenario) signer(n int) *wire.Signer {
	var seed [wire.SeedSize]byte
	binary.BigEndian.PutUint64(seed[:], s.Seed)
	binary.BigEndian.PutUint64(seed[8:], uint64(n))
	return wire.NewSigner(seed)
}

// record is the bytes of a requester's record.
func (s *Scenario) record(requester, key int) (wire.Key, []byte) {
	data := make([]byte, s.RecordSize)
	r := rand.New(rand.NewPCG(s.Seed^0x7265636f7264, uint64(requester)<<32|uint64(key)))
	for i := range data {
		data[i] = byte(r.Uint32())
	}
	return wire.KeyOf(data), data
}

// records is what every serving holder has.
func (s *Scenario) records(change func([]byte) []byte) map[scheduler.Key][]byte {
	all := make(map[scheduler.Key][]byte)
	for r := range s.Requesters {
		for k := range s.Keys {
			key, data := s.record(r, k)
			all[scheduler.Key(key)] = change(data)
		}
	}
	return all
}

// shelf is a holder's records, which may be slow, missing or wrong.
type shelf struct {
	records map[scheduler.Key][]byte
	slow    time.Duration
}

func (s shelf) Get(k scheduler.Key) ([]byte, error) {
	time.Sleep(s.slow)
	if data, ok := s.records[k]; ok {
		return data, nil
	}
	return nil, store.ErrNotFound
}

func (shelf) Put(scheduler.Key, []byte) error { return errors.New("nettest: a holder fetches nothing") }

// build starts every node.
func build(s *Scenario, policy string, network Network, log *slog.Logger) (f *fleet, err error) {
	f = &fleet{s: s, net: network, log: log, done: make(chan struct{})}
	f.ctx, f.stop = context.WithCancel(context.Background())
	defer func() {
		if err != nil {
			err = errors.Join(err, f.close())
		}
	}()
	for i, spec := range s.Holders {
		h, err := f.holder(i, spec, s.holderPolicy(policy))
		if err != nil {
			return f, err
		}
		f.holders = append(f.holders, h)
	}
	for i := range s.Requesters + s.Idle {
		h, err := f.whole(len(s.Holders)+i, policy, node.Options{})
		if err != nil {
			return f, err
		}
		if i < s.Requesters {
			f.wanting = append(f.wanting, h)
		} else {
			f.idle = append(f.idle, h)
		}
	}
	for i := range s.Flooders {
		h, err := f.silent(len(s.Holders) + s.Requesters + s.Idle + i)
		if err != nil {
			return f, err
		}
		f.flood = append(f.flood, h)
	}
	return f, f.introduce()
}

// introduce tells the requesters and the flooders where the holders are.
func (f *fleet) introduce() error {
	for _, h := range f.holders {
		for _, w := range f.wanting {
			if err := w.node.AddPeer(h.id, h.addr); err != nil {
				return err
			}
		}
		for _, x := range f.flood {
			if err := x.bare.AddPeer(h.id, h.addr); err != nil {
				return err
			}
		}
	}
	return nil
}

func (f *fleet) holder(n int, spec Holder, policy string) (*host, error) {
	switch spec.Does {
	case Dead:
		return &host{id: f.s.signer(n).ID(), addr: addrOf(n)}, nil
	case Silent:
		return f.silent(n)
	}
	st := shelf{slow: time.Duration(spec.Slow)}
	switch spec.Does {
	case Lying:
		st.records = f.s.records(func(b []byte) []byte { return append([]byte("lie"), b...) })
	case Empty:
	default:
		st.records = f.s.records(func(b []byte) []byte { return b })
	}
	h, err := f.whole(n, policy, node.Options{Store: st})
	if err != nil {
		return nil, err
	}
	if spec.Gate > 0 {
		h.gate.Close()
		f.later(time.Duration(spec.Gate), h.gate.Open)
	}
	f.change(n, spec, h, policy, st)
	return h, nil
}

// change schedules what happens to a holder.
func (f *fleet) change(n int, spec Holder, h *host, policy string, st shelf) {
	at := time.Duration(spec.At)
	switch spec.Does {
	case Leaving:
		f.later(at, func() { _ = f.net.Cut(n) })
		if spec.Back > spec.At {
			f.later(time.Duration(spec.Back), func() { _ = f.net.Join(n) })
		}
	case Departing:
		f.later(at, func() {
			_ = f.net.Cut(n)
			for _, w := range f.wanting {
				w.node.Depart(h.id)
			}
		})
	case Restarting:
		f.later(at, func() { f.restart(n, h, policy, st) })
	}
}

// restart stops a holder without a word and starts it again, with the same identity, address and records.
func (f *fleet) restart(n int, old *host, policy string, st shelf) {
	_ = f.net.Cut(n)
	err := old.close()
	_ = f.net.Join(n)
	h, err2 := f.whole(n, policy, node.Options{Store: st})
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.failed = errors.Join(f.failed, err, err2); err2 == nil {
		f.former = append(f.former, old)
		f.holders[n] = h
	}
}

// later is something that happens at a time of the run.
type later struct {
	at time.Duration
	do func()
}

// later has do called d after the run has begun, unless the run is over by then.
func (f *fleet) later(d time.Duration, do func()) { f.laters = append(f.laters, later{d, do}) }

// wait does it when its time has come, unless ctx ends before.
func (l later) wait(ctx context.Context) {
	t := time.NewTimer(l.at)
	defer t.Stop()
	select {
	case <-t.C:
		l.do()
	case <-ctx.Done():
	}
}

// silent is a node that takes messages and says nothing.
func (f *fleet) silent(n int) (*host, error) {
	conn, err := f.net.Listen(n)
	if err != nil {
		return nil, err
	}
	signer := f.s.signer(n)
	t, err := transport.New(transport.Defaults(), conn, signer, nil, f.log)
	if err != nil {
		return nil, err
	}
	return &host{id: signer.ID(), addr: t.Addr(), bare: t}, nil
}

// whole is a node with all its parts, recorded.
func (f *fleet) whole(n int, policy string, o node.Options) (*host, error) {
	p, err := node.ParsePolicy(policy)
	if err != nil {
		return nil, err
	}
	h := &host{gate: serve.NewGate()}
	h.tally = newTally(trace.Requests{Writer: trace.NewWriter(&h.requests)})
	h.places = newPlaces(trace.Serves{Writer: trace.NewWriter(&h.serves)})
	if o.Conn, err = f.net.Listen(n); err != nil {
		return nil, err
	}
	sched, resp, tr := scheduler.Defaults(), responder.Defaults(), transport.Defaults()
	sched.Slots, sched.FetchTimeout, sched.MarkLifetime = f.s.Slots, time.Duration(f.s.Timeout), 0
	sched.Derive()
	sched.HashSeed, resp.HashSeed = f.s.Seed|1, f.s.Seed|1 // the tables too are the scenario's
	tr.IdleTimeout = max(tr.IdleTimeout, 2*sched.FetchTimeout)
	if _, one := f.net.(Loopback); one {
		tr.MaxInboundPerHost = tr.MaxInbound // all nodes are on one host
	}
	o.Signer, o.Policy, o.Scheduler, o.Responder, o.Transport = f.s.signer(n), p, &sched, &resp, &tr
	o.Requests, o.Serves, o.Gate, o.Log = h.tally, h.places, h.gate, f.log
	o.Rand = rand.New(rand.NewPCG(f.s.Seed, uint64(n)))
	o.Notify = func(e scheduler.Event) { f.notify(h, e) }
	if f.s.Verified {
		o.Verify = f.verify
	}
	if h.node, err = node.Start(o); err != nil {
		return nil, fmt.Errorf("nettest: host %d: %w", n, err)
	}
	h.id, h.addr = h.node.ID(), h.node.Addr()
	return h, nil
}

// close ends every node, and then the network.
func (f *fleet) close() error {
	f.stop()
	f.timers.Wait()
	var err error
	for _, list := range [][]*host{f.flood, f.wanting, f.idle, f.holders} {
		for _, h := range list {
			err = errors.Join(err, h.close())
		}
	}
	return errors.Join(err, f.failed, f.net.Close())
}
