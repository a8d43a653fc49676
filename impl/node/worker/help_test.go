package worker

import (
	"bytes"
	"context"
	"log/slog"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"fetchproof/impl/scheduler"
	"fetchproof/impl/wire"
)

// call is one Fetch that the fake network saw, and when, since the bubble began.
type call struct {
	Request
	at time.Duration
}

// net is a network in which every peer does what its script says.
type net struct {
	mu      sync.Mutex
	start   time.Time
	scripts map[scheduler.Peer]script
	calls   []call
	now     map[scheduler.Peer]int // in flight
	most    map[scheduler.Peer]int
	all     int
	mostAll int
}

// script is what a peer does with a request.
type script func(ctx context.Context, r Request, arrived func()) (Response, error)

func (n *net) Fetch(ctx context.Context, r Request, arrived func()) (Response, error) {
	s := n.enter(r)
	defer n.leave(r)
	return s(ctx, r, arrived)
}

func (n *net) enter(r Request) script {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.calls = append(n.calls, call{r, time.Since(n.start)})
	n.now[r.Peer]++
	n.all++
	n.most[r.Peer] = max(n.most[r.Peer], n.now[r.Peer])
	n.mostAll = max(n.mostAll, n.all)
	return n.scripts[r.Peer]
}

func (n *net) leave(r Request) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.now[r.Peer]--
	n.all--
}

func (n *net) is(p scheduler.Peer, s script) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.scripts[p] = s
}

// asked is how often a key was asked for at a peer.
func (n *net) asked(k scheduler.Key, p scheduler.Peer) int {
	n.mu.Lock()
	defer n.mu.Unlock()
	count := 0
	for _, c := range n.calls {
		if c.Key == k && c.Peer == p {
			count++
		}
	}
	return count
}

// waves is how many requests went out at each moment, and the moments.
func (n *net) waves() (sizes []int, at []time.Duration) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, c := range n.calls {
		if len(at) == 0 || at[len(at)-1] != c.at {
			at, sizes = append(at, c.at), append(sizes, 0)
		}
		sizes[len(sizes)-1]++
	}
	return sizes, at
}

// after waits d, or less if ctx ends.
func after(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// silent never answers.
func silent(ctx context.Context, _ Request, _ func()) (Response, error) {
	<-ctx.Done()
	return Response{}, ctx.Err()
}

// fails ends at once with err.
func fails(err error) script {
	return func(context.Context, Request, func()) (Response, error) { return Response{}, err }
}

// replies answers with m after d. m's key is the one asked for unless it has one.
func replies(d time.Duration, m wire.Message) script {
	return func(ctx context.Context, r Request, arrived func()) (Response, error) {
		if err := after(ctx, d); err != nil {
			return Response{}, err
		}
		m := m
		if m.Key == (wire.Key{}) {
			m.Key = wire.Key(r.Key)
		}
		arrived()
		return Response{Message: m}, nil
	}
}

// serves answers with the record that record(n) named, after d.
func serves(d time.Duration) script {
	return func(ctx context.Context, r Request, arrived func()) (Response, error) {
		s := replies(d, wire.Message{Kind: wire.Success, Data: records[r.Key]})
		return s(ctx, r, arrived)
	}
}

// records are the bytes of the keys that key names.
var records = map[scheduler.Key][]byte{}

// keys are known records; distances grow with the index.
var keys = func() (ks []scheduler.Key) {
	for i := range 512 {
		data := []byte{byte(i), byte(i >> 8), 'r'}
		k := scheduler.Key(wire.KeyOf(data))
		records[k] = data
		ks = append(ks, k)
	}
	return ks
}()

func item(i int, sources ...scheduler.Peer) Item {
	return Item{Key: keys[i], Distance: scheduler.Distance{30: byte(i >> 8), 31: byte(i)}, Sources: sources}
}

func items(n int, sources ...scheduler.Peer) (its []Item) {
	for i := range n {
		its = append(its, item(i, sources...))
	}
	return its
}

var (
	peerA = scheduler.Peer{'A'}
	peerB = scheduler.Peer{'B'}
	peerC = scheduler.Peer{'C'}
)

// memory is a store with a script for what a write does.
type memory struct {
	mu   sync.Mutex
	put  func(scheduler.Key) error // nil: nothing goes wrong
	have map[scheduler.Key]int
}

func (m *memory) Put(k scheduler.Key, _ []byte) error {
	if m.put != nil {
		if err := m.put(k); err != nil {
			return err
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.have[k]++
	return nil
}

// charges counts the charges of every peer.
type charges struct {
	mu   sync.Mutex
	hook func()
	of   map[scheduler.Peer][]scheduler.Charge
}

func (c *charges) Charge(p scheduler.Peer, kind scheduler.Charge) {
	if c.hook != nil {
		c.hook()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.of[p] = append(c.of[p], kind)
}

// bench is a worker and everything around it, to be looked at.
type bench struct {
	*Worker
	net     *net
	store   *memory
	charges *charges
	log     *syncBuffer
	left    *events
}

type events struct {
	mu   sync.Mutex
	list []scheduler.Event
}

func (e *events) add(v scheduler.Event) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.list = append(e.list, v)
}

func (e *events) last() scheduler.Event {
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.list) == 0 {
		return scheduler.Event{}
	}
	return e.list[len(e.list)-1]
}

// syncBuffer is a log that can be read while it is written.
type syncBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *syncBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *syncBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

// config has eight slots, a share of two and timeouts of 5 s.
func config() Config {
	s := scheduler.Defaults()
	s.Slots, s.Share, s.FetchTimeout, s.MarkLifetime, s.HashSeed = 8, 2, 5*time.Second, 0, 1
	s.Derive()
	return Config{Scheduler: s, SummaryEvery: 5 * time.Minute, AsksBusy: true}
}

// before is config as it was before the first change (section 2).
func before() Config {
	c := config()
	c.Scheduler.Share, c.Scheduler.Silence, c.AsksBusy = c.Scheduler.Slots, false, false
	return c
}

// run runs test in a bubble with a worker of cfg, and shuts that down at the end:
// a goroutine that is then left fails the test.
func run(t *testing.T, cfg Config, test func(t *testing.T, b *bench)) {
	runWith(t, cfg, func(*Ports) {}, test)
}

func runWith(t *testing.T, cfg Config, change func(*Ports), test func(t *testing.T, b *bench)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		b := &bench{
			net: &net{
				start: time.Now(), scripts: map[scheduler.Peer]script{},
				now: map[scheduler.Peer]int{}, most: map[scheduler.Peer]int{},
			},
			store:   &memory{have: map[scheduler.Key]int{}},
			charges: &charges{of: map[scheduler.Peer][]scheduler.Charge{}},
			log:     &syncBuffer{}, left: &events{},
		}
		ports := Ports{
			Transport: b.net, Store: b.store, Ledger: b.charges, Clock: NewClock(),
			Rand: rand.New(rand.NewPCG(1, 2)), Notify: b.left.add, Log: slog.New(slog.NewTextHandler(b.log, nil)),
		}
		change(&ports)
		w, err := New(cfg, ports)
		if err != nil {
			t.Fatal(err)
		}
		b.Worker = w
		defer w.Shutdown()
		test(t, b)
	})
}

// drain waits, in virtual time, until the keys are in no stage, and says how long
// that took.
func (b *bench) drain(t *testing.T, its []Item) time.Duration {
	t.Helper()
	var ks []scheduler.Key
	for _, it := range its {
		ks = append(ks, it.Key)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
	defer cancel()
	if err := b.WaitDrained(ctx, ks); err != nil {
		t.Fatalf("not drained after an hour: %v, %+v", err, b.Snapshot())
	}
	return time.Since(b.net.start)
}
