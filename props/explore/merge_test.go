package explore

import (
	"fmt"
	"testing"

	"fetchproof/model"
	"fetchproof/ops"
)

// Renumbering is exact if two states with one canonical form behave alike. Every state is stood on again as it is reached on
// other ways than the first, with other places and another clock, and all its letters are tried from there.
func TestRenumberingIsExact(t *testing.T) {
	for _, s := range small(t) {
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			r, err := Run(t.Context(), s, Options{Raw: true, MaxStates: 20_000})
			if err != nil {
				t.Fatal(err)
			}
			p, err := newProber(s, r.tree)
			if err != nil {
				t.Fatal(err)
			}
			for n := 0; n < r.tree.size() && !t.Failed() && p.compared < 1000; n += 1 + r.tree.size()/500 {
				p.probe(t, uint32(n))
			}
			t.Logf("%d merged states compared", p.compared)
			if p.compared < 100 {
				t.Errorf("only %d states were reached on a second way", p.compared)
			}
		})
	}
}

// prober compares what letters do in states that renumbering merged.
type prober struct {
	*worker
	first    *worker // stands on the state as it was reached first
	trial    model.Machine
	state    ops.State
	compared int
}

func newProber(s *Scope, tree *tree) (*prober, error) {
	w, err := newWorker(s, tree, false, nil)
	if err != nil {
		return nil, err
	}
	first, err := newWorker(s, tree, false, nil)
	return &prober{worker: w, first: first, trial: model.New(&s.Config)}, err
}

// probe compares the states that the letters of state n lead to with those of the same form that were reached first.
func (p *prober) probe(t *testing.T, n uint32) {
	if err := p.stand(n); err != nil {
		t.Fatal(err)
	}
	for i := range p.scope.Letters {
		if !p.scope.instance(&p.scope.Letters[i], &p.levels[p.depth].state, &p.traits, &p.op) {
			continue
		}
		if _, err := p.step(); err != nil {
			t.Fatal(err)
		}
		hash, _ := p.canon.sum(&p.modelAfter)
		to, _, known := p.tree.seen.find(hash)
		if !known || p.tree.parent[to] == n {
			continue
		}
		if err := p.first.stand(to); err != nil {
			t.Fatal(err)
		}
		p.state.CopyFrom(&p.modelAfter)
		other := p.behaviour(p.model, &p.state)
		base := p.first.levels[p.first.depth]
		if own := p.behaviour(base.model, &base.state); own != other {
			t.Errorf("state %d, reached from %d by %s, behaves otherwise; first:\n%s%s\nother:\n%s%s", to, n, p.op.String(),
				own, ops.AppendStateText(nil, &base.state, 0), other, ops.AppendStateText(nil, &p.state, 0))
			return
		}
		p.compared++
	}
}

// behaviour is what every letter answers, and the form of the state that it leads to. Tickets have no order, so of a
// responder it is the sum over all letters.
func (p *prober) behaviour(m model.Machine, st *ops.State) string {
	text, sum := "", Hash{}
	var op ops.Op
	var res ops.Result
	var after ops.State
	for i := range p.scope.Letters {
		if !p.scope.instance(&p.scope.Letters[i], st, &p.traits, &op) {
			continue
		}
		p.trial.CopyFrom(m)
		p.trial.Apply(&op, &res)
		p.trial.State(0, &after)
		hash, _ := p.canon.sum(&after)
		if st.Machine == ops.ResponderMachine {
			h := hashOf(fmt.Appendf(nil, "%s %v %s", op.Kind, hash, answerText(&res, 0)))
			sum.hi, sum.lo = sum.hi+h.hi, sum.lo+h.lo
			continue
		}
		text += fmt.Sprintf("%d %x %s\n", i, hash, answerText(&res, clockOf(&after)))
	}
	return text + fmt.Sprint(sum)
}

// answerText is a result without the numbers that renumbering leaves out.
func answerText(r *ops.Result, clock ops.Time) string {
	c := r.Clone()
	c.Place, c.Ticket, c.Send = 0, 0, 0
	if c.Due != 0 {
		c.Due -= clock
	}
	text := fmt.Sprint(c.Code, c.Why, c.Cooldown, c.Due, c.Charge, c.Keys, c.Drained, c.Reason, c.Limiter)
	for i := range c.Events {
		c.Events[i].Attempt = 0
		text += " " + c.Events[i].String()
	}
	return text
}
