package node

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"strings"

	"fetchproof/impl/node/serve"
	"fetchproof/impl/node/store"
	"fetchproof/impl/node/worker"
	"fetchproof/impl/wire"
)

// Command is a node as a command line describes it.
type Command struct {
	// Listen is the UDP address, such as "127.0.0.1:7000".
	Listen string
	// SeedFile holds the identity's seed in hex; it is made if it is not there.
	// Empty: a new identity each time.
	SeedFile string
	// StoreDir is where records are kept; empty is in memory.
	StoreDir string
	// Peers are "ID@HOST:PORT", in preference order.
	Peers []string
	// Fetch are the keys to fetch, in hex, each from all peers. Then the command
	// ends; with none it serves until its context ends.
	Fetch []string
	// Put are files to be kept as records before the node starts.
	Put []string
	// Policy is a policy's name; empty is share-and-busy.
	Policy string

	Requests worker.Recorder // may be nil, as the next three
	Serves   serve.Recorder
	Log      *slog.Logger
	Out      io.Writer
}

// ErrUsage is wrapped by errors that are the caller's mistake.
var ErrUsage = errors.New("usage")

// ErrNotFetched: a key left the pipeline without its record.
var ErrNotFetched = errors.New("not every record was fetched")

// Main runs a node until its work is done or ctx ends, and shuts it down. It writes
// its address as "ID@HOST:PORT" first, and then each key it has fetched.
func Main(ctx context.Context, c Command) (err error) {
	p, err := c.plan()
	if err != nil {
		return err
	}
	if err := c.put(p.Store); err != nil {
		return errors.Join(err, p.Conn.Close())
	}
	n, err := Start(p.Options)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, n.Shutdown()) }()
	if _, err := fmt.Fprintf(c.Out, "%s@%s\n", n.ID(), n.Addr()); err != nil {
		return err
	}
	ids := make([]wire.PeerID, len(p.peers))
	for i, at := range p.peers {
		ids[i] = at.id
		if err := n.AddPeer(at.id, at.addr); err != nil {
			return err
		}
	}
	if len(p.keys) == 0 {
		<-ctx.Done()
		return nil
	}
	return n.fetch(ctx, c.Out, p.keys, ids)
}

// fetch fetches the keys and says which came.
func (n *Node) fetch(ctx context.Context, out io.Writer, keys []wire.Key, from []wire.PeerID) error {
	items := make([]worker.Item, len(keys))
	for i, k := range keys {
		items[i] = n.Item(k, from...)
	}
	n.Enqueue(items...)
	if err := n.WaitDrained(ctx, keys); err != nil {
		return err
	}
	missing := 0
	for _, k := range keys {
		data, err := n.store.Get([32]byte(k))
		if err != nil {
			missing++
			continue
		}
		if _, err := fmt.Fprintf(out, "%s %d bytes\n", k, len(data)); err != nil {
			return err
		}
	}
	if missing > 0 {
		return fmt.Errorf("%w: %d of %d are missing", ErrNotFetched, missing, len(keys))
	}
	return nil
}

// plan is a command that was read: the node, and what it is to do.
type plan struct {
	Options
	peers []peerAddr
	keys  []wire.Key
}

type peerAddr struct {
	id   wire.PeerID
	addr net.Addr
}

// plan reads the command, and opens the socket once all of it makes sense.
func (c *Command) plan() (*plan, error) {
	if c.Out == nil {
		c.Out = io.Discard
	}
	p := &plan{Options: Options{Policy: ShareAndBusy, Requests: c.Requests, Serves: c.Serves, Log: c.Log, Store: store.NewMemory(0)}}
	var err error
	if c.Policy != "" {
		if p.Policy, err = ParsePolicy(c.Policy); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrUsage, err)
		}
	}
	for _, s := range c.Peers {
		at, err := parsePeer(s)
		if err != nil {
			return nil, err
		}
		p.peers = append(p.peers, at)
	}
	for _, s := range c.Fetch {
		k, ok := parseHex(s)
		if !ok {
			return nil, fmt.Errorf("%w: key %q: want 64 hex digits", ErrUsage, s)
		}
		p.keys = append(p.keys, k)
	}
	addr, err := net.ResolveUDPAddr("udp", c.Listen)
	if err != nil {
		return nil, fmt.Errorf("%w: address %q: %w", ErrUsage, c.Listen, err)
	}
	if c.StoreDir != "" {
		if p.Store, err = store.OpenDisk(c.StoreDir); err != nil {
			return nil, err
		}
	}
	if p.Signer, err = identity(c.SeedFile); err != nil {
		return nil, err
	}
	if p.Conn, err = net.ListenUDP("udp", addr); err != nil {
		return nil, err
	}
	return p, nil
}

// put keeps files as records, and says under which keys.
func (c *Command) put(s Store) error {
	for _, name := range c.Put {
		data, err := readFile(name, wire.MaxRecord)
		if err != nil {
			return err
		}
		k := wire.KeyOf(data)
		if err := s.Put([32]byte(k), data); err != nil {
			return err
		}
		if _, err := fmt.Fprintf(c.Out, "%s %s\n", k, name); err != nil {
			return err
		}
	}
	return nil
}

// readFile reads a regular file of at most most bytes; any other is the caller's
// mistake. One that is not regular is refused unopened: opening or reading it may
// never end.
func readFile(name string, most int64) ([]byte, error) {
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%w: %s: not a regular file", ErrUsage, name)
	}
	data, err := store.ReadBounded(name, most) // says so if there is no such file
	if int64(len(data)) > most {
		return nil, fmt.Errorf("%w: %s: more than %d bytes", ErrUsage, name, most)
	}
	return data, err
}

func parsePeer(s string) (peerAddr, error) {
	id, at, _ := strings.Cut(s, "@")
	raw, ok := parseHex(id)
	if !ok || at == "" {
		return peerAddr{}, fmt.Errorf("%w: peer %q: want ID@HOST:PORT, the id in 64 hex digits", ErrUsage, s)
	}
	addr, err := net.ResolveUDPAddr("udp", at)
	if err != nil {
		return peerAddr{}, fmt.Errorf("%w: peer %q: %w", ErrUsage, s, err)
	}
	return peerAddr{wire.PeerID(raw), addr}, nil
}

func parseHex(s string) (b [32]byte, ok bool) {
	raw, err := hex.DecodeString(s)
	if err != nil || len(raw) != len(b) {
		return [32]byte{}, false
	}
	return [32]byte(raw), true
}
