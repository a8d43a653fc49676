package props

import (
	"fmt"
	"slices"

	"fetchproof/ops"
)

const choiceFields = stageFields | ops.FieldContact | ops.FieldOverflow | ops.FieldBusy

var choiceProperties = []*Property{
	{
		Name: "work-conserved", Rules: []string{"LIV-1", "PRK-2", "FIL-1"}, Needs: choiceFields | ops.FieldStopped,
		Text:  "after a fill pass no slot is free while a queued key, decided again from scratch, can start",
		check: workConserved,
	},
	{
		Name: "within-share", Rules: []string{"SRC-4"}, Needs: choiceFields,
		Text:  "no attempt starts at an answering source that has no room",
		check: withinShare,
	},
	{
		Name: "best-source", Rules: []string{"SRC-1", "SRC-2", "SRC-3"}, Needs: choiceFields,
		Text:  "a started key has no untried source that could still start and is to be preferred to the one it got",
		check: bestSource,
	},
	{
		Name: "nearest-starts", Rules: []string{"FIL-1"}, Needs: choiceFields,
		Text:  "no queued key with an answering source that has room is nearer than a key that a fill pass started",
		check: nearestStarts,
	},
	{
		Name: "start-booked", Rules: []string{"FIL-4", "SEQ-1", "OUT-2"}, Needs: choiceFields | ops.FieldNextPlace,
		Text:  "every reported start is in flight as reported, was queued or in flight before, and places count up by one",
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
	for e := range v.starts {
		if s := v.source(e.Source); !s.silent && !s.fresh && s.inFlight > v.cfg.Share {
			return fmt.Errorf("%s started at %s, which answers and now has %d in flight of a share of %d", e.Key, e.Source, s.inFlight, v.cfg.Share)
		}
	}
	return nil
}

func bestSource(v *view) error {
	for e := range v.starts {
		f := findFlight(v.after, e.Key)
		if f == nil {
			continue // start-booked says so
		}
		got := v.source(f.Source)
		gotCooling, gotSilent := got.cooling, got.silent && got.surely
		for _, p := range f.Untried {
			if s := v.source(p); s.hadRoom(v.cfg.Share) && better(s.cooling, false, gotCooling, gotSilent) {
				return fmt.Errorf("%s started at %s though %s answers with room%s", e.Key, f.Source, p, coolingText(gotCooling, s.cooling))
			}
		}
	}
	return nil
}

// better compares (cooling, silent), false before true (SRC-2).
func better(cooling, silent, otherCooling, otherSilent bool) bool {
	if cooling != otherCooling {
		return !cooling
	}
	return !silent && otherSilent
}

func coolingText(got, other bool) string {
	if got && !other {
		return " and is not cooling"
	}
	return ""
}

func nearestStarts(v *view) error {
	if v.Op.Kind != ops.Fill {
		return nil
	}
	for e := range v.starts {
		f := findFlight(v.after, e.Key)
		if f == nil {
			continue
		}
		for i := range v.after.Queued {
			q := &v.after.Queued[i]
			if !ops.Nearer(q.Distance, q.Key, f.Distance, f.Key) {
				continue
			}
			for _, p := range q.Untried {
				if v.source(p).hadRoom(v.cfg.Share) {
					return fmt.Errorf("%s started and the nearer %s did not, though %s has room", e.Key, q.Key, p)
				}
			}
		}
	}
	return nil
}

func startBooked(v *view) error {
	next := v.before.NextPlace
	for e := range v.starts {
		f := findFlight(v.after, e.Key)
		if f == nil || f.Attempt != e.Attempt || f.Source != e.Source || !slices.Contains(f.Tried, e.Source) {
			return fmt.Errorf("%s is reported as started at %s #%d and is not in flight so", e.Key, e.Source, e.Attempt)
		}
		if e.Attempt != next {
			return fmt.Errorf("%s started as #%d, the next place was #%d", e.Key, e.Attempt, next)
		}
		if findQueued(v.before, e.Key) == nil && findFlight(v.before, e.Key) == nil {
			return fmt.Errorf("%s started and was neither queued nor in flight", e.Key)
		}
		next++
	}
	if v.Op.Kind == ops.Arrive && v.Result.Code == ops.OK {
		next++
	}
	if v.after.NextPlace != next {
		return fmt.Errorf("the next place is #%d, want #%d", v.after.NextPlace, next)
	}
	if started := len(v.after.InFlight) - len(v.before.InFlight); started > v.countEvents(ops.Start) {
		return fmt.Errorf("%d more in flight than before, %d starts reported", started, v.countEvents(ops.Start))
	}
	return nil
}
