package props

import (
	"fmt"
	"slices"

	"fetchproof/ops"
)

var departureProperties = []*Property{
	{
		Name: "departed-gone", Rules: []string{"DEP-1", "DEP-2", "DEP-4"}, Needs: stageFields | ops.FieldIndex,
		Text:  "after a departure the peer is no hint source, no untried source and not in the index",
		check: departedGone,
	},
	{
		Name: "departed-exactly", Rules: []string{"DEP-1", "DEP-2", "DEP-3", "DEP-4", "DEP-6", "PND-6", "PND-8"}, Needs: stageFields | ops.FieldClock,
		Text: "a departure takes the peer out of entries and untried sources and changes no more; what is left without a source is " +
			"orphaned, or returns if it still carries an entry, and is reported in key order; the smallest hint source inherits",
		check: departedExactly,
	},
}

func departedGone(v *view) error {
	if v.Op.Kind != ops.Depart {
		return nil
	}
	p := v.Op.Peer
	for i := range v.after.Pending {
		if slices.Contains(v.after.Pending[i].Entry.Hints, p) {
			return fmt.Errorf("%s departed and is still a hint source of pending %s", p, v.after.Pending[i].Key)
		}
	}
	for i := range v.after.Queued {
		if q := &v.after.Queued[i]; slices.Contains(q.Untried, p) || q.HasRetry && slices.Contains(q.Retry.Hints, p) {
			return fmt.Errorf("%s departed and queued %s still has it", p, q.Key)
		}
	}
	for i := range v.after.InFlight {
		if f := &v.after.InFlight[i]; slices.Contains(f.Untried, p) || f.HasRetry && slices.Contains(f.Retry.Hints, p) {
			return fmt.Errorf("%s departed and %s in flight still has it as a future source", p, f.Key)
		}
	}
	for i := range v.after.Index {
		if v.after.Index[i].Source == p {
			return fmt.Errorf("%s departed and is still in the parked index", p)
		}
	}
	return nil
}

func departedExactly(v *view) error {
	if v.Op.Kind != ops.Depart {
		return nil
	}
	for i := 1; i < len(v.Result.Events); i++ {
		if v.Result.Events[i-1].Key.Compare(v.Result.Events[i].Key) >= 0 {
			return fmt.Errorf("%s is reported after %s", v.Result.Events[i].Key, v.Result.Events[i-1].Key)
		}
	}
	for i := range v.before.Pending {
		if err := v.departedPending(&v.before.Pending[i]); err != nil {
			return err
		}
	}
	for i := range v.before.Queued {
		if err := v.departedQueued(&v.before.Queued[i]); err != nil {
			return err
		}
	}
	for i := range v.before.InFlight {
		was := &v.before.InFlight[i]
		is := v.after.FindFlight(was.Key)
		if is == nil || !sameAttempt(is, was) || !sameReports(is, was) {
			return fmt.Errorf("a departure touched the running attempt of %s", was.Key)
		}
		if err := v.lostPeer(flightWork(was), flightWork(is)); err != nil {
			return err
		}
	}
	return nil
}

// reported is the event reported of a key, or nil. A departure's events are in key order.
func (v *view) reported(k ops.Key) *ops.Event {
	return ops.Find(v.Result.Events, k, func(e *ops.Event) *ops.Key { return &e.Key })
}

func (v *view) departedPending(was *ops.PendingKey) error {
	is, e := v.after.FindPending(was.Key), v.reported(was.Key)
	if len(was.Entry.Hints) == 1 && was.Entry.Hints[0] == v.Op.Peer { // DEP-1
		if is != nil || e == nil || e.Kind != ops.Left || e.Reason != ops.LeftOrphaned {
			return fmt.Errorf("%s has no hint source left and is not reported as orphaned", was.Key)
		}
		return nil
	}
	if is == nil || e != nil {
		return fmt.Errorf("%s still has a hint source; it is pending: %t, reported: %t", was.Key, is != nil, e != nil)
	}
	return v.lostHint(was.Key, &was.Entry, &is.Entry, was.Entry.NextVerify)
}

func (v *view) departedQueued(was *ops.QueuedKey) error {
	is, e := v.after.FindQueued(was.Key), v.reported(was.Key)
	if len(was.Untried) != 1 || was.Untried[0] != v.Op.Peer {
		if is == nil || e != nil {
			return fmt.Errorf("%s still has an untried source; it is queued: %t, reported: %t", was.Key, is != nil, e != nil)
		}
		return v.lostPeer(workOf(was), workOf(is))
	}
	keeps := was.HasRetry && !(len(was.Retry.Hints) == 1 && was.Retry.Hints[0] == v.Op.Peer) // DEP-2
	switch {
	case is != nil || e == nil:
		return fmt.Errorf("%s has no untried source left; it is queued: %t, reported: %t", was.Key, is != nil, e != nil)
	case !keeps && (e.Kind != ops.Left || e.Reason != ops.LeftOrphaned):
		return fmt.Errorf("%s has no source and no entry left and is not reported as orphaned", was.Key)
	case keeps && e.Kind != ops.ToPending:
		return fmt.Errorf("%s has no source left and an entry, and is not reported as returned", was.Key)
	case keeps:
		if p := v.after.FindPending(was.Key); p != nil { // returned-whole says so
			return v.lostHint(was.Key, &was.Retry, &p.Entry, p.Entry.NextVerify)
		}
	}
	return nil
}

// lostPeer compares the work of a key that stays where it is, before and after.
func (v *view) lostPeer(was, is work) error {
	if !lessPeer(is.untried, was.untried, v.Op.Peer) {
		return fmt.Errorf("a departure leaves %s the untried sources %v, it had %v", was.key, is.untried, was.untried)
	}
	entry, had := is.retry, was.retry
	was.untried, was.retry, is.retry = is.untried, nil, nil
	if what := is.differs(was); what != "" {
		return fmt.Errorf("a departure changed the %s of %s", what, was.key)
	}
	switch {
	case had == nil && entry == nil:
		return nil
	case had != nil && len(had.Hints) == 1 && had.Hints[0] == v.Op.Peer:
		if entry != nil {
			return fmt.Errorf("%s carries an entry without a hint source", was.key)
		}
		return nil
	case had == nil || entry == nil:
		return fmt.Errorf("%s carried an entry: %t, it carries one: %t", was.key, had != nil, entry != nil)
	}
	return v.lostHint(was.key, had, entry, had.NextVerify)
}

// lostHint compares the entry, before and after, of a key that keeps a hint source (DEP-1).
func (v *view) lostHint(k ops.Key, was, is *ops.Entry, nextVerify ops.Time) error {
	owner := was.Owner
	if owner == v.Op.Peer && len(is.Hints) > 0 {
		owner = is.Hints[0]
	}
	if !lessPeer(is.Hints, was.Hints, v.Op.Peer) || !lessPeer(is.Claimants, was.Claimants, v.Op.Peer) || is.Owner != owner ||
		is.Created != was.Created || is.NextVerify != nextVerify {
		return fmt.Errorf("a departure makes the entry of %s %s; it was %s", k, entryText(is), entryText(was))
	}
	return nil
}
