package subject

import (
	"fmt"
	"math"
	"time"

	"fetchproof/impl/scheduler"
	"fetchproof/ops"
	"fetchproof/props/terms"
)

// SchedulerMachine is what the adapter drives: the production scheduler, or another written to the same shape.
type SchedulerMachine interface {
	Add(now scheduler.Time, key scheduler.Key, hints []scheduler.Hint) scheduler.AddResult
	Promote(now scheduler.Time, key scheduler.Key, distance scheduler.Distance, sources []scheduler.Peer) scheduler.EnqueueResult
	Enqueue(now scheduler.Time, key scheduler.Key, distance scheduler.Distance, sources []scheduler.Peer) scheduler.EnqueueResult
	Fill(now scheduler.Time, dst []scheduler.Start) []scheduler.Start
	Arrive(attempt scheduler.Place) (scheduler.Place, scheduler.Verdict)
	Answer(now scheduler.Time, attempt, place scheduler.Place) scheduler.Verdict
	Busy(now scheduler.Time, attempt, place scheduler.Place, wait time.Duration) (scheduler.BusyReply, scheduler.Verdict)
	Outcome(now scheduler.Time, attempt scheduler.Place, kind scheduler.OutcomeKind, place scheduler.Place, hasPlace bool) (scheduler.OutcomeReport, scheduler.Verdict)
	Depart(now scheduler.Time, peer scheduler.Peer, dst []scheduler.Event) []scheduler.Event
	Remove(now scheduler.Time, key scheduler.Key) (scheduler.Event, scheduler.RemoveResult)
	Evict(now scheduler.Time, maxAge time.Duration, dst []scheduler.Event) []scheduler.Event
	Stop(now scheduler.Time)
	Ready(now scheduler.Time, limit int, dst []scheduler.Key) []scheduler.Key
	Drained(keys []scheduler.Key) bool
	Observe(now scheduler.Time, dst *scheduler.State)
}

// Scheduler drives a scheduler through the language of operations.
type Scheduler struct {
	machine SchedulerMachine
	create  func(scheduler.Config) (SchedulerMachine, error)

	hints  []scheduler.Hint
	peers  []scheduler.Peer
	keys   []scheduler.Key
	starts []scheduler.Start
	events []scheduler.Event
	state  scheduler.State
}

// NewScheduler is the production scheduler as a subject.
func NewScheduler() *Scheduler {
	return NewSchedulerLike(func(c scheduler.Config) (SchedulerMachine, error) { return scheduler.New(c) })
}

// NewSchedulerLike is any scheduler of the same shape as a subject.
func NewSchedulerLike(create func(scheduler.Config) (SchedulerMachine, error)) *Scheduler {
	return &Scheduler{create: create}
}

// Init makes a new scheduler.
func (s *Scheduler) Init(config *ops.Config) (err error) {
	if config.Machine != ops.SchedulerMachine {
		return fmt.Errorf("a scheduler is no %s", config.Machine)
	}
	c := schedulerConfig(&config.Scheduler)
	if c.HashSeed, err = hashSeed(config); err != nil {
		return err
	}
	s.machine, err = s.create(c)
	return err
}

func schedulerConfig(c *ops.SchedulerConfig) scheduler.Config {
	return scheduler.Config{
		Slots: int(c.Slots), Share: int(c.Share), FetchTimeout: time.Duration(c.FetchTimeout),
		MarkLifetime: time.Duration(c.MarkLifetime), ContactTable: int(c.ContactTable), Silence: c.Silence,
		CloseGroup: int(c.CloseGroup), PaidListCloseGroup: int(c.PaidListCloseGroup), MaxHintSources: int(c.MaxHintSources),
		SourceCap: int(c.SourceCap), MaxQueued: int(c.MaxQueued), MaxPending: int(c.MaxPending),
		BusyWaitMin: time.Duration(c.BusyWaitMin), BusyWaitMax: time.Duration(c.BusyWaitMax),
		BusyCooldownCap: time.Duration(c.BusyCooldownCap), BusyMultiplierMax: int(c.BusyMultiplierMax),
		BusyForgetAfter: time.Duration(c.BusyForgetAfter), BusyTable: int(c.BusyTable),
		VerifyRetryDelay: time.Duration(c.VerifyRetryDelay),
	}
}

// CopyFrom makes the scheduler a copy of src's. Only the production scheduler can be copied.
func (s *Scheduler) CopyFrom(src Forker) {
	from := src.(*Scheduler).machine.(*scheduler.Scheduler)
	s.machine.(*scheduler.Scheduler).CopyFrom(from)
}

// Apply carries out one operation.
func (s *Scheduler) Apply(op *ops.Op, res *ops.Result) error {
	res.Reset()
	now := scheduler.Time(op.Now)
	switch op.Kind {
	case ops.Add:
		res.Code = terms.Added(s.machine.Add(now, scheduler.Key(op.Key), s.hintsOf(op.Hints)))
	case ops.Promote:
		res.Code = terms.Queued(s.machine.Promote(now, scheduler.Key(op.Key), scheduler.Distance(op.Distance), s.peersOf(op.Sources)))
	case ops.Enqueue:
		res.Code = terms.Queued(s.machine.Enqueue(now, scheduler.Key(op.Key), scheduler.Distance(op.Distance), s.peersOf(op.Sources)))
	case ops.Fill:
		s.starts = s.machine.Fill(now, s.starts[:0])
		terms.Started(res, s.starts)
	case ops.Arrive, ops.Answer, ops.BusyReply, ops.Outcome:
		s.report(op, res)
	case ops.Depart:
		s.events = s.machine.Depart(now, scheduler.Peer(op.Peer), s.events[:0])
		terms.Happened(res, s.events)
	case ops.Remove:
		event, removed := s.machine.Remove(now, scheduler.Key(op.Key))
		terms.Removed(res, event, removed)
	case ops.Evict:
		s.events = s.machine.Evict(now, time.Duration(op.MaxAge), s.events[:0])
		terms.Happened(res, s.events)
	case ops.Stop:
		s.machine.Stop(now)
		res.Code = ops.OK
	case ops.Ready:
		s.keys = s.machine.Ready(now, int(min(op.Limit, math.MaxInt32)), s.keys[:0])
		for _, k := range s.keys {
			res.Keys = append(res.Keys, ops.Key(k))
		}
	case ops.Drained:
		res.Drained = s.machine.Drained(s.keysOf(op.Keys))
	case ops.StateQuery:
	default:
		res.Code = ops.Unsupported
	}
	return nil
}

func (s *Scheduler) report(op *ops.Op, res *ops.Result) {
	now := scheduler.Time(op.Now)
	switch op.Kind {
	case ops.Arrive:
		place, v := s.machine.Arrive(op.Ref.N)
		res.Place = place
		terms.Judge(res, v)
	case ops.Answer:
		terms.Judge(res, s.machine.Answer(now, op.Ref.N, op.Place))
	case ops.BusyReply:
		reply, v := s.machine.Busy(now, op.Ref.N, op.Place, time.Duration(op.Wait))
		terms.Busy(res, reply, v)
	case ops.Outcome:
		report, v := s.machine.Outcome(now, op.Ref.N, terms.ForScheduler(op.Outcome), op.Place, op.PlaceArg == ops.ThisPlace)
		terms.Ended(res, report, v)
	}
}

func (s *Scheduler) hintsOf(list []ops.Hint) []scheduler.Hint {
	s.hints = s.hints[:0]
	for _, h := range list {
		s.hints = append(s.hints, scheduler.Hint{Peer: scheduler.Peer(h.Peer), Claimant: h.Claimant})
	}
	return s.hints
}

func (s *Scheduler) peersOf(list []ops.Peer) []scheduler.Peer {
	s.peers = s.peers[:0]
	for _, p := range list {
		s.peers = append(s.peers, scheduler.Peer(p))
	}
	return s.peers
}

func (s *Scheduler) keysOf(list []ops.Key) []scheduler.Key {
	s.keys = s.keys[:0]
	for _, k := range list {
		s.keys = append(s.keys, scheduler.Key(k))
	}
	return s.keys
}
