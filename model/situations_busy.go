package model

import (
	"slices"

	"fetchproof/ops"
)

// Situations of section 10: busy cooldowns.
const (
	bsy1Cut SituationID = endOutcome + iota
	bsy1PastDeadline
	bsy1HoldsShare
	bsy1Ends
	bsy1Cancelled
	bsy2Grows
	bsy2Saturated
	bsy2Forgotten
	bsy2ForgottenExactly
	bsy2Capped
	bsy2FullWait
	bsy3NotShortened
	bsy4Reset
	bsy4KeepsCooling
	bsy4StartsAnew
	bsy4BusyDeclined
	bsy5EndsExactly
	bsy6Over
	bsy6Cooling
	bsy6Tie
	bsy6Returns
	endBusy
)

var busySituations = []Situation{
	{bsy1Cut, "BSY-1", "a busy attempt is due at its own deadline, before its drawn wait is over"},
	{bsy1PastDeadline, "BSY-1", "a busy report is applied at its attempt's deadline or later"},
	{bsy1HoldsShare, "BSY-1", "a key parks while an attempt waits out a busy answer at one of its sources"},
	{bsy1Ends, "BSY-1", "an attempt ends as Busy after its busy report"},
	{bsy1Cancelled, "BSY-1", "an attempt that waits out a busy answer is cancelled or panics"},
	{bsy2Grows, "BSY-2", "a busy answer follows another one soon enough, and the streak grows"},
	{bsy2Saturated, "BSY-2", "a busy answer finds the streak at its largest"},
	{bsy2Forgotten, "BSY-2", "a busy answer comes after the last one was forgotten"},
	{bsy2ForgottenExactly, "BSY-2", "a busy answer comes exactly when the last one is forgotten"},
	{bsy2Capped, "BSY-2", "the wait times the multiplier is above the cap"},
	{bsy2FullWait, "BSY-2", "a new cooldown runs past the deadline that cuts the attempt's wait short"},
	{bsy3NotShortened, "BSY-3", "a new cooldown would end before the running one, which stays"},
	{bsy4Reset, "BSY-4", "a source that said busy serves, and its streak is reset"},
	{bsy4KeepsCooling, "BSY-4", "a cooling source serves, and its cooldown goes on"},
	{bsy4StartsAnew, "BSY-4", "a source says busy again after it served"},
	{bsy4BusyDeclined, "BSY-4", "an attempt ends as Declined after its busy report: nothing was served"},
	{bsy5EndsExactly, "BSY-5", "a choice is made at the very end of a cooldown of one of the sources"},
	{bsy6Over, "BSY-6", "the full table forgets an entry that is not cooling"},
	{bsy6Cooling, "BSY-6", "the full table forgets an entry that is cooling, as all are"},
	{bsy6Tie, "BSY-6", "the full table forgets the smallest peer of those that end at one time"},
	{bsy6Returns, "BSY-6", "a source that was forgotten while it was cooling says busy again, and would cool for longer if it had not been"},
}

// noteBusyReply looks at a busy report before it is applied.
func (s *Scheduler) noteBusyReply(f *flight, wait ops.Duration, now ops.Time) {
	deadline := plus(f.started, s.cfg.FetchTimeout)
	s.sawIf(s.cfg.BusyWaitMin < wait && wait < s.cfg.BusyWaitMax, det1DrawnWait)
	s.sawIf(now < deadline && deadline < plus(now, wait), bsy1Cut)
	s.sawIf(deadline <= now, bsy1PastDeadline)
	s.sawIf(passesLargest(now, wait) && passesLargest(f.started, s.cfg.FetchTimeout), det4Due)
}

// noteBusyAgain compares the old and the new record of a source that had one.
func (s *Scheduler) noteBusyAgain(old, c *cooldown, now ops.Time) {
	age := since(old.last, now)
	switch {
	case old.streak == 0:
		s.saw(bsy4StartsAnew)
	case age >= s.cfg.BusyForgetAfter:
		s.saw(bsy2Forgotten)
		s.sawIf(age == s.cfg.BusyForgetAfter, bsy2ForgottenExactly)
	case c.streak == old.streak:
		s.saw(bsy2Saturated)
	default:
		s.saw(bsy2Grows)
	}
}

// noteCooldown looks at a record before its cooldown is extended by fresh.
func (s *Scheduler) noteCooldown(f *flight, c *cooldown, wait, fresh ops.Duration, now ops.Time) {
	deadline := plus(f.started, s.cfg.FetchTimeout)
	s.sawIf(times(wait, multiplier(c.streak)) > s.cfg.BusyCooldownCap, bsy2Capped)
	s.sawIf(deadline < plus(now, wait) && deadline < plus(now, fresh), bsy2FullWait)
	s.sawIf(plus(now, fresh) < c.until, bsy3NotShortened)
	s.sawIf(passesLargest(now, fresh), det4CooldownEnd)
}

// noteStranger looks at a source without an entry, which gets one that cools for fresh.
func (s *Scheduler) noteStranger(source ops.Peer, fresh ops.Duration, now ops.Time) {
	for i := range s.forgotten {
		s.sawIf(s.forgotten[i].source == source && s.forgotten[i].until > plus(now, fresh), bsy6Returns)
	}
	s.forgotten = slices.DeleteFunc(s.forgotten, func(c cooldown) bool { return c.source == source || c.until <= now })
}

func (s *Scheduler) noteServed(c *cooldown, now ops.Time) {
	s.sawIf(c.streak > 0, bsy4Reset)
	s.sawIf(c.streak > 0 && now < c.until, bsy4KeepsCooling)
}

// noteForgotten looks at the entry that is about to make room.
func (s *Scheduler) noteForgotten(out int, now ops.Time) {
	until := s.busy[out].until
	s.sawIf(until <= now, bsy6Over)
	s.sawIf(until > now, bsy6Cooling)
	for i := range s.busy {
		s.sawIf(i != out && s.busy[i].until == until, bsy6Tie)
	}
	if until > now {
		s.forgotten = append(s.forgotten, s.busy[out])
	}
}
