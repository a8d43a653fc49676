package model

import (
	"math"
	"math/rand/v2"

	"fetchproof/ops"
)

// program draws operations for the tests of this package: one configuration, a small universe, times at the deadlines
// that the state holds. It looks at the machine's state, which a generator of programs cannot, and so gets everywhere
// quickly.
type program struct {
	rng   *rand.Rand
	cfg   ops.Config
	now   ops.Time
	state ops.State
	keys  []ops.Key
	peers []ops.Peer

	stops bool
	pace  int      // how seldom time moves on
	old   []uint64 // numbers of attempts, tickets and sends that were handed out
}

func newProgram(seed uint64, machine ops.Machine) *program {
	p := &program{rng: rand.New(rand.NewPCG(seed, 1))}
	p.cfg = p.drawConfig(machine)
	p.stops, p.pace = p.chance(8), 6+p.rng.IntN(60)
	for i := range 3 + p.rng.IntN(5) {
		p.keys = append(p.keys, ops.KeyNamed("k"+string(rune('0'+i))))
	}
	for i := range 2 + p.rng.IntN(5) {
		p.peers = append(p.peers, ops.PeerNamed(string(rune('A'+i))))
	}
	if p.chance(20) {
		p.now = math.MaxInt64 - ops.Time(p.rng.IntN(40_000_000_000))
	}
	return p
}

func (p *program) chance(oneIn int) bool { return p.rng.IntN(oneIn) == 0 }

func (p *program) drawConfig(machine ops.Machine) ops.Config {
	count := func(most int64) int64 { return 1 + p.rng.Int64N(most) }
	cfg := ops.DefaultConfig(machine)
	s := &cfg.Scheduler
	s.Slots, s.Share, s.ContactTable = count(5), count(2), count(5)
	s.MaxHintSources, s.SourceCap = count(4), 1+count(4)
	s.MaxQueued, s.MaxPending, s.BusyTable = count(6), count(6), count(3)
	s.FetchTimeout, s.MarkLifetime = 30*ops.Second, ops.Duration(count(90))*ops.Second
	s.BusyMultiplierMax = 1 << p.rng.IntN(4)
	s.BusyForgetAfter, s.BusyCooldownCap = ops.Duration(count(60))*ops.Second, ops.Duration(count(60))*ops.Second
	s.Silence = !p.chance(10)
	r := &cfg.Responder
	r.PeerShare, r.Pool = count(3), count(5)
	r.BusySendPermits, r.BusyPeerInFlight, r.BusyPeerTable = count(5), count(3), count(4)
	r.BusyPeerBurst, r.BusyPeerRate, r.BusyGlobalBurst, r.BusyGlobalRate = count(3), count(7), count(5), count(7)
	return cfg
}

// step draws an operation into op, to be applied to m.
func (p *program) step(m Machine, op *ops.Op) {
	m.State(p.now, &p.state)
	*op = ops.Op{Hints: op.Hints[:0], Sources: op.Sources[:0], Keys: op.Keys[:0]}
	op.Now = p.drawTime()
	op.Key, op.Peer = p.key(), p.peer()
	op.Distance = ops.DistanceOf(uint64(op.Key[1]&6) ^ uint64(p.rng.IntN(2)))
	if p.cfg.Machine == ops.SchedulerMachine {
		p.schedulerOp(op)
	} else {
		p.responderOp(op)
	}
}

func (p *program) key() ops.Key   { return p.keys[p.rng.IntN(len(p.keys))] }
func (p *program) peer() ops.Peer { return p.peers[p.rng.IntN(len(p.peers))] }

// drawTime goes on a little, to a deadline or next to it, or back.
func (p *program) drawTime() ops.Time {
	now := p.now
	switch p.rng.IntN(p.pace) {
	case 0:
		now += ops.Time(p.rng.Int64N(int64(2 * ops.Second)))
	case 1:
		now = p.deadline() + ops.Time(p.rng.IntN(3)-1)
	case 2:
		now = p.deadline()
	case 3:
		return now - ops.Time(p.rng.Int64N(int64(30*ops.Second)))
	}
	if now < p.now {
		now = p.now // past the largest time, or a deadline that is over
	}
	p.now = now
	return now
}

func (p *program) deadline() ops.Time {
	var all []ops.Time
	s, r := &p.state.Scheduler, &p.state.Responder
	for _, x := range s.Contact {
		all = append(all, x.MarkedUntil)
	}
	for _, x := range s.Busy {
		all = append(all, x.Until, x.Last+ops.Time(p.cfg.Scheduler.BusyForgetAfter))
	}
	for _, x := range s.InFlight {
		all = append(all, x.Started+ops.Time(p.cfg.Scheduler.FetchTimeout))
	}
	for _, x := range s.Pending {
		all = append(all, x.Entry.NextVerify, x.Entry.Created+ops.Time(20*ops.Second))
	}
	for _, x := range r.Tickets {
		all = append(all, x.Since+ops.Time(p.cfg.Responder.FetchTimeout))
	}
	perPeer := ops.Time(ops.Second) / ops.Time(p.cfg.Responder.BusyPeerRate)
	global := ops.Time(ops.Second) / ops.Time(p.cfg.Responder.BusyGlobalRate)
	for _, x := range r.Limiter {
		all = append(all, x.FullAt, x.FullAt-perPeer)
	}
	all = append(all, s.OverflowUntil, r.GlobalFullAt, r.GlobalFullAt-global)
	return max(all[p.rng.IntN(len(all))], p.now-1)
}

func (p *program) schedulerOp(op *ops.Op) {
	switch n := p.rng.IntN(100); {
	case n < 12:
		op.Kind = ops.Add
		for range p.rng.IntN(5) {
			op.Hints = append(op.Hints, ops.Hint{Peer: p.peer(), Claimant: p.chance(2)})
		}
	case n < 22:
		op.Kind = ops.Promote
		p.sources(op)
	case n < 28:
		op.Kind = ops.Enqueue
		p.sources(op)
	case n < 46:
		op.Kind = ops.Fill
	case n < 86:
		p.report(op)
	case n < 90:
		op.Kind = ops.Depart
	case n < 92:
		op.Kind = ops.Remove
	case n < 93:
		op.Kind = ops.Evict
		op.MaxAge = ops.Duration(p.rng.IntN(22)-1) * ops.Second
	case n < 96:
		op.Kind, op.Limit = ops.Ready, int64(p.rng.IntN(4))
	case n < 99:
		op.Kind = ops.Drained
		op.Keys = append(op.Keys, p.key(), p.key())
	default:
		op.Kind = ops.Fill
		if p.stops && p.chance(4) {
			op.Kind = ops.Stop
		}
	}
}

func (p *program) sources(op *ops.Op) {
	for range p.rng.IntN(6) {
		op.Sources = append(op.Sources, p.peer())
	}
}

// report draws an arrival, an answer, a busy or an outcome, mostly a sensible one.
func (p *program) report(op *ops.Op) {
	op.Ref.N = uint64(p.rng.IntN(4))
	if len(p.old) > 0 {
		op.Ref.N = p.old[p.rng.IntN(len(p.old))]
	}
	op.Place = uint64(p.rng.IntN(3))
	var f ops.Flight
	if flights := p.state.Scheduler.InFlight; len(flights) > 0 && !p.chance(12) {
		f = flights[p.rng.IntN(len(flights))]
		op.Ref.N, op.Place = f.Attempt, f.Given
		p.old = append(p.old[:min(len(p.old), 8)], f.Attempt)
	}
	if p.chance(16) {
		op.Place++
	}
	op.PlaceArg = ops.ThisPlace
	op.Wait = 5*ops.Second + ops.Duration(p.rng.IntN(6))*ops.Second
	if p.chance(16) {
		op.Wait += ops.Duration(p.rng.IntN(20)-10) * ops.Second
	}
	switch p.rng.IntN(10) {
	case 0, 1, 2:
		op.Kind = ops.Arrive
		if f.Given != 0 && !p.chance(4) {
			op.Kind = ops.Answer
		}
	case 3:
		op.Kind = ops.Answer
	case 4, 5, 6:
		op.Kind = ops.BusyReply
	default:
		op.Kind, op.Outcome = ops.Outcome, p.outcome(f.Busy)
		if (f.Answered || op.Place == 0 || op.Outcome >= ops.Timeout) && !p.chance(8) {
			op.PlaceArg = ops.NoPlace
		}
	}
}

func (p *program) outcome(busy bool) ops.OutcomeKind {
	if busy && !p.chance(4) {
		return ops.BusyEnd
	}
	if p.chance(3) {
		return ops.Timeout
	}
	return ops.OutcomeKind(p.rng.IntN(int(ops.NumOutcomes) + 1))
}

func (p *program) responderOp(op *ops.Op) {
	r := &p.state.Responder
	op.Ref.N = uint64(p.rng.IntN(30))
	switch n := p.rng.IntN(100); {
	case n < 70:
		op.Kind, op.AsksBusy = ops.Request, !p.chance(5)
	case n < 80:
		op.Kind = ops.Take
	case n < 85:
		op.Kind = ops.Release
	default:
		op.Kind = ops.SendDone
		if len(r.Sends) > 0 && !p.chance(8) {
			op.Ref.N = r.Sends[p.rng.IntN(len(r.Sends))].ID
		}
		return
	}
	if len(r.Tickets) > 0 && !p.chance(8) {
		op.Ref.N = r.Tickets[p.rng.IntN(len(r.Tickets))].ID
	}
}
