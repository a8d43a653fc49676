package explore

import "fetchproof/ops"

// graph is every transition between the states, and the facts of each state that the check of liveness needs. Transitions of
// a state stand together, in the order of its letters.
type graph struct {
	first []uint32 // of each state, its first transition; one more at the end
	to    []uint32
	via   []uint16 // the letter, and whether an attempt ended
	facts []facts
}

// ended marks a transition in which an attempt ended: an outcome was applied, or a place or a send was released.
const ended uint16 = 1 << 15

// facts are what is still to drain in a state. Counts are small: a scope has few keys.
type facts struct {
	flying, queued uint8
	// work is how many attempts can still end before all is drained if nothing is added: those in flight, and one for each
	// untried source of a key that is queued or in flight, since a source is tried from the start of an attempt at it.
	work    uint8
	stopped bool
}

func factsOf(st *ops.State) (f facts) {
	if st.Machine == ops.ResponderMachine {
		n := uint8(len(st.Responder.Tickets) + len(st.Responder.Sends))
		return facts{flying: n, work: n}
	}
	s := &st.Scheduler
	f = facts{flying: uint8(len(s.InFlight)), queued: uint8(len(s.Queued)), work: uint8(len(s.InFlight)), stopped: s.Stopped}
	for i := range s.Queued {
		f.work += uint8(len(s.Queued[i].Untried))
	}
	for i := range s.InFlight {
		f.work += uint8(len(s.InFlight[i].Untried))
	}
	return f
}

// drained is what a state must come to: nothing in flight and nothing queued; after a stop queued keys stay (OUT-8).
func (f *facts) drained() bool { return f.flying == 0 && (f.queued == 0 || f.stopped) }

// endsAttempt reports whether the operation, as answered, ended an attempt.
func endsAttempt(op *ops.Op, res *ops.Result) bool {
	switch op.Kind {
	case ops.Outcome, ops.Release, ops.SendDone:
		return res.Code == ops.OK
	case ops.Take:
		return res.Code == ops.Shed
	}
	return false
}

// progresses reports whether a letter is one of those that go on by themselves once nothing is added, promoted or taken away
// any more: reports, fill passes, time.
func (l *Letter) progresses() bool {
	switch l.Op.Kind {
	case ops.Fill, ops.Arrive, ops.Answer, ops.BusyReply, ops.Outcome, ops.Take, ops.Release, ops.SendDone:
		return true
	}
	return l.Tick
}

// edges calls yield for the transitions of state n by letters that progress.
func (g *graph) edges(s *Scope, n uint32, yield func(e uint32, to uint32, ends bool)) {
	for e := g.first[n]; e < g.first[n+1]; e++ {
		if s.Letters[g.via[e]&^ended].progresses() {
			yield(e, g.to[e], g.via[e]&ended != 0)
		}
	}
}
