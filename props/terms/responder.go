package terms

import (
	"fetchproof/impl/responder"
	"fetchproof/ops"
)

var requestCodes = [...]ops.Code{responder.Admitted: ops.Admitted, responder.Busy: ops.Busy, responder.Silent: ops.Silent}

// Decided gives res the decision on a request.
func Decided(res *ops.Result, d *responder.Decision) {
	res.Code, res.Ticket, res.Send = requestCodes[d.Result], uint64(d.Ticket), uint64(d.Send)
	res.Reason, res.Limiter = ops.RefusalReason(d.Reason), ops.LimiterBound(d.Limiter)
}

var takeCodes = [...]ops.Code{responder.Serve: ops.Serve, responder.Shed: ops.Shed, responder.TakeStale: ops.Stale}

// Taken is what a worker is to do with a request.
func Taken(t responder.Taken) ops.Code { return takeCodes[t] }

// Freed is the result of a release, or of the end of a busy send.
func Freed(ok bool) ops.Code {
	if ok {
		return ops.OK
	}
	return ops.Stale
}
