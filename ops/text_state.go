package ops

import (
	"fmt"
	"strings"
)

// AppendStateText writes the fields of show (all, if it is 0) that hold something, a line an entry.
func AppendStateText(dst []byte, s *State, show Fields) []byte {
	if show == 0 {
		show = AllFields
	}
	w := stateWriter{dst: dst, show: show & s.Fields}
	if s.Machine == SchedulerMachine {
		w.scheduler(&s.Scheduler)
	} else {
		w.responder(&s.Responder)
	}
	return w.dst
}

type stateWriter struct {
	dst  []byte
	show Fields
}

func (w *stateWriter) line(f Fields, label, format string, args ...any) {
	if w.show&f != 0 {
		w.dst = fmt.Appendf(w.dst, "%-10s ", label)
		w.dst = append(fmt.Appendf(w.dst, format, args...), '\n')
	}
}

func (w *stateWriter) scheduler(s *SchedulerState) {
	w.line(FieldClock, "clock", "%s", s.Clock)
	w.line(FieldNextPlace, "next place", "#%d", s.NextPlace)
	if s.Stopped {
		w.line(FieldStopped, "stopped", "yes")
	}
	for i := range s.Pending {
		e := &s.Pending[i].Entry
		w.line(FieldPending, "pending", "%s %s verify %s", s.Pending[i].Key, e.text(), e.NextVerify)
	}
	if len(s.Heap) > 0 {
		w.line(FieldHeap, "heap", "%s", strings.TrimSpace(keyList(s.Heap)))
	}
	if len(s.Parked) > 0 {
		w.line(FieldParked, "parked", "%s", strings.TrimSpace(keyList(s.Parked)))
	}
	for i := range s.Index {
		w.line(FieldIndex, "index", "%s:%s", s.Index[i].Source, keyList(s.Index[i].Keys))
	}
	for i := range s.Queued {
		q := &s.Queued[i]
		w.line(FieldQueued, "queued", "%s at %s%s", q.Key, q.Distance, sourcesText(q.Untried, q.Tried, q.HasRetry, &q.Retry))
	}
	for i := range s.InFlight {
		w.line(FieldInFlight, "in flight", "%s", s.InFlight[i].text())
	}
	for _, c := range s.Contact {
		w.line(FieldContact, "contact", "%s%s", c.Source, c.text())
	}
	if s.OverflowUntil != 0 {
		w.line(FieldOverflow, "overflow", "until %s", s.OverflowUntil)
	}
	for _, b := range s.Busy {
		w.line(FieldBusy, "cooldown", "%s streak %d last %s until %s", b.Source, b.Streak, b.Last, b.Until)
	}
	if s.Reserved > 0 {
		w.line(FieldReserved, "reserved", "%d", s.Reserved)
	}
	for _, c := range s.Charges {
		w.line(FieldCharges, "charge", "%s %d", c.Owner, c.Charge)
	}
	if text := countersText(&s.Counters); text != "" {
		w.line(FieldCounters, "counters", "%s", text)
	}
}

func (w *stateWriter) responder(s *ResponderState) {
	w.line(FieldClock, "clock", "%s", s.Clock)
	if s.Outstanding > 0 {
		w.line(FieldOutstanding, "places", "%d", s.Outstanding)
	}
	for _, p := range s.Peers {
		w.line(FieldPeers, "peer", "%s %d", p.Peer, p.Outstanding)
	}
	for _, t := range s.Tickets {
		taken := ""
		if t.Taken {
			taken = " taken"
		}
		w.line(FieldTickets, "ticket", "#%d %s since %s%s", t.ID, t.Peer, t.Since, taken)
	}
	for _, x := range s.Sends {
		w.line(FieldSends, "send", "#%d %s", x.ID, x.Peer)
	}
	for _, l := range s.Limiter {
		w.line(FieldLimiter, "limiter", "%s sending %d full at %s", l.Peer, l.Sending, l.FullAt)
	}
	if s.GlobalFullAt != 0 {
		w.line(FieldGlobalFullAt, "global", "full at %s", s.GlobalFullAt)
	}
}

func (e *Entry) text() string {
	words := make([]string, len(e.Hints))
	for i, h := range e.Hints {
		words[i] = h.String()
		for _, c := range e.Claimants {
			if c == h {
				words[i] += "!"
			}
		}
	}
	return fmt.Sprintf("hints %s owner %s created %s", strings.Join(words, ","), e.Owner, e.Created)
}

func sourcesText(untried, tried []Peer, hasRetry bool, retry *Entry) string {
	s := ""
	if len(untried) > 0 {
		s += " untried " + joinPeers(untried)
	}
	if len(tried) > 0 {
		s += " tried " + joinPeers(tried)
	}
	if hasRetry {
		s += " retry " + retry.text()
	}
	return s
}

func (f *Flight) text() string {
	s := fmt.Sprintf("%s from %s #%d since %s at %s", f.Key, f.Source, f.Attempt, f.Started, f.Distance)
	if !f.Tracked {
		s += " untracked"
	}
	if f.Given != 0 {
		s += fmt.Sprintf(" given #%d", f.Given)
	}
	if f.Answered {
		s += " answered"
	}
	if f.Busy {
		s += " busy"
	}
	return s + sourcesText(f.Untried, f.Tried, f.HasRetry, &f.Retry)
}

func (c Contact) text() string {
	s := ""
	if c.LastAnswer != 0 {
		s += fmt.Sprintf(" answer #%d", c.LastAnswer)
	}
	if c.LastUnanswered != 0 {
		s += fmt.Sprintf(" unanswered #%d", c.LastUnanswered)
	}
	if c.MarkedUntil != 0 {
		s += " silent until " + c.MarkedUntil.String()
	}
	return s
}

func countersText(counters *[NumCounters]uint64) string {
	var words []string
	for c, n := range counters {
		if n > 0 {
			words = append(words, fmt.Sprintf("%s %d", Counter(c), n))
		}
	}
	return strings.Join(words, ", ")
}
