package explore

import (
	"fmt"

	"fetchproof/model"
	"fetchproof/ops"
	"fetchproof/props/lockstep"
)

// Forked is the name of a failure that shows only on copies of the subject.
const Forked = "explore/fork"

// counterexample runs the failing path again from its start, which tells what failed.
func (x *explorer) counterexample() (*Found, error) {
	letters := append(x.tree.letters(x.failure.state), x.failure.letter)
	program := programOf(x.scope, letters)
	made, err := x.Subject()
	if err != nil {
		return nil, err
	}
	if closer, ok := made.(interface{ Close() error }); ok {
		defer func() { _ = closer.Close() }()
	}
	f, err := lockstep.New(made).Run(&program, false)
	if err != nil {
		return nil, err
	}
	if f == nil {
		last := &program.Ops[len(program.Ops)-1]
		f = &lockstep.Failure{
			Property: Forked, Step: len(program.Ops) - 1, Op: last.Clone(),
			Message: "the last step fails on a copy of the subject, and not when the program is run from its start: CopyFrom loses something",
			Detail:  x.failure.panic,
		}
	}
	program.Ops = program.Ops[:min(f.Step+1, len(program.Ops))]
	return &Found{program, f}, nil
}

// programOf carries out letters from the initial state, on the model, and writes down the operations that they were, with
// symbolic references: the program means the same when operations are taken out of it.
func programOf(s *Scope, letters []uint16) lockstep.Program {
	m := model.New(&s.Config)
	traits := s.traits()
	var st ops.State
	var res ops.Result
	names := symbols{}
	program := lockstep.Program{Config: s.Config}
	for _, i := range letters {
		var op ops.Op
		m.State(0, &st)
		s.instance(&s.Letters[i], &st, &traits, &op)
		program.Ops = append(program.Ops, names.symbolic(&s.Letters[i].Op, &op, &st))
		m.Apply(&op, &res)
		names.watch(&op, &res)
	}
	return program
}

// symbols name tickets and sends by their peers.
type symbols struct {
	tickets, sends []ops.Peer // by number
}

func (n *symbols) watch(op *ops.Op, res *ops.Result) {
	switch {
	case op.Kind == ops.Request && res.Code == ops.Admitted:
		n.tickets = append(n.tickets, op.Peer)
	case op.Kind == ops.Request && res.Code == ops.Busy:
		n.sends = append(n.sends, op.Peer)
	}
}

// symbolic is op, an instance of letter in state st, with its reference by name. A reference to an attempt that is over stays
// a number.
func (n *symbols) symbolic(letter, op *ops.Op, st *ops.State) ops.Op {
	o := op.Clone()
	switch op.Kind {
	case ops.Arrive, ops.Answer, ops.BusyReply, ops.Outcome:
		if st.Scheduler.FindFlight(ops.Key(letter.Ref.Of)) != nil {
			o.Ref, o.PlaceArg, o.Place = letter.Ref, letter.PlaceArg, letter.Place
		}
	case ops.Take, ops.Release:
		o.Ref = newest(n.tickets, op.Ref.N)
	case ops.SendDone:
		o.Ref = newest(n.sends, op.Ref.N)
	}
	return o
}

func newest(peers []ops.Peer, number uint64) ops.Ref {
	r := ops.Ref{Of: peers[number-1]}
	for _, p := range peers[number:] {
		if p == peers[number-1] {
			r.Back++
		}
	}
	return r
}

// Drains is the name of the property that LIV-2 is judged by.
const Drains = "explore/drains"

// Counterexample is what was found as a scenario file.
func Counterexample(s *Scope, f *Found) *ops.Scenario {
	return f.Program.Scenario(fmt.Sprintf("Scope %s: %s. No shorter program fails in it.", s.Name, s.Text), f.Failure.Property+": "+f.Failure.Message)
}

// StuckScenario is a dead end or a lasso as a scenario file. All its operations hold: the fault is in what can follow them.
func StuckScenario(s *Scope, k *Stuck) *ops.Scenario {
	return k.Program.Scenario(fmt.Sprintf("Scope %s: %s. LIV-2 does not hold:", s.Name, s.Text), k.What)
}
