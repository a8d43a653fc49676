package model

// CopyFrom implements [Machine]. It keeps the buffers that s has, down to those inside its entries, so that copying small
// states does not allocate.
func (s *Scheduler) CopyFrom(src Machine) {
	o := src.(*Scheduler)
	s.cfg, s.clock, s.lastPlace, s.stopped = o.cfg, o.clock, o.lastPlace, o.stopped
	s.overflowUntil, s.counters, s.witness = o.overflowUntil, o.counters, o.witness
	s.contact = append(s.contact[:0], o.contact...)
	s.busy = append(s.busy[:0], o.busy...)
	s.forgotten = append(s.forgotten[:0], o.forgotten...)
	s.pending = resized(s.pending, len(o.pending))
	for i := range o.pending {
		s.pending[i].key = o.pending[i].key
		s.pending[i].entry.copyFrom(&o.pending[i].entry)
	}
	s.queued = resized(s.queued, len(o.queued))
	for i := range o.queued {
		s.queued[i].parked = o.queued[i].parked
		s.queued[i].work.copyFrom(&o.queued[i].work)
	}
	s.flights = resized(s.flights, len(o.flights))
	for i := range o.flights {
		s.flights[i].copyFrom(&o.flights[i])
	}
}

// resized is the list with n elements. Elements that it had, also past its end, keep their buffers.
func resized[T any](list []T, n int) []T {
	if n <= cap(list) {
		return list[:n]
	}
	return append(list[:cap(list)], make([]T, n-cap(list))...)
}

func (e *entry) copyFrom(o *entry) {
	hints := append(e.hints[:0], o.hints...)
	*e = *o
	e.hints = hints
}

func (w *work) copyFrom(o *work) {
	untried, tried := append(w.untried[:0], o.untried...), append(w.tried[:0], o.tried...)
	w.retry.copyFrom(&o.retry)
	w.key, w.distance, w.hasRetry = o.key, o.distance, o.hasRetry
	w.untried, w.tried = untried, tried
}

func (f *flight) copyFrom(o *flight) {
	w := f.work
	w.copyFrom(&o.work)
	*f = *o
	f.work = w
}

var _ Machine = (*Scheduler)(nil)
