package subject_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"fetchproof/ops"
	"fetchproof/props/campaign"
	"fetchproof/props/lockstep"
	"fetchproof/props/shrink"
	"fetchproof/props/subject"
	"fetchproof/props/subject/sabotage"
)

func run(t *testing.T, o campaign.Options) *campaign.Report {
	t.Helper()
	o.Workers = 1
	report, err := campaign.Run(context.Background(), o, nil)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func through(mode string) subject.Factory { return subject.ProcessFactory(command(mode), time.Minute) }

// Driven through the protocol the suite agrees with itself driven directly: the same programs, the same situations, the same
// verdict, whatever runs ahead.
func TestThroughThePipeAsDirectly(t *testing.T) {
	for _, every := range []int{1, 7, 50} {
		o := campaign.Options{Seed: 11, Programs: 40, StateEvery: every, Subject: subject.BuiltinFactory}
		direct := run(t, o)
		o.Subject = through("builtin")
		piped := run(t, o)
		if direct.Found != nil || piped.Found != nil {
			t.Fatalf("every %d: %v directly, %v through the pipe", every, direct.Found, piped.Found)
		}
		if direct.Steps != piped.Steps || direct.Programs != piped.Programs || direct.Situations != piped.Situations {
			t.Errorf("every %d: %d steps of %d programs directly, %d of %d through the pipe",
				every, direct.Steps, direct.Programs, piped.Steps, piped.Programs)
		}
		if piped.Compared != ops.AllFields || piped.LeftOut != [ops.NumKinds]bool{} {
			t.Errorf("every %d: compared %s, left out %v", every, piped.Compared, piped.LeftOut)
		}
	}
}

// A planted fault is found in the same program, at the same step, and shrunk to the same scenario, whichever way it is
// driven.
func TestPlantedFaultThroughThePipe(t *testing.T) {
	for _, fault := range sabotage.Faults {
		t.Run(fault.Name, func(t *testing.T) {
			t.Parallel()
			direct := found(t, sabotage.Factory(fault.Name))
			piped := found(t, through("sabotage "+fault.Name))
			if direct == nil || piped == nil {
				t.Fatalf("%v directly, %v through the pipe", direct, piped)
			}
			want := direct.Failure.Property
			if want == "panic" {
				want = "subject/crash"
				if !strings.Contains(piped.Failure.Detail, "index out of range") {
					t.Errorf("the last words are lost: %s", piped.Failure.Detail)
				}
			}
			if piped.Failure.Property != want || piped.Number != direct.Number || piped.Failure.Step != direct.Failure.Step {
				t.Errorf("%s at step %d of program %d directly, %s at step %d of program %d through the pipe",
					direct.Failure.Property, direct.Failure.Step, direct.Number,
					piped.Failure.Property, piped.Failure.Step, piped.Number)
			}
			if want != "subject/crash" && !slices.Equal(direct.Failure.Applied, piped.Failure.Applied) {
				t.Errorf("applied %v directly, %v through the pipe", direct.Failure.Applied, piped.Failure.Applied)
			}
			text := direct.Program.Scenario().String()
			if piped.Program.Scenario().String() != text {
				t.Fatalf("another program through the pipe:\n%s\nwant:\n%s", piped.Program.Scenario(), text)
			}
			if small := shrunk(t, direct, sabotage.Factory(fault.Name)); shrunk(t, piped, through("sabotage "+fault.Name)) != small {
				t.Errorf("shrunk otherwise through the pipe; directly:\n%s", small)
			}
		})
	}
}

func found(t *testing.T, factory subject.Factory) *campaign.Found {
	return run(t, campaign.Options{Seed: 5, Steps: 50_000, Subject: factory, Machines: []ops.Machine{ops.SchedulerMachine}}).Found
}

// shrunk is the scenario that a failure is shrunk to within few tries: enough to compare two ways.
func shrunk(t *testing.T, f *campaign.Found, factory subject.Factory) string {
	t.Helper()
	small := shrinkWithin(t, 30, f, factory)
	return small.Scenario().String()
}

func shrinkWithin(t *testing.T, tries int, f *campaign.Found, factory subject.Factory) lockstep.Program {
	t.Helper()
	s, err := factory()
	if err != nil {
		t.Fatal(err)
	}
	if p, ok := s.(*subject.Process); ok {
		defer func() { _ = p.Close() }()
	}
	runner := lockstep.New(s)
	if strings.HasPrefix(f.Failure.Property, "subject/") {
		runner.Window = 1
	}
	return shrink.Shrink(f.Program, f.Failure, tries, func(p *lockstep.Program) *lockstep.Failure {
		failure, err := runner.Run(p, false)
		if err != nil {
			return nil
		}
		return failure
	}).Program
}

// A subject without some operations is checked without them, from the program on in which that is learned.
func TestLeftOutOperations(t *testing.T) {
	for _, lacks := range []string{"busy", "arrive fill", "ready drained", "outcome depart", "request", "stop evict remove send_done"} {
		t.Run(lacks, func(t *testing.T) {
			t.Parallel()
			report := run(t, campaign.Options{Seed: 3, Programs: 48, Subject: through("lacks " + lacks)})
			if report.Found != nil {
				t.Fatalf("%s", report.Found.Failure.Text())
			}
			for k := range ops.NumKinds {
				if want := slices.Contains(strings.Fields(lacks), k.String()); report.LeftOut[k] != want {
					t.Errorf("%s left out: %t", k, report.LeftOut[k])
				}
			}
			if report.Steps < 400 {
				t.Errorf("only %d steps", report.Steps)
			}
		})
	}
}

// An operation that turns out to be missing in the middle of a program, with others ahead of its answer, leaves no trace on
// the model: the program goes on as if it had not been there, and what fails later is named by its own step.
func TestLearnedAheadOfTheAnswer(t *testing.T) {
	config := ops.DefaultConfig(ops.SchedulerMachine)
	config.Scheduler.Slots = 1
	k1, k2, a := ops.KeyNamed("k1"), ops.KeyNamed("k2"), ops.PeerNamed("A")
	p := lockstep.Program{Config: config, Ops: []ops.Op{
		{Kind: ops.Enqueue, Key: k1, Sources: []ops.Peer{a}},
		{Kind: ops.Enqueue, Key: k2, Sources: []ops.Peer{a}},
		{Kind: ops.Fill},
		{Kind: ops.Arrive, Ref: ops.Ref{Of: k1}}, // left out: it takes no place
		{Kind: ops.Outcome, Ref: ops.Ref{Of: k1}, Outcome: ops.Cancelled},
		{Kind: ops.Stop}, // left out: the next fill starts k2 with the place after
		{Kind: ops.Fill},
		{Kind: ops.Outcome, Ref: ops.Ref{Of: k2}, Outcome: ops.Timeout},
	}}
	runner := lockstep.New(process(t, "lacks arrive stop", time.Minute))
	for range 2 { // the second time nothing has to be learned
		if f, err := runner.Run(&p, true); f != nil || err != nil {
			t.Fatalf("%v, %v", f, err)
		}
		if st := runner.State().Scheduler; st.NextPlace != 3 || st.Stopped {
			t.Errorf("next place %d, stopped %t", st.NextPlace, st.Stopped)
		}
	}
}

// A subject without a state is compared in its results alone.
func TestWithoutState(t *testing.T) {
	report := run(t, campaign.Options{Seed: 3, Programs: 20, Subject: through("lacks state")})
	if report.Found != nil || report.Compared != 0 || !report.LeftOut[ops.StateQuery] {
		t.Errorf("found %v, compared %s", report.Found, report.Compared)
	}
	found := run(t, campaign.Options{Seed: 5, Steps: 50_000, Subject: through("sabotage lost-start")}).Found
	if found == nil || found.Failure.Property != "result/fill" {
		t.Errorf("found %v", found)
	}
}

// With states compared now and then, a wrong state is seen at the end of the program at the latest.
func TestStateEveryComparesTheEnd(t *testing.T) {
	for _, factory := range []subject.Factory{sabotage.Factory("forgotten-mark"), through("sabotage forgotten-mark")} {
		f := run(t, campaign.Options{Seed: 5, Steps: 100_000, StateEvery: 1 << 30, Subject: factory}).Found
		if f == nil || f.Failure.Property != "state/contact" || f.Failure.Step != len(f.Program.Ops)-1 {
			t.Errorf("found %+v", f)
		}
	}
}
