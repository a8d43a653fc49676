package fuzz

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"fetchproof/ops"
	"fetchproof/props/campaign"
	"fetchproof/props/gen"
	"fetchproof/props/lockstep"
	"fetchproof/props/shrink"
	"fetchproof/props/subject"
)

// FuzzScheduler reads every string of bytes as a program for the scheduler and runs it in lockstep.
func FuzzScheduler(f *testing.F) { fuzzPrograms(f, ops.SchedulerMachine) }

// FuzzResponder does the same for the responder.
func FuzzResponder(f *testing.F) { fuzzPrograms(f, ops.ResponderMachine) }

func fuzzPrograms(f *testing.F, m ops.Machine) {
	for _, seed := range Seeds() {
		f.Add(seed)
	}
	runner := lockstep.New(subject.NewBuiltin())
	f.Fuzz(func(t *testing.T, data []byte) {
		failure, p := campaign.Draw(runner, gen.Bytes(data), m, MaxProgram, nil)
		if failure != nil {
			reportProgram(t, p, failure)
		}
	})
}

// reportProgram shrinks a failing program by our own shrinker, which knows what an operation is, and writes it as a scenario.
func reportProgram(t *testing.T, p lockstep.Program, failure *lockstep.Failure) {
	t.Helper()
	runner := lockstep.New(subject.NewBuiltin())
	result := shrink.Shrink(p, failure, 20_000, func(p *lockstep.Program) *lockstep.Failure {
		f, err := runner.Run(p, failure.Property == lockstep.Drained)
		if err != nil {
			return nil
		}
		return f
	})
	scenario := result.Program.Scenario("FAILS " + result.Failure.Property + ": " + result.Failure.Message).String()
	dir := filepath.Join("..", "failures")
	file := filepath.Join(dir, fmt.Sprintf("%s.txt", t.Name()[len("Fuzz"):]))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err == nil {
		err = os.WriteFile(file, []byte(scenario), 0o644)
		if err != nil {
			t.Log(err)
		}
	}
	t.Fatalf("%s\n%s\nreplay    fetchproof replay %s", result.Failure.Text(), scenario, file)
}
