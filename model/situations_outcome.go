package model

// Situations of section 9: outcomes.
const (
	out1SlotReused SituationID = endChoice + iota
	out2Restarted
	out2AheadOfNearer
	out3Parked
	out4NoSourceReturns
	out4NoSourceDropped
	out4FullReturns
	out4FullDropped
	out5TriedForgotten
	out6Answered
	out7Stored // these six in the order of ops.Reason
	out7Declined
	out7Dropped
	out7Removed
	out7Evicted
	out7Orphaned
	out8NoFill
	out8Returns
	out8Dropped
	endOutcome
)

var outcomeSituations = []Situation{
	{out1SlotReused, "OUT-1", "with every slot taken, a failed attempt's slot is freed and given to the next attempt at once"},
	{out2Restarted, "OUT-2", "a failed key starts at its next source at once"},
	{out2AheadOfNearer, "OUT-2", "a failed key starts at once while a nearer key is queued"},
	{out3Parked, "OUT-3", "a failed key has untried sources, none can start, and it parks"},
	{out4NoSourceReturns, "OUT-4", "a failed key without an untried source returns to pending"},
	{out4NoSourceDropped, "OUT-4", "a failed key without an untried source or a retry entry is dropped"},
	{out4FullReturns, "OUT-4", "a failed key that would park returns to pending, as the queue is full"},
	{out4FullDropped, "OUT-4", "a failed key that would park is dropped, as the queue is full"},
	{out5TriedForgotten, "OUT-5", "a key returns to pending and its tried sources are forgotten"},
	{out6Answered, "OUT-6", "a timeout or unreachable comes for an attempt whose answer was applied"},
	{out7Stored, "OUT-7", "a key leaves stored"},
	{out7Declined, "OUT-7", "a key leaves declined"},
	{out7Dropped, "OUT-7", "a key leaves dropped"},
	{out7Removed, "OUT-7", "a key leaves removed"},
	{out7Evicted, "OUT-7", "a key leaves evicted"},
	{out7Orphaned, "OUT-7", "a key leaves orphaned"},
	{out8NoFill, "OUT-8", "a pass after the stop finds a free slot and a key that can start"},
	{out8Returns, "OUT-8", "a key that fails after the stop returns to pending with untried sources left"},
	{out8Dropped, "OUT-8", "a key that fails after the stop is dropped with untried sources left"},
}

// noteRestart looks at a failed key that is about to start elsewhere.
func (s *Scheduler) noteRestart(w *work) {
	s.saw(out2Restarted)
	s.sawIf(int64(len(s.flights)) == s.cfg.Slots-1, out1SlotReused)
	s.sawIf(w.hasRetry, pnd6Restart)
	s.sawIf(len(s.queued) > 0 && s.queued[0].nearerThan(w), out2AheadOfNearer)
}

// noteEpisodeOver looks at a failed key that neither starts nor parks.
func (s *Scheduler) noteEpisodeOver(w *work) {
	returns, dropped := out4FullReturns, out4FullDropped
	switch {
	case len(w.untried) == 0:
		returns, dropped = out4NoSourceReturns, out4NoSourceDropped
	case s.stopped:
		returns, dropped = out8Returns, out8Dropped
	}
	s.sawIf(w.hasRetry, returns)
	s.sawIf(!w.hasRetry, dropped)
}
