package serve

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"fetchproof/impl/responder"
	"fetchproof/impl/scheduler"
	"fetchproof/impl/wire"
)

var (
	errGone = errors.New("no such record")
	errIO   = errors.New("/secret/path: input/output error")
)

// shelf has one record, under each key but the named ones.
type shelf struct{}

var missing, broken, rigged = wire.Key{1}, wire.Key{2}, wire.Key{3}

func (shelf) Get(k scheduler.Key) ([]byte, error) {
	switch wire.Key(k) {
	case missing:
		return nil, errGone
	case broken:
		return nil, errIO
	case rigged:
		panic("in the store")
	}
	return []byte("record"), nil
}

type sinceStart struct{ start time.Time }

func (c sinceStart) Now() scheduler.Time { return scheduler.Time(time.Since(c.start)) }

// inbox is where replies go.
type inbox struct {
	mu   sync.Mutex
	got  []wire.Message
	slow time.Duration // how long a send takes
	err  error
	// after is called when a reply was sent and reply has not returned.
	after func()
}

func (b *inbox) reply(ctx context.Context, m *wire.Message, sent func()) error {
	t := time.NewTimer(b.slow)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
		return ctx.Err()
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.err != nil {
		return b.err
	}
	sent()
	if b.after != nil {
		b.after()
	}
	b.got = append(b.got, m.Clone())
	return nil
}

func (b *inbox) kinds() (n map[wire.Kind]int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	n = map[wire.Kind]int{}
	for _, m := range b.got {
		n[m.Kind]++
	}
	return n
}

// book is a recorder that counts what it is told, and finds places and permits given back twice.
type book struct {
	t                                       *testing.T
	inits, requests, takes, releases, sends uint64
}

func (b *book) Init(responder.Config) { b.inits++ }

func (b *book) Request(int64, responder.Peer, bool, *responder.Decision) { b.requests++ }

func (b *book) Take(_ int64, t responder.Ticket, r responder.Taken) {
	if b.takes++; r == responder.TakeStale {
		b.t.Errorf("ticket %d taken twice", t)
	}
}

func (b *book) Release(_ int64, t responder.Ticket, ok bool) {
	if b.releases++; !ok {
		b.t.Errorf("ticket %d released twice", t)
	}
}

func (b *book) SendDone(_ int64, s responder.Send, ok bool) {
	if b.sends++; !ok {
		b.t.Errorf("send %d ended twice", s)
	}
}

// complete finds that the recorder was told everything that the server says it did.
func (b *book) complete(st Stats) {
	r := st.Responder
	taken := r.Shed + st.Served + st.NotFound + st.Errors + st.SendFailed // and those whose serving panicked
	if b.inits != 1 || b.requests != r.Admitted+r.RefusedPeerShare+r.RefusedPool || b.releases != r.Released ||
		b.sends != r.SendsDone || b.sends != st.BusySent+st.BusyFailed || b.takes < taken || b.takes > r.Admitted {
		b.t.Errorf("the recorder was told %+v of %+v", *b, st)
	}
}

type bench struct {
	*Server
	gate *Gate
	log  *bytes.Buffer
	box  *inbox
}

// run runs test in a bubble with a server that is shut down at the end. Then no
// place and no permit is held, and every place was released once.
func run(t *testing.T, busy bool, test func(t *testing.T, b *bench)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		b := &bench{gate: NewGate(), log: &bytes.Buffer{}, box: &inbox{}}
		told := &book{t: t}
		resp := responder.Defaults()
		resp.HashSeed = 1
		s, err := New(Config{Responder: resp, AnswersBusy: busy}, Ports{
			Store: shelf{}, Clock: sinceStart{time.Now()}, Gate: b.gate, Recorder: told,
			Missing: func(err error) bool { return errors.Is(err, errGone) }, Log: slog.New(slog.NewTextHandler(b.log, nil)),
		})
		if err != nil {
			t.Fatal(err)
		}
		b.Server = s
		test(t, b)
		s.Shutdown()
		s.Handle(peer(1), wire.Request{}, b.box.reply) // too late: nothing happens
		told.complete(s.Stats())
		var st responder.State
		s.Observe(&st)
		if st.Outstanding != 0 || len(st.Sends) != 0 {
			t.Errorf("after shutdown: %+v", st)
		}
		if c := s.Stats().Responder; c.Admitted != c.Released+c.Shed || c.BusyReplied != c.SendsDone {
			t.Errorf("unbalanced: %+v", c)
		}
	})
}

func peer(n int) responder.Peer { return responder.Peer{byte(n), byte(n >> 8)} }

func (b *bench) ask(n int, key wire.Key, asksBusy bool) {
	b.Handle(peer(n), wire.Request{RequestID: 7, Key: key, AsksBusy: asksBusy}, b.box.reply)
}
