// Package node is one node of the network: a requester worker, a server, a QUIC
// transport between nodes, a record store and a trust ledger, put together.
package node

import (
	crand "crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net"
	"time"

	"fetchproof/impl/node/serve"
	"fetchproof/impl/node/store"
	"fetchproof/impl/node/transport"
	"fetchproof/impl/node/trust"
	"fetchproof/impl/node/worker"
	"fetchproof/impl/responder"
	"fetchproof/impl/scheduler"
	"fetchproof/impl/wire"
)

// Store keeps records; package store has two. If the record is not there, Get's
// error is or wraps store.ErrNotFound; any other error is a failure, and answered
// as one (RSP-8).
type Store interface {
	worker.Store
	serve.Store
}

// Options says what a node is made of. Conn and Signer must be given.
type Options struct {
	// Conn is the node's socket, which the node owns from then on.
	Conn net.PacketConn
	// Signer is its identity.
	Signer *wire.Signer
	// Policy says which of the two changes it has.
	Policy Policy

	// The parts' settings; nil is the defaults. The policy overrides Share and Silence.
	Scheduler *scheduler.Config
	Responder *responder.Config
	Transport *transport.Config
	// SummaryEvery is the time between two dispatch summaries; 0 is 5 minutes.
	SummaryEvery time.Duration
	// PendingMaxAge is when a pending key is evicted; 0 is 30 minutes. Only a node
	// with Verify evicts.
	PendingMaxAge time.Duration

	// Store keeps the records; nil is one in memory without a limit.
	Store Store
	// Ledger takes the charges; nil is one of the node's own.
	Ledger *trust.Ledger
	// Verify says which holders of a pending key are verified, in preference
	// order; then the node promotes each key that is due. It must not block. nil:
	// the caller promotes.
	Verify func(scheduler.Key) []scheduler.Peer
	// Responsible says whether the node still has to hold a key; nil is always.
	Responsible func(scheduler.Key) bool
	// Notify is told what leaves the pipeline or returns to pending; may be nil.
	Notify func(scheduler.Event)

	// Requests and Serves are told every operation on the scheduler and on the
	// responder (WRK-5); may be nil.
	Requests worker.Recorder
	Serves   serve.Recorder
	// Gate holds admitted requests back while closed, for tests; may be nil.
	Gate *serve.Gate
	// Rand draws busy waits; nil is seeded by the system.
	Rand worker.Rand
	// Log may be nil.
	Log *slog.Logger
}

// Node is a running node. It is safe for concurrent use.
type Node struct {
	id        wire.PeerID
	clock     worker.Clock
	worker    *worker.Worker
	server    *serve.Server
	transport *transport.Transport
	ledger    *trust.Ledger
	store     Store
	promoter  *promoter // nil without Verify
}

// Start starts a node. The caller must call Shutdown. On failure the socket is
// closed.
func Start(o Options) (*Node, error) {
	if o.Conn == nil {
		return nil, errors.New("node: Conn must be given")
	}
	if o.Signer == nil {
		return nil, errors.Join(errors.New("node: Signer must be given"), o.Conn.Close())
	}
	o.setDefaults()
	n := &Node{id: o.Signer.ID(), clock: worker.NewClock(), ledger: o.Ledger, store: o.Store}
	if err := n.start(&o); err != nil {
		return nil, errors.Join(err, n.Shutdown(), o.Conn.Close())
	}
	return n, nil
}

func (o *Options) setDefaults() {
	if o.Scheduler == nil {
		o.Scheduler = new(scheduler.Defaults())
	}
	if o.Responder == nil {
		o.Responder = new(responder.Defaults())
	}
	if o.Transport == nil {
		o.Transport = new(transport.Defaults())
	}
	if o.SummaryEvery == 0 {
		o.SummaryEvery = 5 * time.Minute
	}
	if o.PendingMaxAge == 0 {
		o.PendingMaxAge = 30 * time.Minute
	}
	if o.Store == nil {
		o.Store = store.NewMemory(0)
	}
	if o.Ledger == nil {
		o.Ledger = trust.NewLedger(0)
	}
	if o.Rand == nil {
		var seed [32]byte
		_, _ = crand.Read(seed[:]) // never fails, see its documentation
		o.Rand = rand.New(rand.NewChaCha8(seed))
	}
}

// start makes the parts, the transport last: what it delivers finds them all there.
func (n *Node) start(o *Options) (err error) {
	n.server, err = serve.New(serve.Config{Responder: *o.Responder, AnswersBusy: o.Policy.busy()}, serve.Ports{
		Store: n.store, Clock: n.clock, Recorder: o.Serves, Gate: o.Gate, Log: o.Log,
		Missing: func(err error) bool { return errors.Is(err, store.ErrNotFound) },
	})
	if err != nil {
		return err
	}
	cfg := worker.Config{
		Scheduler: o.Policy.scheduler(*o.Scheduler), SummaryEvery: o.SummaryEvery, AsksBusy: o.Policy.busy(),
	}
	// A link, because worker and transport need each other: it is set before the
	// worker is given anything to do.
	var l link
	n.worker, err = worker.New(cfg, worker.Ports{
		Transport: &l, Store: n.store, Ledger: n.ledger, Clock: n.clock, Rand: o.Rand,
		Recorder: o.Requests, Responsible: o.Responsible, Notify: n.notify(o.Notify), Log: o.Log,
	})
	if err != nil {
		return err
	}
	n.transport, err = transport.New(*o.Transport, o.Conn, o.Signer, n.handle, o.Log)
	if err != nil {
		return err
	}
	l.Transport = n.transport
	if o.Verify != nil {
		n.promoter = newPromoter(n, o)
	}
	return nil
}

type link struct{ worker.Transport }

func (n *Node) handle(from wire.PeerID, req wire.Request, reply transport.Reply) {
	n.server.Handle(responder.Peer(from), req, reply)
}

func (n *Node) notify(next func(scheduler.Event)) func(scheduler.Event) {
	return func(e scheduler.Event) {
		if n.promoter != nil && e.Kind == scheduler.EventPending {
			n.promoter.later(e.Key)
		}
		if next != nil {
			next(e)
		}
	}
}

// Shutdown ends the node: no new attempts, the running ones cancelled and waited
// for, the last summary written, what is being served cut off, connections and the
// socket closed, and no goroutine left (WRK-4, LIV-5).
func (n *Node) Shutdown() error {
	if n.promoter != nil {
		n.promoter.stop()
	}
	if n.worker != nil {
		n.worker.Shutdown()
	}
	if n.server != nil {
		n.server.Shutdown()
	}
	if n.transport == nil {
		return nil
	}
	if err := n.transport.Close(); err != nil {
		return fmt.Errorf("node: closing: %w", err)
	}
	return nil
}
