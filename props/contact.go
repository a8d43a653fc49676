package props

import (
	"fmt"
	"slices"

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
		Name: "flight-guarded", Rules: []string{"CON-7", "CON-9"}, Needs: ops.FieldContact | ops.FieldInFlight,
		Text:  "the source of every attempt that was tracked at its start is still tracked",
		check: flightGuarded,
	},
	{
		Name: "tracked-exactly", Rules: []string{"CON-7", "CON-8", "CON-9", "OUT-1", "DEP-5"}, Needs: courseFields,
		Text: "a source is tracked from its start on; a full table that has to take one in first drops all that are neither silent nor asked, " +
			"and no source is ever dropped else; a start is tracked if its source then is",
		check: trackedExactly,
	},
	{
		Name: "evidence-exact", Rules: []string{"CON-2", "CON-3", "CON-5", "CON-6", "CON-9", "CON-10", "OUT-6", "DEP-5"}, Needs: courseFields,
		Text: "what is known of a tracked source moves by the reports of its attempts alone: to the greatest answer place and the greatest " +
			"unanswered request that counts, which marks it for a whole lifetime from when it is learned",
		check: evidenceExact,
	},
	{
		Name: "window-founded", Rules: []string{"CON-1", "CON-8"}, Needs: courseFields,
		Text:  "the overflow window opens, for a whole mark lifetime, exactly when a start finds the table full of sources that stay, and ends then",
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

func evidenceGrows(v *view) error {
	for i := range v.before.Contact {
		was := &v.before.Contact[i]
		is := v.after.FindContact(was.Source)
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
	for e := range v.events(ops.Start) {
		if e.Source == was.Source {
			return true
		}
	}
	return false
}

func flightGuarded(v *view) error {
	for i := range v.after.InFlight {
		if f := &v.after.InFlight[i]; f.Tracked && v.after.FindContact(f.Source) == nil {
			return fmt.Errorf("%s has a tracked attempt in flight and is not tracked", f.Source)
		}
	}
	return nil
}

func trackedExactly(v *view) error {
	c := v.follow()
	if c != nil && c.tracked != nil {
		return c.tracked
	}
	if !c.complete() {
		return nil
	}
	bySource := func(e ops.Contact, p ops.Peer) int { return e.Source.Compare(p) }
	for i := range v.after.Contact {
		p := v.after.Contact[i].Source
		if _, tracked := c.tracks(p); !tracked {
			return fmt.Errorf("%s is tracked, and should not be", p)
		}
		if i > 0 && v.after.Contact[i-1].Source.Compare(p) >= 0 {
			return fmt.Errorf("%s is tracked twice, or out of order", p)
		}
	}
	for i := range c.contact {
		if _, found := slices.BinarySearchFunc(v.after.Contact, c.contact[i].Source, bySource); !found {
			return fmt.Errorf("%s is not tracked, and should be", c.contact[i].Source)
		}
	}
	return nil
}

func evidenceExact(v *view) error {
	c := v.follow()
	if !c.complete() {
		return nil
	}
	for i := range v.after.Contact {
		is := &v.after.Contact[i]
		at, tracked := c.tracks(is.Source)
		if tracked && *is != c.contact[at] {
			return fmt.Errorf("of %s is known %s, should be %s", is.Source, contactText(is), contactText(&c.contact[at]))
		}
	}
	return nil
}

func contactText(c *ops.Contact) string {
	return fmt.Sprintf("answer #%d, unanswered #%d, mark until %s", c.LastAnswer, c.LastUnanswered, c.MarkedUntil)
}

func windowFounded(v *view) error {
	if c := v.follow(); c.complete() && v.after.OverflowUntil != c.window {
		return fmt.Errorf("the overflow window ends at %s, want %s; 0s is closed", v.after.OverflowUntil, c.window)
	}
	return nil
}
