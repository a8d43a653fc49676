package node

import (
	"context"
	"net"

	"fetchproof/impl/node/serve"
	"fetchproof/impl/node/transport"
	"fetchproof/impl/node/trust"
	"fetchproof/impl/node/worker"
	"fetchproof/impl/scheduler"
	"fetchproof/impl/wire"
)

// ID is the node's peer id.
func (n *Node) ID() wire.PeerID { return n.id }

// Addr is where it listens.
func (n *Node) Addr() net.Addr { return n.transport.Addr() }

// Store is where its records are.
func (n *Node) Store() Store { return n.store }

// Ledger is where it charges holders.
func (n *Node) Ledger() *trust.Ledger { return n.ledger }

// AddPeer says where a peer is.
func (n *Node) AddPeer(peer wire.PeerID, addr net.Addr) error { return n.transport.AddPeer(peer, addr) }

// Depart takes a peer that left the network out of everything that could still lead
// to it. Running attempts at it go on (DEP-4).
func (n *Node) Depart(peer wire.PeerID) {
	n.worker.Depart(scheduler.Peer(peer))
	n.transport.ForgetPeer(peer)
}

// Item is a key to fetch, with its distance to this node.
func (n *Node) Item(key wire.Key, holders ...wire.PeerID) worker.Item {
	it := worker.Item{Key: scheduler.Key(key)}
	for i := range key {
		it.Distance[i] = key[i] ^ n.id[i]
	}
	for _, h := range holders {
		it.Sources = append(it.Sources, scheduler.Peer(h))
	}
	return it
}

// Enqueue fetches records from holders that are known to have them (PND-5).
func (n *Node) Enqueue(items ...worker.Item) []scheduler.EnqueueResult {
	return n.worker.Enqueue(items...)
}

// Advertise takes an advertisement of a key (PND-2). With Options.Verify the node
// then sees to it.
func (n *Node) Advertise(key wire.Key, hints ...scheduler.Hint) scheduler.AddResult {
	r := n.worker.Add(scheduler.Key(key), hints)
	if r == scheduler.Admitted && n.promoter != nil {
		n.promoter.now(scheduler.Key(key))
	}
	return r
}

// WaitDrained waits until none of the keys is in any stage (BOOT-1), or ctx ends.
func (n *Node) WaitDrained(ctx context.Context, keys []wire.Key) error {
	ks := make([]scheduler.Key, len(keys))
	for i, k := range keys {
		ks[i] = scheduler.Key(k)
	}
	return n.worker.WaitDrained(ctx, ks)
}

// Worker is the node's requester, for what this type does not offer.
func (n *Node) Worker() *worker.Worker { return n.worker }

// Stats is what a node did so far.
type Stats struct {
	Scheduler scheduler.Snapshot
	Serve     serve.Stats
	Transport transport.Stats
}

// Stats returns what the node did so far; each part is of one moment.
func (n *Node) Stats() Stats {
	return Stats{Scheduler: n.worker.Snapshot(), Serve: n.server.Stats(), Transport: n.transport.Stats()}
}
