package model

import (
	"slices"

	"fetchproof/ops"
)

// contact is what is known of a tracked source (section 5). All is zero when tracking begins.
type contact struct {
	source         ops.Peer
	lastAnswer     uint64   // the greatest answer place applied
	lastUnanswered uint64   // the greatest request place applied as unanswered evidence
	markedUntil    ops.Time // when the mark ends or ended
}

// silent is CON-1 for a tracked source: when the mark ends it is answering again (CON-6). With Silence off markedUntil stays
// 0, so that nobody is silent.
func (c *contact) silent(now ops.Time) bool {
	return c.lastUnanswered > c.lastAnswer && now < c.markedUntil
}

// silent is CON-1: a tracked source by its evidence, an untracked one by the overflow window (CON-8).
func (s *Scheduler) silent(source ops.Peer, now ops.Time) bool {
	if i, tracked := s.contactAt(source); tracked {
		return s.contact[i].silent(now)
	}
	return now < s.overflowUntil
}

// applyAnswer is CON-2: an answer that arrived at place from the source of f. The answer is evidence if the source is tracked
// now, tracked or not when the attempt started (CON-9). Evidence is kept as greatest places, here and in applyUnanswered, so
// that the order of reports applied at one instant makes no difference (CON-4).
func (s *Scheduler) applyAnswer(f *flight, place uint64, now ops.Time) {
	i, tracked := s.contactAt(f.source)
	s.noteAnswer(f, i, tracked, place, now)
	if !tracked {
		return
	}
	c := &s.contact[i]
	before := c.silent(now)
	c.lastAnswer = max(c.lastAnswer, place)
	if before && !c.silent(now) {
		s.counters[ops.MarksCleared]++ // SUM-1
	}
}

// applyUnanswered is CON-3: the attempt of f ended unanswered, as learned at now. It is evidence only if the source was
// tracked when the attempt started (CON-9); it still is, since an attempt in flight guards its source's entry (CON-7).
func (s *Scheduler) applyUnanswered(f *flight, now ops.Time) {
	s.counters[ops.Unanswered]++ // SUM-1: tracked or not
	if !f.tracked {
		s.noteUntrackedFailure(f)
		return
	}
	i, _ := s.contactAt(f.source)
	c := &s.contact[i]
	s.noteFailure(f, c, now)
	if f.attempt <= c.lastUnanswered {
		return
	}
	before := c.silent(now)
	c.lastUnanswered = f.attempt
	if f.attempt > c.lastAnswer && s.cfg.Silence {
		c.markedUntil = plus(now, s.cfg.MarkLifetime)
	}
	switch { // SUM-1
	case before:
		s.counters[ops.MarksRefreshed]++
	case c.silent(now):
		s.counters[ops.MarksSet]++
	}
}

// track is CON-7 and CON-8: an attempt starts at source. It reports whether the source is tracked from then on.
func (s *Scheduler) track(source ops.Peer, now ops.Time) bool {
	if _, tracked := s.contactAt(source); tracked {
		return true
	}
	if int64(len(s.contact)) >= s.cfg.ContactTable {
		s.sweep(now)
	}
	if int64(len(s.contact)) >= s.cfg.ContactTable {
		s.overflow(now)
		return false
	}
	i, _ := s.contactAt(source)
	s.contact = slices.Insert(s.contact, i, contact{source: source})
	return true
}

// sweep drops every entry that is not silent and has no attempt in flight (CON-7).
func (s *Scheduler) sweep(now ops.Time) {
	s.noteSweep(now)
	s.contact = slices.DeleteFunc(s.contact, func(c contact) bool {
		return !c.silent(now) && s.attemptsAt(c.source) == 0
	})
}

// overflow opens the window of CON-8, or extends it. With Silence off there is none, and none is counted (CON-1).
func (s *Scheduler) overflow(now ops.Time) {
	if !s.cfg.Silence {
		s.saw(con1OffOverflow)
		return
	}
	s.noteOverflow(now)
	s.counters[ops.Overflows]++ // SUM-1
	s.overflowUntil = plus(now, s.cfg.MarkLifetime)
}
