package transport

import (
	"sync"

	"fetchproof/impl/node/worker"
	"fetchproof/impl/wire"
)

// waiting are the requests whose response is awaited, by message id.
type waiting struct {
	mu    sync.Mutex
	waits map[wire.MessageID]*wait
}

// wait is one request that waits for its response.
type wait struct {
	peer      wire.PeerID
	requestID uint64
	arrived   func() // nil once called
	response  chan worker.Response
}

func (w *waiting) add(id wire.MessageID, x *wait) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.waits == nil {
		w.waits = make(map[wire.MessageID]*wait)
	}
	w.waits[id] = x
}

// remove ends a wait. After it, arrived is not called any more.
func (w *waiting) remove(id wire.MessageID) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.waits, id)
}

// arrived is told of every message that has arrived whole, before anything else is
// done with it, so that an answer takes its place now (SEQ-1). What the bytes say
// is not proven yet: an answer turned down later has taken a place that is never
// applied, which is evidence of nothing (SEQ-3).
func (w *waiting) arrived(buf []byte) {
	var o wire.Outer
	var in wire.Inner
	if wire.DecodeOuter(buf, &o) != nil || wire.DecodeInner(o.Data, &in) != nil || !in.IsResponse {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	x := w.waits[in.MessageID]
	if x == nil || x.arrived == nil || string(o.From) != x.peer.String() {
		return
	}
	x.arrived()
	x.arrived = nil
}

// deliver hands a proven response to its request, and reports whether there was
// one: from the peer that was asked, for a request still waiting (WIR-9). One that
// decodes must repeat the request's number too.
func (w *waiting) deliver(env *wire.Envelope, m wire.Message, err error) bool {
	x := w.answered(env, m.RequestID, err)
	if x == nil {
		return false
	}
	x.response <- worker.Response{Message: m, Err: err} // has room: nobody else finds x from now on
	return true
}

func (w *waiting) answered(env *wire.Envelope, requestID uint64, err error) *wait {
	w.mu.Lock()
	defer w.mu.Unlock()
	x := w.waits[env.MessageID]
	if x == nil || x.peer != env.From || err == nil && requestID != x.requestID {
		return nil
	}
	delete(w.waits, env.MessageID)
	return x
}
