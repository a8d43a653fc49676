package worker

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"time"

	"fetchproof/impl/scheduler"
	"fetchproof/impl/wire"
)

// attempt is one fetch of one key from one source, in a goroutine of its own.
type attempt struct {
	scheduler.Start
	w       *Worker
	started scheduler.Time
	place   scheduler.Place // of its answer, 0 before it arrived
}

// main runs the attempt and reports its outcome, whatever happens (WRK-3).
func (a *attempt) main() {
	defer func() {
		if p := recover(); p != nil {
			a.panicked(p)
		}
	}()
	left := time.Duration(a.started-a.w.ports.Clock.Now()) + a.w.cfg.Scheduler.FetchTimeout
	ctx, cancel := context.WithTimeout(a.w.ctx, left)
	defer cancel()
	a.run(ctx)
}

func (a *attempt) panicked(p any) {
	a.w.ports.Log.Error("fetch attempt panicked",
		slog.String("key", wire.Key(a.Key).String()), slog.String("peer", wire.PeerID(a.Source).String()),
		slog.String("panic", fmt.Sprint(p)), slog.String("stack", string(debug.Stack())))
	a.end(scheduler.OutcomePanicked, 0)
}

func (a *attempt) run(ctx context.Context) {
	if !a.w.ports.Responsible(a.Key) {
		a.end(scheduler.OutcomeDeclined, 0)
		return
	}
	req := Request{Peer: a.Source, Key: a.Key, AsksBusy: a.w.cfg.AsksBusy}
	resp, err := a.w.ports.Transport.Fetch(ctx, req, a.arrive)
	if err != nil {
		a.end(a.failure(err), 0)
		return
	}
	if a.place == 0 {
		a.arrive()
	}
	a.answered(&resp)
}

// failure is the outcome of an attempt that got no answer (section 9).
func (a *attempt) failure(err error) scheduler.OutcomeKind {
	switch {
	case a.w.ctx.Err() != nil:
		return scheduler.OutcomeCancelled
	case errors.Is(err, ErrNotSent):
		return scheduler.OutcomeSendFailed
	case errors.Is(err, ErrUnreachable):
		return scheduler.OutcomeUnreachable
	case errors.Is(err, context.DeadlineExceeded):
		return scheduler.OutcomeTimeout
	default:
		return scheduler.OutcomeSendFailed
	}
}

// answered goes on with a response. What it says is known without looking at the
// record, so the answer is applied before the record is checked and stored
// (WRK-2).
func (a *attempt) answered(resp *Response) {
	key := wire.Key(a.Key)
	switch v := wire.Triage(key, &resp.Message, resp.Err); v.Answer {
	case wire.AnswerRecord:
		a.apply()
		a.end(a.keep(key, resp.Message.Data), 0)
	case wire.AnswerBusy:
		a.wait()
	case wire.AnswerNotFound:
		a.end(scheduler.OutcomeNotFound, a.place)
	case wire.AnswerError:
		a.end(scheduler.OutcomeErrorReply, a.place)
	default:
		a.end(scheduler.OutcomeInvalid, a.place)
	}
}

// keep checks and stores the record.
func (a *attempt) keep(key wire.Key, data []byte) scheduler.OutcomeKind {
	if wire.CheckRecord(key, data) != nil {
		return scheduler.OutcomeInvalid
	}
	if !a.w.ports.Responsible(a.Key) {
		return scheduler.OutcomeDeclined
	}
	if err := a.w.ports.Store.Put(a.Key, data); err != nil {
		a.w.ports.Log.Error("storing a fetched record failed", slog.String("key", key.String()), slog.String("error", err.Error()))
		return scheduler.OutcomeStoreFailed
	}
	a.w.stored(len(data))
	return scheduler.OutcomeStored
}

// wait sits a busy reply out, holding the slot, until it is due (BSY-1).
func (a *attempt) wait() {
	due, ok := a.busy()
	if !ok {
		a.end(scheduler.OutcomePanicked, 0)
		return
	}
	select {
	case <-time.After(time.Duration(due - a.w.ports.Clock.Now())):
		a.end(scheduler.OutcomeBusy, 0)
	case <-a.w.ctx.Done():
		a.end(scheduler.OutcomeCancelled, 0)
	}
}
