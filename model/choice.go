package model

import (
	"slices"

	"fetchproof/ops"
)

// attemptsAt is how many attempts at source are in flight: its part of the share (section 1).
func (s *Scheduler) attemptsAt(source ops.Peer) int64 {
	n := int64(0)
	for i := range s.flights {
		if s.flights[i].source == source {
			n++
		}
	}
	return n
}

// hasRoom is section 1's "has room", the opposite of "full".
func (s *Scheduler) hasRoom(source ops.Peer) bool { return s.attemptsAt(source) < s.cfg.Share }

// canStart is section 1's "can start" of a source: it has room, or it is silent (SRC-4).
func (s *Scheduler) canStart(source ops.Peer, now ops.Time) bool {
	return s.hasRoom(source) || s.silent(source, now)
}

// choose is SRC-2: the position, among a key's untried sources, of the least by (cooling, silent, position) that can
// start. A key can start if there is one (section 1). A cooling source is never withheld (SRC-3).
func (s *Scheduler) choose(untried []ops.Peer, now ops.Time) (at int, ok bool) {
	least := 0
	for i, source := range untried {
		if !s.canStart(source, now) {
			continue
		}
		if r := s.rank(source, now); !ok || r < least {
			at, least, ok = i, r, true
		}
	}
	return at, ok
}

// rank is (cooling, silent) as a number, false before true (SRC-2).
func (s *Scheduler) rank(source ops.Peer, now ops.Time) int {
	r := 0
	if s.cooling(source, now) {
		r += 2
	}
	if s.silent(source, now) {
		r++
	}
	return r
}

// start begins an attempt at the i-th untried source of w: it takes a place (SEQ-1), the source is tried from now on
// (section 1) and tracked if there is room (CON-7).
func (s *Scheduler) start(w work, i int, now ops.Time, res *ops.Result) {
	source := w.untried[i]
	s.noteStart(&w, i, now)
	w.untried = slices.Delete(w.untried, i, i+1)
	w.tried = insertPeer(w.tried, source)
	f := flight{work: w, attempt: s.takePlace(), source: source, started: now, tracked: s.track(source, now)}
	s.addFlight(f)
	s.counters[ops.Started]++ // SUM-1
	res.Events = append(res.Events, ops.Event{Kind: ops.Start, Key: f.key, Source: source, Attempt: f.attempt})
}
