package props

import (
	"fmt"
	"slices"

	"fetchproof/ops"
)

const stageFields = ops.FieldPending | ops.FieldHeap | ops.FieldParked | ops.FieldQueued | ops.FieldInFlight

var stageProperties = []*Property{
	{
		Name: "one-stage", Rules: []string{"PND-1"}, Needs: stageFields,
		Text:  "a key is in at most one of pending, heap, parked and in flight",
		check: oneStage,
	},
	{
		Name: "nearest-first", Rules: []string{"PND-1", "PRK-1"}, Needs: stageFields,
		Text:  "heap and parked set together are the queued keys, each nearest first",
		check: nearestFirst,
	},
	{
		Name: "bounds", Rules: []string{"SRC-4", "PRK-3", "PND-7", "CON-7", "BSY-6"},
		Needs: stageFields | ops.FieldReserved | ops.FieldContact | ops.FieldBusy,
		Text:  "slots, queue, pending with reservations, contact table and busy table stay within their bounds",
		check: bounds,
	},
	{
		Name: "stopped", Rules: []string{"OUT-8"}, Needs: stageFields | ops.FieldStopped,
		Text:  "after a stop nothing starts or parks, and a stop is for ever",
		check: stopped,
	},
}

func oneStage(v *view) error {
	keys := v.stages[:0]
	for i := range v.after.Pending {
		keys = append(keys, v.after.Pending[i].Key)
	}
	keys = append(append(keys, v.after.Heap...), v.after.Parked...)
	for i := range v.after.InFlight {
		keys = append(keys, v.after.InFlight[i].Key)
	}
	slices.SortFunc(keys, ops.Key.Compare)
	v.stages = keys
	for i := 1; i < len(keys); i++ {
		if keys[i] == keys[i-1] {
			return fmt.Errorf("%s is in two stages", keys[i])
		}
	}
	return nil
}

func nearestFirst(v *view) error {
	for _, list := range [][]ops.Key{v.after.Heap, v.after.Parked} {
		var last *ops.QueuedKey
		for _, k := range list {
			q := v.after.FindQueued(k)
			if q == nil {
				return fmt.Errorf("%s is in the heap or parked, and not queued", k)
			}
			if last != nil && !ops.Nearer(last.Distance, last.Key, q.Distance, q.Key) {
				return fmt.Errorf("%s stands before %s, which is nearer", last.Key, k)
			}
			last = q
		}
	}
	if n := len(v.after.Heap) + len(v.after.Parked); n != len(v.after.Queued) {
		return fmt.Errorf("%d keys in heap and parked set, %d queued", n, len(v.after.Queued))
	}
	return nil
}

func bounds(v *view) error {
	for _, b := range []struct {
		what       string
		have, most int64
	}{
		{"attempts in flight", int64(len(v.after.InFlight)), v.cfg.Slots},
		{"queued keys", int64(len(v.after.Queued)), v.cfg.MaxQueued},
		{"pending keys and reservations", int64(len(v.after.Pending)) + int64(v.after.Reserved), v.cfg.MaxPending},
		{"tracked sources", int64(len(v.after.Contact)), v.cfg.ContactTable},
		{"sources in the busy table", int64(len(v.after.Busy)), v.cfg.BusyTable},
	} {
		if b.have > b.most {
			return fmt.Errorf("%d %s, at most %d allowed", b.have, b.what, b.most)
		}
	}
	return nil
}

func stopped(v *view) error {
	if stops := v.before.Stopped || v.Op.Kind == ops.Stop; v.after.Stopped != stops {
		return fmt.Errorf("stopped: %t, want %t", v.after.Stopped, stops)
	}
	if !v.before.Stopped {
		return nil
	}
	if n := v.countEvents(ops.Start); n > 0 {
		return fmt.Errorf("%d attempts started after the stop", n)
	}
	for _, k := range v.after.Parked {
		if !slices.Contains(v.before.Parked, k) {
			return fmt.Errorf("%s was parked after the stop", k)
		}
	}
	return nil
}
