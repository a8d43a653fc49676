// Package responder decides what a node does with a fetch request: serve it,
// refuse it with a busy reply, or refuse it in silence (RSP-1 to RSP-8).
//
// It is a passive state machine (DET-1). Every operation takes now, in
// nanoseconds since any fixed epoch; nothing here starts a goroutine, reads a
// clock, keeps a timer or draws a random number, except that New draws the keys
// of a hash, which never show. The caller owns the workers, the sockets and the
// deadlines, and reports what became of each place and of each busy send:
//
//	d := r.Request(now, peer, asksBusy)
//	switch d.Result {
//	case responder.Admitted: // queue d.Ticket for a worker
//	case responder.Busy:     // send Busy, then SendDone(now, d.Send)
//	case responder.Silent:   // nothing is sent
//	}
//
// An admitted place is released exactly once: by a Take that sheds it, or by
// Release when its reply was sent or could not be. A busy permit is freed
// exactly once: by SendDone when the send ended, failed, reached
// Config.BusySendDeadline, or was cut off by shutdown (RSP-6).
package responder
