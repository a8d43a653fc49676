package ops

// Resolver turns references by key or peer into the numbers that a run has given. It watches the results of the run.
type Resolver struct {
	attempts map[[32]byte][]uint64 // by key, oldest first
	tickets  map[[32]byte][]uint64 // by peer
	sends    map[[32]byte][]uint64 // by peer
	given    []uint64              // by attempt: the place of its answer
}

// keptNames bounds the names whose memory Reset keeps: those of a few small programs, which mostly share them.
const keptNames = 64

// Reset forgets the run.
func (r *Resolver) Reset() {
	r.given = r.given[:0]
	for _, m := range []*map[[32]byte][]uint64{&r.attempts, &r.tickets, &r.sends} {
		if *m == nil || len(*m) > keptNames {
			*m = map[[32]byte][]uint64{}
		}
		for id, numbers := range *m {
			(*m)[id] = numbers[:0]
		}
	}
}

// Resolve sets *dst to *op with every reference a number and every place a number or none. A reference to what never was
// resolves to 0, which numbers nothing.
func (r *Resolver) Resolve(op, dst *Op) {
	*dst = *op
	if op.Ref.Symbolic() {
		dst.Ref = Ref{N: nth(r.numbers(op.Kind)[op.Ref.Of], op.Ref.Back)}
	}
	if op.PlaceArg == GivenPlace {
		dst.PlaceArg, dst.Place = ThisPlace, 0
		if dst.Ref.N < uint64(len(r.given)) {
			dst.Place = r.given[dst.Ref.N]
		}
	}
}

func (r *Resolver) numbers(k Kind) map[[32]byte][]uint64 {
	switch kindSpecs[k].refKey {
	case "ticket":
		return r.tickets
	case "send":
		return r.sends
	default:
		return r.attempts
	}
}

func nth(numbers []uint64, back uint16) uint64 {
	if int(back) >= len(numbers) {
		return 0
	}
	return numbers[len(numbers)-1-int(back)]
}

// Watch learns the numbers that a resolved operation's result gave.
func (r *Resolver) Watch(op *Op, res *Result) {
	for i := range res.Events {
		if e := &res.Events[i]; e.Kind == Start {
			r.attempts[e.Key] = append(r.attempts[e.Key], e.Attempt)
		}
	}
	switch {
	case op.Kind == Arrive && res.Code == OK:
		for uint64(len(r.given)) <= op.Ref.N {
			r.given = append(r.given, 0)
		}
		r.given[op.Ref.N] = res.Place
	case op.Kind == Request && res.Code == Admitted:
		r.tickets[op.Peer] = append(r.tickets[op.Peer], res.Ticket)
	case op.Kind == Request && res.Code == Busy:
		r.sends[op.Peer] = append(r.sends[op.Peer], res.Send)
	}
}
