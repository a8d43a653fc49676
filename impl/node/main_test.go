package node

import (
	"bufio"
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"fetchproof/impl/node/serve"
	"fetchproof/impl/node/worker"
	"fetchproof/impl/responder"
	"fetchproof/impl/scheduler"
	"fetchproof/impl/wire"
)

// ended is a context in which a command does only what needs no waiting.
func ended(t *testing.T) context.Context {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	return ctx
}

// write makes a file of the test's and returns its name.
func write(t *testing.T, name string, data []byte) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// memory is how many bytes were allocated so far.
func memory() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}

// TestUsage: each mistake is the caller's, and the message says where it is; no more
// is read of a file than makes one.
func TestUsage(t *testing.T) {
	id := strings.Repeat("0", 64)
	good := id + "@127.0.0.1:7000"
	file := write(t, "record", []byte("record"))
	large := write(t, "large", make([]byte, wire.MaxRecord+1))
	seed := write(t, "seed", []byte("short"))
	padded := write(t, "padded", []byte(id+strings.Repeat(" ", 961)))
	dir, huge := filepath.Dir(file), write(t, "huge", nil)
	const size = 256 << 20 // not read, so a test's memory says
	if err := os.Truncate(huge, size); err != nil {
		t.Fatal(err)
	}
	allocated := memory()
	defer func() {
		if n := memory() - allocated; n > size/2 {
			t.Errorf("%d bytes allocated: a file was read beyond its bound", n)
		}
	}()
	for _, c := range []struct {
		command Command
		says    string
	}{
		{Command{Listen: "nowhere"}, `usage: address "nowhere": `},
		{Command{Policy: "after"}, `usage: node: policy "after", want one of before, share, busy, share-and-busy`},
		{Command{Peers: []string{"me"}}, `usage: peer "me": want ID@HOST:PORT, the id in 64 hex digits`},
		{Command{Peers: []string{id}}, `usage: peer "` + id + `": want ID@`},
		{Command{Peers: []string{id + "@"}}, `usage: peer "` + id + `@": want ID@`},
		{Command{Peers: []string{"00@127.0.0.1:7000"}}, `usage: peer "00@127.0.0.1:7000": want ID@`},
		{Command{Peers: []string{good, id + "@nowhere"}}, `usage: peer "` + id + `@nowhere": address nowhere`},
		{Command{Peers: []string{"@", good}}, `usage: peer "@": want ID@`},
		{Command{Fetch: []string{"abc"}}, `usage: key "abc": want 64 hex digits`},
		{Command{Fetch: []string{id, "ab"}}, `usage: key "ab": want 64 hex digits`},
		{Command{Fetch: []string{id + "0", id}}, `usage: key "` + id + `0": want 64 hex digits`},
		{Command{Fetch: []string{strings.Repeat("z", 64)}}, `usage: key "z`},
		{Command{SeedFile: seed}, "usage: " + seed + " is no seed: want 64 hex digits"},
		{Command{SeedFile: padded}, "usage: " + padded + ": more than 1024 bytes"},
		{Command{SeedFile: huge}, "usage: " + huge + ": more than 1024 bytes"},
		{Command{SeedFile: dir}, "usage: " + dir + ": not a regular file"},
		{Command{SeedFile: os.DevNull}, "usage: " + os.DevNull + ": not a regular file"},
		{Command{Put: []string{large, file}}, "usage: " + large + ": more than 4194304 bytes"},
		{Command{Put: []string{file, huge}}, "usage: " + huge + ": more than 4194304 bytes"},
		{Command{Put: []string{dir}}, "usage: " + dir + ": not a regular file"},
		{Command{Put: []string{os.DevNull}}, "usage: " + os.DevNull + ": not a regular file"},
	} {
		if c.command.Listen == "" {
			c.command.Listen = "127.0.0.1:0"
		}
		err := Main(ended(t), c.command)
		if !errors.Is(err, ErrUsage) || !strings.HasPrefix(fmt.Sprint(err), c.says) {
			t.Errorf("%+v: %v, want %s", c.command, err, c.says)
		}
	}
}

// TestCannot: what the system refuses is told as it is, and nothing goes on.
func TestCannot(t *testing.T) {
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	file := write(t, "record", []byte("record"))
	key := wire.KeyOf([]byte("record")).String()
	// A file stands where the store would make the directory for the record.
	dir := filepath.Dir(write(t, key[:2], nil))
	missing := filepath.Join(dir, "none", "file")
	for name, c := range map[string]struct {
		command Command
		says    string
	}{
		"the address is taken":              {Command{Listen: conn.LocalAddr().String()}, conn.LocalAddr().String()},
		"no file to keep, last":             {Command{Put: []string{file, missing}}, missing},
		"no file to keep, first":            {Command{Put: []string{missing, file}}, missing},
		"a file is no directory of a store": {Command{StoreDir: file}, file},
		"a record cannot be stored":         {Command{StoreDir: dir, Put: []string{file}}, dir},
		"no directory for the identity":     {Command{SeedFile: missing}, missing},
		"nobody to ask":                     {Command{StoreDir: t.TempDir(), Fetch: []string{key}}, ErrNotFetched.Error()},
		"the time is over":                  {Command{Peers: []string{key + "@" + conn.LocalAddr().String()}, Fetch: []string{key}}, context.Canceled.Error()},
	} {
		if c.command.Listen == "" {
			c.command.Listen = "127.0.0.1:0"
		}
		err := Main(ended(t), c.command)
		if errors.Is(err, ErrUsage) || !strings.Contains(fmt.Sprint(err), c.says) {
			t.Errorf("%s: %v, want %s", name, err, c.says)
		}
	}
}

// failing is a writer whose n-th write fails, counted from 1.
type failing struct {
	bytes.Buffer
	n int
}

var errFailing = errors.New("nobody listens")

func (w *failing) Write(p []byte) (int, error) {
	if w.n--; w.n == 0 {
		return 0, errFailing
	}
	return w.Buffer.Write(p)
}

// TestOutput: the records kept, the node's address, then the keys that it has and
// none that it has not; what cannot be told ends the command.
func TestOutput(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	largest := make([]byte, wire.MaxRecord)
	files := []string{write(t, "small", []byte("small")), write(t, "largest", largest)}
	small, large, absent := wire.KeyOf([]byte("small")), wire.KeyOf(largest), wire.KeyOf(nil)
	c := Command{Listen: "127.0.0.1:0", Put: files, Fetch: []string{small.String(), absent.String(), large.String()}}
	for n := 1; n <= 5; n++ {
		c.Out = &failing{n: n}
		if err := Main(ended(t), c); !errors.Is(err, errFailing) {
			t.Errorf("write %d fails: %v", n, err)
		}
	}
	out := &failing{n: 6}
	c.Out = out
	err := Main(ended(t), c)
	if !errors.Is(err, ErrNotFetched) || !strings.Contains(err.Error(), "1 of 3 are missing") {
		t.Errorf("one of three is nowhere: %v", err)
	}
	lines := strings.Split(out.String(), "\n")
	want := fmt.Sprintf("%s %s\n%s %s\n%s\n%s 5 bytes\n%s 4194304 bytes\n", small, files[0], large, files[1], lines[min(2, len(lines)-1)], small, large)
	if out.String() != want {
		t.Errorf("%q, want %q", out, want)
	}
	if err := Main(ended(t), Command{Listen: "127.0.0.1:0"}); err != nil {
		t.Errorf("told nowhere, and to do nothing: %v", err)
	}
}

// configs is a recorder, of either kind, that keeps the configurations.
type configs struct {
	worker.Recorder
	requests *scheduler.Config
}

func (c *configs) Init(cfg scheduler.Config) { c.requests = &cfg }
func (c *configs) Stop(scheduler.Time)       {}

type serveConfigs struct {
	serve.Recorder
	serves *responder.Config
}

func (c *serveConfigs) Init(cfg responder.Config) { c.serves = &cfg }

// TestCommandPolicy: a command's policy is share-and-busy unless it says another,
// and its recorders and its log are the node's.
func TestCommandPolicy(t *testing.T) {
	for name, share := range map[string]bool{"": true, "before": false, "share": true, "busy": false, "share-and-busy": true} {
		var log bytes.Buffer
		var requests configs
		var serves serveConfigs
		c := Command{Listen: "127.0.0.1:0", Policy: name, Requests: &requests, Serves: &serves, Log: slog.New(slog.NewTextHandler(&log, nil))}
		if err := Main(ended(t), c); err != nil {
			t.Errorf("%q: %v", name, err)
		}
		if cfg := requests.requests; cfg == nil || cfg.Silence != share || (cfg.Share == cfg.Slots) == share && cfg.Slots != 2 {
			t.Errorf("%q: requests as with %+v", name, cfg)
		}
		if serves.serves == nil || !strings.Contains(log.String(), worker.SummaryMessage) {
			t.Errorf("%q: serves as with %v, log %q", name, serves.serves, &log)
		}
	}
}

// TestMainCommand runs a node that holds a file and one that fetches it, over UDP,
// each as a command would; the second finds its store and its identity again.
func TestMainCommand(t *testing.T) {
	dir := t.TempDir()
	file := write(t, "record", bytes.Repeat([]byte("fetch me "), 10_000))
	holding, stop := context.WithCancel(t.Context())
	r, w := io.Pipe()
	held := make(chan error, 1)
	go func() {
		err := Main(holding, Command{Listen: "127.0.0.1:0", StoreDir: filepath.Join(dir, "a"), Put: []string{file}, Out: w})
		_ = w.Close() // always nil
		held <- err
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
	c.SeedFile, c.Peers, c.Fetch = "", nil, nil
	var other bytes.Buffer
	c.Out = &other
	if err := Main(ended(t), c); err != nil || id(&other) == id(&first) {
		t.Errorf("without a file another identity: %q, %v", id(&other), err)
	}
	if info, err := os.Stat(filepath.Join(dir, "seed")); err != nil || info.Mode() != 0o600 {
		t.Errorf("the identity is for its owner alone: %v, %v", info.Mode(), err)
	}
	stop()
	if err := <-held; err != nil {
		t.Error(err)
	}
}

// TestIdentity: the file holds the seed in hex, with space around it or not.
func TestIdentity(t *testing.T) {
	seed := [wire.SeedSize]byte{1, 2, 3}
	for _, format := range []string{"%s", "%s\n", " %s \r\n", "%1024s"} {
		s, err := identity(write(t, "seed", fmt.Appendf(nil, format, hex.EncodeToString(seed[:]))))
		if err != nil || s.ID() != wire.NewSigner(seed).ID() {
			t.Errorf("%q: %v", format, err)
		}
	}
}
