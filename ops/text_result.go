package ops

import (
	"fmt"
	"strconv"
)

// AppendResult writes what an operation answered, a line for each thing worth telling. An operation that was simply done
// (admitted, queued, ok) prints nothing: its events and the state show it.
func AppendResult(dst []byte, op *Op, r *Result) []byte {
	line := func(format string, args ...any) { dst = append(fmt.Appendf(dst, format, args...), '\n') }
	switch {
	case r.Code == Stale || r.Code == Invalid || r.Code == Unsupported || r.Code == Serve || r.Code == Shed:
		line("%s%s", r.Code, op.subject())
	case op.Kind == Arrive:
		line("answer #%d to #%d", r.Place, op.Ref.N)
	case op.Kind == BusyReply:
		line("busy #%d cooldown %s due %s", op.Ref.N, r.Cooldown, r.Due)
	case op.Kind == Ready:
		line("ready%s", keyList(r.Keys))
	case op.Kind == Drained:
		line("drained %t", r.Drained)
	case op.Kind == Request:
		line("%s", r.requestText(op))
	case r.Code != None && r.Code != OK && r.Code != Admitted && r.Code != Queued:
		line("%s%s", r.Code, op.subject())
	}
	for i := range r.Events {
		line("%s", r.Events[i].String())
	}
	if r.Charge != NoCharge {
		line("charge %s", r.Charge)
	}
	return dst
}

// subject is what the operation is about, for a line that says how it went.
func (o *Op) subject() string {
	for _, f := range kindSpecs[o.Kind].fields {
		switch f {
		case fieldKey:
			return " " + o.Key.String()
		case fieldRef:
			return " #" + strconv.FormatUint(o.Ref.N, 10)
		case fieldPeer:
			return " " + o.Peer.String()
		}
	}
	return ""
}

func keyList(keys []Key) string {
	if len(keys) == 0 {
		return " none"
	}
	s := ""
	for _, k := range keys {
		s += " " + k.String()
	}
	return s
}

func (r *Result) requestText(op *Op) string {
	switch r.Code {
	case Admitted:
		return fmt.Sprintf("admitted %s ticket #%d", op.Peer, r.Ticket)
	case Busy:
		return fmt.Sprintf("busy %s send #%d: %s", op.Peer, r.Send, r.Reason)
	}
	s := fmt.Sprintf("%s %s: %s", r.Code, op.Peer, r.Reason)
	if r.Limiter != NoBound {
		s += ", " + r.Limiter.String()
	}
	return s
}

// String is the event as scenario text writes it.
func (e *Event) String() string {
	switch e.Kind {
	case Start:
		return fmt.Sprintf("start %s from %s #%d", e.Key, e.Source, e.Attempt)
	case Left:
		return fmt.Sprintf("left %s %s", e.Key, e.Reason)
	default:
		return fmt.Sprintf("%s %s", e.Kind, e.Key)
	}
}
