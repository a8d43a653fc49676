// Package serve is the responding half of a node: it admits fetch requests or
// refuses them, serves the admitted ones with a few workers, and sends busy replies
// (RSP-1 to RSP-8). Package responder makes the decisions; this package has the
// goroutines and deadlines.
package serve

import (
	"context"
	"log/slog"
	"runtime/debug"
	"sync"

	"fetchproof/impl/responder"
	"fetchproof/impl/scheduler"
	"fetchproof/impl/wire"
)

// Config is the server's numbers.
type Config struct {
	Responder responder.Config
	// AnswersBusy: refused requests that ask for it may get a busy reply. Without
	// it the capability is not even looked at, as before the change.
	AnswersBusy bool
}

// Stats is what a server did.
type Stats struct {
	// Responder counts admissions, refusals and busy replies.
	Responder responder.Counters
	// Served and ServedBytes count records sent; busy replies are not among them
	// (RSP-8).
	Served, ServedBytes uint64
	NotFound            uint64 // NotFound replies sent
	Errors              uint64 // Error replies sent
	SendFailed          uint64 // replies to admitted requests that could not be sent
	BusySent            uint64
	BusyFailed          uint64 // busy sends that failed, timed out or were cut off (RSP-6)
}

// job is an admitted request that waits for a worker.
type job struct {
	ticket responder.Ticket
	from   responder.Peer
	req    wire.Request
	reply  Reply
}

// Server serves the fetch requests of one node.
type Server struct {
	cfg   Config
	ports Ports

	ctx    context.Context // ends at shutdown
	cancel context.CancelFunc
	tasks  sync.WaitGroup // workers and busy sends
	queue  chan job       // at most Pool: an admitted request never waits to get in
	done   chan struct{}  // closed when shutdown is over

	mu       sync.Mutex // guards all below, and orders what the recorder is told
	resp     *responder.Responder
	stats    Stats // without Responder
	stopping bool
}

// New starts a server. The caller must call Shutdown. The error is a
// *responder.ConfigError or says which port is missing.
func New(cfg Config, ports Ports) (*Server, error) {
	if err := ports.fill(); err != nil {
		return nil, err
	}
	resp, err := responder.New(cfg.Responder)
	if err != nil {
		return nil, err
	}
	s := &Server{cfg: cfg, ports: ports, resp: resp, queue: make(chan job, cfg.Responder.Pool), done: make(chan struct{})}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	if r := ports.Recorder; r != nil {
		r.Init(cfg.Responder)
	}
	for range cfg.Responder.Workers {
		s.tasks.Go(s.work)
	}
	return s, nil
}

// Handle takes a request of a proven sender. It does not block. After Shutdown it
// does nothing.
func (s *Server) Handle(from responder.Peer, req wire.Request, reply Reply) {
	if d := s.admit(from, req, reply); d.Result != responder.Admitted {
		d.Refusal.Log(s.ctx, s.ports.Log)
	}
}

// admit decides, and hands the request on under the same lock, so that nothing is
// handed on once shutdown has begun; then the decision is zero, which is not logged.
func (s *Server) admit(from responder.Peer, req wire.Request, reply Reply) responder.Decision {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stopping {
		return responder.Decision{}
	}
	now, asks := s.now(), req.AsksBusy && s.cfg.AnswersBusy
	d := s.resp.Request(now, from, asks)
	if r := s.ports.Recorder; r != nil {
		r.Request(now, from, asks, &d)
	}
	switch d.Result {
	case responder.Admitted:
		s.queue <- job{d.Ticket, from, req, reply}
	case responder.Busy:
		s.tasks.Go(func() { s.sendBusy(d.Send, req, reply) })
	}
	return d
}

func (s *Server) now() int64 { return int64(s.ports.Clock.Now()) }

// work is one of the workers (RSP-2).
func (s *Server) work() {
	for {
		select {
		case j := <-s.queue:
			s.serve(j)
		case <-s.ctx.Done():
			s.discard()
			return
		}
	}
}

// discard releases what waits for a worker at shutdown.
func (s *Server) discard() {
	for {
		select {
		case j := <-s.queue:
			s.release(j.ticket)
		default:
			return
		}
	}
}

// serve answers one admitted request. Its place is released once, whatever happens
// (RSP-1, RSP-2): when the reply is sent, and before the requester can know, or its
// next request would find the place taken.
func (s *Server) serve(j job) {
	held := true
	release := func() {
		if held {
			held = false
			s.release(j.ticket)
		}
	}
	defer func() {
		if p := recover(); p != nil {
			s.ports.Log.Error("serving a fetch panicked", slog.Any("panic", p), slog.String("stack", string(debug.Stack())))
		}
		release()
	}()
	if !s.ports.Gate.wait(s.ctx) {
		return
	}
	if s.take(j.ticket) != responder.Serve {
		held = false
		return
	}
	m := s.answer(j.req)
	ctx, cancel := context.WithTimeout(s.ctx, s.cfg.Responder.FetchTimeout)
	defer cancel()
	s.count(&m, j.reply(ctx, &m, release))
}

// answer finds the record (RSP-8).
func (s *Server) answer(req wire.Request) wire.Message {
	m := wire.Message{RequestID: req.RequestID, Kind: wire.Success, Key: req.Key}
	data, err := s.ports.Store.Get(scheduler.Key(req.Key))
	switch {
	case err == nil:
		m.Data = data
	case s.ports.Missing(err):
		m.Kind = wire.NotFound
	default:
		// The reason stays here: it may name files.
		s.ports.Log.Error("reading a record failed", slog.String("key", req.Key.String()), slog.String("error", err.Error()))
		m.Kind, m.Reason = wire.ErrorReply, []byte("record unavailable")
	}
	return m
}

// sendBusy sends a busy reply until BusySendDeadline or shutdown, and frees its
// permit (RSP-6).
func (s *Server) sendBusy(send responder.Send, req wire.Request, reply Reply) {
	err := context.Canceled // what a panic counts as
	defer func() {
		if p := recover(); p != nil {
			s.ports.Log.Error("sending a busy reply panicked", slog.Any("panic", p), slog.String("stack", string(debug.Stack())))
		}
		s.sendDone(send, err)
	}()
	ctx, cancel := context.WithTimeout(s.ctx, s.cfg.Responder.BusySendDeadline)
	defer cancel()
	err = reply(ctx, &wire.Message{RequestID: req.RequestID, Kind: wire.Busy, Key: req.Key}, func() {})
}

// Shutdown stops serving: it releases requests that wait, at a closed gate too,
// cuts off what is being sent, and waits for all of it (LIV-5). A second call
// waits for the first.
func (s *Server) Shutdown() {
	if !s.stop() {
		<-s.done
		return
	}
	s.cancel()
	s.tasks.Wait()
	close(s.done)
}
