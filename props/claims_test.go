package props

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"fetchproof/model"
	"fetchproof/ops"
)

// claim is a clause of a rule that a property says it checks: a program, of which the last operation is the step, and what
// breaks the clause, in what was answered or in the state after it.
type claim struct {
	property, rule string
	what           string
	program        string // lines, parted by " | "
	spoil          func(b *broken)
}

// broken is a step to be spoiled.
type broken struct {
	Step
	s   *ops.SchedulerState // after
	r   *ops.ResponderState // after
	res *ops.Result
}

func key(name string) ops.Key   { return ops.KeyNamed(name) }
func peer(name string) ops.Peer { return ops.PeerNamed(name) }

func (b *broken) pending(name string) *ops.PendingKey { return b.s.FindPending(key(name)) }
func (b *broken) queued(name string) *ops.QueuedKey   { return b.s.FindQueued(key(name)) }
func (b *broken) flight(name string) *ops.Flight      { return b.s.FindFlight(key(name)) }
func (b *broken) contact(name string) *ops.Contact    { return b.s.FindContact(peer(name)) }
func (b *broken) cooldown(name string) *ops.Cooldown  { return b.s.FindCooldown(peer(name)) }
func (b *broken) limited(name string) *ops.LimiterPeer {
	return b.r.FindLimited(peer(name))
}

// park and unpark move a key that stays queued; dequeue and ground take one out of its stage.
func (b *broken) park(name string) {
	b.s.Heap, b.s.Parked = less(b.s.Heap, key(name)), append(b.s.Parked, key(name))
}

func (b *broken) unpark(name string) {
	b.s.Parked, b.s.Heap = less(b.s.Parked, key(name)), append(b.s.Heap, key(name))
}

func (b *broken) dequeue(name string) {
	b.s.Heap, b.s.Parked = less(b.s.Heap, key(name)), less(b.s.Parked, key(name))
	b.s.Queued = slices.DeleteFunc(b.s.Queued, func(q ops.QueuedKey) bool { return q.Key == key(name) })
}

func (b *broken) ground(name string) {
	b.s.InFlight = slices.DeleteFunc(b.s.InFlight, func(f ops.Flight) bool { return f.Key == key(name) })
}

func (b *broken) forget(name string) {
	b.s.Contact = slices.DeleteFunc(b.s.Contact, func(c ops.Contact) bool { return c.Source == peer(name) })
}

// answers puts another result in place of the code.
func (b *broken) answers(c ops.Code) { b.res.Code = c }

func less[T comparable](list []T, x T) []T {
	return slices.DeleteFunc(list, func(y T) bool { return y == x })
}

// play runs a program on the model and gives its last step.
func play(t *testing.T, program string) *broken {
	t.Helper()
	scenario, err := ops.Parse("program", strings.NewReader(strings.ReplaceAll(program, " | ", "\n")))
	if err != nil {
		t.Fatal(err)
	}
	list := scenario.Ops()
	config := list[0].Config
	m := model.New(config)
	var names ops.Resolver
	names.Reset()
	var before, after ops.State
	b := &broken{Step: Step{Config: config, Op: &ops.Op{}, Result: &ops.Result{}, Before: &before, After: &after}}
	m.State(0, &after)
	for i := range list[1:] {
		b.Then = clockOf(&after)
		before.CopyFrom(&after)
		names.Resolve(&list[1+i], b.Op)
		m.Apply(b.Op, b.Result)
		names.Watch(b.Op, b.Result)
		m.State(b.Op.Now, &after)
	}
	b.s, b.r, b.res = &after.Scheduler, &after.Responder, b.Result
	return b
}

func clockOf(s *ops.State) ops.Time {
	if s.Machine == ops.SchedulerMachine {
		return s.Scheduler.Clock
	}
	return s.Responder.Clock
}

// held is the error of one property of the step.
func held(p *Property, s *Step) error {
	var v view
	v.reset(s)
	return p.check(&v)
}

func all() []*Property { return slices.Concat(Scheduler, Responder) }

func claims() []claim {
	return slices.Concat(stageClaims, fillClaims, contactClaims, busyClaims, pendingClaims, mergeClaims, departureClaims,
		outcomeClaims, reportClaims, queryClaims, responderClaims, limiterClaims)
}

// A property holds of the step as it was, and does not once the clause that it claims is broken.
func TestClaims(t *testing.T) {
	for _, c := range claims() {
		t.Run(fmt.Sprintf("%s/%s/%s", c.property, c.rule, c.what), func(t *testing.T) {
			b := play(t, c.program)
			if v := new(Checker).Check(&b.Step); v != nil {
				t.Fatalf("of the good step: %v", v)
			}
			i := slices.IndexFunc(all(), func(p *Property) bool { return p.Name == c.property })
			if i < 0 {
				t.Fatal("no such property")
			}
			p := all()[i]
			if p.Machine != b.Config.Machine {
				t.Fatal("a program of the other machine")
			}
			c.spoil(b)
			if err := held(p, &b.Step); err == nil {
				t.Errorf("%s: the property does not see it\n%s", c.what, ops.AppendStateText(nil, b.After, 0))
			}
		})
	}
}

// Every rule that a property claims has a step that breaks the rule and that the property sees. Properties and rules have names of their own.
func TestEveryClaimIsShown(t *testing.T) {
	shown := map[[2]string]bool{}
	for _, c := range claims() {
		shown[[2]string{c.property, c.rule}] = true
	}
	names := map[string]bool{}
	for _, p := range all() {
		if names[p.Name] {
			t.Errorf("two properties are called %s", p.Name)
		}
		names[p.Name] = true
		for _, r := range p.Rules {
			if pair := [2]string{p.Name, r}; !shown[pair] {
				t.Errorf("%s claims %s, and no step shows it", p.Name, r)
			} else {
				delete(shown, pair)
			}
		}
	}
	for pair := range shown {
		t.Errorf("a step shows %s of %s, which does not claim it", pair[1], pair[0])
	}
}

// ofManySteps are the rules of the machines that no single step can show broken, with what does.
var ofManySteps = map[string]string{
	"CON-4": "it compares several orders: corpus/scenarios/published/verdict-in-every-order.txt and TestInEveryOrder",
	"DET-1": "it speaks of what an operation may depend on: TestPassive, and that the same program gives the same results",
	"LIV-2": "it speaks of all that follows: the drain at every program's end, and explore",
	"LIV-3": "it counts waves: corpus/scenarios/published/silent-waves.txt",
	"PRK-6": "it speaks of how parking is kept, which no state shows",
}

// Every rule of the state machines is claimed by a property, or is known to need more than one step.
func TestEveryRuleIsClaimed(t *testing.T) {
	claimed := map[string]bool{}
	for _, p := range all() {
		for _, r := range p.Rules {
			claimed[r] = true
		}
	}
	applied := map[string]bool{}
	for _, s := range model.SituationTable {
		applied[s.Rule] = true
	}
	for _, r := range model.Rules() {
		if applied[r.Name] && !claimed[r.Name] && ofManySteps[r.Name] == "" {
			t.Errorf("no property claims %s", r.Name)
		}
		if claimed[r.Name] && ofManySteps[r.Name] != "" {
			t.Errorf("%s needs more than one step, and a property claims it", r.Name)
		}
	}
}
