package gen

import "fetchproof/ops"

func (g *Generator) responder(op *ops.Op, st *ops.ResponderState) {
	switch op.Kind {
	case ops.Request:
		op.Peer, op.AsksBusy = g.peer(), !g.chance(15)
	case ops.Take, ops.Release:
		op.Ref = g.numbered(len(st.Tickets), func(i int) ops.Ref { return newestTicket(st, i) })
	case ops.SendDone:
		op.Ref = g.numbered(len(st.Sends), func(i int) ops.Ref { return newestSend(st, i) })
	}
}

// numbered is mostly one of the n that are open, else one that is over or never was.
func (g *Generator) numbered(n int, ref func(int) ops.Ref) ops.Ref {
	if n > 0 && !g.chance(10) {
		return ref(g.src.Intn(n))
	}
	if g.chance(30) {
		return ops.Ref{N: uint64(g.src.Intn(20))}
	}
	return ops.Ref{Of: g.peer(), Back: uint16(g.src.Intn(3))}
}

// newestTicket names an open ticket by its peer, counting back over the newer open ones. The resolver also counts
// newer ones that are over, so the reference may name another ticket of that peer: as good a choice.
func newestTicket(st *ops.ResponderState, i int) ops.Ref {
	r := ops.Ref{Of: st.Tickets[i].Peer}
	for _, t := range st.Tickets[i+1:] {
		if t.Peer == st.Tickets[i].Peer {
			r.Back++
		}
	}
	return r
}

func newestSend(st *ops.ResponderState, i int) ops.Ref {
	r := ops.Ref{Of: st.Sends[i].Peer}
	for _, s := range st.Sends[i+1:] {
		if s.Peer == st.Sends[i].Peer {
			r.Back++
		}
	}
	return r
}
