package props

import (
	"fmt"

	"fetchproof/ops"
)

var choiceProperties = []*Property{
	{
		Name: "work-conserved", Rules: []string{"LIV-1", "PRK-2", "CON-6", "CON-8"}, Needs: courseFields,
		Text:  "after a fill pass no slot is free while a queued key, decided again from scratch, can start",
		check: workConserved,
	},
	{
		Name: "within-share", Rules: []string{"SRC-4", "CON-1"}, Needs: courseFields,
		Text:  "no attempt starts at an answering source that has no room",
		check: withinShare,
	},
	{
		Name: "best-source", Rules: []string{"SRC-1", "SRC-2", "SRC-3", "BSY-5", "OUT-2"}, Needs: courseFields,
		Text:  "each start is at the least by (cooling, silent, preference) of its key's untried sources that can start at that moment",
		check: bestSource,
	},
	{
		Name: "nearest-starts", Rules: []string{"FIL-1", "FIL-2", "CON-8"}, Needs: courseFields,
		Text:  "each slot of a fill pass goes to the nearest queued key that can start at that moment, over heap and parked set alike",
		check: nearestStarts,
	},
	{
		Name: "start-booked", Rules: []string{"FIL-4", "SEQ-1", "OUT-2", "PND-6"}, Needs: courseFields | ops.FieldNextPlace,
		Text:  "every start is reported in order and in flight as reported, with what its key carried; places count up by one",
		check: startBooked,
	},
}

func workConserved(v *view) error {
	if v.Op.Kind != ops.Fill || v.after.Stopped || int64(len(v.after.InFlight)) >= v.cfg.Slots {
		return nil
	}
	for i := range v.after.Queued {
		if q := &v.after.Queued[i]; v.keyCanStart(q) {
			return fmt.Errorf("%d of %d slots in flight and %s can start", len(v.after.InFlight), v.cfg.Slots, q.Key)
		}
	}
	return nil
}

func withinShare(v *view) error {
	if c := v.follow(); c != nil {
		return c.share
	}
	return nil
}

func bestSource(v *view) error {
	if c := v.follow(); c != nil {
		return c.source
	}
	return nil
}

func nearestStarts(v *view) error {
	if c := v.follow(); c != nil {
		return c.nearest
	}
	return nil
}

func startBooked(v *view) error {
	next := v.before.NextPlace
	for e := range v.events(ops.Start) {
		if err := v.booked(e); err != nil {
			return err
		}
		if e.Attempt != next {
			return fmt.Errorf("%s started as #%d, the next place was #%d", e.Key, e.Attempt, next)
		}
		next++
	}
	if v.applied(ops.Arrive) {
		next++
	}
	if v.after.NextPlace != next {
		return fmt.Errorf("the next place is #%d, want #%d", v.after.NextPlace, next)
	}
	ended := boolToInt(v.applied(ops.Outcome))
	if want := len(v.before.InFlight) - ended + v.countEvents(ops.Start); len(v.after.InFlight) != want {
		return fmt.Errorf("%d in flight, %d before, %d ended and %d started", len(v.after.InFlight), len(v.before.InFlight), ended, v.countEvents(ops.Start))
	}
	return nil
}

// booked compares a start with the flight that it has become.
func (v *view) booked(e *ops.Event) error {
	was, ok := findWork(v.before, e.Key)
	if !ok {
		return fmt.Errorf("%s started and was neither queued nor in flight", e.Key)
	}
	f := v.after.FindFlight(e.Key)
	if f == nil || f.Attempt != e.Attempt || f.Source != e.Source {
		return fmt.Errorf("%s is reported as started at %s #%d and is not in flight so", e.Key, e.Source, e.Attempt)
	}
	if f.Started != v.after.Clock || f.Given != 0 || f.Answered || f.Busy {
		return fmt.Errorf("#%d started at %s and is booked at %s, with an answer: %t", f.Attempt, v.after.Clock, f.Started, f.Given != 0 || f.Answered || f.Busy)
	}
	is := flightWork(f)
	if !equalBut(was.untried, is.untried, e.Source) || !equalBut(is.tried, was.tried, e.Source) {
		return fmt.Errorf("%s is not what %s has tried more than before, with the others in their order", e.Source, e.Key)
	}
	was.untried, was.tried = is.untried, is.tried
	if what := is.differs(was); what != "" {
		return fmt.Errorf("%s started with another %s", e.Key, what)
	}
	return nil
}
