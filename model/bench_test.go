package model

import (
	"testing"

	"fetchproof/ops"
)

// recorded is a program with its configuration, drawn beforehand so that the benchmark measures the machine alone.
type recorded struct {
	cfg ops.Config
	ops []ops.Op
}

func record(machine ops.Machine, programs, steps int) []recorded {
	var all []recorded
	for seed := range uint64(programs) {
		p := newProgram(seed+1, machine)
		m := New(&p.cfg)
		r := recorded{cfg: p.cfg}
		var op ops.Op
		var res ops.Result
		for range steps {
			p.step(m, &op)
			r.ops = append(r.ops, op.Clone())
			m.Apply(&op, &res)
		}
		all = append(all, r)
	}
	return all
}

func BenchmarkScheduler(b *testing.B) { benchmarkMachine(b, ops.SchedulerMachine, false) }

func BenchmarkSchedulerWithState(b *testing.B) { benchmarkMachine(b, ops.SchedulerMachine, true) }

func BenchmarkResponderWithState(b *testing.B) { benchmarkMachine(b, ops.ResponderMachine, true) }

// benchmarkMachine measures one operation, and the whole state after it if asked.
func benchmarkMachine(b *testing.B, machine ops.Machine, withState bool) {
	programs := record(machine, 64, 400)
	var res ops.Result
	var state ops.State
	b.ReportAllocs()
	b.ResetTimer()
	for done := 0; done < b.N; {
		for i := range programs {
			m := New(&programs[i].cfg)
			for j := range programs[i].ops {
				m.Apply(&programs[i].ops[j], &res)
				if withState {
					m.State(state.Scheduler.Clock, &state)
				}
				done++
			}
		}
	}
}

// BenchmarkCopy measures copying the state that a program of 400 operations ends in.
func BenchmarkCopy(b *testing.B) {
	var ends []Machine
	for _, r := range record(ops.SchedulerMachine, 64, 400) {
		m := New(&r.cfg)
		var res ops.Result
		for i := range r.ops {
			m.Apply(&r.ops[i], &res)
		}
		ends = append(ends, m)
	}
	scratch := New(&ops.Config{})
	b.ReportAllocs()
	b.ResetTimer()
	for i := range b.N {
		scratch.CopyFrom(ends[i%len(ends)])
	}
}
