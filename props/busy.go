package props

import (
	"fmt"
	"math/bits"

	"fetchproof/ops"
)

var busyProperties = []*Property{
	{
		Name: "cooldown-kept", Rules: []string{"BSY-3", "BSY-4", "BSY-6"}, Needs: ops.FieldBusy,
		Text:  "a cooldown never ends earlier than it did, and an entry leaves only to make room, the soonest to end first",
		check: cooldownKept,
	},
	{
		Name: "cooldown-founded", Rules: []string{"BSY-1", "BSY-2"}, Needs: ops.FieldBusy | ops.FieldInFlight,
		Text:  "a streak grows by a busy report alone, by one, within its bound, and its cooldown is the wait times a power of two, capped",
		check: cooldownFounded,
	},
	{
		Name: "busy-due", Rules: []string{"BSY-1", "BSY-3"}, Needs: ops.FieldBusy | ops.FieldInFlight,
		Text:  "a busy report answers what is left of the cooldown in force and a due time within the attempt's deadline",
		check: busyDue,
	},
}

func cooldownKept(v *view) error {
	for i := range v.before.Busy {
		was := &v.before.Busy[i]
		is := findCooldown(v.after, was.Source)
		if is != nil {
			if is.Until < was.Until {
				return fmt.Errorf("the cooldown of %s was shortened from %s to %s", was.Source, was.Until, is.Until)
			}
			continue
		}
		if v.Op.Kind != ops.BusyReply || int64(len(v.before.Busy)) < v.cfg.BusyTable {
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

func cooldownFounded(v *view) error {
	most := uint32(bits.Len64(uint64(v.cfg.BusyMultiplierMax)))
	for i := range v.after.Busy {
		is := &v.after.Busy[i]
		was := findCooldown(v.before, is.Source)
		if is.Streak > most {
			return fmt.Errorf("%s has a streak of %d, it stops at %d", is.Source, is.Streak, most)
		}
		if was != nil && is.Streak <= was.Streak && is.Last == was.Last && is.Until == was.Until {
			continue
		}
		f := v.attempt()
		if v.Op.Kind != ops.BusyReply || f == nil || f.Source != is.Source {
			return fmt.Errorf("the busy entry of %s moved without a busy reply from it", is.Source)
		}
		streak := uint32(0)
		if was != nil {
			streak = was.Streak
		}
		if is.Streak != min(streak+1, most) && is.Streak != 1 {
			return fmt.Errorf("the streak of %s went from %d to %d", is.Source, streak, is.Streak)
		}
		if is.Last != v.after.Clock {
			return fmt.Errorf("the last busy of %s is at %s, now is %s", is.Source, is.Last, v.after.Clock)
		}
	}
	return nil
}

func busyDue(v *view) error {
	f := v.attempt()
	if v.Op.Kind != ops.BusyReply || v.Result.Code != ops.OK || f == nil {
		return nil
	}
	c := findCooldown(v.after, f.Source)
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
