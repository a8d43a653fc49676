package props

import (
	"fmt"
	"slices"

	"fetchproof/ops"
)

var shapeProperties = []*Property{
	{
		Name: "ordered", Rules: []string{"DET-2"},
		Text:  "every list of the state stands in its one order, each entry once",
		check: ordered,
	},
	{
		Name: "result-shaped", Rules: []string{"FIL-4", "OUT-7"},
		Text:  "an operation is answered in the words that it has, and with nothing else: a start has source and place, what left has a reason",
		check: resultShaped,
	},
}

var responderShapes = []*Property{
	{
		Name: "responder-ordered", Machine: ops.ResponderMachine, Rules: []string{"DET-2"},
		Text:  "every list of the responder's state stands in its one order, each entry once",
		check: responderOrdered,
	},
	{
		Name: "reply-shaped", Machine: ops.ResponderMachine, Rules: []string{"RSP-1", "RSP-2", "RSP-3", "RSP-4", "RSP-6"},
		Text:  "a request is answered with a ticket, or a reason and a send or at most a bound; the others with a word alone",
		check: resultShaped,
	},
}

// inOrder is where a list is out of order by less, which is strict; -1 if nowhere.
func inOrder[T any](list []T, less func(a, b *T) bool) int {
	for i := 1; i < len(list); i++ {
		if !less(&list[i-1], &list[i]) {
			return i
		}
	}
	return -1
}

func ordered(v *view) error {
	st := v.after
	for _, l := range []struct {
		of ops.Fields
		at int
	}{
		{ops.FieldPending, inOrder(st.Pending, func(a, b *ops.PendingKey) bool { return ops.CompareIDs(&a.Key, &b.Key) < 0 })},
		{ops.FieldQueued, inOrder(st.Queued, func(a, b *ops.QueuedKey) bool { return ops.CompareIDs(&a.Key, &b.Key) < 0 })},
		{ops.FieldInFlight, inOrder(st.InFlight, func(a, b *ops.Flight) bool { return ops.CompareIDs(&a.Key, &b.Key) < 0 })},
		{ops.FieldIndex, inOrder(st.Index, func(a, b *ops.IndexEntry) bool { return ops.CompareIDs(&a.Source, &b.Source) < 0 })},
		{ops.FieldContact, inOrder(st.Contact, func(a, b *ops.Contact) bool { return ops.CompareIDs(&a.Source, &b.Source) < 0 })},
		{ops.FieldBusy, inOrder(st.Busy, func(a, b *ops.Cooldown) bool { return ops.CompareIDs(&a.Source, &b.Source) < 0 })},
		{ops.FieldCharges, inOrder(st.Charges, func(a, b *ops.OwnerCharge) bool { return ops.CompareIDs(&a.Owner, &b.Owner) < 0 })},
	} {
		if l.at >= 0 {
			return fmt.Errorf("the list %s is out of order at its entry %d", l.of, l.at+1)
		}
	}
	return nil
}

func responderOrdered(v *view) error {
	st := &v.After.Responder
	for _, l := range []struct {
		of ops.Fields
		at int
	}{
		{ops.FieldPeers, inOrder(st.Peers, func(a, b *ops.PeerOutstanding) bool { return ops.CompareIDs(&a.Peer, &b.Peer) < 0 })},
		{ops.FieldTickets, inOrder(st.Tickets, func(a, b *ops.Ticket) bool { return a.ID < b.ID })},
		{ops.FieldSends, inOrder(st.Sends, func(a, b *ops.Send) bool { return a.ID < b.ID })},
		{ops.FieldLimiter, inOrder(st.Limiter, func(a, b *ops.LimiterPeer) bool { return ops.CompareIDs(&a.Peer, &b.Peer) < 0 })},
	} {
		if l.at >= 0 {
			return fmt.Errorf("the list %s is out of order at its entry %d", l.of, l.at+1)
		}
	}
	return nil
}

// words are the results that each operation has; those that are not here have none of their own.
var words = [ops.NumKinds][]ops.Code{
	ops.Add:       {ops.Admitted, ops.AlreadyPresent, ops.CapacityRejected, ops.Invalid},
	ops.Promote:   {ops.Queued, ops.NotPending, ops.NoSource, ops.QueueFull},
	ops.Enqueue:   {ops.Queued, ops.Present, ops.NoSource, ops.QueueFull},
	ops.Arrive:    {ops.OK, ops.Stale, ops.Invalid},
	ops.Answer:    {ops.OK, ops.Stale, ops.Invalid},
	ops.BusyReply: {ops.OK, ops.Stale, ops.Invalid},
	ops.Outcome:   {ops.OK, ops.Stale, ops.Invalid},
	ops.Remove:    {ops.OK, ops.NotPending},
	ops.Stop:      {ops.OK},
	ops.Request:   {ops.Admitted, ops.Busy, ops.Silent},
	ops.Take:      {ops.Serve, ops.Shed, ops.Stale},
	ops.Release:   {ops.OK, ops.Stale},
	ops.SendDone:  {ops.OK, ops.Stale},
}

// happens are the events that each operation can report.
var happens = [ops.NumKinds][]ops.EventKind{
	ops.Fill:    {ops.Start},
	ops.Outcome: {ops.Start, ops.Park, ops.ToPending, ops.Left},
	ops.Depart:  {ops.ToPending, ops.Left},
	ops.Remove:  {ops.Left},
	ops.Evict:   {ops.Left},
}

func resultShaped(v *view) error {
	r, kind := v.Result, v.Op.Kind
	if own := words[kind]; own == nil && r.Code != ops.None || own != nil && !slices.Contains(own, r.Code) {
		return fmt.Errorf("%s is answered %q", kind, r.Code)
	}
	for i := range r.Events {
		e := &r.Events[i]
		started, left := e.Kind == ops.Start, e.Kind == ops.Left
		if !slices.Contains(happens[kind], e.Kind) || r.Code != ops.None && r.Code != ops.OK {
			return fmt.Errorf("%s (%s) reports %s", kind, r.Code, eventText(*e))
		}
		if (e.Attempt != 0) != started || e.Source != (ops.Peer{}) && !started || (e.Reason != ops.NoReason) != left {
			return fmt.Errorf("%s reports %s with #%d, source %s, reason %q", kind, eventText(*e), e.Attempt, e.Source, r.Reason)
		}
	}
	busy := v.applied(ops.BusyReply)
	for _, x := range []struct {
		what     string
		has, may bool
	}{
		{"a place", r.Place != 0, v.applied(ops.Arrive)},
		{"a cooldown", r.Cooldown != 0, busy},
		{"a due time", r.Due != 0, busy},
		{"a charge", r.Charge != ops.NoCharge, v.applied(ops.Outcome)},
		{"keys", len(r.Keys) > 0, kind == ops.Ready},
		{"a drain", r.Drained, kind == ops.Drained},
		{"a ticket", r.Ticket != 0, r.Code == ops.Admitted && kind == ops.Request},
		{"a send", r.Send != 0, r.Code == ops.Busy},
		{"a refusal", r.Reason != ops.NoRefusal, r.Code == ops.Busy || r.Code == ops.Silent},
		{"a bound", r.Limiter != ops.NoBound, r.Code == ops.Silent},
	} {
		if x.has && !x.may {
			return fmt.Errorf("%s (%s) is answered with %s", kind, r.Code, x.what)
		}
	}
	return nil
}
