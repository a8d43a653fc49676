package twin

import (
	"math"
	"slices"
)

// contact is a tracked source's evidence (section 5).
type contact struct {
	lastAnswer     Place
	lastUnanswered Place
	markedUntil    Time // 0 unless the source is silent by its evidence
}

// silent reports whether a source is silent now (CON-1, CON-8).
func (s *Scheduler) silent(p *peer) bool {
	if p.contact == nil {
		return s.clock < s.overflowUntil
	}
	return p.contact.markedUntil != 0
}

// canStart reports whether an attempt at a source may start (SRC-4).
func (s *Scheduler) canStart(p *peer) bool { return p.inFlight < s.cfg.Share || s.silent(p) }

// answered applies an answer's place (CON-2).
func (s *Scheduler) answered(p *peer, place Place) {
	c := p.contact
	if c == nil {
		return // CON-9
	}
	c.lastAnswer = max(c.lastAnswer, place)
	if c.markedUntil != 0 && c.lastUnanswered <= c.lastAnswer {
		c.markedUntil = 0
		s.counters.MarksCleared++
	}
}

// unanswered applies the evidence of an attempt that ended unanswered (CON-3).
func (s *Scheduler) unanswered(p *peer, place Place) {
	c := p.contact
	if place <= c.lastUnanswered {
		return
	}
	c.lastUnanswered = place
	until := after(s.clock, s.cfg.MarkLifetime)
	if place <= c.lastAnswer || !s.cfg.Silence || until <= s.clock {
		return // the last: at the end of time a mark has no lifetime
	}
	if c.markedUntil != 0 {
		s.counters.MarksRefreshed++
	} else {
		s.counters.MarksSet++
	}
	c.markedUntil = until
	s.nextExpiry = min(s.nextExpiry, until)
}

// expireMarks ends the marks whose time has come.
func (s *Scheduler) expireMarks() {
	s.nextExpiry = math.MaxInt64
	for _, p := range s.tracked {
		switch c := p.contact; {
		case c.markedUntil == 0:
		case c.markedUntil <= s.clock:
			c.markedUntil = 0
			s.counters.MarksExpired++
		default:
			s.nextExpiry = min(s.nextExpiry, c.markedUntil)
		}
	}
}

// track enters a source into the contact table at the start of an attempt (CON-7), and reports whether it is in it.
func (s *Scheduler) track(p *peer) bool {
	if p.contact != nil {
		return true
	}
	if len(s.tracked) >= s.cfg.ContactTable {
		s.tracked = slices.DeleteFunc(s.tracked, func(q *peer) bool {
			idle := q.contact.markedUntil == 0 && q.inFlight == 0
			if idle {
				q.contact = nil
			}
			return idle
		})
	}
	if len(s.tracked) >= s.cfg.ContactTable {
		if s.cfg.Silence {
			s.counters.Overflows++
			s.overflowUntil = after(s.clock, s.cfg.MarkLifetime)
		}
		return false
	}
	p.contact = &contact{}
	s.tracked = append(s.tracked, p)
	return true
}
