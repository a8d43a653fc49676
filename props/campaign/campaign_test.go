package campaign_test

import (
	"context"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"fetchproof/model"
	"fetchproof/ops"
	"fetchproof/props"
	"fetchproof/props/campaign"
	"fetchproof/props/gen"
	"fetchproof/props/lockstep"
	"fetchproof/props/subject"
	"fetchproof/props/subject/sabotage"
)

func run(t testing.TB, o campaign.Options) *campaign.Report {
	t.Helper()
	if o.Subject == nil {
		o.Subject = subject.BuiltinFactory
	}
	report, err := campaign.Run(context.Background(), o, nil)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// Production and model agree, each property has a line of its own, and nothing is left unexercised.
func TestAgrees(t *testing.T) {
	steps := int64(1_500_000)
	if testing.Short() {
		steps = 100_000
	}
	report := run(t, campaign.Options{Seed: 20260901, Steps: steps})
	if report.Steps < steps {
		t.Errorf("only %d steps ran", report.Steps)
	}
	failed := ""
	if report.Found != nil {
		failed = report.Found.Failure.Property
		t.Errorf("%s\n%s", report.Found.Failure.Text(), report.Found.Program.Scenario())
	}
	for _, m := range []ops.Machine{ops.SchedulerMachine, ops.ResponderMachine} {
		for _, p := range props.Of(m) {
			t.Run(p.Name, func(t *testing.T) {
				if p.Name == failed {
					t.Error(report.Found.Failure.Message)
				}
			})
		}
	}
	if testing.Short() || failed != "" {
		return
	}
	for _, s := range model.SituationTable {
		if report.Situations[s.ID] == 0 {
			t.Errorf("%s is never exercised in %d steps: %s", s.Rule, report.Steps, s.Text)
		}
	}
}

// The published randomised run: 4,000 operations, everything checked after each.
func TestLongPrograms(t *testing.T) {
	report := run(t, campaign.Options{Seed: 4000, Programs: 12, Length: 4000})
	if report.Found != nil {
		t.Fatal(report.Found.Failure.Text())
	}
	if report.Steps < 12*4000 {
		t.Errorf("only %d steps ran", report.Steps)
	}
}

// DET-1, DET-2: the same seed gives the same programs, results and states, however many workers share the work.
func TestSameSeedSameFailure(t *testing.T) {
	found := func(workers int) string {
		report := run(t, campaign.Options{Seed: 7, Programs: 3000, Workers: workers, Subject: sabotage.Factory("wrong-charge")})
		if report.Found == nil {
			t.Fatal("the fault was not found")
		}
		return fmt.Sprint(report.Found.Number, report.Found.Failure.Text(), report.Found.Program.Scenario())
	}
	first := found(1)
	for _, workers := range []int{1, 2, 4} {
		if again := found(workers); again != first {
			t.Errorf("with %d workers:\n%s\nwith one:\n%s", workers, again, first)
		}
	}
}

// Every fault put in from outside is found: a campaign that cannot fail proves nothing.
func TestFaultsAreFound(t *testing.T) {
	for _, fault := range sabotage.Faults {
		t.Run(fault.Name, func(t *testing.T) {
			if report := run(t, campaign.Options{Seed: 1, Steps: 500_000, Subject: sabotage.Factory(fault.Name)}); report.Found == nil {
				t.Errorf("not found in %d steps", report.Steps)
			}
		})
	}
}

// The generator fed by rapid. The property that failed first is held fixed while rapid shrinks, so that it does not slide
// to another.
func TestAgreesUnderRapid(t *testing.T) {
	for _, m := range []ops.Machine{ops.SchedulerMachine, ops.ResponderMachine} {
		t.Run(m.String(), func(t *testing.T) {
			runner := lockstep.New(subject.NewBuiltin())
			held := ""
			rapid.Check(t, func(rt *rapid.T) {
				f, p := campaign.Draw(runner, gen.Rapid(rt), m, rapid.IntRange(1, 60).Draw(rt, "length"), nil)
				if f == nil || held != "" && f.Property != held {
					return
				}
				held = f.Property
				rt.Fatalf("%s\n%s", f.Text(), p.Scenario())
			})
			least := int64(500)
			if testing.Short() {
				least /= 5 // as many checks fewer as rapid makes then
			}
			if runner.Steps < least {
				t.Errorf("only %d steps ran", runner.Steps)
			}
		})
	}
}

// Every string of bytes is a program.
func TestBytesAreAProgram(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		data := rapid.SliceOfN(rapid.Byte(), 0, 400).Draw(rt, "data")
		runner := lockstep.New(subject.NewBuiltin())
		if f, p := campaign.Draw(runner, gen.Bytes(data), ops.SchedulerMachine, 0, nil); f != nil {
			rt.Fatalf("%s\n%s", f.Text(), p.Scenario())
		}
	})
}

// BenchmarkLockstep reports the lockstep rate on one core.
func BenchmarkLockstep(b *testing.B) {
	b.ReportAllocs()
	steps := int64(0)
	for i := 0; b.Loop(); i++ {
		report := run(b, campaign.Options{Seed: uint64(i), Steps: 100_000, Workers: 1})
		if report.Found != nil {
			b.Fatal(report.Found.Failure)
		}
		steps += report.Steps
	}
	b.ReportMetric(float64(steps)/b.Elapsed().Seconds(), "steps/s")
}
