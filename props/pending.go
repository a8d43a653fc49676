package props

import (
	"fmt"
	"slices"

	"fetchproof/ops"
)

const entryFields = stageFields | ops.FieldReserved | ops.FieldCharges

var pendingProperties = []*Property{
	{
		Name: "entries-sound", Rules: []string{"PND-8", "ADV-1"}, Needs: stageFields,
		Text:  "every verification entry has 1 to MaxHintSources hint sources, its owner among them, its claimants among them",
		check: entriesSound,
	},
	{
		Name: "charges-recounted", Rules: []string{"PND-6", "PND-7", "PND-4"}, Needs: entryFields,
		Text:  "reservations and the charge of every owner, recounted from the entries, are what the scheduler says",
		check: chargesRecounted,
	},
	{
		Name: "claimants-stay", Rules: []string{"ADV-1", "ADV-3", "PND-9"}, Needs: stageFields,
		Text:  "except by a departure, no claimant leaves an entry or stops being one, and the owner and the age stay",
		check: claimantsStay,
	},
	{
		Name: "rejection-honest", Rules: []string{"PND-2", "PND-3", "PND-4", "PND-5", "PND-9", "PRK-3", "ADV-4", "DET-4"}, Needs: entryFields,
		Text:  "add, promote, enqueue and remove are answered by the first of the rules' results that applies",
		check: rejectionHonest,
	},
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
	want, ok := v.answer()
	if !ok || v.Result.Code == want {
		return nil
	}
	return fmt.Errorf("%s of %s is answered %s, want %s", v.Op.Kind, v.Op.Key, v.Result.Code, want)
}

// answer is what the rules answer to an operation on a key rather than on an attempt: the first answer that applies.
func (v *view) answer() (ops.Code, bool) {
	k := v.Op.Key
	queueFull := int64(len(v.before.Queued)) >= v.cfg.MaxQueued
	switch v.Op.Kind {
	case ops.Add:
		switch {
		case len(v.Op.Hints) == 0:
			return ops.Invalid, true
		case v.before.Has(k):
			return ops.AlreadyPresent, true
		case int64(len(v.before.Pending))+int64(v.before.Reserved) >= v.cfg.MaxPending:
			return ops.CapacityRejected, true
		}
		return ops.Admitted, true
	case ops.Promote, ops.Enqueue:
		switch {
		case v.Op.Kind == ops.Promote && v.before.FindPending(k) == nil:
			return ops.NotPending, true
		case v.Op.Kind == ops.Enqueue && v.before.Has(k):
			return ops.Present, true
		case len(v.Op.Sources) == 0:
			return ops.NoSource, true
		case queueFull:
			return ops.QueueFull, true
		}
		return ops.Queued, true
	case ops.Remove:
		if v.before.FindPending(k) == nil {
			return ops.NotPending, true
		}
		return ops.OK, true
	}
	return ops.None, false
}
