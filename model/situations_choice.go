package model

import (
	"slices"

	"fetchproof/ops"
)

// Situations of sections 6 to 8: choosing a source, the fill pass, parking.
const (
	src1Preference SituationID = endContact + iota
	src1MergedLast
	src2FullPassed
	src2AnsweringFirst
	src2CoolingPassed
	src2SilentBeforeCooling
	src2CoolingInOrder
	src3Used
	src3OthersFull
	src4PastShare
	src4Waits
	fil1ParkedFirst
	fil1HeapFirst
	fil2Passed
	fil3AllParked
	fil3NoSlot
	fil3LeftInHeap
	fil4Several
	prk1Several
	prk1TriedLeftOut
	prk2Share
	prk2Silence
	prk2Window
	prk2Merge
	prk3Counts
	prk4Indexed
	prk5Reservation
	prk5Restart
	prk6StillParked
	endChoice
)

var choiceSituations = []Situation{
	{src1Preference, "SRC-1", "of two sources that stand alike, the earlier in preference order is used"},
	{src1MergedLast, "SRC-1", "a merged source is put behind others"},
	{src2FullPassed, "SRC-2", "a full source is passed over for a later one"},
	{src2AnsweringFirst, "SRC-2", "a silent source is passed over for a later answering one with room"},
	{src2CoolingPassed, "SRC-2", "a cooling answering source is passed over for a later answering one"},
	{src2SilentBeforeCooling, "SRC-2", "a cooling answering source is passed over for a silent one"},
	{src2CoolingInOrder, "SRC-2", "of two cooling sources that can start, the answering one is used and the silent one is not"},
	{src3Used, "SRC-3", "a cooling source is used, as every source that can start is cooling"},
	{src3OthersFull, "SRC-3", "a cooling source is used while one that is not cooling is full"},
	{src4PastShare, "SRC-4", "an attempt starts past the share at a silent source"},
	{src4Waits, "SRC-4", "a key parks while more attempts than the share are in flight at an answering source of it"},
	{fil1ParkedFirst, "FIL-1", "a parked key starts before a farther heap key that can start too"},
	{fil1HeapFirst, "FIL-1", "a heap key starts before a farther parked key that can start too"},
	{fil2Passed, "FIL-2", "a heap key that cannot start is parked, and a farther key starts"},
	{fil3AllParked, "FIL-3", "a pass ends with slots free, the heap emptied by parking"},
	{fil3NoSlot, "FIL-3", "a pass without a free slot finds a key in the heap"},
	{fil3LeftInHeap, "FIL-3", "a pass takes the last free slot and leaves a key in the heap"},
	{fil4Several, "FIL-4", "a pass starts several attempts"},
	{prk1Several, "PRK-1", "a key parks under several sources"},
	{prk1TriedLeftOut, "PRK-1", "a key with tried sources parks under the untried ones only"},
	{prk2Share, "PRK-2", "a parked key starts at a source that has room again"},
	{prk2Silence, "PRK-2", "a parked key starts at a full source that fell silent"},
	{prk2Window, "PRK-2", "a parked key starts at a full source for which the overflow window opened"},
	{prk2Merge, "PRK-2", "a source that can start is merged into a parked key"},
	{prk3Counts, "PRK-3", "the queue is full with a parked key in it when a key asks to enter"},
	{prk4Indexed, "PRK-4", "a source is merged into a parked key"},
	{prk5Reservation, "PRK-5", "a key parks with its reservation"},
	{prk5Restart, "PRK-5", "a parked key starts that has tried sources"},
	{prk6StillParked, "PRK-6", "a pass with a free slot finds a parked key that still cannot start"},
}

// noteStart looks at a key before an attempt at its i-th untried source starts.
func (s *Scheduler) noteStart(w *work, i int, now ops.Time) {
	source := w.untried[i]
	at, tracked := s.contactAt(source)
	if s.silent(source, now) {
		pastShare := !s.hasRoom(source)
		s.sawIf(pastShare, src4PastShare)
		s.sawIf(pastShare && !tracked, con8PastShare)
		s.sawIf(pastShare && !tracked && s.witness.opened, con8SamePass)
	} else if tracked {
		c := &s.contact[at]
		s.sawIf(c.lastUnanswered > c.lastAnswer && c.markedUntil > 0, con6Probe)
	}
	s.sawIf(s.cooling(source, now), src3Used)
	for j, other := range w.untried {
		b, ok := s.busyAt(other)
		s.sawIf(ok && s.busy[b].until == now, bsy5EndsExactly)
		if j != i {
			s.notePassed(source, other, j < i, now)
		}
	}
}

// notePassed looks at a source passed over for another source of its key; before: it stands before the one used.
func (s *Scheduler) notePassed(used, passed ops.Peer, before bool, now ops.Time) {
	usedCooling, passedCooling := s.cooling(used, now), s.cooling(passed, now)
	usedSilent, passedSilent := s.silent(used, now), s.silent(passed, now)
	if !s.canStart(passed, now) {
		s.sawIf(before, src2FullPassed)
		s.sawIf(usedCooling && !passedCooling, src3OthersFull)
		return
	}
	s.sawIf(usedCooling == passedCooling && usedSilent == passedSilent, src1Preference)
	s.sawIf(passedCooling && !passedSilent && !usedCooling && usedSilent, src2SilentBeforeCooling)
	s.sawIf(usedCooling && passedCooling && !usedSilent && passedSilent, src2CoolingInOrder)
	if before {
		s.sawIf(!usedCooling && !passedCooling && passedSilent, src2AnsweringFirst)
		s.sawIf(!usedCooling && !usedSilent && passedCooling && !passedSilent, src2CoolingPassed)
	}
}

// noteFill looks at the state before a pass.
func (s *Scheduler) noteFill(now ops.Time) {
	s.witness.inPass, s.witness.opened = true, false
	s.sawIf(!s.slotFree() && anyInHeap(s.queued), fil3NoSlot)
	if s.stopped && s.slotFree() {
		_, ok := s.nearestThatCanStart(now)
		s.sawIf(ok, out8NoFill)
	}
}

// noteNext looks at the state before the n-th nearest key of the queue takes a slot.
func (s *Scheduler) noteNext(n int, now ops.Time) {
	q := &s.queued[n]
	s.sawIf(anyInHeap(s.queued[:n]), fil2Passed)
	s.sawIf(slices.ContainsFunc(s.queued[:n], func(o queuedKey) bool { return o.parked }), prk6StillParked)
	for i := range s.queued[n+1:] {
		o := &s.queued[n+1+i]
		if o.parked == q.parked {
			continue
		}
		if _, ok := s.choose(o.untried, now); ok {
			s.sawIf(q.parked, fil1ParkedFirst)
			s.sawIf(!q.parked, fil1HeapFirst)
			break
		}
	}
	if q.parked {
		s.noteWoken(q, now)
	}
}

// noteWoken looks at a parked key that is about to start.
func (s *Scheduler) noteWoken(q *queuedKey, now ops.Time) {
	i, _ := s.choose(q.untried, now)
	_, tracked := s.contactAt(q.untried[i])
	full := !s.hasRoom(q.untried[i])
	s.sawIf(!full, prk2Share)
	s.sawIf(full && tracked, prk2Silence)
	s.sawIf(full && !tracked, prk2Window)
	s.sawIf(len(q.tried) > 0, prk5Restart)
}

// noteNothingStarts looks at the state when a slot is free and no key can start.
func (s *Scheduler) noteNothingStarts() {
	s.sawIf(anyInHeap(s.queued), fil3AllParked)
	s.sawIf(slices.ContainsFunc(s.queued, func(q queuedKey) bool { return q.parked }), prk6StillParked)
}

// noteFilled looks at the state after a pass.
func (s *Scheduler) noteFilled(res *ops.Result) {
	s.witness.inPass, s.witness.opened = false, false
	s.sawIf(len(res.Events) > 1, fil4Several)
	s.sawIf(len(res.Events) > 0 && !s.slotFree() && anyInHeap(s.queued), fil3LeftInHeap)
}

func anyInHeap(queued []queuedKey) bool {
	for i := range queued {
		if !queued[i].parked {
			return true
		}
	}
	return false
}

// notePark looks at a key that was just parked.
func (s *Scheduler) notePark(w *work) {
	s.sawIf(len(w.untried) > 1, prk1Several)
	s.sawIf(len(w.tried) > 0, prk1TriedLeftOut)
	s.sawIf(w.hasRetry, prk5Reservation)
	for _, source := range w.untried {
		s.sawIf(s.attemptsAt(source) > s.cfg.Share, src4Waits)
	}
	for i := range s.flights {
		f := &s.flights[i]
		s.sawIf(f.busy && slices.Contains(w.untried, f.source), bsy1HoldsShare)
	}
}
