package shrink_test

import (
	"context"
	"testing"

	"fetchproof/ops"
	"fetchproof/props/campaign"
	"fetchproof/props/lockstep"
	"fetchproof/props/shrink"
	"fetchproof/props/subject/sabotage"
)

// Every fault shrinks to a program that is 1-minimal: tried here again, one by one, by other means than the shrinker's.
func TestShrunkIsMinimal(t *testing.T) {
	longest := map[string]int{
		"lost-start": 5, "forgotten-mark": 8, "wrong-charge": 4, "unordered-sources": 3, "leaked-reservation": 6, "crash": 3,
	}
	for _, fault := range sabotage.Faults {
		t.Run(fault.Name, func(t *testing.T) {
			factory := sabotage.Factory(fault.Name)
			report, err := campaign.Run(context.Background(), campaign.Options{Seed: 3, Steps: 500_000, Subject: factory}, nil)
			if err != nil || report.Found == nil {
				t.Fatal("the fault was not found", err)
			}
			s, err := factory()
			if err != nil {
				t.Fatal(err)
			}
			runner := lockstep.New(s)
			run := func(p *lockstep.Program) *lockstep.Failure {
				f, err := runner.Run(p, report.Found.Failure.Property == lockstep.Drained)
				if err != nil {
					return nil
				}
				return f
			}
			result := shrink.Shrink(report.Found.Program, report.Found.Failure, 0, run)
			p := result.Program
			t.Logf("%d operations to %d in %d tries\n%s", len(report.Found.Program.Ops), len(p.Ops), result.Tries, p.Scenario())
			if !result.Minimal || len(p.Ops) > longest[fault.Name] {
				t.Errorf("minimal: %t, %d operations, at most %d wanted", result.Minimal, len(p.Ops), longest[fault.Name])
			}
			fails := func(p lockstep.Program) bool {
				f := run(&p)
				return f != nil && f.Property == result.Failure.Property
			}
			if !fails(p) {
				t.Fatal("the shrunk program does not fail")
			}
			for i := range p.Ops {
				without := append(append([]ops.Op(nil), p.Ops[:i]...), p.Ops[i+1:]...)
				if fails(lockstep.Program{Config: p.Config, Ops: without}) {
					t.Errorf("it fails without operation %d, %s", i+1, p.Ops[i].String())
				}
				if len(p.Ops[i].Sources) > 0 {
					fewer := append([]ops.Op(nil), p.Ops...)
					fewer[i] = p.Ops[i].Clone()
					fewer[i].Sources = fewer[i].Sources[1:]
					if fails(lockstep.Program{Config: p.Config, Ops: fewer}) {
						t.Errorf("it fails with a source fewer in operation %d, %s", i+1, p.Ops[i].String())
					}
				}
			}
		})
	}
}

// A bound on the tries is kept, and the result says that it is not minimal.
func TestCutShort(t *testing.T) {
	report, err := campaign.Run(context.Background(), campaign.Options{Seed: 3, Steps: 500_000, Subject: sabotage.Factory("lost-start")}, nil)
	if err != nil || report.Found == nil {
		t.Fatal("the fault was not found", err)
	}
	runs := 0
	result := shrink.Shrink(report.Found.Program, report.Found.Failure, 5, func(*lockstep.Program) *lockstep.Failure {
		runs++
		return nil
	})
	if result.Minimal || runs != 5 || result.Failure == nil {
		t.Errorf("minimal: %t after %d tries", result.Minimal, runs)
	}
}

// Shrinking that is told to stop tries nothing more, keeps what it has, and does not call it minimal.
func TestStopped(t *testing.T) {
	factory := sabotage.Factory("lost-start")
	report, err := campaign.Run(context.Background(), campaign.Options{Seed: 3, Steps: 500_000, Subject: factory}, nil)
	if err != nil || report.Found == nil {
		t.Fatal("the fault was not found", err)
	}
	s, err := factory()
	if err != nil {
		t.Fatal(err)
	}
	runner := lockstep.New(s)
	ctx, cancel := context.WithCancel(context.Background())
	tries := 0
	result := shrink.ShrinkContext(ctx, report.Found.Program, report.Found.Failure, 0, func(p *lockstep.Program) *lockstep.Failure {
		if tries++; tries == 5 {
			cancel()
		}
		f, err := runner.Run(p, false)
		if err != nil {
			return nil
		}
		return f
	})
	if tries != 5 || result.Tries != 5 || result.Minimal || len(result.Program.Ops) > len(report.Found.Program.Ops) {
		t.Errorf("%d tries, %d told, minimal: %t, %d operations", tries, result.Tries, result.Minimal, len(result.Program.Ops))
	}
	if f, err := runner.Run(&result.Program, false); err != nil || f == nil || f.Property != result.Failure.Property {
		t.Errorf("what was kept does not fail so: %v, %v", f, err)
	}
}
