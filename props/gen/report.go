package gen

import "fetchproof/ops"

// report draws which attempt is reported on, and what. Most reports make sense for what the attempt has been through; one
// in eight is drawn without looking, so that stale, double, misplaced and impossible ones come too.
func (g *Generator) report(op *ops.Op, st *ops.SchedulerState) {
	if len(st.InFlight) == 0 || g.chance(6) {
		g.blindReport(op, st)
		return
	}
	f := &st.InFlight[g.src.Intn(len(st.InFlight))]
	op.Ref = ops.Ref{Of: f.Key}
	if g.chance(6) {
		g.blindArguments(op, st)
		return
	}
	switch op.Kind {
	case ops.Answer, ops.BusyReply:
		if f.Given == 0 {
			g.arriveFirst(op)
		}
		op.PlaceArg = ops.GivenPlace
		op.Wait = g.wait()
	case ops.Outcome:
		g.outcome(op, f)
	}
}

// arriveFirst puts the answer's arrival before the report that is being drawn. Now and then the report is left out, so that
// others come between the two: places are applied out of order (SEQ-1).
func (g *Generator) arriveFirst(op *ops.Op) {
	late := *op
	late.PlaceArg = ops.GivenPlace
	if op.Kind == ops.BusyReply {
		late.Wait = g.wait()
	}
	if !g.chance(30) {
		g.then(late)
	}
	*op = ops.Op{Kind: ops.Arrive, Ref: op.Ref}
}

// answeredKinds are the outcomes that come with an answer, silentKinds those of an attempt that got none.
var (
	answeredKinds = []ops.OutcomeKind{ops.Stored, ops.NotFound, ops.InvalidRecord, ops.StoreFailed, ops.ErrorReply, ops.Declined}
	silentKinds   = []ops.OutcomeKind{
		ops.Timeout, ops.Timeout, ops.Timeout, ops.Unreachable, ops.SendFailed, ops.Cancelled, ops.Panicked, ops.Declined,
	}
	afterAnswer = []ops.OutcomeKind{
		ops.Stored, ops.NotFound, ops.InvalidRecord, ops.StoreFailed, ops.ErrorReply, ops.Declined, ops.Timeout, ops.Unreachable,
		ops.Cancelled, ops.Panicked,
	}
	afterBusy = []ops.OutcomeKind{ops.BusyEnd, ops.BusyEnd, ops.BusyEnd, ops.BusyEnd, ops.Declined, ops.Cancelled, ops.Panicked}
)

func (g *Generator) outcome(op *ops.Op, f *ops.Flight) {
	answered := 35
	switch {
	case g.stormy():
		answered = 10
	case g.shape == stocked:
		answered = 70
	}
	switch {
	case f.Busy:
		op.Outcome = g.outcomeOf(afterBusy)
	case f.Answered:
		op.Outcome = g.outcomeOf(afterAnswer)
	case f.Given != 0 && g.chance(80):
		op.Outcome, op.PlaceArg = g.outcomeOf(answeredKinds), ops.GivenPlace
	case f.Given == 0 && g.arrives() && g.chance(answered):
		op.Outcome = g.outcomeOf(answeredKinds)
		g.arriveFirst(op)
	default:
		op.Outcome = g.outcomeOf(silentKinds)
	}
}

// wait is within its bounds, at either end of them more often than between, and seldom outside.
func (g *Generator) wait() ops.Duration {
	c := &g.config.Scheduler
	switch r := g.src.Intn(10); {
	case r < 3:
		return c.BusyWaitMin
	case r < 5:
		return c.BusyWaitMax
	case r < 9:
		return c.BusyWaitMin + (c.BusyWaitMax-c.BusyWaitMin)/2
	default:
		return pick(g, c.BusyWaitMin-1, max(c.BusyWaitMax+1, 0)) // past the largest time there is none
	}
}

// blindReport names an attempt that need not be in flight: one that is over, one that never was.
func (g *Generator) blindReport(op *ops.Op, st *ops.SchedulerState) {
	switch g.src.Intn(4) {
	case 0:
		op.Ref = ops.Ref{N: uint64(g.src.Intn(int(min(st.NextPlace, 1000)) + 2))}
	default:
		op.Ref = ops.Ref{Of: pick(g, g.keys...), Back: uint16(g.src.Intn(3))}
	}
	g.blindArguments(op, st)
}

func (g *Generator) blindArguments(op *ops.Op, st *ops.SchedulerState) {
	if op.Kind == ops.Arrive {
		return
	}
	op.PlaceArg = ops.PlaceArg(g.src.Intn(3))
	if op.PlaceArg == ops.NoPlace && op.Kind != ops.Outcome {
		op.PlaceArg = ops.GivenPlace
	}
	if op.PlaceArg == ops.ThisPlace {
		op.Place = uint64(g.src.Intn(int(min(st.NextPlace, 1000)) + 2))
	}
	switch op.Kind {
	case ops.Outcome:
		op.Outcome = ops.OutcomeKind(g.src.Intn(int(ops.NumOutcomes) + 1))
	case ops.BusyReply:
		op.Wait = g.wait()
	}
}
