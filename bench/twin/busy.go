package twin

import (
	"slices"
	"time"
)

// cooldown is a source's entry in the busy table (section 10).
type cooldown struct {
	streak int
	last   Time // the last busy recorded
	until  Time
}

// cooling reports whether a source's cooldown runs (BSY-5).
func (s *Scheduler) cooling(p *peer) bool { return p.cooldown != nil && s.clock < p.cooldown.until }

// served resets a source's streak; a running cooldown runs out by itself (BSY-4).
func (s *Scheduler) served(p *peer) {
	if p.cooldown != nil {
		p.cooldown.streak = 0
	}
}

// recordBusy records a busy answer and returns what is left of the cooldown in force (BSY-2, BSY-3).
func (s *Scheduler) recordBusy(p *peer, wait time.Duration) time.Duration {
	c := p.cooldown
	if c == nil {
		s.makeBusyRoom()
		c = &cooldown{}
		p.cooldown = c
		s.cooldowns = append(s.cooldowns, p)
	}
	if c.streak > 0 && s.clock-c.last >= Time(s.cfg.BusyForgetAfter) {
		c.streak = 0
	}
	if c.streak == 0 || 1<<(c.streak-1) < s.cfg.BusyMultiplierMax {
		c.streak++
	}
	c.last = s.clock
	long := s.cfg.BusyCooldownCap
	if factor := time.Duration(1) << (c.streak - 1); wait <= long/factor {
		long = wait * factor
	}
	c.until = max(c.until, after(s.clock, long))
	return time.Duration(c.until - s.clock)
}

// makeBusyRoom forgets the entry whose cooldown ends soonest if the table is full (BSY-6).
func (s *Scheduler) makeBusyRoom() {
	if len(s.cooldowns) < s.cfg.BusyTable {
		return
	}
	soonest := 0
	for i, p := range s.cooldowns {
		q := s.cooldowns[soonest]
		if p.cooldown.until < q.cooldown.until || p.cooldown.until == q.cooldown.until && comparePeers(p, q) < 0 {
			soonest = i
		}
	}
	s.cooldowns[soonest].cooldown = nil
	s.cooldowns = slices.Delete(s.cooldowns, soonest, soonest+1)
}
