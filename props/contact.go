package props

import (
	"fmt"

	"fetchproof/ops"
)

var contactProperties = []*Property{
	{
		Name: "mark-founded", Rules: []string{"CON-1", "CON-2", "CON-3"}, Needs: ops.FieldContact | ops.FieldClock,
		Text:  "a source is marked only while an unanswered request is newer than its newest answer, and never past a lifetime from now",
		check: markFounded,
	},
	{
		Name: "evidence-grows", Rules: []string{"CON-2", "CON-3", "CON-7"}, Needs: ops.FieldContact | ops.FieldInFlight,
		Text:  "evidence on a source only grows while it is tracked; only silent and in-flight sources are sure to stay tracked, and they do",
		check: evidenceGrows,
	},
	{
		Name: "mark-moves", Rules: []string{"CON-3", "CON-5", "CON-6", "CON-9", "CON-10", "OUT-6"}, Needs: ops.FieldContact | ops.FieldInFlight,
		Text:  "a mark is set or refreshed only by an unanswered outcome of a tracked attempt without an applied answer, for a whole lifetime",
		check: markMoves,
	},
	{
		Name: "flight-guarded", Rules: []string{"CON-7", "CON-9"}, Needs: ops.FieldContact | ops.FieldInFlight,
		Text:  "the source of every attempt that was tracked at its start is still tracked",
		check: flightGuarded,
	},
	{
		Name: "window-founded", Rules: []string{"CON-8"}, Needs: ops.FieldOverflow | ops.FieldContact | ops.FieldInFlight | ops.FieldClock,
		Text:  "the overflow window opens only in an operation that starts an attempt with a full table, for one mark lifetime",
		check: windowFounded,
	},
}

func markFounded(v *view) error {
	for i := range v.after.Contact {
		c := &v.after.Contact[i]
		if c.MarkedUntil == 0 {
			continue
		}
		switch {
		case !v.cfg.Silence:
			return fmt.Errorf("%s is marked with silence off", c.Source)
		case c.LastUnanswered <= c.LastAnswer:
			return fmt.Errorf("%s is marked; its newest unanswered request #%d is not after its newest answer #%d", c.Source, c.LastUnanswered, c.LastAnswer)
		case c.MarkedUntil <= v.now():
			return fmt.Errorf("%s is still marked at %s, its mark ended at %s", c.Source, v.now(), c.MarkedUntil)
		case c.MarkedUntil > after(v.after.Clock, v.cfg.MarkLifetime):
			return fmt.Errorf("%s is marked until %s, longer than a lifetime from %s", c.Source, c.MarkedUntil, v.after.Clock)
		}
	}
	return nil
}

// after is t + d, at most the largest time (DET-4).
func after(t ops.Time, d ops.Duration) ops.Time {
	if sum := t + ops.Time(d); sum >= t {
		return sum
	}
	return 1<<63 - 1
}

func evidenceGrows(v *view) error {
	for i := range v.before.Contact {
		was := &v.before.Contact[i]
		is := findContact(v.after, was.Source)
		if is == nil {
			if was.MarkedUntil > v.now() && !v.answersNow(was.Source) {
				return fmt.Errorf("%s is silent and was dropped from the table", was.Source)
			}
			continue
		}
		back := is.LastAnswer < was.LastAnswer || is.LastUnanswered < was.LastUnanswered
		if back && !v.trackedAgain(was, is) {
			return fmt.Errorf("evidence on %s went back", was.Source)
		}
		if is.LastAnswer >= v.after.NextPlace && v.After.Fields&ops.FieldNextPlace != 0 {
			return fmt.Errorf("%s answered at #%d, a place not given yet", was.Source, is.LastAnswer)
		}
	}
	return nil
}

// answersNow reports whether the operation may apply an answer from p, which ends its mark.
func (v *view) answersNow(p ops.Peer) bool {
	f := v.attempt()
	return f != nil && f.Source == p
}

// trackedAgain reports whether the source was dropped to make room and tracked anew within one fill pass.
func (v *view) trackedAgain(was, is *ops.Contact) bool {
	if was.MarkedUntil > v.now() && !v.answersNow(was.Source) || is.LastAnswer != 0 || is.LastUnanswered != 0 {
		return false
	}
	for i := range v.before.InFlight {
		if f := &v.before.InFlight[i]; f.Source == was.Source && f.Tracked {
			return v.Op.Kind == ops.Outcome && f.Attempt == v.Op.Ref.N
		}
	}
	for e := range v.starts {
		if e.Source == was.Source {
			return true
		}
	}
	return false
}

func markMoves(v *view) error {
	if v.Then > v.now() {
		return nil
	}
	for i := range v.after.Contact {
		is := &v.after.Contact[i]
		if is.MarkedUntil == 0 {
			continue
		}
		if was := findContact(v.before, is.Source); was != nil && was.MarkedUntil == is.MarkedUntil {
			continue
		}
		f := v.attempt()
		unanswered := v.Op.Kind == ops.Outcome && (v.Op.Outcome == ops.Timeout || v.Op.Outcome == ops.Unreachable)
		switch {
		case !unanswered || f == nil || f.Source != is.Source:
			return fmt.Errorf("the mark of %s moved though no request to it ended unanswered", is.Source)
		case f.Answered:
			return fmt.Errorf("#%d marked %s though its answer was applied", f.Attempt, is.Source)
		case !f.Tracked:
			return fmt.Errorf("#%d marked %s, which was untracked when it started", f.Attempt, is.Source)
		case is.MarkedUntil != after(v.after.Clock, v.cfg.MarkLifetime):
			return fmt.Errorf("%s is marked until %s, not for a whole lifetime from %s", is.Source, is.MarkedUntil, v.after.Clock)
		case is.LastUnanswered != f.Attempt:
			return fmt.Errorf("#%d marked %s though #%d is its newest unanswered request", f.Attempt, is.Source, is.LastUnanswered)
		}
	}
	return nil
}

func flightGuarded(v *view) error {
	for i := range v.after.InFlight {
		if f := &v.after.InFlight[i]; f.Tracked && findContact(v.after, f.Source) == nil {
			return fmt.Errorf("%s has a tracked attempt in flight and is not tracked", f.Source)
		}
	}
	return nil
}

func windowFounded(v *view) error {
	if v.Then > v.now() {
		return nil
	}
	until := v.after.OverflowUntil
	if until == 0 || until == v.before.OverflowUntil {
		return nil
	}
	switch {
	case !v.cfg.Silence:
		return fmt.Errorf("the overflow window opened with silence off")
	case v.countEvents(ops.Start) == 0:
		return fmt.Errorf("the overflow window moved though nothing started")
	case int64(len(v.after.Contact)) < v.cfg.ContactTable:
		return fmt.Errorf("the overflow window opened with %d of %d sources tracked", len(v.after.Contact), v.cfg.ContactTable)
	case until != after(v.after.Clock, v.cfg.MarkLifetime):
		return fmt.Errorf("the overflow window ends at %s, not a lifetime from %s", until, v.after.Clock)
	}
	return nil
}
