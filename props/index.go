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
		Name: "parked-stays", Rules: []string{"PRK-2", "PRK-5"}, Needs: stageFields,
		Text:  "a parked key leaves the parked set only by starting, leaving or returning to pending, and keeps what it tried",
		check: parkedStays,
	},
	{
		Name: "parks-only-blocked", Rules: []string{"FIL-2", "FIL-3", "OUT-3"}, Needs: stageFields | ops.FieldContact | ops.FieldOverflow,
		Text:  "only fill passes and outcomes park, and a key that was just parked and got no slot could not start",
		check: parksOnlyBlocked,
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
		q := findQueued(v.after, k)
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
		was, is := findQueued(v.before, k), findQueued(v.after, k)
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

func parksOnlyBlocked(v *view) error {
	for _, k := range v.after.Parked {
		if slices.Contains(v.before.Parked, k) {
			continue
		}
		if v.Op.Kind != ops.Fill && v.Op.Kind != ops.Outcome {
			return fmt.Errorf("%s was parked by %s", k, v.Op.Kind)
		}
		// A fill pass only takes room, so a key that it parked cannot start after it either, but where the pass opened the
		// overflow window. A failed key may have freed room for itself before it was decided, never after.
		if q := findQueued(v.after, k); q != nil && v.after.OverflowUntil == v.before.OverflowUntil && v.keyCanStart(q) {
			return fmt.Errorf("%s was parked though one of its sources can start", k)
		}
	}
	return nil
}
