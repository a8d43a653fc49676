package model

import (
	"slices"

	"fetchproof/ops"
)

// cooldown is what is remembered of a source that said busy (section 10).
type cooldown struct {
	source ops.Peer
	streak uint32
	last   ops.Time // when it last said busy
	until  ops.Time // when its cooldown ends or ended
}

func (s *Scheduler) busyAt(source ops.Peer) (int, bool) {
	for i := range s.busy {
		if c := source.Compare(s.busy[i].source); c <= 0 {
			return i, c == 0
		}
	}
	return len(s.busy), false
}

// cooling is BSY-5.
func (s *Scheduler) cooling(source ops.Peer, now ops.Time) bool {
	i, ok := s.busyAt(source)
	return ok && now < s.busy[i].until
}

// recordBusy is BSY-2 and BSY-3: the source of f said busy at now, and the attempt drew wait. It returns what is left of the
// cooldown in force.
func (s *Scheduler) recordBusy(f *flight, wait ops.Duration, now ops.Time) ops.Duration {
	source := f.source
	i, known := s.busyAt(source)
	if !known {
		s.makeRoom(now)
		i, _ = s.busyAt(source)
		s.busy = slices.Insert(s.busy, i, cooldown{source: source})
	}
	c := &s.busy[i]
	old := *c
	c.streak = s.nextStreak(c, known, now)
	fresh := min(times(wait, multiplier(c.streak)), s.cfg.BusyCooldownCap)
	if known {
		s.noteBusyAgain(&old, c, now)
	} else {
		s.noteStranger(source, fresh, now)
	}
	s.noteCooldown(f, c, wait, fresh, now)
	c.last = now
	c.until = max(c.until, plus(now, fresh))
	return ops.Duration(c.until - now)
}

// nextStreak is one more than before, or 1 if the last busy was BusyForgetAfter ago or more; it stops at the first value
// whose multiplier reaches BusyMultiplierMax (BSY-2). A reset streak is 0, and 1 next (BSY-4).
func (s *Scheduler) nextStreak(c *cooldown, known bool, now ops.Time) uint32 {
	if !known || since(c.last, now) >= s.cfg.BusyForgetAfter {
		return 1
	}
	if c.streak > 0 && multiplier(c.streak) >= s.cfg.BusyMultiplierMax {
		return c.streak
	}
	return c.streak + 1
}

// multiplier is 1, 2, 4, 8 for streak 1, 2, 3, 4 (BSY-2).
func multiplier(streak uint32) int64 { return 1 << (streak - 1) }

// times is d × n, or the largest duration if that is past it (DET-4).
func times(d ops.Duration, n int64) ops.Duration {
	if d > ops.Duration(largest)/ops.Duration(n) {
		return ops.Duration(largest)
	}
	return d * ops.Duration(n)
}

// makeRoom is BSY-6: with the table full, the entry whose cooldown ends or ended soonest is forgotten (ties: smallest
// peer).
func (s *Scheduler) makeRoom(now ops.Time) {
	if int64(len(s.busy)) < s.cfg.BusyTable {
		return
	}
	soonest := 0
	for i := range s.busy {
		if s.busy[i].until < s.busy[soonest].until {
			soonest = i
		}
	}
	s.noteForgotten(soonest, now)
	s.busy = slices.Delete(s.busy, soonest, soonest+1)
}

// served is BSY-4: the streak starts anew, a running cooldown runs out by itself.
func (s *Scheduler) served(source ops.Peer, now ops.Time) {
	if i, ok := s.busyAt(source); ok {
		s.noteServed(&s.busy[i], now)
		s.busy[i].streak = 0
	}
}
