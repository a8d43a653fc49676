package model

import (
	"testing"

	"fetchproof/ops"
)

var machines = []ops.Machine{ops.SchedulerMachine, ops.ResponderMachine}

// DET-2: the same operations give the same results, states and situations.
func TestDeterministic(t *testing.T) {
	for _, machine := range machines {
		for _, r := range record(machine, 40, 300) {
			a, b := New(&r.cfg), New(&r.cfg)
			var resA, resB ops.Result
			var stateA, stateB ops.State
			for i := range r.ops {
				op := r.ops[i].Clone()
				a.Apply(&r.ops[i], &resA)
				b.Apply(&op, &resB)
				a.State(op.Now, &stateA)
				b.State(op.Now, &stateB)
				if !resA.Equal(&resB) || stateA.Differs(&stateB) != 0 {
					t.Fatalf("%v: %v differs at step %d", machine, op.Kind, i)
				}
			}
			if *a.Situations() != *b.Situations() {
				t.Fatalf("%v: situations differ", machine)
			}
		}
	}
}

// A copy goes on exactly as its original would, and neither changes the other: here one scratch machine is overwritten again
// and again, and runs ahead of the original on operations of its own before the next copy.
func TestCopyFrom(t *testing.T) {
	for _, machine := range machines {
		programs := record(machine, 40, 300)
		scratch, twin := New(&programs[0].cfg), New(&programs[0].cfg)
		for n, r := range programs {
			other := programs[(n+1)%len(programs)].ops
			checkCopies(t, New(&r.cfg), scratch, twin, r.ops, other)
		}
	}
}

func checkCopies(t *testing.T, m, scratch, twin Machine, program, other []ops.Op) {
	t.Helper()
	var res, twinRes ops.Result
	var before, after, copied ops.State
	for i := range program {
		now := program[i].Now
		scratch.CopyFrom(m)
		twin.CopyFrom(m)
		m.State(now, &before)
		scratch.State(now, &copied)
		if before.Differs(&copied) != 0 {
			t.Fatalf("step %d: a copy differs from its original", i)
		}
		for j := range 5 {
			scratch.Apply(&other[(i+j)%len(other)], &res)
		}
		m.State(now, &after)
		if before.Differs(&after) != 0 {
			t.Fatalf("step %d: operations on a copy changed its original", i)
		}
		scratch.State(now, &copied)
		before.CopyFrom(&copied)
		m.Apply(&program[i], &res)
		twin.Apply(&program[i], &twinRes)
		scratch.State(now, &copied)
		if before.Differs(&copied) != 0 {
			t.Fatalf("step %d: an operation on the original changed a copy", i)
		}
		m.State(now, &after)
		twin.State(now, &copied)
		if !res.Equal(&twinRes) || after.Differs(&copied) != 0 {
			t.Fatalf("step %d: %v differs between a copy and its original", i, program[i].Kind)
		}
	}
}

// A query changes nothing. A call that is stale or invalid changes nothing but the clock, and so the count of marks that
// ended (DET-3, DET-4, SEQ-2, SUM-1).
func TestRefusedChangesNothing(t *testing.T) {
	var refused, queries int
	for _, machine := range machines {
		for _, r := range record(machine, 40, 300) {
			m := New(&r.cfg)
			var res ops.Result
			var before, after ops.State
			for i := range r.ops {
				op := &r.ops[i]
				m.State(op.Now, &before)
				m.Apply(op, &res)
				m.State(op.Now, &after)
				query := op.Kind.IsQuery() || op.Kind == ops.Arrive && res.Code != ops.OK
				switch {
				case query && before.Differs(&after) != 0:
					t.Fatalf("%v changed %b", op.Kind, before.Differs(&after))
				case res.Code == ops.Stale || res.Code == ops.Invalid:
					refused++
					b, a := &before.Scheduler.Counters, &after.Scheduler.Counters
					b[ops.MarksExpired] = a[ops.MarksExpired]
					if before.Differs(&after)&^ops.FieldClock != 0 {
						t.Fatalf("%v %v changed %b", res.Code, op.Kind, before.Differs(&after))
					}
				}
				if query {
					queries++
				}
			}
		}
	}
	if refused < 1000 || queries < 500 {
		t.Fatalf("only %d refused calls and %d queries", refused, queries)
	}
}

func TestUnsupported(t *testing.T) {
	ofScheduler, ofResponder := []ops.Kind{}, []ops.Kind{ops.Request, ops.Take, ops.Release, ops.SendDone}
	for k := ops.Add; k < ops.Request; k++ {
		ofScheduler = append(ofScheduler, k)
	}
	check := func(machine ops.Machine, kinds []ops.Kind) {
		cfg := ops.DefaultConfig(machine)
		m := New(&cfg)
		var before, after ops.State
		m.State(0, &before)
		for _, k := range kinds {
			var res ops.Result
			m.Apply(&ops.Op{Kind: k, Now: 7}, &res)
			m.State(0, &after)
			if res.Code != ops.Unsupported || before.Differs(&after) != 0 {
				t.Errorf("%v: %v answered %v", machine, k, res.Code)
			}
		}
	}
	check(ops.SchedulerMachine, append(ofResponder, ops.Init))
	check(ops.ResponderMachine, append(ofScheduler, ops.Init))
}

// In the steady state neither State nor CopyFrom allocates.
func TestSteadyStateAllocations(t *testing.T) {
	for _, machine := range machines {
		r := record(machine, 1, 300)[0]
		m, scratch := New(&r.cfg), New(&r.cfg)
		var res ops.Result
		for i := range r.ops {
			m.Apply(&r.ops[i], &res)
		}
		var state ops.State
		if n := testing.AllocsPerRun(100, func() { m.State(0, &state) }); n != 0 {
			t.Errorf("%v: State allocates %v times", machine, n)
		}
		if n := testing.AllocsPerRun(100, func() { scratch.CopyFrom(m) }); n != 0 {
			t.Errorf("%v: CopyFrom allocates %v times", machine, n)
		}
	}
}
