package scheduler

import (
	"math/bits"
	"time"
)

// busyOrder orders peers by the end of their cooldowns, ties by their bytes:
// who is first makes room (BSY-6).
type busyOrder struct{ s *Scheduler }

func (o busyOrder) before(a, b uint32) bool {
	ra, rb := &o.s.peers[a], &o.s.peers[b]
	if ra.busyUntil != rb.busyUntil {
		return ra.busyUntil < rb.busyUntil
	}
	return o.s.peerLess(a, b)
}
func (o busyOrder) moved(p uint32, pos int32) { o.s.peers[p].busyPos = pos }

// cooling reports whether a peer's cooldown runs (BSY-5).
func (s *Scheduler) cooling(p uint32) bool {
	rec := &s.peers[p]
	return rec.busyPos >= 0 && s.clock < rec.busyUntil
}

// recordBusy records a busy answer with its drawn wait (BSY-2, BSY-3) and
// returns what is left of the cooldown in force.
func (s *Scheduler) recordBusy(p uint32, wait time.Duration) time.Duration {
	rec := &s.peers[p]
	fresh := rec.busyPos < 0
	if fresh {
		s.makeBusyRoom()
		s.hot[p].refs++
		rec.streak, rec.busyUntil = 0, 0
	}
	if time.Duration(s.clock-rec.busyLast) >= s.cfg.BusyForgetAfter {
		rec.streak = 0
	}
	// The streak stops at the first value whose multiplier, 1 << (streak-1),
	// reaches the greatest.
	rec.streak = min(rec.streak+1, int32(bits.Len(uint(s.cfg.BusyMultiplierMax))))
	cooldown := s.cfg.BusyCooldownCap
	if wait <= cooldown>>(rec.streak-1) {
		cooldown = wait << (rec.streak - 1)
	}
	rec.busyLast = s.clock
	rec.busyUntil = max(rec.busyUntil, after(s.clock, cooldown))
	if fresh {
		s.busy = heapPush(busyOrder{s}, s.busy, p)
	} else {
		heapFix(busyOrder{s}, s.busy, int(rec.busyPos))
	}
	return time.Duration(rec.busyUntil - s.clock)
}

// makeBusyRoom forgets the entry whose cooldown ends soonest if the table is
// full (BSY-6).
func (s *Scheduler) makeBusyRoom() {
	if len(s.busy) < s.cfg.BusyTable {
		return
	}
	p := s.busy[0]
	s.busy = heapRemove(busyOrder{s}, s.busy, 0)
	s.unref(p)
}

// served ends a peer's streak; a running cooldown runs out by itself (BSY-4).
func (s *Scheduler) served(p uint32) {
	s.peers[p].streak = 0
}
