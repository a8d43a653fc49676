package subject_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fetchproof/ops"
	"fetchproof/props/campaign"
	"fetchproof/props/lockstep"
	"fetchproof/props/subject"
)

// pythonSubject is the command of the adapter in Python. Without an interpreter the test says so and is left out.
func pythonSubject(t *testing.T, arguments string) string {
	t.Helper()
	// The interpreter itself, not what may stand in its place on the path and starts slowly.
	out, err := exec.Command("python3", "-c", "import sys; print(sys.executable)").Output()
	if err != nil {
		t.Skipf("there is no python3 here, adapters/python is not tested: %v", err)
	}
	python := strings.TrimSpace(string(out))
	script, err := filepath.Abs("../../adapters/python/subject.py")
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(subject.Quote(python) + " -B " + subject.Quote(script) + " " + arguments)
}

// rustSubject compiles the sketch in Rust. Without a compiler the test says so and is left out.
func rustSubject(t *testing.T) string {
	t.Helper()
	rustc, err := exec.LookPath("rustc")
	if err != nil {
		t.Skip("there is no rustc here: adapters/rust is not tested")
	}
	binary := filepath.Join(t.TempDir(), "subject")
	out, err := exec.Command(rustc, "--edition", "2021", "-o", binary, "../../adapters/rust/main.rs").CombinedOutput()
	if err != nil || len(out) > 0 {
		t.Fatalf("rustc: %v\n%s", err, out)
	}
	return subject.Quote(binary)
}

func talkTo(command string) func(t *testing.T, lines string) string {
	return func(t *testing.T, lines string) string {
		words, err := subject.Split(command)
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(words[0], words[1:]...)
		cmd.Stdin, cmd.Stderr = strings.NewReader(lines), os.Stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		return string(out)
	}
}

func TestPythonConforms(t *testing.T) { conforms(t, talkTo(pythonSubject(t, ""))) }

func TestPythonAgrees(t *testing.T) {
	factory := subject.ProcessFactory(pythonSubject(t, ""), time.Minute)
	for _, every := range []int{1, 50} {
		report := run(t, campaign.Options{Seed: 21, Steps: 4000, StateEvery: every, Subject: factory})
		if report.Found != nil {
			t.Fatalf("every %d: %s", every, report.Found.Failure.Text())
		}
		if report.Compared != ops.AllFields || report.Steps < 4000 {
			t.Errorf("every %d: compared %s in %d steps", every, report.Compared, report.Steps)
		}
	}
}

// A planted fault in another language is caught, named and shrunk as one of the built-in implementation is; the scenario
// holds on the sound subject.
func TestPythonFaults(t *testing.T) {
	for _, c := range []struct {
		fault, property string
		machine         ops.Machine
		longest         int // operations of the shrunk scenario at most
		tries           int
	}{
		{"reservation-leak", "charges-recounted", ops.SchedulerMachine, 6, 400},
		{"tried-again", "sources-apart", ops.SchedulerMachine, 5, 400},
		{"no-share", "result/fill", ops.SchedulerMachine, 4, 400},
		{"denial-spends", "denial-free", ops.ResponderMachine, 6, 400},
		{"crash-on-stop", "subject/crash", ops.SchedulerMachine, 8, 8},
	} {
		t.Run(c.fault, func(t *testing.T) {
			t.Parallel()
			factory := subject.ProcessFactory(pythonSubject(t, "--fault "+c.fault), time.Minute)
			f := run(t, campaign.Options{Seed: 5, Steps: 50_000, Machines: []ops.Machine{c.machine}, Subject: factory}).Found
			if f == nil {
				t.Fatal("not caught")
			}
			small := shrinkWithin(t, c.tries, f, factory)
			if f.Failure.Property != c.property || len(small.Ops) > c.longest {
				t.Errorf("%s, shrunk to\n%s", f.Failure.Property, small.Scenario())
			}
			if c.property == "subject/crash" && !strings.Contains(f.Failure.Detail, "RuntimeError: planted") {
				t.Errorf("the last words are lost: %s", f.Failure.Detail)
			}
			sound, err := lockstep.New(subject.NewBuiltin()).Run(&small, false)
			if sound != nil || err != nil {
				t.Errorf("it fails on the sound implementation too: %v, %v", sound, err)
			}
		})
	}
}

func TestRustSketch(t *testing.T) {
	command := rustSubject(t)
	factory := subject.ProcessFactory(command, time.Minute)
	report := run(t, campaign.Options{Seed: 21, Steps: 5000, Machines: []ops.Machine{ops.SchedulerMachine}, Subject: factory})
	if report.Found != nil {
		t.Fatalf("%s", report.Found.Failure.Text())
	}
	want := ops.FieldClock | ops.FieldStopped | ops.FieldPending | ops.FieldCharges
	if report.Compared != want || !report.LeftOut[ops.Fill] || report.LeftOut[ops.Add] {
		t.Errorf("compared %s, left out %v", report.Compared, report.LeftOut)
	}
	var lines bytes.Buffer
	bad := 0
	for _, c := range conversations {
		if c.name == "errors before init" || c.name == "errors change nothing" {
			for _, l := range c.lines {
				lines.WriteString(l.line + "\n")
				if l.want == "error" {
					bad++
				}
			}
		}
	}
	answers := talkTo(command)(t, lines.String())
	// It has no fill, so its clock stays where it began.
	if strings.Count(answers, `"error"`) != bad || !strings.Contains(answers, `"clock":0`) {
		t.Errorf("bad lines are answered\n%s", answers)
	}
}
