package lockstep

import (
	"errors"

	"fetchproof/model"
	"fetchproof/ops"
	"fetchproof/props/subject"
)

// defaultWindow is how many operations run ahead of their answers: enough to keep both sides busy, few enough that what the
// model expects of them stays in the cache.
const defaultWindow = 128

// pipelined is what a runner keeps for a subject that takes operations ahead of its answers. What a program does next depends
// on the model's state alone, so the model goes ahead, and what it expects is queued until the subject has answered.
type pipelined struct {
	log    programLog
	queue  queue
	ignore ops.Result // of a state query
}

// programLog is the program so far, kept to run it again: the model must not have made an operation that the subject turns out
// to lack.
type programLog struct{ ops []ops.Op }

func (l *programLog) reset() { l.ops = l.ops[:0] }

func (l *programLog) add(op *ops.Op) { l.ops = append(l.ops, op.Clone()) }

// queue is a ring of expectations whose answers are due. Their memory is used again.
type queue struct {
	ring  []queued
	first int
	n     int
}

// queued is an expectation that outlives the step of the model that made it.
type queued struct {
	expectation
	kept     ops.State
	metAfter model.Situations
}

func (q *queue) reset() { q.first, q.n = 0, 0 }

// next is the entry after the last, to be filled and then added.
func (q *queue) next(window int) *queued {
	if len(q.ring) < window {
		ring := make([]queued, window)
		for i := range q.n {
			ring[i] = *q.at(i)
		}
		q.ring, q.first = ring, 0
	}
	return q.at(q.n)
}

func (q *queue) at(i int) *queued { return &q.ring[(q.first+i)%len(q.ring)] }

func (q *queue) take() *queued {
	e := q.at(0)
	q.first, q.n = (q.first+1)%len(q.ring), q.n-1
	return e
}

func (r *Runner) ahead(op *ops.Op) *Failure {
	r.log.add(op)
	return r.advance(len(r.log.ops)-1, r.window()-1)
}

func (r *Runner) window() int { return max(r.Window, 1) }

// advance sends the program from operation next on and judges answers in order, until at most leave are due. Where the
// subject turns out not to have an operation that the model has made, the program begins again without that kind.
func (r *Runner) advance(next, leave int) *Failure {
	for {
		bound := leave
		if next < len(r.log.ops) {
			bound = r.window() - 1
		}
		for r.queue.n > bound {
			again, f := r.receive()
			if f != nil {
				return f
			}
			if again {
				if f := r.start(); f != nil {
					return f
				}
				next = 0
			}
		}
		if next == len(r.log.ops) {
			return nil
		}
		if f := r.send(&r.log.ops[next]); f != nil {
			return f
		}
		next++
	}
}

// send lets the model carry out an operation, queues what it expects, and gives the operation to the subject. The lists of
// op, which is in the log, are not copied.
func (r *Runner) send(op *ops.Op) *Failure {
	r.step++
	if r.leftOut = r.pipe.Lacks(op.Kind); r.leftOut {
		return nil
	}
	r.Steps++
	e := r.queue.next(r.window())
	e.step = r.step
	r.oracle.names.Resolve(op, &e.op)
	r.at, r.doing = &e.expectation, making
	r.oracle.make(&e.expectation, r.StateEvery, r.Quiet)
	r.doing = judging
	e.metAfter = *e.after
	e.after = &e.metAfter
	if e.state != nil && r.pipe.Lacks(ops.StateQuery) {
		e.state = nil
	}
	r.newest = &e.expectation
	r.queue.n++
	err := r.pipe.Send(&e.op)
	if err == nil && e.state != nil {
		e.kept.CopyFrom(e.state)
		e.state = &e.kept
		err = r.pipe.Send(&ops.Op{Kind: ops.StateQuery, Now: e.now})
	}
	if err != nil {
		return r.judge.noAnswer(&r.queue.at(0).expectation, "", err) // its answer keeps all others back
	}
	return nil
}

// receive takes the next answer and judges it. It reports again if the model has made an operation that the subject does
// not have. A query that the subject lacks is merely not compared, since it changes nothing.
func (r *Runner) receive() (again bool, f *Failure) {
	e := &r.queue.take().expectation
	r.at = e
	if err := r.pipe.Receive(&r.judge.result, nil); err != nil {
		return false, r.pin(r.judge.noAnswer(e, "", err), err)
	}
	switch lacks := r.judge.result.Code == ops.Unsupported && e.result.Code != ops.Unsupported; {
	case lacks && !e.op.Kind.IsQuery():
		return true, nil
	case lacks:
		r.leftOut = r.leftOut || e == r.newest
		e.single = false
	default:
		if f := r.judge.answer(e); f != nil {
			return false, f
		}
		// No property speaks of an operation of the other machine.
		e.single = e.single && e.result.Code != ops.Unsupported
	}
	if e.state == nil {
		return false, nil
	}
	if err := r.pipe.Receive(&r.ignore, r.judge.turn()); err != nil {
		return false, r.pin(r.judge.noAnswer(e, "", err), err)
	}
	return false, r.judge.state(e)
}

// pin finds the step of a failure that may be named too early: a subject that buffers its answers loses them when it ends. So
// the program is run again with one operation at a time. Where that does not fail, the failure stays as it was seen.
func (r *Runner) pin(f *Failure, err error) *Failure {
	var t *subject.Trouble
	if !errors.As(err, &t) || t.Ahead == 0 || r.window() == 1 || t.Kind == subject.Answer || t.Kind == subject.Error {
		return f
	}
	defer func(window int) { r.Window = window }(r.Window)
	r.Window = 1
	again := r.start()
	if again == nil {
		again = r.advance(0, 0)
	}
	if again == nil {
		return f
	}
	return again
}

// Settle judges what is not judged yet: the answers that are due and, where states are not compared after every operation,
// the last one. A program that is settled and did not fail has agreed to its end.
func (r *Runner) Settle() (f *Failure) {
	defer func() {
		if p := recover(); p != nil {
			f = r.panicked(p)
		}
	}()
	if r.pipe != nil {
		if f := r.advance(len(r.log.ops), 0); f != nil {
			return f
		}
	}
	if !r.oracle.owes() {
		return nil
	}
	r.at = r.newest
	r.oracle.settle(r.newest)
	return r.compareStates(r.newest)
}

func (r *Runner) settleAnswers() *Failure {
	for r.queue.n > 0 {
		if again, f := r.receive(); f != nil || again {
			return f
		}
	}
	return nil
}

// lacksAny reports whether the subject does not have one of the operations.
func (r *Runner) lacksAny(list []ops.Op) bool {
	for i := range list {
		if r.pipe != nil && r.pipe.Lacks(list[i].Kind) {
			return true
		}
	}
	return false
}
