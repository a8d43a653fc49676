package props

import (
	"fmt"
	"slices"

	"fetchproof/ops"
)

var indexProperties = []*Property{
	{
		Name: "index-exact", Rules: []string{"PRK-1", "PRK-4", "DEP-2"}, Needs: stageFields | ops.FieldIndex,
		Text:  "the parked index, built again from the parked keys, is the index: exactly their untried sources, no empty entry",
		check: indexExact,
	},
	{
		Name: "parked-stays", Rules: []string{"PRK-2", "PRK-4", "PRK-5"}, Needs: stageFields,
		Text:  "a parked key leaves the parked set only by starting, leaving or returning to pending, whatever merges, and keeps what it tried",
		check: parkedStays,
	},
	{
		Name: "parks-only-nearer", Rules: []string{"FIL-2", "FIL-3", "OUT-8"}, Needs: stageFields | ops.FieldStopped,
		Text: "a fill pass parks the heap keys nearer than the farthest key that it starts, all of them if it leaves a slot free, and no other; " +
			"else only an outcome parks, and only its own key",
		check: parksOnlyNearer,
	},
}

// parkedUnder is a parked key under one of its untried sources, with what orders it there.
type parkedUnder struct {
	source ops.Peer
	q      *ops.QueuedKey
}

func indexExact(v *view) error {
	pairs := v.pairs[:0]
	for _, k := range v.after.Parked {
		q := v.after.FindQueued(k)
		if q == nil {
			continue // nearest-first says so
		}
		for _, p := range q.Untried {
			pairs = append(pairs, parkedUnder{p, q})
		}
	}
	v.pairs = pairs
	slices.SortStableFunc(pairs, func(a, b parkedUnder) int { return a.source.Compare(b.source) })
	i := 0
	for x := range v.after.Index {
		entry := &v.after.Index[x]
		if len(entry.Keys) == 0 {
			return fmt.Errorf("an empty index entry of %s", entry.Source)
		}
		for _, k := range entry.Keys {
			if i >= len(pairs) || pairs[i].source != entry.Source || pairs[i].q.Key != k {
				return fmt.Errorf("the index holds %s under %s; rebuilt, it holds %s there", k, entry.Source, rebuilt(pairs, entry.Source))
			}
			i++
		}
	}
	if i < len(pairs) {
		return fmt.Errorf("the index lacks %s under %s", pairs[i].q.Key, pairs[i].source)
	}
	return nil
}

func rebuilt(pairs []parkedUnder, source ops.Peer) string {
	text := ""
	for _, p := range pairs {
		if p.source == source {
			text += " " + p.q.Key.String()
		}
	}
	if text == "" {
		return "nothing"
	}
	return text[1:]
}

func parkedStays(v *view) error {
	for _, k := range v.before.Parked {
		was, is := v.before.FindQueued(k), v.after.FindQueued(k)
		if is == nil {
			continue // gone from the queue: conservation accounts for it
		}
		if slices.Contains(v.after.Heap, k) {
			return fmt.Errorf("%s went from the parked set back to the heap", k)
		}
		if was != nil && !slices.Equal(was.Tried, is.Tried) {
			return fmt.Errorf("%s forgot while parked what it tried", k)
		}
	}
	return nil
}

func parksOnlyNearer(v *view) error {
	var farthest *ops.QueuedKey
	all := v.Op.Kind == ops.Fill && !v.before.Stopped && int64(len(v.after.InFlight)) < v.cfg.Slots
	if v.Op.Kind == ops.Fill {
		farthest = v.farthestStarted()
	}
	for _, k := range v.after.Heap {
		if q := v.after.FindQueued(k); q != nil && (all || farthest != nil && nearer(q, farthest)) {
			return fmt.Errorf("a pass left %s in the heap, which it had to go past", k)
		}
	}
	was := v.before.Parked
	for _, k := range v.after.Parked {
		if i := slices.Index(was, k); i >= 0 {
			was = was[i+1:] // both are nearest first
			continue
		}
		q := v.after.FindQueued(k)
		switch {
		case q == nil: // nearest-first says so
		case all, farthest != nil && nearer(q, farthest):
		case v.Op.Kind == ops.Fill:
			return fmt.Errorf("a pass parked %s, which is not nearer than any key that it started", k)
		case !slices.ContainsFunc(v.Result.Events, func(e ops.Event) bool { return e.Kind == ops.Park && e.Key == k }):
			return fmt.Errorf("%s was parked by %s", k, v.Op.Kind)
		}
	}
	return nil
}

// farthestStarted is the farthest key that the pass started, or nil.
func (v *view) farthestStarted() (farthest *ops.QueuedKey) {
	for e := range v.events(ops.Start) {
		if q := v.before.FindQueued(e.Key); q != nil && (farthest == nil || nearer(farthest, q)) {
			farthest = q
		}
	}
	return farthest
}

func nearer(a, b *ops.QueuedKey) bool { return ops.Nearer(a.Distance, a.Key, b.Distance, b.Key) }
