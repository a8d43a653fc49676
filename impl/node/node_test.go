package node

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"fetchproof/impl/scheduler"
	"fetchproof/impl/wire"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestPolicies(t *testing.T) {
	for p := Before; p <= ShareAndBusy; p++ {
		back, err := ParsePolicy(p.String())
		if err != nil || back != p {
			t.Errorf("%v: %v, %v", p, back, err)
		}
	}
	if _, err := ParsePolicy("after"); err == nil {
		t.Error("no such policy")
	}
	cfg := scheduler.Defaults()
	cfg.Slots = 8
	if c := Before.scheduler(cfg); c.Share != 8 || c.Silence {
		t.Errorf("before: %+v", c)
	}
	if c := ShareAndBusy.scheduler(cfg); c.Share != 2 || !c.Silence {
		t.Errorf("share and busy: %+v", c)
	}
}

// TestMainCommand runs a node that holds a file and one that fetches it, over UDP,
// each as a command would; the second finds its store and its identity again.
func TestMainCommand(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "record")
	if err := os.WriteFile(file, bytes.Repeat([]byte("fetch me "), 10_000), 0o644); err != nil {
		t.Fatal(err)
	}
	holding, stop := context.WithCancel(t.Context())
	r, w := io.Pipe()
	held := make(chan error, 1)
	go func() {
		held <- Main(holding, Command{Listen: "127.0.0.1:0", StoreDir: filepath.Join(dir, "a"), Put: []string{file}, Out: w})
	}()
	out := bufio.NewScanner(r)
	out.Scan()
	key, _, _ := strings.Cut(out.Text(), " ")
	out.Scan()
	peer := out.Text()

	c := Command{
		Listen: "127.0.0.1:0", StoreDir: filepath.Join(dir, "b"), SeedFile: filepath.Join(dir, "seed"),
		Peers: []string{peer}, Fetch: []string{key},
	}
	var first, second bytes.Buffer
	c.Out = &first
	if err := Main(t.Context(), c); err != nil {
		t.Error(err)
	}
	if !strings.Contains(first.String(), key+" 90000 bytes") {
		t.Errorf("fetched: %s", &first)
	}
	c.Out, c.Fetch = &second, []string{strings.Repeat("0", 64)}
	if err := Main(t.Context(), c); !errors.Is(err, ErrNotFetched) {
		t.Errorf("a key that nobody has: %v", err)
	}
	id := func(b *bytes.Buffer) string { s, _, _ := strings.Cut(b.String(), "@"); return s }
	if id(&first) != id(&second) || len(id(&first)) != 64 {
		t.Errorf("identities %q and %q", id(&first), id(&second))
	}
	stop()
	if err := <-held; err != nil {
		t.Error(err)
	}
}

func TestUsage(t *testing.T) {
	bad := filepath.Join(t.TempDir(), "seed")
	if err := os.WriteFile(bad, []byte("short"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []Command{
		{Listen: "nowhere"},
		{Listen: "127.0.0.1:0", Policy: "after"},
		{Listen: "127.0.0.1:0", Peers: []string{"me"}},
		{Listen: "127.0.0.1:0", Peers: []string{strings.Repeat("0", 64) + "@nowhere"}},
		{Listen: "127.0.0.1:0", Fetch: []string{"abc"}},
		{Listen: "127.0.0.1:0", SeedFile: bad},
	} {
		if err := Main(t.Context(), c); !errors.Is(err, ErrUsage) {
			t.Errorf("%+v: %v", c, err)
		}
	}
	if _, err := Start(Options{}); err == nil {
		t.Error("no socket")
	}
}

// TestDistance: the distance of a key is its XOR with the node's id.
func TestDistance(t *testing.T) {
	n := Node{id: wire.PeerID{0xf0, 1}}
	if d := n.Item(wire.Key{0x0f, 1}).Distance; d != (scheduler.Distance{0xff}) {
		t.Errorf("%x", d)
	}
}
