package props

import (
	"fmt"
	"math/bits"

	"fetchproof/ops"
)

var busyProperties = []*Property{
	{
		Name: "cooldown-kept", Rules: []string{"BSY-3", "BSY-4", "BSY-6", "DEP-5"}, Needs: ops.FieldBusy | ops.FieldInFlight,
		Text:  "a cooldown never ends earlier than it did, and an entry leaves only to make room, the soonest to end first",
		check: cooldownKept,
	},
	{
		Name: "cooldown-founded", Rules: []string{"BSY-1", "BSY-2", "BSY-3", "BSY-4", "DEP-5"}, Needs: ops.FieldBusy | ops.FieldInFlight | ops.FieldClock,
		Text: "a busy reply alone makes an entry or moves one: the streak by one within its bound, or to 1, the cooldown to the later of its end " +
			"and the wait times the streak's multiplier, capped, from now; serving alone resets a streak",
		check: cooldownFounded,
	},
	{
		Name: "busy-due", Rules: []string{"BSY-1", "BSY-3"}, Needs: ops.FieldBusy | ops.FieldInFlight | ops.FieldClock,
		Text:  "a busy report answers what is left of the cooldown in force and a due time within the attempt's deadline",
		check: busyDue,
	},
}

func cooldownKept(v *view) error {
	for i := range v.before.Busy {
		was := &v.before.Busy[i]
		is := v.after.FindCooldown(was.Source)
		if is != nil {
			if is.Until < was.Until {
				return fmt.Errorf("the cooldown of %s was shortened from %s to %s", was.Source, was.Until, is.Until)
			}
			continue
		}
		if !v.needsBusyRoom() {
			return fmt.Errorf("%s left the busy table and no room was needed", was.Source)
		}
		for j := range v.before.Busy {
			o := &v.before.Busy[j]
			if o.Until < was.Until || o.Until == was.Until && o.Source.Compare(was.Source) < 0 {
				return fmt.Errorf("%s left the busy table though the cooldown of %s ends sooner", was.Source, o.Source)
			}
		}
	}
	return nil
}

// needsBusyRoom reports whether a source has to enter the busy table, which is full (BSY-6).
func (v *view) needsBusyRoom() bool {
	f := v.attempt()
	return v.applied(ops.BusyReply) && f != nil && v.before.FindCooldown(f.Source) == nil && int64(len(v.before.Busy)) >= v.cfg.BusyTable
}

func cooldownFounded(v *view) error {
	f := v.attempt()
	for i := range v.after.Busy {
		is := &v.after.Busy[i]
		if i > 0 && v.after.Busy[i-1].Source.Compare(is.Source) >= 0 {
			return fmt.Errorf("%s is in the busy table twice, or out of order", is.Source)
		}
		want := ops.Cooldown{Source: is.Source}
		was := v.before.FindCooldown(is.Source)
		if was != nil {
			want = *was
		}
		switch {
		case f != nil && f.Source == is.Source && v.applied(ops.BusyReply):
			v.recordBusy(&want)
		case was == nil:
			return fmt.Errorf("%s entered the busy table without a busy reply", is.Source)
		case f != nil && f.Source == is.Source && v.serves(f):
			want.Streak = 0
		}
		if *is != want {
			return fmt.Errorf("the busy entry of %s is streak %d, last %s, until %s; want streak %d, last %s, until %s",
				is.Source, is.Streak, is.Last, is.Until, want.Streak, want.Last, want.Until)
		}
	}
	return nil
}

// recordBusy is what a busy reply makes of an entry, zero if it is new (BSY-2, BSY-3).
func (v *view) recordBusy(c *ops.Cooldown) {
	most := uint32(bits.Len64(uint64(v.cfg.BusyMultiplierMax))) // the first whose multiplier reaches the greatest
	if c.Streak > 0 && ops.Duration(v.at-c.Last) >= v.cfg.BusyForgetAfter {
		c.Streak = 0
	}
	c.Streak = min(c.Streak+1, most)
	cooldown := v.cfg.BusyCooldownCap
	if high, low := bits.Mul64(uint64(v.Op.Wait), 1<<(c.Streak-1)); high == 0 && low < uint64(cooldown) {
		cooldown = ops.Duration(low)
	}
	c.Last = v.at
	c.Until = max(c.Until, after(v.at, cooldown))
}

// serves reports whether the outcome of f says that its source served (BSY-4 and the table of section 9).
func (v *view) serves(f *ops.Flight) bool {
	if !v.applied(ops.Outcome) {
		return false
	}
	switch v.Op.Outcome {
	case ops.Stored, ops.StoreFailed:
		return true
	case ops.Declined:
		return v.Op.PlaceArg != ops.NoPlace || f.Answered && !f.Busy
	}
	return false
}

func busyDue(v *view) error {
	f := v.attempt()
	if !v.applied(ops.BusyReply) || f == nil {
		return nil
	}
	c := v.after.FindCooldown(f.Source)
	if c == nil {
		return fmt.Errorf("%s said busy and is not in the table", f.Source)
	}
	if left := ops.Duration(c.Until - v.after.Clock); v.Result.Cooldown != left {
		return fmt.Errorf("the report says a cooldown of %s, %s is left", v.Result.Cooldown, left)
	}
	if due := min(after(v.after.Clock, v.Op.Wait), after(f.Started, v.cfg.FetchTimeout)); v.Result.Due != due {
		return fmt.Errorf("the attempt is due at %s, want %s", v.Result.Due, due)
	}
	return nil
}
