package props

import (
	"bytes"
	"slices"

	"fetchproof/ops"
)

// view is a step with what several properties derive from it: the verdict on each source, decided again from the tables.
type view struct {
	*Step
	before, after *ops.SchedulerState
	cfg           *ops.SchedulerConfig
	sources       []sourceView // every source that the state after mentions, sorted
	pairs         []parkedUnder
	stages        []ops.Key
	owners        []ops.Peer
	replies       []busyReply
}

type sourceView struct {
	peer     ops.Peer
	inFlight int64
	silent   bool
	cooling  bool
	// surely: it was silent before the operation too, not by a window that the operation opened.
	surely bool
	// fresh: it may have been untracked, and so silent by the overflow window, until this operation tracked it: for the first
	// time, or again after its own sweep had dropped it. What it was when a choice was made inside the operation cannot be told
	// from the states around it.
	fresh bool
}

func (v *view) reset(s *Step) {
	v.Step = s
	v.before, v.after = &s.Before.Scheduler, &s.After.Scheduler
	v.cfg = &s.Config.Scheduler
	v.sources = v.sources[:0]
	if s.After.Machine == ops.SchedulerMachine {
		v.decideSources()
	}
}

// now is the instant at which the state after was taken: the operation's now, or the clock if that is later (DET-3).
func (v *view) now() ops.Time {
	if !v.Op.Kind.Timed() {
		return v.after.Clock
	}
	return max(v.Op.Now, v.after.Clock)
}

func (v *view) decideSources() {
	st := v.after
	for i := range st.Contact {
		c := &st.Contact[i]
		v.sources = append(v.sources, sourceView{
			peer: c.Source, silent: v.cfg.Silence && c.MarkedUntil > v.now(), surely: true,
			fresh: v.windowOpen() && v.trackedInThisStep(c),
		})
	}
	for i := range st.InFlight {
		v.source(st.InFlight[i].Source).inFlight++
	}
	for i := range st.Busy {
		v.source(st.Busy[i].Source).cooling = v.now() < st.Busy[i].Until
	}
}

// source is the verdict on a peer. One that no table mentions is untracked.
func (v *view) source(p ops.Peer) *sourceView {
	i, found := slices.BinarySearchFunc(v.sources, p, func(s sourceView, p ops.Peer) int { return s.peer.Compare(p) })
	if !found {
		v.sources = slices.Insert(v.sources, i, sourceView{
			peer: p, silent: v.windowOpen(), surely: v.before.OverflowUntil > v.now(),
		})
	}
	return &v.sources[i]
}

// trackedInThisStep reports whether the entry may have been made by this operation: it is new, or it is as good as new and
// something started at its source.
func (v *view) trackedInThisStep(c *ops.Contact) bool {
	if findContact(v.before, c.Source) == nil {
		return true
	}
	if c.LastAnswer != 0 || c.LastUnanswered != 0 {
		return false
	}
	for e := range v.starts {
		if e.Source == c.Source {
			return true
		}
	}
	return false
}

// windowOpen reports whether untracked sources count as silent (CON-8).
func (v *view) windowOpen() bool { return v.cfg.Silence && v.after.OverflowUntil > v.now() }

func (s *sourceView) canStart(share int64) bool { return s.silent || s.inFlight < share }

// hadRoom reports whether the source was answering with room all through the operation: in an operation that starts
// something room only shrinks and, but for fresh sources, verdicts only move towards silent.
func (s *sourceView) hadRoom(share int64) bool { return !s.silent && !s.fresh && s.inFlight < share }

// keyCanStart decides a queued key from scratch (section 1: can start).
func (v *view) keyCanStart(q *ops.QueuedKey) bool {
	for _, p := range q.Untried {
		if v.source(p).canStart(v.cfg.Share) {
			return true
		}
	}
	return false
}

func (v *view) starts(yield func(*ops.Event) bool) {
	for i := range v.Result.Events {
		if e := &v.Result.Events[i]; e.Kind == ops.Start && !yield(e) {
			return
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

// find is the entry of a sorted list whose id is wanted, or nil. Entries are large, so they are compared in place.
func find[T any, ID ~[32]byte](list []T, want ID, id func(*T) *ID) *T {
	lo, hi := 0, len(list)
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		switch c := compareIDs(id(&list[mid]), &want); {
		case c == 0:
			return &list[mid]
		case c < 0:
			lo = mid + 1
		default:
			hi = mid
		}
	}
	return nil
}

func compareIDs[ID ~[32]byte](a, b *ID) int { return bytes.Compare((*a)[:], (*b)[:]) }

func findQueued(st *ops.SchedulerState, k ops.Key) *ops.QueuedKey {
	return find(st.Queued, k, func(q *ops.QueuedKey) *ops.Key { return &q.Key })
}

func findFlight(st *ops.SchedulerState, k ops.Key) *ops.Flight {
	return find(st.InFlight, k, func(f *ops.Flight) *ops.Key { return &f.Key })
}

func findPending(st *ops.SchedulerState, k ops.Key) *ops.PendingKey {
	return find(st.Pending, k, func(p *ops.PendingKey) *ops.Key { return &p.Key })
}

func findContact(st *ops.SchedulerState, p ops.Peer) *ops.Contact {
	return find(st.Contact, p, func(c *ops.Contact) *ops.Peer { return &c.Source })
}

func findCooldown(st *ops.SchedulerState, p ops.Peer) *ops.Cooldown {
	return find(st.Busy, p, func(c *ops.Cooldown) *ops.Peer { return &c.Source })
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
