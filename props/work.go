package props

import (
	"slices"

	"fetchproof/ops"
)

// work is what a key carries through the queue and in flight.
type work struct {
	key      ops.Key
	distance ops.Distance
	untried  []ops.Peer
	tried    []ops.Peer
	retry    *ops.Entry // nil without one
}

func workOf(q *ops.QueuedKey) work {
	w := work{key: q.Key, distance: q.Distance, untried: q.Untried, tried: q.Tried}
	if q.HasRetry {
		w.retry = &q.Retry
	}
	return w
}

func flightWork(f *ops.Flight) work {
	w := work{key: f.Key, distance: f.Distance, untried: f.Untried, tried: f.Tried}
	if f.HasRetry {
		w.retry = &f.Retry
	}
	return w
}

// findWork is what a queued key or one in flight carries.
func findWork(st *ops.SchedulerState, k ops.Key) (work, bool) {
	if q := st.FindQueued(k); q != nil {
		return workOf(q), true
	}
	if f := st.FindFlight(k); f != nil {
		return flightWork(f), true
	}
	return work{}, false
}

// differs names the first part of a key's work that is not as wanted, or is "".
func (w work) differs(want work) string {
	switch {
	case w.distance != want.distance:
		return "distance"
	case !slices.Equal(w.untried, want.untried):
		return "untried sources"
	case !slices.Equal(w.tried, want.tried):
		return "tried sources"
	case (w.retry == nil) != (want.retry == nil) || w.retry != nil && !sameEntry(w.retry, want.retry):
		return "retry entry"
	}
	return ""
}

// sameAttempt leaves out what the attempt's own reports change: see sameReports.
func sameAttempt(a, b *ops.Flight) bool {
	return a.Attempt == b.Attempt && a.Source == b.Source && a.Started == b.Started && a.Tracked == b.Tracked
}

func sameReports(a, b *ops.Flight) bool {
	return a.Given == b.Given && a.Answered == b.Answered && a.Busy == b.Busy
}

func sameEntry(a, b *ops.Entry) bool {
	return a.Owner == b.Owner && a.Created == b.Created && a.NextVerify == b.NextVerify &&
		slices.Equal(a.Hints, b.Hints) && slices.Equal(a.Claimants, b.Claimants)
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
	if p := st.FindPending(k); p != nil {
		return &p.Entry
	}
	if w, ok := findWork(st, k); ok {
		return w.retry
	}
	return nil
}

// equalBut reports whether longer is shorter with p somewhere in it, once.
func equalBut(longer, shorter []ops.Peer, p ops.Peer) bool {
	i := slices.Index(longer, p)
	return i >= 0 && len(longer) == len(shorter)+1 && slices.Equal(longer[:i], shorter[:i]) && slices.Equal(longer[i+1:], shorter[i:])
}

// lessPeer reports whether is equals was without p; was need not have p.
func lessPeer(is, was []ops.Peer, p ops.Peer) bool {
	if !slices.Contains(was, p) {
		return slices.Equal(is, was)
	}
	return equalBut(was, is, p)
}
