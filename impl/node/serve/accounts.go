package serve

import (
	"fetchproof/impl/responder"
	"fetchproof/impl/wire"
)

func (s *Server) take(t responder.Ticket) responder.Taken {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.now()
	r := s.resp.Take(now, t)
	if rec := s.ports.Recorder; rec != nil {
		rec.Take(now, t, r)
	}
	return r
}

func (s *Server) release(t responder.Ticket) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.now()
	ok := s.resp.Release(now, t)
	if rec := s.ports.Recorder; rec != nil {
		rec.Release(now, t, ok)
	}
}

func (s *Server) sendDone(send responder.Send, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.now()
	ok := s.resp.SendDone(now, send)
	if rec := s.ports.Recorder; rec != nil {
		rec.SendDone(now, send, ok)
	}
	if err != nil {
		s.stats.BusyFailed++
		return
	}
	s.stats.BusySent++
}

// count counts a reply to an admitted request.
func (s *Server) count(m *wire.Message, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case err != nil:
		s.stats.SendFailed++
	case m.Kind == wire.Success:
		s.stats.Served++
		s.stats.ServedBytes += uint64(len(m.Data))
	case m.Kind == wire.NotFound:
		s.stats.NotFound++
	default:
		s.stats.Errors++
	}
}

// stop begins shutdown, and reports whether it was the first to do so.
func (s *Server) stop() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	first := !s.stopping
	s.stopping = true
	return first
}

// Stats returns what the server did so far.
func (s *Server) Stats() Stats {
	s.mu.Lock()
	defer s.mu.Unlock()
	st := s.stats
	st.Responder = s.resp.Snapshot()
	return st
}

// Observe fills dst with the responder's whole state, for tests.
func (s *Server) Observe(dst *responder.State) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.resp.Observe(s.now(), dst)
}
