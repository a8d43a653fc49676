package nettest

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/quic-go/quic-go"

	"fetchproof/impl/node"
	"fetchproof/impl/node/store"
	"fetchproof/impl/node/transport"
	"fetchproof/impl/node/worker"
	"fetchproof/impl/scheduler"
	"fetchproof/impl/wire"
	"fetchproof/internal/cputime"
	"fetchproof/props/trace"
)

// The throughput of a node that fetches from twelve others over UDP on the loopback interface, against plain quic-go that
// carries the same signed messages, with the same number in flight: enough to keep the processors busy.
const (
	benchHolders  = 12
	benchInFlight = 24
)

var benchSizes = []int{1 << 10, 64 << 10, 1 << 20}

func benchRecords(n, size int) (keys []wire.Key, records map[scheduler.Key][]byte) {
	records = make(map[scheduler.Key][]byte)
	data := make([]byte, size)
	_, _ = rand.Read(data)
	for i := range n {
		one := append([]byte(nil), data...)
		binary.BigEndian.PutUint64(one, uint64(i))
		k := wire.KeyOf(one)
		keys = append(keys, k)
		records[scheduler.Key(k)] = one
	}
	return keys, records
}

// BenchmarkNode fetches b.N records with nodes. Its recorded variant writes both traces, to nowhere.
func BenchmarkNode(b *testing.B) {
	for _, size := range benchSizes {
		b.Run(fmt.Sprintf("%dKiB", size>>10), func(b *testing.B) { benchNode(b, size, false) })
	}
	b.Run("1KiB-recorded", func(b *testing.B) { benchNode(b, 1<<10, true) })
}

func benchNode(b *testing.B, size int, record bool) {
	keys, records := benchRecords(min(b.N, 64<<20/size), size)
	var nodes []*node.Node
	for i := range benchHolders + 1 {
		n, err := node.Start(benchOptions(b, i, records, record))
		if err != nil {
			b.Fatal(err)
		}
		defer func() { _ = n.Shutdown() }()
		nodes = append(nodes, n)
	}
	fetcher, ids := nodes[0], []wire.PeerID{}
	for _, n := range nodes[1:] {
		ids = append(ids, n.ID())
		if err := fetcher.AddPeer(n.ID(), n.Addr()); err != nil {
			b.Fatal(err)
		}
	}
	b.SetBytes(int64(size))
	b.ResetTimer()
	used := cputime.Self()
	for from := 0; from < b.N; from += len(keys) {
		round := keys[:min(len(keys), b.N-from)]
		items := make([]worker.Item, len(round))
		for i, k := range round {
			items[i] = fetcher.Item(k, ids[i%benchHolders], ids[(i+1)%benchHolders])
		}
		fetcher.Enqueue(items...)
		if err := fetcher.WaitDrained(context.Background(), round); err != nil {
			b.Fatal(err)
		}
	}
	b.StopTimer()
	b.ReportMetric(float64((cputime.Self()-used).Microseconds())/float64(b.N), "cpu-µs/op")
	if n := fetcher.Stats().Scheduler.Counters.Outcomes[scheduler.OutcomeStored]; n != uint64(b.N) {
		b.Errorf("stored %d of %d", n, b.N)
	}
}

func benchOptions(b *testing.B, n int, records map[scheduler.Key][]byte, record bool) node.Options {
	conn, err := Loopback{}.Listen(n)
	if err != nil {
		b.Fatal(err)
	}
	sched := scheduler.Defaults()
	sched.Slots = benchInFlight
	o := node.Options{Conn: conn, Signer: (&Scenario{}).signer(n), Policy: node.ShareAndBusy, Scheduler: &sched}
	if n > 0 {
		o.Store = shelf{records: records}
	} else {
		o.Store = rewritten{store.NewMemory(0)}
	}
	if record {
		o.Requests, o.Serves = trace.Requests{Writer: trace.NewWriter(io.Discard)}, trace.Serves{Writer: trace.NewWriter(io.Discard)}
	}
	return o
}

// rewritten forgets each record, so that any number of rounds fits.
type rewritten struct{ *store.Memory }

func (rewritten) Put(scheduler.Key, []byte) error { return nil }

// BenchmarkPlain does the same with nothing but quic-go and package wire: a stream for each request and its response.
func BenchmarkPlain(b *testing.B) {
	for _, size := range benchSizes {
		b.Run(fmt.Sprintf("%dKiB", size>>10), func(b *testing.B) { benchPlain(b, size) })
	}
}

func benchPlain(b *testing.B, size int) {
	keys, records := benchRecords(min(b.N, 64<<20/size), size)
	ctx, cancel := context.WithCancel(context.Background())
	var servers sync.WaitGroup
	defer servers.Wait()
	defer cancel()
	var conns []*quic.Conn
	for n := range benchHolders {
		tlsConf, err := transport.ServerTLS()
		if err != nil {
			b.Fatal(err)
		}
		l, err := quic.ListenAddr("127.0.0.1:0", tlsConf, &quic.Config{})
		if err != nil {
			b.Fatal(err)
		}
		defer func() { _ = l.Close() }()
		signer := (&Scenario{}).signer(n + 1)
		servers.Go(func() { plainServer(ctx, l, signer, records) })
		c, err := quic.DialAddr(ctx, l.Addr().(*net.UDPAddr).String(), transport.ClientTLS(), &quic.Config{})
		if err != nil {
			b.Fatal(err)
		}
		defer func() { _ = c.CloseWithError(0, "") }()
		conns = append(conns, c)
	}
	signer, verifier := (&Scenario{}).signer(0), wire.NewVerifier(0)
	b.SetBytes(int64(size))
	b.ResetTimer()
	used := cputime.Self()
	var clients sync.WaitGroup
	for c := range benchInFlight {
		clients.Go(func() {
			for i := c; i < b.N; i += benchInFlight {
				if err := plainFetch(ctx, conns[c%benchHolders], signer, verifier, keys[i%len(keys)]); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	clients.Wait()
	b.StopTimer()
	b.ReportMetric(float64((cputime.Self()-used).Microseconds())/float64(b.N), "cpu-µs/op")
}

func plainFetch(ctx context.Context, c *quic.Conn, signer *wire.Signer, v *wire.Verifier, key wire.Key) error {
	s, err := c.OpenStreamSync(ctx)
	if err != nil {
		return err
	}
	m := wire.Message{Kind: wire.FetchRequest, Key: key}
	h := wire.Header{MessageID: wire.NewMessageID([16]byte{1}), Timestamp: uint64(time.Now().Unix())}
	buf, err := wire.SealMessage(nil, signer, &h, &m)
	if err == nil {
		_, err = s.Write(buf)
	}
	if err = errors.Join(err, s.Close()); err != nil {
		return err
	}
	got, err := io.ReadAll(s)
	if err != nil {
		return err
	}
	env, err := v.Open(got)
	if err != nil {
		return err
	}
	_, err = wire.DecodeMessage(env.Payload, &m)
	if verdict := wire.Classify(key, &m, err); verdict.Answer != wire.AnswerRecord {
		return fmt.Errorf("got %v", verdict)
	}
	return nil
}

func plainServer(ctx context.Context, l *quic.Listener, signer *wire.Signer, records map[scheduler.Key][]byte) {
	c, err := l.Accept(ctx)
	if err != nil {
		return
	}
	v := wire.NewVerifier(0)
	var streams sync.WaitGroup
	defer streams.Wait()
	for {
		s, err := c.AcceptStream(ctx)
		if err != nil {
			return
		}
		streams.Go(func() { plainServe(s, v, signer, records) })
	}
}

func plainServe(s *quic.Stream, v *wire.Verifier, signer *wire.Signer, records map[scheduler.Key][]byte) {
	defer func() { _ = s.Close() }()
	buf, err := io.ReadAll(s)
	if err != nil {
		return
	}
	env, err := v.Open(buf)
	if err != nil {
		return
	}
	var r wire.Request
	if _, err := wire.DecodeRequest(env.Payload, &r); err != nil {
		return
	}
	m := wire.Message{Kind: wire.Success, Key: r.Key, Data: records[scheduler.Key(r.Key)]}
	h := wire.Header{MessageID: env.MessageID, IsResponse: true, Timestamp: uint64(time.Now().Unix())}
	if out, err := wire.SealMessage(make([]byte, 0, wire.MessageSize(&m)+8192), signer, &h, &m); err == nil {
		_, _ = s.Write(out)
	}
}
