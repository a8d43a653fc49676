package props

import (
	"iter"
	"slices"

	"fetchproof/ops"
)

// view is a step with what several properties derive from it.
type view struct {
	*Step
	before, after *ops.SchedulerState
	cfg           *ops.SchedulerConfig
	at            ops.Time // the clock that the operation finds (DET-3)
	sources       []sourceView
	decided       bool
	course        course
	followed      bool
	pairs         []parkedUnder
	stages        []ops.Key
	owners        []ops.Peer
	merging       mergeScratch
	replies       []busyReply
}

// sourceView is the verdict on a source after the step, decided again from the tables.
type sourceView struct {
	peer     ops.Peer
	inFlight int64
	silent   bool
}

func (v *view) reset(s *Step) {
	v.Step = s
	v.before, v.after = &s.Before.Scheduler, &s.After.Scheduler
	v.cfg = &s.Config.Scheduler
	v.decided, v.followed = false, false
	v.at = v.before.Clock
	if s.Op.Kind.Timed() {
		v.at = max(v.at, s.Op.Now)
	}
}

// now is the instant at which the state after was taken: the operation's now, or the clock if that is later (DET-3).
func (v *view) now() ops.Time {
	if !v.Op.Kind.Timed() {
		return v.after.Clock
	}
	return max(v.Op.Now, v.after.Clock)
}

// blind reports whether the state before was taken at a time that the operation has not reached: marks and a window that
// still run at the operation do not show in it.
func (v *view) blind() bool { return v.Then > v.at }

// decideSources decides every source that the state after mentions, sorted.
func (v *view) decideSources() {
	v.decided = true
	v.sources = v.sources[:0]
	st := v.after
	for i := range st.Contact {
		c := &st.Contact[i]
		v.sources = append(v.sources, sourceView{peer: c.Source, silent: v.cfg.Silence && c.MarkedUntil > v.now()})
	}
	for i := range st.InFlight {
		v.source(st.InFlight[i].Source).inFlight++
	}
}

// source is the verdict on a peer. A peer that no table mentions is untracked, and silent while the window is open (CON-8).
func (v *view) source(p ops.Peer) *sourceView {
	if !v.decided {
		v.decideSources()
	}
	i, found := slices.BinarySearchFunc(v.sources, p, func(s sourceView, p ops.Peer) int { return s.peer.Compare(p) })
	if !found {
		v.sources = slices.Insert(v.sources, i, sourceView{peer: p, silent: v.cfg.Silence && v.after.OverflowUntil > v.now()})
	}
	return &v.sources[i]
}

// keyCanStart decides a queued key from scratch (section 1: can start).
func (v *view) keyCanStart(q *ops.QueuedKey) bool {
	return slices.ContainsFunc(q.Untried, func(p ops.Peer) bool {
		s := v.source(p)
		return s.silent || s.inFlight < v.cfg.Share
	})
}

// applied reports whether the operation is of kind k and was carried out.
func (v *view) applied(k ops.Kind) bool { return v.Op.Kind == k && v.Result.Code == ops.OK }

// events yields the events of one kind, in order.
func (v *view) events(kind ops.EventKind) iter.Seq[*ops.Event] {
	return func(yield func(*ops.Event) bool) {
		for i := range v.Result.Events {
			if e := &v.Result.Events[i]; e.Kind == kind && !yield(e) {
				return
			}
		}
	}
}

func (v *view) countEvents(kind ops.EventKind) (n int) {
	for i := range v.Result.Events {
		if v.Result.Events[i].Kind == kind {
			n++
		}
	}
	return n
}

// attempt is the flight that the operation reports on, before it, or nil.
func (v *view) attempt() *ops.Flight {
	for i := range v.before.InFlight {
		if f := &v.before.InFlight[i]; f.Attempt == v.Op.Ref.N {
			return f
		}
	}
	return nil
}

// after is t + d, at most the largest time (DET-4).
func after(t ops.Time, d ops.Duration) ops.Time {
	if sum := t + ops.Time(d); sum >= t {
		return sum
	}
	return 1<<63 - 1
}
