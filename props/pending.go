package props

import (
	"fmt"
	"slices"

	"fetchproof/ops"
)

const entryFields = stageFields | ops.FieldReserved | ops.FieldCharges

var pendingProperties = []*Property{
	{
		Name: "entries-sound", Rules: []string{"PND-2", "PND-8", "ADV-1", "DEP-1"}, Needs: stageFields,
		Text:  "every verification entry has 1 to MaxHintSources hint sources, its owner among them, its claimants among them",
		check: entriesSound,
	},
	{
		Name: "charges-recounted", Rules: []string{"PND-6", "PND-7", "PND-4"}, Needs: entryFields,
		Text:  "reservations and the charge of every owner, recounted from the entries, are what the scheduler says",
		check: chargesRecounted,
	},
	{
		Name: "claimants-stay", Rules: []string{"ADV-1", "ADV-3", "PND-8"}, Needs: stageFields,
		Text:  "but by a departure no claimant leaves an entry or stops being one, and the owner stays",
		check: claimantsStay,
	},
	{
		Name: "rejection-honest", Rules: []string{"PND-3", "PND-4", "PND-5"}, Needs: entryFields,
		Text:  "a key is refused for want of capacity only when there is none, and then nothing changes",
		check: rejectionHonest,
	},
}

// entries calls yield for every entry of the state, pending or carried.
func entries(st *ops.SchedulerState, yield func(ops.Key, *ops.Entry) error) error {
	for i := range st.Pending {
		if err := yield(st.Pending[i].Key, &st.Pending[i].Entry); err != nil {
			return err
		}
	}
	for i := range st.Queued {
		if q := &st.Queued[i]; q.HasRetry {
			if err := yield(q.Key, &q.Retry); err != nil {
				return err
			}
		}
	}
	for i := range st.InFlight {
		if f := &st.InFlight[i]; f.HasRetry {
			if err := yield(f.Key, &f.Retry); err != nil {
				return err
			}
		}
	}
	return nil
}

func findEntry(st *ops.SchedulerState, k ops.Key) *ops.Entry {
	if p := findPending(st, k); p != nil {
		return &p.Entry
	}
	if q := findQueued(st, k); q != nil && q.HasRetry {
		return &q.Retry
	}
	if f := findFlight(st, k); f != nil && f.HasRetry {
		return &f.Retry
	}
	return nil
}

func entriesSound(v *view) error {
	return entries(v.after, func(k ops.Key, e *ops.Entry) error {
		switch {
		case len(e.Hints) == 0:
			return fmt.Errorf("the entry of %s has no hint source", k)
		case int64(len(e.Hints)) > v.cfg.MaxHintSources:
			return fmt.Errorf("the entry of %s has %d hint sources, at most %d allowed", k, len(e.Hints), v.cfg.MaxHintSources)
		case !slices.Contains(e.Hints, e.Owner):
			return fmt.Errorf("%s owns the entry of %s and is no hint source of it", e.Owner, k)
		}
		for _, list := range [][]ops.Peer{e.Hints, e.Claimants} {
			for i := 1; i < len(list); i++ {
				if list[i-1].Compare(list[i]) >= 0 {
					return fmt.Errorf("the entry of %s lists %s twice or out of order", k, list[i])
				}
			}
		}
		for _, c := range e.Claimants {
			if !slices.Contains(e.Hints, c) {
				return fmt.Errorf("%s claims %s and is no hint source of it", c, k)
			}
		}
		return nil
	})
}

func chargesRecounted(v *view) error {
	owners := v.owners[:0]
	carried := uint64(0)
	_ = entries(v.after, func(_ ops.Key, e *ops.Entry) error {
		owners = append(owners, e.Owner)
		return nil
	})
	v.owners = owners
	carried = uint64(len(owners) - len(v.after.Pending))
	if v.after.Reserved != carried {
		return fmt.Errorf("%d reservations, %d retry entries are carried", v.after.Reserved, carried)
	}
	slices.SortFunc(owners, ops.Peer.Compare)
	for _, c := range v.after.Charges {
		n := 0
		for n < len(owners) && owners[n] == c.Owner {
			n++
		}
		if uint64(n) != c.Charge || n == 0 {
			return fmt.Errorf("%s is charged with %d", c.Owner, c.Charge)
		}
		owners = owners[n:]
	}
	if len(owners) > 0 {
		return fmt.Errorf("%s owns %d entries more than it is charged with", owners[0], len(owners))
	}
	return nil
}

func claimantsStay(v *view) error {
	if v.Op.Kind == ops.Depart {
		return nil
	}
	return entries(v.before, func(k ops.Key, was *ops.Entry) error {
		is := findEntry(v.after, k)
		if is == nil {
			return nil
		}
		if is.Owner != was.Owner {
			return fmt.Errorf("the owner of %s went from %s to %s", k, was.Owner, is.Owner)
		}
		if is.Created != was.Created {
			return fmt.Errorf("%s was created at %s, then at %s", k, was.Created, is.Created)
		}
		for _, c := range was.Claimants {
			if !slices.Contains(is.Claimants, c) {
				return fmt.Errorf("%s claimed %s and does not any more", c, k)
			}
		}
		return nil
	})
}

func rejectionHonest(v *view) error {
	full := int64(len(v.before.Pending))+int64(v.before.Reserved) >= v.cfg.MaxPending
	queueFull := int64(len(v.before.Queued)) >= v.cfg.MaxQueued
	switch v.Result.Code {
	case ops.CapacityRejected:
		if !full {
			return fmt.Errorf("%s was rejected though pending has room", v.Op.Key)
		}
	case ops.Admitted:
		if v.Op.Kind == ops.Add && full {
			return fmt.Errorf("%s was admitted though pending is full", v.Op.Key)
		}
	case ops.QueueFull:
		if !queueFull {
			return fmt.Errorf("%s was refused though the queue has room", v.Op.Key)
		}
	case ops.Queued:
		if queueFull {
			return fmt.Errorf("%s was queued though the queue is full", v.Op.Key)
		}
	}
	return nil
}
