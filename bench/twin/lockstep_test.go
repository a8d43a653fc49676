package twin_test

import (
	"testing"

	"fetchproof/bench/twin"
	"fetchproof/impl/scheduler"
	"fetchproof/ops"
	"fetchproof/props/campaign"
	"fetchproof/props/gen"
	"fetchproof/props/lockstep"
	"fetchproof/props/subject"
)

// TestTwinInLockstep steps the twin against the reference model through generated programs, each drained at its end: a
// ratio to it means something only while it keeps every rule.
func TestTwinInLockstep(t *testing.T) {
	programs := uint64(3000)
	if testing.Short() {
		programs = 300
	}
	r := lockstep.New(subject.NewSchedulerLike(func(c scheduler.Config) (subject.SchedulerMachine, error) {
		return twin.New(c)
	}))
	var scratch []ops.Op
	for i := range programs {
		f, p := campaign.Draw(r, gen.Seeded(71, i), ops.SchedulerMachine, 0, scratch)
		scratch = p.Ops
		if f != nil {
			t.Fatalf("program %d:\n%s\n%s", i, f.Text(), p.Scenario().String())
		}
	}
	if least := int64(programs) * 20; r.Steps < least {
		t.Errorf("only %d operations in %d programs", r.Steps, programs)
	}
	t.Logf("%d operations in %d programs", r.Steps, programs)
}
